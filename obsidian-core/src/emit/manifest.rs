//! The manifest beside a kernel's CUDA text: what another program needs to launch it, as JSON.

use super::json::Json;
use super::{Names, cuda};
use crate::ir::ParameterKind;
use crate::plan::{
    Formula, Home, Interface, ParameterInfo, ParameterRole, Plan, RequirementInfo, Step,
};
use crate::scalar::Constraint;

const GRID_RULE: &str = "any number of blocks, at least 1: they work through the virtual blocks; with 0 virtual blocks nothing is launched";

const ORDER_RULE: &str = "the argument `order` is the address of words of 64 bits: one for each of the loops, and for each loop `words` * (blocks + 2 * (blocks / 32 + 1)) more; they are 0 at first, the kernel's own, and left as they are between launches; launches that use the same words do not overlap; after 4294967295 launches they are set to 0";

const RESIDENT_RULE: &str = "as many blocks as the device holds at once, but at least 1 and at most one for each virtual block: they work through the virtual blocks; any other number gives the same results; with 0 virtual blocks nothing is launched";

/// The manifest of a kernel. `interface` is the plan's, and `hash` names the source that the kernel
/// was made from.
///
/// `arguments` lists what the CUDA function takes, in order: pointers and values, then numbers of
/// elements (`u32`). `barriers` and `warp_waits` are numbers of places in the text where the
/// threads of a block, or of a warp, wait for each other. `placements` are the stored arrays that have no
/// shared memory of their own: each thread holds `elements` of them in registers, or they take the place of
/// another array. Lengths are given as text and as steps in
/// postfix order; `["length", n]` is the number of elements of parameter `n`. The kernel computes in
/// `u32`: do not launch it if a step of any formula is below 0 or above 4294967295.
pub fn manifest(plan: &Plan, interface: &Interface, hash: &str) -> String {
    manifest_of_build(plan, interface, hash, None)
}

/// The manifest that a build script writes beside compiled code: it has the compiler and the architectures, too.
pub fn manifest_of_build(
    plan: &Plan,
    interface: &Interface,
    hash: &str,
    compiled: Option<(&str, &[String])>,
) -> String {
    let names = cuda::names(plan);
    let all = interface.parameters.iter().zip(&plan.kernel().parameters);
    let parameters = all
        .map(|(info, parameter)| self::parameter(interface, info, symbol(&names, parameter.kind)));
    let shared = {
        let dynamic = interface.dynamic_shared_bytes();
        Json::Object(vec![
            ("static", Json::number(interface.shared_bytes - dynamic)),
            ("dynamic", Json::number(dynamic)),
        ])
    };
    let mut fields = vec![
        ("kernel", Json::text(interface.name.as_ref())),
        ("symbol", Json::text(cuda::symbol(&interface.name))),
        ("source_hash", Json::text(hash)),
        ("threads", Json::number(interface.threads)),
        ("grid", grid(interface)),
        ("shared_bytes", shared),
        ("barriers", Json::number(interface.barriers)),
        ("warp_waits", Json::number(interface.warp_waits)),
        ("placements", placements(plan)),
        ("parameters", Json::list(parameters)),
        ("arguments", arguments(plan, interface, &names)),
        (
            "requirements",
            Json::list(
                interface
                    .requirements
                    .iter()
                    .map(|r| requirement(interface, r)),
            ),
        ),
    ];
    if !interface.orders.is_empty() {
        fields.push(("order", order(interface)));
    }
    fields.extend(compiled.map(|(compiler, architectures)| {
        let architectures = architectures.iter().map(|arch| Json::text(arch.as_str()));
        let compiled = vec![
            ("compiler", Json::text(compiler)),
            ("architectures", Json::list(architectures)),
        ];
        ("compiled", Json::Object(compiled))
    }));
    Json::Object(fields).print()
}

/// Stored arrays that have no shared memory of their own.
fn placements(plan: &Plan) -> Json {
    let tables = &plan.kernel().tables;
    let name = |array| Json::text(tables.array(array).name.as_str());
    Json::list(plan.placements().iter().map(|placement| {
        let own = ("array", name(placement.array));
        Json::Object(match placement.home {
            Home::Registers { elements } => vec![own, ("registers", Json::number(elements))],
            Home::Over { array, .. } => vec![own, ("over", name(array))],
            Home::Shared => vec![own, ("place", Json::text("shared"))],
        })
    }))
}

fn grid(interface: &Interface) -> Json {
    let rule = if interface.resident {
        RESIDENT_RULE
    } else {
        GRID_RULE
    };
    let mut fields = vec![("rule", Json::text(rule))];
    if interface.resident {
        fields.push(("real_blocks", Json::text("resident")));
    }
    let blocks = interface.blocks.iter().map(|f| formula(interface, f));
    fields.push(("virtual_blocks", Json::list(blocks)));
    Json::Object(fields)
}

/// The words by which blocks follow each other.
fn order(interface: &Interface) -> Json {
    let loops = interface.orders.iter().map(|order| {
        Json::Object(vec![
            ("blocks", formula(interface, &order.blocks)),
            ("words", Json::number(order.words())),
        ])
    });
    Json::Object(vec![
        ("rule", Json::text(ORDER_RULE)),
        ("loops", Json::list(loops)),
    ])
}

fn symbol<'n>(names: &'n Names<'_>, kind: ParameterKind) -> &'n str {
    match kind {
        ParameterKind::Array(array) => names.array(array),
        ParameterKind::Scalar(variable) => names.variable(variable),
    }
}

fn parameter(interface: &Interface, p: &ParameterInfo, symbol: &str) -> Json {
    let mut fields = vec![
        ("name", Json::text(p.name.as_ref())),
        ("symbol", Json::text(symbol)),
        ("type", Json::text(p.ty.name())),
        ("role", Json::text(p.role.name())),
        ("group", Json::number(p.group)),
    ];
    if p.role != ParameterRole::Scalar {
        fields.push(("alignment", Json::number(p.ty.bytes())));
    }
    fields.extend(
        p.length
            .as_ref()
            .map(|length| ("length", formula(interface, length))),
    );
    fields.extend(p.chunk.map(|n| ("chunk", Json::number(n))));
    Json::Object(fields)
}

fn arguments(plan: &Plan, interface: &Interface, names: &Names<'_>) -> Json {
    let all = interface.parameters.iter().zip(&plan.kernel().parameters);
    let values = all
        .clone()
        .map(|(_, parameter)| Json::text(symbol(names, parameter.kind)));
    let lengths = all
        .filter(|(info, _)| info.uses_length)
        .map(|(_, parameter)| Json::text(format!("{}_len", symbol(names, parameter.kind))));
    let order = (!interface.orders.is_empty()).then(|| Json::text("order"));
    let fault = plan.faults().then(|| Json::text("fault"));
    Json::list(values.chain(lengths).chain(order).chain(fault))
}

fn requirement(interface: &Interface, r: &RequirementInfo) -> Json {
    Json::Object(vec![
        ("length", formula(interface, &r.length)),
        match &r.constraint {
            Constraint::Fits => ("fits", Json::text("u32")),
            Constraint::AtLeast(n) | Constraint::Reaches(n) => ("at_least", Json::number(*n)),
            Constraint::MultipleOf(n) => ("multiple_of", Json::number(*n)),
            Constraint::DividedBy(other) => ("divided_by", formula(interface, other)),
            Constraint::Equal(other) => ("equal", formula(interface, other)),
        },
    ])
}

fn formula(interface: &Interface, formula: &Formula) -> Json {
    Json::Object(vec![
        ("text", Json::text(interface.text(formula))),
        ("steps", Json::list(formula.steps.iter().map(step))),
    ])
}

fn step(step: &Step) -> Json {
    let (name, number) = match *step {
        Step::Length(n) => ("length", Some(n as u64)),
        Step::Argument(n) => ("argument", Some(n as u64)),
        Step::Literal(n) => ("literal", Some(n)),
        Step::Add => ("add", None),
        Step::Sub => ("sub", None),
        Step::Mul => ("mul", None),
        Step::Div => ("div", None),
        Step::Rem => ("rem", None),
        Step::Min => ("min", None),
        Step::Max => ("max", None),
    };
    Json::list(std::iter::once(Json::text(name)).chain(number.map(Json::Number)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_called_what_they_are() {
        for one in [
            Step::Add,
            Step::Sub,
            Step::Mul,
            Step::Div,
            Step::Rem,
            Step::Min,
            Step::Max,
        ] {
            let name = format!("{one:?}").to_lowercase();
            assert_eq!(step(&one).print(), format!("[\n  \"{name}\"\n]\n"));
        }
    }
}
