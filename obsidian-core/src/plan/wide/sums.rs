//! Indices as sums of multiples: which are neighbours, and which are multiples of a number.
//!
//! *Neighbours.* Exact arithmetic does not leave the range of a `u32` where its value is used, so an
//! index that is taken apart through it alone is the number that the sum is. Two indices whose sums
//! differ by a number are apart by that number, and nothing between them wraps. Arithmetic that may
//! wrap is one term, whole.
//!
//! *Multiples.* What divides a number by a power of two divides it modulo 2^32 as well, so here
//! arithmetic may wrap.

use crate::hashed::HashMap;
use crate::scalar::{
    BinaryOp, Constraint, Literal, Node, NodeId, Nodes, Requirement, Sum, Tables, Taken, VariableId,
};

/// Nodes of an index that are taken apart.
const MOST_NODES: usize = 64;
/// Operators inside of each other that are looked at for a divisor.
const DEEPEST: u32 = 16;
/// The exponent of the power of two that divides 0, in 32 bits.
const ALL: u32 = 32;

/// What is known of variables where a statement stands.
#[derive(Default)]
pub(super) struct Known {
    /// The values of names.
    values: HashMap<VariableId, NodeId>,
    /// Exponents of the powers of two that divide counters.
    counters: HashMap<VariableId, u32>,
}

impl Known {
    /// The variable has a value from here on.
    pub(super) fn name(&mut self, variable: VariableId, value: NodeId) {
        self.counters.remove(&variable);
        self.values.insert(variable, value);
    }

    /// The variable has some value from here on.
    pub(super) fn forget(&mut self, variable: VariableId) {
        self.counters.remove(&variable);
        self.values.remove(&variable);
    }

    /// The variable counts a loop from here on.
    pub(super) fn count(&mut self, tables: &Tables, counter: VariableId, bounds: [NodeId; 3]) {
        let [start, _, step] = bounds.map(|bound| self.exponent(tables, bound));
        self.forget(counter);
        self.counters.insert(counter, start.min(step));
    }

    /// The exponent of a power of two that divides a `u32`, modulo 2^32.
    pub(super) fn exponent(&self, tables: &Tables, id: NodeId) -> u32 {
        self.exponent_at(tables, id, DEEPEST)
    }

    fn exponent_at(&self, tables: &Tables, id: NodeId, depth: u32) -> u32 {
        let Some(depth) = depth.checked_sub(1) else {
            return 0;
        };
        let nodes = &tables.nodes;
        let of = |id: NodeId| self.exponent_at(tables, id, depth);
        match nodes.node(id) {
            Node::Literal(literal) => exponent_of(literal),
            Node::Variable(variable) => match self.values.get(&variable) {
                Some(value) => of(*value),
                None => self.counters.get(&variable).copied().unwrap_or(0),
            },
            Node::Length(_) => required(&tables.requirements, id),
            Node::Unary { op, value } if op.is_promise() => of(value),
            Node::Select {
                then, otherwise, ..
            } => of(then).min(of(otherwise)),
            Node::Binary {
                op, left, right, ..
            } => match op {
                BinaryOp::Mul => (of(left) + of(right)).min(ALL),
                BinaryOp::And => of(left).max(of(right)),
                // A remainder by 0 is a multiple of whatever its operand is a multiple of, or 0.
                BinaryOp::Add
                | BinaryOp::Sub
                | BinaryOp::Or
                | BinaryOp::Xor
                | BinaryOp::Min
                | BinaryOp::Max
                | BinaryOp::Rem => of(left).min(of(right)),
                BinaryOp::Shl => match nodes.literal(right).map(Literal::u32) {
                    Some(distance) => (of(left) + distance % 32).min(ALL),
                    None => of(left),
                },
                _ => 0,
            },
            _ => 0,
        }
    }
}

fn exponent_of(literal: Literal) -> u32 {
    match literal.bits() {
        0 => ALL,
        bits => bits.trailing_zeros().min(ALL),
    }
}

/// What a launch asks of a length.
fn required(requirements: &[Requirement], length: NodeId) -> u32 {
    let of = |requirement: &Requirement| match requirement.constraint {
        Constraint::MultipleOf(n) if requirement.length == length => n.trailing_zeros().min(ALL),
        _ => 0,
    };
    requirements.iter().map(of).max().unwrap_or(0)
}

impl Known {
    /// An index as a sum, with what names stand for in their place; the terms are in an order of no
    /// meaning, so that equal sums are equal.
    pub(super) fn sum(&self, nodes: &Nodes, index: NodeId) -> Option<Sum> {
        let taken = |id| match nodes.node(id) {
            Node::Variable(variable) => match self.values.get(&variable) {
                Some(value) => Taken::Named(*value),
                None => Taken::Whole,
            },
            Node::Unary { op, value } if op.is_promise() => Taken::Named(value),
            Node::Binary { exact: true, .. } => Taken::Apart,
            _ => Taken::Whole,
        };
        let (mut sum, _) = Sum::of(nodes, index, MOST_NODES, taken)?;
        sum.terms.sort_unstable();
        Some(sum)
    }

    /// Is a sum a multiple of a power of two?
    pub(super) fn is_multiple(&self, tables: &Tables, sum: &Sum, of: u32) -> bool {
        let wanted = of.trailing_zeros();
        let term = |(id, factor): &(NodeId, i64)| {
            factor.trailing_zeros() + self.exponent(tables, *id) >= wanted
        };
        sum.constant.rem_euclid(i64::from(of)) == 0 && sum.terms.iter().all(term)
    }
}

/// A sum without a counter, if that occurs once and nothing else in the sum depends on it or on any
/// variable of `inside`.
pub(super) fn without(
    nodes: &Nodes,
    sum: &Sum,
    counter: VariableId,
    inside: &dyn Fn(VariableId) -> bool,
) -> Option<Sum> {
    let is_counter =
        |(id, factor): &(NodeId, i64)| *factor == 1 && nodes.node(*id) == Node::Variable(counter);
    let position = sum.terms.iter().position(is_counter)?;
    let mut rest = sum.clone();
    rest.terms.remove(position);
    let roots: Vec<NodeId> = rest.terms.iter().map(|(id, _)| *id).collect();
    let depends = |variable| variable == counter || inside(variable);
    (!mentions(nodes, &roots, &depends)).then_some(rest)
}

/// Does an expression have such a variable in it?
pub(super) fn mentions(
    nodes: &Nodes,
    roots: &[NodeId],
    which: &dyn Fn(VariableId) -> bool,
) -> bool {
    let parts = nodes.post_order(roots, |_| false).into_iter();
    parts
        .into_iter()
        .any(|id| matches!(nodes.node(id), Node::Variable(variable) if which(variable)))
}
