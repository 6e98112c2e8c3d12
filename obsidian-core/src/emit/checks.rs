//! What the texts of a kernel check, by the numbers that they note.

use std::borrow::Cow;

use obsidian_base::launch::{Check, CheckedLength, Checks, Place};

use super::vouched::Check as Printed;
use crate::error::{Origin, Site};
use crate::ir::ParameterKind;
use crate::plan::Plan;
use crate::scalar::{ArrayId, ArrayPlace, Node, NodeId, Nodes};

/// The checks of both texts, each with where it stands in the user's code; the places in them are not known yet.
#[derive(Debug, Default)]
pub struct Listed {
    /// Those of the CPU text.
    pub cpu: Vec<(Check, Origin)>,
    /// Those of the CUDA text.
    pub cuda: Vec<(Check, Origin)>,
}

/// Lists the checks of the texts of a kernel, which prints them once more; of the CPU text only if it is not known to have none.
pub fn listed(plan: &Plan, of_cpu: bool) -> Listed {
    let cpu = match of_cpu {
        true => super::cpu::checks(plan),
        false => Vec::new(),
    };
    let cpu = cpu.into_iter();
    let cuda = match plan.faults() {
        true => super::cuda::printed(plan),
        false => Vec::new(),
    };
    let cuda = cuda.into_iter();
    Listed {
        cpu: cpu.map(|check| of(plan, None, check)).collect(),
        cuda: cuda.map(|(index, check)| of(plan, index, check)).collect(),
    }
}

/// The checks of a kernel that was built while the program runs.
pub fn checks(plan: &Plan) -> Checks {
    let origins = &plan.lowered().tables.origins;
    let placed = |(mut check, origin): (Check, Origin)| {
        let (Check::Inside { place, .. } | Check::Assertion { place, .. }) = &mut check;
        *place = match origins.site(origin) {
            Some(Site::Native(place)) => Place::Rust(place),
            Some(Site::Text(_)) => {
                let text = origins.place(origin).map(Cow::Owned);
                text.map_or(Place::Unknown, Place::Text)
            }
            Some(Site::Span(_)) | None => Place::Unknown,
        };
        check
    };
    let listed = listed(plan, true);
    Checks {
        cpu: listed.cpu.into_iter().map(placed).collect(),
        cuda: listed.cuda.into_iter().map(placed).collect(),
    }
}

fn of(plan: &Plan, index: Option<NodeId>, check: Printed) -> (Check, Origin) {
    let place = Place::Unknown;
    match check {
        Printed::Assertion { text, origin } => {
            let text = Cow::Owned(text);
            (Check::Assertion { text, place }, origin)
        }
        Printed::Inside { array, origin } => {
            let tables = &plan.kernel().tables;
            let entry = tables.array(array);
            // Arrays of a block are indexed in 32 bits, where exact arithmetic that comes to less than 0 is a large number.
            let is_signed = !matches!(entry.place, ArrayPlace::Global(_))
                && index.is_some_and(|index| is_exact(&tables.nodes, index));
            let inside = Check::Inside {
                array: Cow::Owned(entry.name.clone()),
                length: length(plan, array),
                is_signed,
                place,
            };
            (inside, origin)
        }
    }
}

fn length(plan: &Plan, array: ArrayId) -> CheckedLength {
    let kernel = plan.kernel();
    let is_own = |kind| kind == ParameterKind::Array(array);
    let mut parameters = kernel.parameters.iter();
    let tables = &kernel.tables;
    match parameters.position(|parameter| is_own(parameter.kind)) {
        Some(n) => CheckedLength::Parameter(n),
        None => CheckedLength::Number(tables.stored_length(tables.array(array))),
    }
}

/// Is a node the result of exact arithmetic, perhaps with a promise?
fn is_exact(nodes: &Nodes, id: NodeId) -> bool {
    match nodes.node(id) {
        Node::Binary { exact, .. } => exact,
        Node::Unary { op, value } if op.is_promise() => is_exact(nodes, value),
        _ => false,
    }
}
