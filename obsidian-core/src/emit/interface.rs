//! An [`Interface`] as a Rust expression, for the constant that the macro puts into the user's
//! crate.

use crate::plan::{Formula, Interface, OrderInfo, ParameterInfo, RequirementInfo, Step};
use crate::scalar::Constraint;

/// A Rust expression whose value is `interface`, good for a `static`.
///
/// The types are named under `core_path`, such as `::obsidian_rt::generated`; it has to hold
/// `Interface`, `OrderInfo`, `ParameterInfo`, `ParameterRole`, `RequirementInfo`, `Constraint`, `ScalarType`,
/// `Formula` and `Step`.
pub fn interface(interface: &Interface, core_path: &str) -> String {
    let printer = Printer { path: core_path };
    let parameters = interface.parameters.iter().map(|p| printer.parameter(p));
    let requirements = interface
        .requirements
        .iter()
        .map(|r| printer.requirement(r));
    format!(
        "{core_path}::Interface {{ name: {}, threads: {}, shared_bytes: {}, barriers: {}, warp_waits: {}, parameters: {}, blocks: {}, resident: {}, faults: {}, orders: {}, requirements: {} }}",
        borrowed(&interface.name),
        interface.threads,
        interface.shared_bytes,
        interface.barriers,
        interface.warp_waits,
        list(parameters),
        list(interface.blocks.iter().map(|f| printer.formula(f))),
        interface.resident,
        interface.faults,
        list(interface.orders.iter().map(|order| printer.order(order))),
        list(requirements),
    )
}

/// A formula as a constant expression.
pub fn formula(formula: &Formula, core_path: &str) -> String {
    Printer { path: core_path }.formula(formula)
}

struct Printer<'a> {
    path: &'a str,
}

impl Printer<'_> {
    fn parameter(&self, p: &ParameterInfo) -> String {
        format!(
            "{path}::ParameterInfo {{ name: {}, group: {}, ty: {path}::ScalarType::{:?}, role: {path}::ParameterRole::{:?}, length: {}, chunk: {}, uses_length: {} }}",
            borrowed(&p.name),
            p.group,
            p.ty,
            p.role,
            option(p.length.as_ref().map(|f| self.formula(f))),
            option(p.chunk.map(|n| n.to_string())),
            p.uses_length,
            path = self.path,
        )
    }

    fn order(&self, order: &OrderInfo) -> String {
        let types = order.types.iter();
        let types = types.map(|ty| format!("{}::ScalarType::{ty:?}", self.path));
        format!(
            "{path}::OrderInfo {{ blocks: {}, elements: {}, types: {} }}",
            self.formula(&order.blocks),
            order.elements,
            list(types),
            path = self.path,
        )
    }

    fn requirement(&self, r: &RequirementInfo) -> String {
        let constraint = match &r.constraint {
            Constraint::Fits => "Fits".to_owned(),
            Constraint::AtLeast(n) => format!("AtLeast({n})"),
            Constraint::Reaches(n) => format!("Reaches({n})"),
            Constraint::MultipleOf(n) => format!("MultipleOf({n})"),
            Constraint::DividedBy(other) => format!("DividedBy({})", self.formula(other)),
            Constraint::Equal(other) => format!("Equal({})", self.formula(other)),
        };
        format!(
            "{path}::RequirementInfo {{ length: {}, constraint: {path}::Constraint::{constraint} }}",
            self.formula(&r.length),
            path = self.path,
        )
    }

    fn formula(&self, formula: &Formula) -> String {
        let step = |step: &Step| format!("{}::Step::{step:?}", self.path);
        format!(
            "{}::Formula {{ steps: {} }}",
            self.path,
            list(formula.steps.iter().map(step))
        )
    }
}

fn borrowed(text: &str) -> String {
    format!("::std::borrow::Cow::Borrowed({text:?})")
}

fn list(entries: impl Iterator<Item = String>) -> String {
    format!(
        "::std::borrow::Cow::Borrowed(&[{}])",
        entries.collect::<Vec<_>>().join(", ")
    )
}

fn option(value: Option<String>) -> String {
    value.map_or_else(
        || "::std::option::Option::None".to_owned(),
        |text| format!("::std::option::Option::Some({text})"),
    )
}
