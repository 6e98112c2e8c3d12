//! Walking statements: the lists inside a statement, and the nodes that it evaluates itself.

use std::collections::BTreeSet;

use super::Statement;
use crate::error::Origin;
use crate::scalar::{ArrayId, Literal, Node, NodeId, Nodes, VariableId};

impl Statement {
    /// The nodes that the statement itself evaluates, not those of the lists inside it.
    pub fn nodes(&self) -> Vec<NodeId> {
        match self {
            Statement::Let { value, .. }
            | Statement::Declare { value, .. }
            | Statement::Assign { value, .. } => vec![*value],
            Statement::Store { index, value, .. } => vec![*index, *value],
            Statement::Atomic {
                index, operands, ..
            } => std::iter::once(*index)
                .chain(operands.iter().copied())
                .collect(),
            Statement::Read { index, .. } => vec![*index],
            Statement::If { condition, .. } | Statement::While { condition, .. } => {
                vec![*condition]
            }
            Statement::For {
                start, end, step, ..
            } => vec![*start, *end, *step],
            Statement::ForAll { count, .. } | Statement::Distribute { count, .. } => vec![*count],
            Statement::Get { .. }
            | Statement::Break
            | Statement::Allocate { .. }
            | Statement::Wait { .. } => Vec::new(),
        }
    }

    /// The nodes that the statement itself evaluates, to be replaced.
    pub fn nodes_mut(&mut self) -> Vec<&mut NodeId> {
        match self {
            Statement::Let { value, .. }
            | Statement::Declare { value, .. }
            | Statement::Assign { value, .. } => vec![value],
            Statement::Store { index, value, .. } => vec![index, value],
            Statement::Atomic {
                index, operands, ..
            } => std::iter::once(index).chain(operands).collect(),
            Statement::Read { index, .. } => vec![index],
            Statement::If { condition, .. } | Statement::While { condition, .. } => vec![condition],
            Statement::For {
                start, end, step, ..
            } => vec![start, end, step],
            Statement::ForAll { count, .. } | Statement::Distribute { count, .. } => vec![count],
            Statement::Get { .. }
            | Statement::Break
            | Statement::Allocate { .. }
            | Statement::Wait { .. } => Vec::new(),
        }
    }

    /// The lists inside the statement, in order of execution.
    pub fn lists(&self) -> Vec<&Vec<Statement>> {
        match self {
            Statement::If {
                then, otherwise, ..
            } => vec![then, otherwise],
            Statement::While { head, body, .. } => vec![head, body],
            Statement::For { body, .. }
            | Statement::ForAll { body, .. }
            | Statement::Distribute { body, .. } => vec![body],
            _ => Vec::new(),
        }
    }

    /// The lists inside the statement, to be changed.
    pub fn lists_mut(&mut self) -> Vec<&mut Vec<Statement>> {
        match self {
            Statement::If {
                then, otherwise, ..
            } => vec![then, otherwise],
            Statement::While { head, body, .. } => vec![head, body],
            Statement::For { body, .. }
            | Statement::ForAll { body, .. }
            | Statement::Distribute { body, .. } => vec![body],
            _ => Vec::new(),
        }
    }

    /// The variable that the statement binds: for the rest of its list, or for its body if it is a
    /// loop.
    pub fn binds(&self) -> Option<VariableId> {
        match self {
            Statement::Let { variable, .. }
            | Statement::Read { variable, .. }
            | Statement::Get { variable, .. } => Some(*variable),
            Statement::Atomic { result, .. } => *result,
            Statement::For { counter, .. }
            | Statement::ForAll { counter, .. }
            | Statement::Distribute { counter, .. } => Some(*counter),
            _ => None,
        }
    }

    /// The array that the statement itself writes, if any.
    pub fn writes(&self) -> Option<ArrayId> {
        match self {
            Statement::Store { array, .. } | Statement::Atomic { array, .. } => Some(*array),
            _ => None,
        }
    }

    /// The arrays that the nodes which the statement itself evaluates load.
    pub fn loads(&self, nodes: &Nodes) -> BTreeSet<ArrayId> {
        let order = nodes.post_order(&self.nodes(), |_| false);
        order
            .into_iter()
            .filter_map(|n| {
                if let Node::Load { array, .. } = nodes.node(n) {
                    Some(array)
                } else {
                    None
                }
            })
            .collect()
    }

    /// The arrays that the statement itself mentions: loaded, read, written, or begun.
    pub fn mentions(&self, nodes: &Nodes) -> BTreeSet<ArrayId> {
        let mut arrays = self.loads(nodes);
        match self {
            Statement::Store { array, .. }
            | Statement::Atomic { array, .. }
            | Statement::Read { array, .. }
            | Statement::Allocate { array } => {
                arrays.insert(*array);
            }
            _ => {}
        }
        arrays
    }

    /// Is it a loop that surely has at least one round?
    pub fn has_a_round(&self, nodes: &Nodes) -> bool {
        let literal = |n: &NodeId| nodes.literal(*n).map(Literal::u32);
        match self {
            Statement::For { start, end, .. } => {
                matches!((literal(start), literal(end)), (Some(start), Some(end)) if start < end)
            }
            Statement::ForAll { count, .. } | Statement::Distribute { count, .. } => {
                literal(count).is_some_and(|n| n > 0)
            }
            _ => false,
        }
    }

    /// The place of the first access in the statement, if any is known.
    pub fn first_origin(&self) -> Origin {
        let mut first = Origin::UNKNOWN;
        self.visit(&mut |s| {
            if let Statement::Store { origin, .. }
            | Statement::Read { origin, .. }
            | Statement::Atomic { origin, .. } = s
                && first == Origin::UNKNOWN
            {
                first = *origin;
            }
        });
        first
    }

    /// Calls `f` on the statement and on all statements inside it, in order.
    pub fn visit<'a>(&'a self, f: &mut dyn FnMut(&'a Statement)) {
        f(self);
        self.lists()
            .into_iter()
            .flatten()
            .for_each(|inner| inner.visit(f));
    }
}
