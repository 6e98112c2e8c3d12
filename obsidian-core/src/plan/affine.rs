//! Index expressions as sums of counters.
//!
//! Before: a node of exact `u32` arithmetic, and the values of names. After: its [`Affine`] form, a sum of variables, each times
//! a number, and a number; nothing if it is not such a sum. Only exact arithmetic is followed, through names.

use std::collections::BTreeMap;

use crate::scalar::{BinaryOp, Literal, Node, NodeId, Nodes, ScalarType, VariableId};

/// A sum of variables, each times a number, and a number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Affine {
    /// The factor of each variable.
    pub(crate) terms: BTreeMap<VariableId, i128>,
    /// The number.
    pub(crate) constant: i128,
}

/// The largest depth to which an index is followed.
const DEEPEST: u32 = 64;

impl Affine {
    /// The form of a node; `values` are the values of names.
    pub(crate) fn of(nodes: &Nodes, values: &BTreeMap<VariableId, NodeId>, id: NodeId) -> Option<Affine> {
        form(nodes, values, id, DEEPEST)
    }

    fn plus(mut self, other: Affine, sign: i128) -> Self {
        self.constant += sign * other.constant;
        for (variable, factor) in other.terms {
            *self.terms.entry(variable).or_default() += sign * factor;
        }
        self.terms.retain(|_, factor| *factor != 0);
        self
    }

    fn times(mut self, factor: i128) -> Option<Self> {
        self.constant = self.constant.checked_mul(factor)?;
        for f in self.terms.values_mut() {
            *f = f.checked_mul(factor)?;
        }
        self.terms.retain(|_, factor| *factor != 0);
        Some(self)
    }
}

fn form(nodes: &Nodes, values: &BTreeMap<VariableId, NodeId>, id: NodeId, depth: u32) -> Option<Affine> {
    let deeper = |n| form(nodes, values, n, depth.checked_sub(1)?);
    match nodes.node(id) {
        Node::Literal(literal) if literal.ty() == ScalarType::U32 => Some(constant(literal)),
        Node::Variable(variable) => match values.get(&variable) {
            Some(&value) => deeper(value),
            None => Some(Affine { terms: BTreeMap::from([(variable, 1)]), constant: 0 }),
        },
        Node::Binary { op, exact: true, left, right } => {
            let (left, right) = (deeper(left)?, deeper(right)?);
            match op {
                BinaryOp::Add => Some(left.plus(right, 1)),
                BinaryOp::Sub => Some(left.plus(right, -1)),
                BinaryOp::Mul if right.terms.is_empty() => left.times(right.constant),
                BinaryOp::Mul if left.terms.is_empty() => right.times(left.constant),
                _ => None,
            }
        }
        _ => None,
    }
}

fn constant(literal: Literal) -> Affine {
    Affine { constant: literal.u32().into(), ..Affine::default() }
}
