//! Index arithmetic as sums: what cancels, and what a quotient takes out of one.
//!
//! A sum is taken apart only through operations that do not wrap where their value is used, so it is
//! the number itself and not a remainder of it. It is put together again so that no step of it wraps
//! either: its terms are added, and only then is anything subtracted.

use super::ranges::Known;
use super::{Pass, is_exact};
use crate::scalar::{BinaryOp, Literal, Node, NodeId, Nodes, Sum, Taken, UnaryOp};

/// Nodes of a sum that is taken apart.
const MOST_NODES: usize = 48;

/// A sum through operations that do not wrap.
fn of(pass: &mut Pass<'_>, id: NodeId) -> Option<Sum> {
    counted(pass, id).map(|(sum, _)| sum)
}

/// The same, and the number of terms and numbers that are added up for it.
fn counted(pass: &mut Pass<'_>, id: NodeId) -> Option<(Sum, usize)> {
    let (known, nodes) = (&mut pass.known, &*pass.nodes);
    Sum::of(nodes, id, MOST_NODES, |id| taken(known, nodes, id))
}

/// The same, with what names stand for in their place.
fn through_names(pass: &mut Pass<'_>, id: NodeId) -> Option<Sum> {
    let (known, nodes, sums) = (&mut pass.known, &*pass.nodes, &pass.sums);
    let taken = |id| match nodes.node(id) {
        Node::Variable(variable) => match sums.get(&variable) {
            Some(value) => Taken::Named(*value),
            None => Taken::Whole,
        },
        _ => taken(known, nodes, id),
    };
    Sum::of(nodes, id, MOST_NODES, taken).map(|(sum, _)| sum)
}

fn taken(known: &mut Known, nodes: &Nodes, id: NodeId) -> Taken<'static> {
    match is_exact(known, nodes, id) {
        true => Taken::Apart,
        false => Taken::Whole,
    }
}

/// Does no step of adding it up wrap? Where nothing is subtracted, no part is more than the whole.
fn is_safe(sum: &Sum, pass: &Pass<'_>) -> bool {
    !sum.subtracts() || most(sum, pass) <= i128::from(u32::MAX)
}

/// The greatest value of what is added.
fn most(sum: &Sum, pass: &Pass<'_>) -> i128 {
    let added = sum.terms.iter().filter(|(_, factor)| *factor > 0);
    let greatest = |(id, factor): &(NodeId, i64)| {
        i128::from(*factor) * i128::from(pass.known.range(pass.nodes, *id).high)
    };
    added.map(greatest).sum::<i128>() + i128::from(sum.constant.max(0))
}

/// The sum as a node: first all that is added, then what is subtracted, so that no step of it is
/// less than 0.
fn node(of: &Sum, pass: &mut Pass<'_>) -> Option<NodeId> {
    let mut sum = None;
    for (id, factor) in of.terms.iter().filter(|(_, factor)| *factor > 0) {
        let multiple = multiple(pass, *id, *factor)?;
        sum = Some(match sum {
            Some(sum) => pass.nodes.exact(BinaryOp::Add, sum, multiple),
            None => multiple,
        });
    }
    let number = u32::try_from(of.constant.unsigned_abs()).ok()?;
    let number = pass.nodes.add_literal(Literal::from(number));
    let mut sum = match (sum, of.constant) {
        (Some(sum), ..=0) => sum,
        (Some(sum), _) => pass.nodes.exact(BinaryOp::Add, sum, number),
        (None, 0..) => number,
        (None, _) => return None,
    };
    for (id, factor) in of.terms.iter().filter(|(_, factor)| *factor < 0) {
        let multiple = multiple(pass, *id, -factor)?;
        sum = pass.nodes.exact(BinaryOp::Sub, sum, multiple);
    }
    Some(match of.constant {
        ..0 => pass.nodes.exact(BinaryOp::Sub, sum, number),
        _ => sum,
    })
}

fn multiple(pass: &mut Pass<'_>, id: NodeId, factor: i64) -> Option<NodeId> {
    let factor = Literal::from(u32::try_from(factor).ok()?);
    let factor = pass.nodes.add_literal(factor);
    Some(pass.nodes.exact(BinaryOp::Mul, id, factor))
}

/// Is a value a sum of leaves, which costs nothing to add up again?
pub(super) fn is_of_leaves(pass: &mut Pass<'_>, id: NodeId) -> bool {
    let is_sum = matches!(pass.nodes.node(id), Node::Binary { .. });
    let exact = is_sum && is_exact(&mut pass.known, pass.nodes, id);
    let sum = exact.then(|| of(pass, id)).flatten();
    let leaf = |(id, _): &(NodeId, i64)| pass.nodes.node(*id).is_leaf();
    sum.is_some_and(|sum| is_safe(&sum, pass) && sum.terms.iter().all(leaf))
}

/// A sum with what names stand for in their place.
pub(super) fn spelt_out(pass: &mut Pass<'_>, id: NodeId) -> NodeId {
    let sum = through_names(pass, id).filter(|sum| is_safe(sum, pass));
    sum.and_then(|sum| node(&sum, pass)).unwrap_or(id)
}

/// The same sum, if terms of it cancel or numbers in it can be added.
pub(super) fn without_terms_that_cancel(pass: &mut Pass<'_>, id: NodeId) -> NodeId {
    let Some((sum, added)) = counted(pass, id) else {
        return id;
    };
    let left = sum.terms.len() + usize::from(sum.constant != 0);
    if left >= added || !is_safe(&sum, pass) {
        return id;
    }
    node(&sum, pass).unwrap_or(id)
}

/// A quotient or remainder by a number of what is a multiple of the number and a rest that is less.
pub(super) fn divided(pass: &mut Pass<'_>, id: NodeId) -> Option<NodeId> {
    let Node::Binary {
        op, left, right, ..
    } = pass.nodes.node(id)
    else {
        return None;
    };
    let by = i64::from(pass.nodes.literal(right)?.u32());
    let named = pass
        .nodes
        .node(left)
        .variable()
        .and_then(|variable| pass.divisible.get(&variable).copied());
    let (dividend, promises) = without_promises(pass.nodes, named.unwrap_or(left));
    let sums = [of(pass, dividend), through_names(pass, dividend)];
    let result = sums
        .into_iter()
        .flatten()
        .find_map(|sum| quotient(pass, op, sum, by));
    // What the user promises of an index stays in it.
    let promised = |value, op: UnaryOp| pass.nodes.unary(op, value);
    result.map(|result| promises.into_iter().rev().fold(result, promised))
}

/// The quotient or remainder of a sum by a number, if what is no multiple of the number is less than it.
fn quotient(pass: &mut Pass<'_>, op: BinaryOp, sum: Sum, by: i64) -> Option<NodeId> {
    if by == 0 || sum.subtracts() {
        return None;
    }
    let (mut whole, mut rest) = (Sum::default(), Sum::default());
    for (id, factor) in sum.terms {
        match factor % by {
            0 => whole.terms.push((id, factor / by)),
            _ => rest.terms.push((id, factor)),
        }
    }
    (whole.constant, rest.constant) = (sum.constant / by, sum.constant % by);
    let fits = most(&rest, pass) < i128::from(by);
    match op {
        BinaryOp::Div if fits => node(&whole, pass),
        BinaryOp::Rem if fits => node(&rest, pass),
        _ => None,
    }
}

/// An index without what the user promises of it, and the promises, the outermost first.
pub(super) fn without_promises(nodes: &Nodes, id: NodeId) -> (NodeId, Vec<UnaryOp>) {
    let (mut id, mut promises) = (id, Vec::new());
    while let Node::Unary { op, value } = nodes.node(id)
        && op.is_promise()
    {
        promises.push(op);
        id = value;
    }
    (id, promises)
}
