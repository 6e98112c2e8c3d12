//! Index arithmetic of the library: exact, so that it may be reordered and widened.
//!
//! The arithmetic that a user writes on `u32` wraps. Indices that the library computes never leave
//! the range of their array; their nodes say so, and the passes use it.

use super::{BinaryOp, Exp, Node, session};

fn exact(op: BinaryOp, left: Exp<u32>, right: Exp<u32>) -> Exp<u32> {
    let (left, right) = (left.node(), right.node());
    session(|s| s.tables.nodes.exact(op, left, right)).map_or(Exp::poison(), Exp::from_node)
}

/// `left + right`, exact.
pub fn add(left: impl Into<Exp<u32>>, right: impl Into<Exp<u32>>) -> Exp<u32> {
    exact(BinaryOp::Add, left.into(), right.into())
}

/// `left + right`, exact; the whole where one is what the other leaves of it, as the parts of an array that is cut in two.
pub(crate) fn whole(left: Exp<u32>, right: Exp<u32>) -> Exp<u32> {
    let of = |rest: Exp<u32>, part: Exp<u32>| {
        let (rest, part) = (rest.node(), part.node());
        match session(|s| s.tables.nodes.node(rest)) {
            Some(Node::Binary {
                op: BinaryOp::Sub,
                exact: true,
                left,
                right,
            }) if right == part => Some(Exp::from_node(left)),
            _ => None,
        }
    };
    let found = of(left, right).or_else(|| of(right, left));
    found.unwrap_or_else(|| add(left, right))
}

/// `left - right`, exact: `right` is not larger.
pub fn sub(left: impl Into<Exp<u32>>, right: impl Into<Exp<u32>>) -> Exp<u32> {
    exact(BinaryOp::Sub, left.into(), right.into())
}

/// `left * right`, exact.
pub fn mul(left: impl Into<Exp<u32>>, right: impl Into<Exp<u32>>) -> Exp<u32> {
    exact(BinaryOp::Mul, left.into(), right.into())
}

/// `left / right`, exact: `right` is not 0.
pub fn div(left: impl Into<Exp<u32>>, right: impl Into<Exp<u32>>) -> Exp<u32> {
    exact(BinaryOp::Div, left.into(), right.into())
}

/// `left % right`, exact: `right` is not 0.
pub fn rem(left: impl Into<Exp<u32>>, right: impl Into<Exp<u32>>) -> Exp<u32> {
    exact(BinaryOp::Rem, left.into(), right.into())
}
