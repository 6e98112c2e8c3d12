//! What is known about operators.

use crate::arrays::any::AnyElement;
use crate::arrays::graph::fresh;
use crate::arrays::graph::{DigitOf, Fold, Operator, asked, graph, shape_of};
use crate::ir::AtomicOp;
use crate::program::ahead;
use crate::scalar::{AnyExp, BinaryOp, Class, Exp, Literal, Node, ScalarType, session};

/// The neutral element of an operator that may combine elements in any order, if it is known to be one: each component is combined on its
/// own, by `+ * & | ^`, `min` or `max`, or who makes the fold knows it.
pub fn facts(fold: &Fold) -> Option<AnyElement> {
    if let Some(neutral) = &fold.neutral {
        return Some(neutral.clone());
    }
    let types = graph(|graph| graph.node(fold.source).map(|node| node.types.clone())).flatten()?;
    let operators = by_component(&fold.operator, &types)?;
    let neutral = operators
        .iter()
        .zip(&types)
        .map(|(op, ty)| neutral(*op, *ty));
    neutral.collect::<Option<Vec<_>>>().map(AnyElement)
}

/// Does the operator of a fold do more than compute an expression of its two elements: does it read arrays, run a loop or assert? Then it is
/// applied where both elements are there, and nowhere else.
pub fn acts(fold: &Fold) -> bool {
    let types = graph(|graph| graph.node(fold.source).map(|node| node.types.clone())).flatten();
    let types = types.unwrap_or_default();
    let (x, y, before) = (fresh(&types), fresh(&types), asked());
    // What it reads is not computed.
    let acts = shape_of(|| {
        let (_, actions) = ahead(|| (fold.operator)(&x, &y));
        !actions.is_empty()
    });
    acts || asked() != before
}

/// The most nodes of a digit that is computed again rather than kept.
const OF_A_DIGIT: usize = 16;

/// Is a digit a short expression of the components of an element?
pub fn is_short(digit: &DigitOf, types: &[ScalarType]) -> bool {
    let (x, pass, before) = (fresh(types), fresh(&[ScalarType::U32]), asked());
    let pass = pass.0.first().and_then(|pass| pass.typed());
    let pass = pass.unwrap_or_else(Exp::poison);
    let is_short = shape_of(|| {
        let (digit, actions) = ahead(|| digit(&x, pass));
        let of = [digit.node()];
        let operations = session(|s| s.tables.nodes.post_order(&of, |_| false).len());
        actions.is_empty() && operations.is_some_and(|operations| operations <= OF_A_DIGIT)
    });
    is_short && asked() == before
}

/// How each component is combined by an operation on memory that gives the same bits in any order, if the operator is one.
pub fn atomics(operator: &Operator, types: &[ScalarType]) -> Option<Vec<AtomicOp>> {
    let operators = by_component(operator, types)?;
    let one = |(op, ty): (&BinaryOp, &ScalarType)| {
        let op = match op {
            BinaryOp::Add => AtomicOp::Add,
            BinaryOp::Min => AtomicOp::Min,
            BinaryOp::Max => AtomicOp::Max,
            BinaryOp::And => AtomicOp::And,
            BinaryOp::Or => AtomicOp::Or,
            BinaryOp::Xor => AtomicOp::Xor,
            _ => return None,
        };
        // Sums of floats depend on the order.
        (ty.is_integer() && op.accepts(*ty)).then_some(op)
    };
    operators.iter().zip(types).map(one).collect()
}

/// The operator by which each component of the result is made of those of two elements, and of nothing else.
fn by_component(operator: &Operator, types: &[ScalarType]) -> Option<Vec<BinaryOp>> {
    let (x, y) = (fresh(types), fresh(types));
    let (combined, actions) = shape_of(|| ahead(|| operator(&x, &y)));
    if !actions.is_empty() || combined.0.len() != types.len() {
        return None;
    }
    let parts = combined.0.iter().zip(x.0.iter().zip(&y.0));
    let one = |(value, (x, y)): (&AnyExp, (&AnyExp, &AnyExp))| {
        let (value, x, y) = (value.node(), x.node(), y.node());
        match session(|s| s.tables.nodes.node(value))? {
            Node::Binary {
                op, left, right, ..
            } if (left, right) == (x, y) || (left, right) == (y, x) => Some(op),
            _ => None,
        }
    };
    parts.map(one).collect()
}

/// The neutral element of an operator for numbers of a type.
pub(super) fn neutral(op: BinaryOp, ty: ScalarType) -> Option<AnyExp> {
    Some(AnyExp::literal(match (op, ty.class()) {
        // -0 leaves 0 as well as -0.
        (BinaryOp::Add, Class::Float) => Literal::float(ty, -0.0)?,
        (BinaryOp::Add | BinaryOp::Or | BinaryOp::Xor, _) => Literal::zero(ty),
        (BinaryOp::Mul, _) => Literal::one(ty),
        (BinaryOp::And, _) => Literal::from_bits(ty, u64::MAX),
        // A NaN gives way to every number.
        (BinaryOp::Min | BinaryOp::Max, Class::Float) => Literal::float(ty, f64::NAN)?,
        (BinaryOp::Min, _) => Literal::integer(ty, ty.range()?.1)?,
        (BinaryOp::Max, _) => Literal::integer(ty, ty.range()?.0)?,
        _ => return None,
    }))
}
