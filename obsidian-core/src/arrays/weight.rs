//! What an element costs to compute, in units of an addition.

use super::graph::{Node, silently};
use super::index::Index;
use crate::array::Storable;
use crate::program::{Action, ahead};
use crate::scalar::{BinaryOp, Node as Exp, NodeId, Nodes, ScalarType, UnaryOp, session};

/// The weight of an element of a node: what it takes to compute it once more, from arrays in memory.
pub(super) fn weight(node: &Node) -> u64 {
    let index = Index::fresh(node.extents.len());
    let (fields, actions) = silently(|| ahead(|| (node.element)(&index)));
    let mut roots = Vec::new();
    let mut leaves = Vec::new();
    fields.leaves(&mut leaves);
    roots.extend(leaves.into_iter().map(|leaf| leaf.node()));
    let of_loops = of_list(&actions, &mut roots);
    of_expressions(&roots).saturating_add(of_loops)
}

/// Loops cost what a round costs, a hundred times; the expressions of all else are added to `roots`.
fn of_list(actions: &[Action], roots: &mut Vec<NodeId>) -> u64 {
    let mut weight = 0u64;
    for action in actions {
        match action {
            Action::SeqFor { body, .. } => weight = weight.saturating_add(of_round(&[body])),
            Action::SeqWhile { head, body, .. } => {
                weight = weight.saturating_add(of_round(&[head, body]));
            }
            _ => {
                roots.extend(action.nodes());
                for list in action.lists() {
                    weight = weight.saturating_add(of_list(list, roots));
                }
            }
        }
    }
    weight
}

fn of_round(lists: &[&Vec<Action>]) -> u64 {
    let mut roots = Vec::new();
    let mut inner = 0u64;
    for list in lists {
        inner = inner.saturating_add(of_list(list, &mut roots));
    }
    inner
        .saturating_add(of_expressions(&roots))
        .saturating_add(1)
        .saturating_mul(100)
}

fn of_expressions(roots: &[NodeId]) -> u64 {
    let weigh = |nodes: &Nodes| -> u64 {
        let all = nodes.post_order(roots, |_| false);
        all.into_iter().map(|id| of_node(nodes, id)).sum()
    };
    session(|s| weigh(&s.tables.nodes)).unwrap_or(0)
}

fn of_node(nodes: &Nodes, id: NodeId) -> u64 {
    match nodes.node(id) {
        Exp::Literal(_) | Exp::Variable(_) | Exp::Length(_) | Exp::Special(_) | Exp::Poison => 0,
        Exp::Load { .. } => 4,
        // Arithmetic of indices is cheap beside what it is for, and mostly shared.
        Exp::Binary { exact: true, .. } => 0,
        Exp::Binary { op, .. } => match op {
            BinaryOp::Div | BinaryOp::Rem => 8,
            BinaryOp::Pow | BinaryOp::Atan2 | BinaryOp::Hypot => 32,
            _ => 1,
        },
        Exp::Unary { op, .. } => match op {
            UnaryOp::Trust | UnaryOp::Distinct => 0,
            UnaryOp::Sqrt | UnaryOp::Rsqrt => 8,
            UnaryOp::Neg | UnaryOp::Not | UnaryOp::Abs | UnaryOp::Signum => 1,
            _ if nodes.ty(id).is_float() => 16,
            _ => 1,
        },
        Exp::MulAdd { .. } | Exp::Select { .. } => 1,
        Exp::Cast { .. } if nodes.ty(id) == ScalarType::Bool => 0,
        Exp::Cast { .. } => 1,
    }
}
