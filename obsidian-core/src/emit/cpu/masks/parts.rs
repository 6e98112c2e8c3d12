//! Which statements may be done for some lanes before others, and which for several at once.

use crate::ir::{Lowered, Statement};
use crate::scalar::{BinaryOp, Class, Node, NodeId, Nodes, UnaryOp};

/// May a statement of the list be done for some lanes before what follows it is done for others?
pub(super) fn is_part(nodes: &Nodes, statement: &Statement<Lowered>) -> bool {
    match statement {
        Statement::Allocate { .. } | Statement::Break | Statement::Wait { .. } => false,
        Statement::Atomic { .. } | Statement::Report(_) => false,
        Statement::While {
            head,
            condition,
            body,
        } => {
            let is_name =
                |s: &Statement<Lowered>| matches!(s, Statement::Get { .. } | Statement::Let { .. });
            head.iter().all(is_name)
                && is_wide_list(nodes, head)
                && is_wide_list(nodes, body)
                && is_wide(nodes, *condition)
        }
        _ => {
            let mut atomic = false;
            statement.visit(&mut |inner| {
                atomic |= matches!(inner, Statement::Atomic { .. } | Statement::Report(_));
            });
            !atomic
        }
    }
}

/// Can a list be computed for lanes that have left, and several at once?
fn is_wide_list(nodes: &Nodes, list: &[Statement<Lowered>]) -> bool {
    list.iter().all(|statement| {
        let is_value = matches!(
            statement,
            Statement::Let { .. }
                | Statement::Get { .. }
                | Statement::Declare { .. }
                | Statement::Assign { .. }
        );
        is_value && statement.nodes().iter().all(|root| is_wide(nodes, *root))
    })
}

/// Is there an instruction for several lanes for each operator of an expression, which loads nothing?
fn is_wide(nodes: &Nodes, root: NodeId) -> bool {
    let parts = nodes.post_order(&[root], |_| false);
    parts.into_iter().all(|id| is_wide_node(nodes, id))
}

/// Is there an instruction for several lanes for the operator of a node, which is no load?
pub(in crate::emit::cpu) fn is_wide_node(nodes: &Nodes, id: NodeId) -> bool {
    let ty = nodes.ty(id);
    let is_known = match ty.class() {
        Class::Bool => true,
        Class::Unsigned | Class::Signed => ty.bits() == 32,
        Class::Float => ty.bits() >= 32,
    };
    is_known
        && match nodes.node(id) {
            Node::Literal(_) | Node::Variable(_) | Node::Length(_) | Node::Select { .. } => true,
            Node::Unary { op, .. } => matches!(
                op,
                UnaryOp::Neg | UnaryOp::Not | UnaryOp::Abs | UnaryOp::Sqrt
            ),
            Node::Binary { op, right, .. } => match op {
                BinaryOp::Div => ty.is_float(),
                BinaryOp::Shl | BinaryOp::Shr => nodes.literal(right).is_some(),
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => true,
                BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => true,
                BinaryOp::Min | BinaryOp::Max => true,
                op => op.is_comparison(),
            },
            _ => false,
        }
}
