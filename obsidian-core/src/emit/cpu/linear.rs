//! Indices as sums: `b * 512 + i + 128` as `512 * b + 1 * i + 128`.
//!
//! Only index arithmetic of the library is taken apart. It is exact, so it may be done in `usize`,
//! where the compiler sees that a loop walks through memory, and a block's first index may be taken
//! off it.

use crate::scalar::{BinaryOp, Node, NodeId, Nodes, VariableId};
use std::collections::BTreeMap;

/// More terms than this are not worth taking apart.
const MAX_TERMS: usize = 8;

/// Larger expressions than this, counted as trees, are not worth taking apart.
const MAX_VISITS: u32 = 128;

/// What the `Let`s so far stand for, where that is a sum of multiples of variables and lengths.
pub(super) type Lets = BTreeMap<VariableId, Linear>;

/// A sum of multiples of nodes and a number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Linear {
    /// Nodes with their factors, none of them 0, each node once, in order of occurrence.
    pub(super) terms: Vec<(NodeId, i64)>,
    /// The number.
    pub(super) constant: i64,
}

impl Linear {
    /// A node as a sum; a `Let` counts as its value if that is known.
    pub(super) fn of(nodes: &Nodes, lets: &Lets, node: NodeId) -> Self {
        let whole = || Linear {
            terms: vec![(node, 1)],
            constant: 0,
        };
        Linear::take_apart(nodes, lets, node).unwrap_or_else(whole)
    }

    /// `None` if it is too large.
    fn take_apart(nodes: &Nodes, lets: &Lets, node: NodeId) -> Option<Self> {
        let mut sum = Linear {
            terms: Vec::new(),
            constant: 0,
        };
        let mut rest = vec![(node, 1i64)];
        for _ in 0..MAX_VISITS {
            let Some((node, factor)) = rest.pop() else {
                return Some(sum).filter(|sum| sum.terms.len() <= MAX_TERMS);
            };
            let number = |id| {
                nodes
                    .literal(id)
                    .and_then(|l| l.as_integer())
                    .and_then(|n| i64::try_from(n).ok())
            };
            match nodes.node(node) {
                Node::Literal(_) => {
                    sum.constant = sum
                        .constant
                        .checked_add(number(node)?.checked_mul(factor)?)?
                }
                Node::Variable(variable) if lets.contains_key(&variable) => {
                    sum.add_all(lets.get(&variable)?, factor)?
                }
                Node::Binary {
                    op: BinaryOp::Add,
                    exact: true,
                    left,
                    right,
                } => rest.extend([(right, factor), (left, factor)]),
                Node::Binary {
                    op: BinaryOp::Sub,
                    exact: true,
                    left,
                    right,
                } => {
                    rest.extend([(right, factor.checked_neg()?), (left, factor)]);
                }
                Node::Binary {
                    op: BinaryOp::Mul,
                    exact: true,
                    left,
                    right,
                } => match (number(left), number(right)) {
                    (_, Some(n)) => rest.push((left, factor.checked_mul(n)?)),
                    (Some(n), _) => rest.push((right, factor.checked_mul(n)?)),
                    _ => sum.add_term(node, factor)?,
                },
                _ => sum.add_term(node, factor)?,
            }
        }
        None
    }

    /// The value of a `Let`, if it is index arithmetic that costs nothing to do again.
    ///
    /// Then an index may be taken apart through the name: in `u32`, the compiler would not see that
    /// it never wraps.
    pub(super) fn of_let(nodes: &Nodes, lets: &Lets, value: NodeId) -> Option<Self> {
        let is_leaf = |(node, _): &(NodeId, i64)| nodes.node(*node).is_leaf();
        Linear::take_apart(nodes, lets, value)
            .filter(|sum| is_exact(nodes.node(value)) && sum.terms.iter().all(is_leaf))
    }

    fn add_all(&mut self, other: &Linear, factor: i64) -> Option<()> {
        self.constant = self
            .constant
            .checked_add(other.constant.checked_mul(factor)?)?;
        other
            .terms
            .iter()
            .try_for_each(|&(node, n)| self.add_term(node, n.checked_mul(factor)?))
    }

    fn add_term(&mut self, node: NodeId, factor: i64) -> Option<()> {
        match self.terms.iter_mut().find(|(known, _)| *known == node) {
            Some((_, known)) => *known = known.checked_add(factor)?,
            None => self.terms.push((node, factor)),
        }
        self.terms.retain(|(_, factor)| *factor != 0);
        Some(())
    }

    /// The sum without a multiple of a variable, if it has exactly that multiple of it.
    pub(super) fn without(
        mut self,
        nodes: &Nodes,
        variable: VariableId,
        factor: i64,
    ) -> Option<Self> {
        let at = self
            .terms
            .iter()
            .position(|(node, f)| nodes.node(*node) == Node::Variable(variable) && *f == factor)?;
        self.terms.remove(at);
        Some(self)
    }

    /// The text, in `usize`, for given texts of the nodes. It is not in parentheses.
    pub(super) fn text(&self, mut node: impl FnMut(NodeId) -> String) -> String {
        let mut parts: Vec<(String, bool)> = Vec::new();
        for &(id, factor) in &self.terms {
            let part = match factor.unsigned_abs() {
                1 => format!("{} as usize", node(id)),
                size => format!("({} as usize).wrapping_mul({size}usize)", node(id)),
            };
            parts.push((part, factor < 0));
        }
        if self.constant != 0 || parts.is_empty() {
            parts.push((
                format!("{}usize", self.constant.unsigned_abs()),
                self.constant < 0,
            ));
        }
        if parts.first().is_some_and(|(_, negative)| *negative) {
            parts.insert(0, ("0usize".to_owned(), false));
        }
        let mut text = match &*parts {
            [(first, _), _, ..] if first.ends_with(" as usize") => format!("({first})"),
            _ => parts
                .first()
                .map(|(first, _)| first.clone())
                .unwrap_or_default(),
        };
        for (part, negative) in parts.iter().skip(1) {
            let method = if *negative {
                "wrapping_sub"
            } else {
                "wrapping_add"
            };
            text.push_str(&format!(".{method}({part})"));
        }
        text
    }
}

fn is_exact(node: Node) -> bool {
    matches!(
        node,
        Node::Binary {
            exact: true,
            op: BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul,
            ..
        }
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::{Literal, ScalarType};

    fn setup() -> (Nodes, [NodeId; 4]) {
        let mut nodes = Nodes::default();
        let [b, i] = [0, 1].map(|n| nodes.add(Node::Variable(VariableId(n)), ScalarType::U32));
        let [two, large] = [2u32, 512].map(|n| nodes.add_literal(Literal::from(n)));
        (nodes, [b, i, two, large])
    }

    #[test]
    fn products_with_numbers_are_distributed() {
        let (mut nodes, [b, i, two, large]) = setup();
        let base = nodes.exact(BinaryOp::Mul, b, large);
        let sum = nodes.exact(BinaryOp::Add, base, i);
        let sum = nodes.exact(BinaryOp::Add, sum, two);
        let twice = nodes.exact(BinaryOp::Mul, sum, two);
        let linear = Linear::of(&nodes, &Lets::new(), twice);
        assert_eq!(
            linear,
            Linear {
                terms: vec![(b, 1024), (i, 2)],
                constant: 4
            }
        );
        let rest = linear.without(&nodes, VariableId(0), 1024).unwrap();
        assert_eq!(
            rest.text(|_| "i".into()),
            "(i as usize).wrapping_mul(2usize).wrapping_add(4usize)"
        );
    }

    #[test]
    fn a_sum_that_doubles_and_doubles_stays_whole() {
        let (mut nodes, [mut x, ..]) = setup();
        for _ in 0..60 {
            x = nodes.exact(BinaryOp::Add, x, x);
        }
        assert_eq!(Linear::of(&nodes, &Lets::new(), x).terms, [(x, 1)]);
    }

    #[test]
    fn wrapping_arithmetic_stays_whole() {
        let (mut nodes, [b, i, ..]) = setup();
        let sum = nodes.binary(BinaryOp::Add, b, i);
        assert_eq!(Linear::of(&nodes, &Lets::new(), sum).terms, [(sum, 1)]);
    }

    #[test]
    fn a_let_counts_as_its_value() {
        let (mut nodes, [b, i, _, large]) = setup();
        let base = nodes.exact(BinaryOp::Mul, b, large);
        let named = nodes.add(Node::Variable(VariableId(9)), ScalarType::U32);
        let sum = nodes.exact(BinaryOp::Sub, named, i);
        let lets = Lets::from([(
            VariableId(9),
            Linear::of_let(&nodes, &Lets::new(), base).unwrap(),
        )]);
        assert_eq!(Linear::of(&nodes, &lets, sum).terms, [(b, 512), (i, -1)]);
        assert_eq!(
            Linear::of(&nodes, &Lets::new(), sum).terms,
            [(named, 1), (i, -1)]
        );
    }
}
