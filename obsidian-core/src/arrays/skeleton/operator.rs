//! What is known about the operator of a fold.

use crate::arrays::graph::Fold;
use crate::arrays::graph::graph;
use crate::arrays::item::Fields;
use crate::program::{ahead, bound_any};
use crate::scalar::{AnyExp, BinaryOp, Literal, Node, ScalarType, VariableKind, session};

/// The neutral element of an operator that may combine elements in any order, if it is known to be one: each component is combined on its
/// own, by `+ * & | ^`, `min` or `max`.
pub(in crate::arrays) fn facts(fold: &Fold) -> Option<Fields> {
    let types = graph(|graph| graph.node(fold.source).map(|node| node.types.clone())).flatten()?;
    let fresh = || {
        let one = |ty: &ScalarType| bound_any(None, *ty, VariableKind::Let).1;
        Fields(types.iter().map(one).collect())
    };
    let (x, y) = (fresh(), fresh());
    let (combined, actions) = ahead(|| (fold.operator)(&x, &y));
    if !actions.is_empty() || combined.0.len() != types.len() {
        return None;
    }
    let parts = combined.0.iter().zip(x.0.iter().zip(&y.0)).zip(&types);
    let neutral = parts.map(|((value, (x, y)), ty)| neutral(*value, *x, *y, *ty));
    neutral.collect::<Option<Vec<_>>>().map(Fields)
}

fn neutral(value: AnyExp, x: AnyExp, y: AnyExp, ty: ScalarType) -> Option<AnyExp> {
    let (id, x, y) = (value.node(), x.node(), y.node());
    let node = session(|s| s.tables.nodes.node(id))?;
    let Node::Binary {
        op, left, right, ..
    } = node
    else {
        return None;
    };
    if (left, right) != (x, y) && (left, right) != (y, x) {
        return None;
    }
    let ones = Literal::from_bits(ty, u64::MAX);
    Some(AnyExp::literal(match (op, ty) {
        // -0 leaves 0 as well as -0.
        (BinaryOp::Add, ScalarType::F32) => Literal::from(-0.0f32),
        (BinaryOp::Add, ScalarType::F64) => Literal::from(-0.0f64),
        (BinaryOp::Add | BinaryOp::Or | BinaryOp::Xor, _) => Literal::zero(ty),
        (BinaryOp::Mul, _) => Literal::one(ty),
        (BinaryOp::And, ScalarType::Bool) => Literal::from(true),
        (BinaryOp::And, _) => ones,
        // A NaN gives way to every number.
        (BinaryOp::Min | BinaryOp::Max, ScalarType::F32) => Literal::from(f32::NAN),
        (BinaryOp::Min | BinaryOp::Max, ScalarType::F64) => Literal::from(f64::NAN),
        (BinaryOp::Min, _) => Literal::integer(ty, ty.range()?.1)?,
        (BinaryOp::Max, _) => Literal::integer(ty, ty.range()?.0)?,
        _ => return None,
    }))
}
