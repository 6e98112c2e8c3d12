//! The [`Interface`] of a planned kernel: lengths and numbers of blocks become formulas over the parameters.

use std::borrow::Cow;

use crate::hashed::HashSet;

use obsidian_base::launch::{
    Formula, Interface, OrderInfo, ParameterInfo, ParameterRole, RequirementInfo, Step,
};

use crate::error::{Diagnostic, Origin, catalogue};
use crate::ir::{Kernel, Level, ParameterKind, Physical, Statement};
use crate::ordered::{Map, Set};
use crate::plan::pattern::WritePattern;
use crate::plan::planned::Plan;
use crate::scalar::formula::{FormulaLeaf, Leaf, formula_over};
use crate::scalar::{ArrayId, ArrayPlace, Node, NodeId, Role, VariableId, VariableKind};

impl Plan {
    /// What a launch has to know of the kernel.
    ///
    /// # Errors
    ///
    /// If a length or a number of blocks is not a formula over the parameters.
    pub fn interface(&self) -> Result<Interface, Diagnostic> {
        let (plan, kernel) = (self, self.kernel());
        let formulas = Formulas::of(kernel, self.longest_formula);
        let used = lengths_used(plan);
        let mut parameters = Vec::new();
        for parameter in &kernel.parameters {
            parameters.push(match parameter.kind {
                ParameterKind::Array(array) => buffer(
                    plan,
                    &formulas,
                    parameter.group,
                    array,
                    used.contains(&array),
                )?,
                ParameterKind::Scalar(variable) => scalar(kernel, parameter.group, variable)?,
            });
        }
        let requirements = requirements(kernel, &formulas)?;
        Ok(Interface {
            name: Cow::Owned(kernel.name.clone()),
            threads: plan.threads(),
            shared_bytes: plan.shared().bytes,
            barriers: plan.waits(Level::Block),
            warp_waits: plan.waits(Level::Warp),
            parameters: Cow::Owned(parameters),
            blocks: Cow::Owned(blocks(kernel, &formulas)?),
            resident: plan.resident(),
            faults: plan.faults(),
            orders: Cow::Owned(orders(plan, &formulas)?),
            requirements: Cow::Owned(requirements),
        })
    }
}

fn buffer(
    plan: &Plan,
    formulas: &Formulas<'_>,
    group: u32,
    id: ArrayId,
    uses_length: bool,
) -> Result<ParameterInfo, Diagnostic> {
    let array = plan.kernel().tables.array(id);
    let role = match array.place {
        ArrayPlace::Global(Role::Input) => ParameterRole::Input,
        ArrayPlace::Global(Role::Output) => ParameterRole::Output,
        ArrayPlace::Global(Role::InOut) => ParameterRole::InOut,
        ArrayPlace::Shared | ArrayPlace::Held => {
            return Err(catalogue::bug(format!(
                "the parameter `{}` is not a buffer",
                array.name
            )));
        }
    };
    let length = match role {
        ParameterRole::Output => Some(
            formulas
                .formula(array.length)
                .map_err(|d| d.at(array.origin))?,
        ),
        _ => None,
    };
    let chunk = match plan.pattern(id) {
        WritePattern::Chunks(n) if role != ParameterRole::Input => Some(n),
        _ => None,
    };
    Ok(ParameterInfo {
        name: Cow::Owned(array.name.clone()),
        group,
        ty: array.ty,
        role,
        length,
        chunk,
        uses_length,
    })
}

fn scalar(
    kernel: &Kernel<Physical>,
    group: u32,
    id: VariableId,
) -> Result<ParameterInfo, Diagnostic> {
    let variable = kernel.tables.variable(id);
    let name = variable
        .name
        .clone()
        .unwrap_or_else(|| format!("argument_{group}"));
    Ok(ParameterInfo {
        name: Cow::Owned(name),
        group,
        ty: variable.ty,
        role: ParameterRole::Scalar,
        length: None,
        chunk: None,
        uses_length: false,
    })
}

fn requirements(
    kernel: &Kernel<Physical>,
    formulas: &Formulas<'_>,
) -> Result<Vec<RequirementInfo>, Diagnostic> {
    let one = |requirement: &crate::scalar::Requirement| {
        let formula = |id: NodeId| formulas.formula(id).map_err(|d| d.at(requirement.origin));
        Ok(RequirementInfo {
            length: formula(requirement.length)?,
            constraint: requirement.constraint.try_map(|id| formula(*id))?,
        })
    };
    kernel.tables.requirements.iter().map(one).collect()
}

/// The counts of all loops over blocks, those in loops of the grid included, and those in conditions
/// of the grid, which only kernels made without the library have.
///
/// A launch takes as many real blocks as the largest count. The text goes through the virtual
/// blocks of each loop in steps of the grid, so any number of real blocks but 0 is right for it.
fn blocks(kernel: &Kernel<Physical>, formulas: &Formulas<'_>) -> Result<Vec<Formula>, Diagnostic> {
    let mut loops = Vec::new();
    for statement in &kernel.body {
        statement.visit(&mut |inner| {
            if let Statement::Loop {
                kind,
                bounds: [_, end, _],
                ..
            } = inner
                && kind.is_of_blocks()
            {
                loops.push((*end, inner.first_origin()));
            }
        });
    }
    let count = |(end, origin): (NodeId, Origin)| {
        if formulas.counts_a_loop(end) {
            return Err(catalogue::blocks_of_a_round().at(origin));
        }
        formulas.formula(end).map_err(|wrong| wrong.at(origin))
    };
    loops.into_iter().map(count).collect()
}

fn orders(plan: &Plan, formulas: &Formulas<'_>) -> Result<Vec<OrderInfo>, Diagnostic> {
    let orders = plan.orders().into_iter();
    orders
        .map(|order| {
            Ok(OrderInfo {
                blocks: formulas.formula(order.blocks)?,
                elements: order.elements,
                types: Cow::Owned(order.types),
            })
        })
        .collect()
}

/// The parameters whose length some statement of the kernel needs.
pub(crate) fn lengths_used(plan: &Plan) -> Set<ArrayId> {
    let kernel = plan.kernel();
    if plan.checks_accesses() {
        let arrays = kernel.parameters.iter().map(|parameter| parameter.kind);
        return arrays
            .filter_map(|kind| match kind {
                ParameterKind::Array(array) => Some(array),
                ParameterKind::Scalar(_) => None,
            })
            .collect();
    }
    let nodes = &kernel.tables.nodes;
    let (mut seen, mut stack, mut used) = (HashSet::default(), Vec::new(), Set::new());
    for statement in &kernel.body {
        statement.visit(&mut |s| stack.extend(s.nodes()));
    }
    while let Some(id) = stack.pop() {
        if seen.insert(id) {
            let node = nodes.node(id);
            if let Node::Length(array) = node {
                used.insert(array);
            }
            stack.extend(node.operands());
        }
    }
    used
}

/// Makes formulas of nodes: variables that name values are read through.
struct Formulas<'k> {
    kernel: &'k Kernel<Physical>,
    lets: Map<VariableId, NodeId>,
    /// The most steps of a formula.
    longest: usize,
}

impl<'k> Formulas<'k> {
    fn of(kernel: &'k Kernel<Physical>, longest: usize) -> Self {
        let lets = kernel.lets();
        Formulas {
            kernel,
            lets,
            longest,
        }
    }

    fn formula(&self, root: NodeId) -> Result<Formula, Diagnostic> {
        let nodes = &self.kernel.tables.nodes;
        formula_over(nodes, root, self.longest, &|leaf| match leaf {
            FormulaLeaf::Length(array) => {
                let position = self.position(ParameterKind::Array(array))?;
                Ok(Leaf::Step(Step::Length(position)))
            }
            FormulaLeaf::Variable(variable) => match self.lets.get(&variable) {
                Some(value) => Ok(Leaf::Expression(*value)),
                None => {
                    let position = self.position(ParameterKind::Scalar(variable))?;
                    Ok(Leaf::Step(Step::Argument(position)))
                }
            },
        })
    }

    /// Does an expression depend on the counter of a loop?
    fn counts_a_loop(&self, root: NodeId) -> bool {
        let tables = &self.kernel.tables;
        let (mut stack, mut seen) = (vec![root], HashSet::default());
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            let node = tables.nodes.node(id);
            if let Node::Variable(variable) = node {
                if tables.variable(variable).kind == VariableKind::Counter {
                    return true;
                }
                stack.extend(self.lets.get(&variable));
            }
            stack.extend(node.operands());
        }
        false
    }

    fn position(&self, kind: ParameterKind) -> Result<usize, Diagnostic> {
        let found = self.kernel.parameters.iter().position(|p| p.kind == kind);
        found.ok_or_else(|| catalogue::not_a_formula("depends on more than the parameters"))
    }
}
