//! Indices as sums: `b * 512 + i + 128` as `512 * b + 1 * i + 128`.
//!
//! Only index arithmetic of the library is taken apart. It is exact, so it may be done in `usize`,
//! where the compiler sees that a loop walks through memory, and a block's first index may be taken
//! off it.

use crate::ordered::Map;
use crate::scalar::{BinaryOp, Node, NodeId, Nodes, Sum, Taken, UnaryOp, VariableId};

/// More terms than this are not worth taking apart.
const MAX_TERMS: usize = 8;

/// Larger expressions than this, counted as trees, are not worth taking apart.
const MAX_VISITS: usize = 128;

/// The nodes of a term that costs little to do again: the compiler does it once.
const MAX_TERM: usize = 8;

/// What the `Let`s so far stand for, where that is a sum of multiples of variables and lengths.
pub(super) type Lets = Map<VariableId, Sum>;

/// A node as a sum; a `Let` counts as its value if that is known.
pub(super) fn of(nodes: &Nodes, lets: &Lets, node: NodeId) -> Sum {
    // A promise about a number is not computed.
    let node = if let Node::Unary {
        op: UnaryOp::Distinct,
        value,
    } = nodes.node(node)
    {
        value
    } else {
        node
    };
    take_apart(nodes, lets, node).unwrap_or_else(|| Sum::of_node(node))
}

/// `None` if it is too large.
fn take_apart(nodes: &Nodes, lets: &Lets, node: NodeId) -> Option<Sum> {
    let taken = |id| match nodes.node(id) {
        Node::Variable(variable) => lets.get(&variable).map_or(Taken::Whole, Taken::Known),
        Node::Binary { exact: true, .. } => Taken::Apart,
        _ => Taken::Whole,
    };
    let (sum, _) = Sum::of(nodes, node, MAX_VISITS, taken)?;
    Some(sum).filter(|sum| sum.terms.len() <= MAX_TERMS)
}

/// The value of a `Let`, if it is index arithmetic that costs nothing to do again.
///
/// Then an index may be taken apart through the name: in `u32`, the compiler would not see that
/// it never wraps.
pub(super) fn of_let(nodes: &Nodes, lets: &Lets, value: NodeId) -> Option<Sum> {
    let is_small = |(node, _): &(NodeId, i64)| {
        let parts = nodes.post_order(&[*node], |_| false);
        let loads = |id: &NodeId| nodes.node(*id).is_load();
        parts.len() <= MAX_TERM && !parts.iter().any(loads)
    };
    take_apart(nodes, lets, value)
        .filter(|sum| is_index(nodes.node(value)) && sum.terms.iter().all(is_small))
}

/// The sum without a multiple of a variable, if it has exactly that multiple of it.
pub(super) fn without(
    mut sum: Sum,
    nodes: &Nodes,
    variable: VariableId,
    factor: i64,
) -> Option<Sum> {
    let at = sum
        .terms
        .iter()
        .position(|(node, f)| nodes.node(*node) == Node::Variable(variable) && *f == factor)?;
    sum.terms.remove(at);
    Some(sum)
}

/// The text, in `usize`, for given texts of the nodes. It is not in parentheses.
pub(super) fn text(sum: &Sum, mut node: impl FnMut(NodeId) -> String) -> String {
    let mut parts: Vec<(String, bool)> = Vec::new();
    for &(id, factor) in &sum.terms {
        let part = match factor.unsigned_abs() {
            1 => format!("{} as usize", node(id)),
            size => format!("({} as usize).wrapping_mul({size}usize)", node(id)),
        };
        parts.push((part, factor < 0));
    }
    if sum.constant != 0 || parts.is_empty() {
        parts.push((
            format!("{}usize", sum.constant.unsigned_abs()),
            sum.constant < 0,
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

/// Returns `true` for a sum, difference or product of the library, and for another name.
fn is_index(node: Node) -> bool {
    matches!(
        node,
        Node::Variable(_)
            | Node::Binary {
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
        let sum = of(&nodes, &Lets::new(), twice);
        assert_eq!(
            sum,
            Sum {
                terms: vec![(b, 1024), (i, 2)],
                constant: 4
            }
        );
        let rest = without(sum, &nodes, VariableId(0), 1024).unwrap();
        assert_eq!(
            text(&rest, |_| "i".into()),
            "(i as usize).wrapping_mul(2usize).wrapping_add(4usize)"
        );
    }

    #[test]
    fn a_sum_that_doubles_and_doubles_stays_whole() {
        let (mut nodes, [mut x, ..]) = setup();
        for _ in 0..60 {
            x = nodes.exact(BinaryOp::Add, x, x);
        }
        assert_eq!(of(&nodes, &Lets::new(), x).terms, [(x, 1)]);
    }

    #[test]
    fn wrapping_arithmetic_stays_whole() {
        let (mut nodes, [b, i, ..]) = setup();
        let sum = nodes.binary(BinaryOp::Add, b, i);
        assert_eq!(of(&nodes, &Lets::new(), sum).terms, [(sum, 1)]);
    }

    #[test]
    fn a_let_counts_as_its_value() {
        let (mut nodes, [b, i, _, large]) = setup();
        let base = nodes.exact(BinaryOp::Mul, b, large);
        let named = nodes.add(Node::Variable(VariableId(9)), ScalarType::U32);
        let sum = nodes.exact(BinaryOp::Sub, named, i);
        let lets = Lets::from([(VariableId(9), of_let(&nodes, &Lets::new(), base).unwrap())]);
        assert_eq!(of(&nodes, &lets, sum).terms, [(b, 512), (i, -1)]);
        assert_eq!(of(&nodes, &Lets::new(), sum).terms, [(named, 1), (i, -1)]);
    }
}
