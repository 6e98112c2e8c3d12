//! Operators that move elements: along an axis, to other axes, and behind those of another array.

use obsidian_rt::arrays::{AnyArr, append, fill};
use obsidian_rt::language::{EU32, lit, select};

use super::{Call, Primitive};
use crate::lower::array::{Array, Source};
use crate::lower::element::{default, int};
use crate::lower::value::Value;
use crate::lower::{Lowered, Lowering};
use crate::syntax::{Base, Constant};

pub fn find(name: &str) -> Option<Primitive> {
    Some(match name {
        "take" => take,
        "drop" => drop,
        "rotate" => |call| rotate(call, call.array(1)?.rank().saturating_sub(1)),
        "vrotate" => |call| rotate(call, 0),
        "vreverse" => vreverse,
        "transp" => |call| {
            let array = call.array(0)?;
            let order: Vec<usize> = (0..array.rank()).rev().collect();
            transposed(call, &array, order)
        },
        "transp2" => transp2,
        "cat" => |call| joined(call, call.array(0)?, call.array(1)?),
        "cons" => |call| {
            joined(
                call,
                lifted(call.lowering, &call.array(0)?)?,
                call.array(1)?,
            )
        },
        "snoc" => |call| {
            joined(
                call,
                call.array(0)?,
                lifted(call.lowering, &call.array(1)?)?,
            )
        },
        _ => return None,
    })
}

/// An array with at least one axis.
fn with_axis(lowering: &Lowering, array: Array) -> Lowered<Array> {
    match array.rank() {
        0 => lifted(lowering, &array),
        _ => Ok(array),
    }
}

/// An axis of extent 1 behind the others.
fn lifted(lowering: &Lowering, array: &Array) -> Lowered<Array> {
    let mut extents = array.extents.clone();
    extents.push(lit(1));
    if let (true, Source::Node(node)) = (lowering.is_outside(), &array.elements) {
        return Ok(Array::node(array.base, node.reshape(extents)));
    }
    let (at, rank) = (array.at(), array.rank());
    lowering.delayed(array.base, extents, &[array], move |index| {
        at(index.get(..rank).unwrap_or_default())
    })
}

/// How far `take`, `drop` and the rotations go: a number of the host, except inside of functions of elements.
fn count(call: &Call) -> Lowered<Array> {
    let n = call.array(0)?;
    match &n.elements {
        Source::List(_) => Ok(n),
        _ if !call.lowering.is_outside() => Ok(n),
        _ => {
            let n = call.lowering.host_int(&n, call.span)?;
            Ok(Array::constant(Constant::Int(n)))
        }
    }
}

/// The axis that an operator changes, with its node if the operators of the array layer do the work.
fn outer<'a>(call: &Call, array: &'a Array) -> (EU32, Option<(&'a AnyArr, u32)>) {
    let own = array.extents.first().copied().unwrap_or_else(|| lit(1));
    match &array.elements {
        Source::Node(node) if call.lowering.is_outside() => {
            (own, own.as_literal().map(|extent| (node, extent)))
        }
        _ => (own, None),
    }
}

fn take(call: &Call) -> Lowered<Value> {
    let (n, array) = (count(call)?, with_axis(call.lowering, call.array(1)?)?);
    let n = int(&n.at()(&[]));
    let (own, node) = outer(call, &array);
    let base = array.base;
    if let (Some(n), Some((node, extent))) = (n.as_literal(), node) {
        return Ok(Array::node(base, taken(node, base, n, extent)).into());
    }
    let wanted = n.abs().cast::<u32>();
    let mut extents = array.extents.clone();
    if let Some(first) = extents.first_mut() {
        *first = wanted;
    }
    let (at, lowering) = (array.at(), call.lowering.clone());
    let made = call
        .lowering
        .delayed(base, extents, &[&array], move |index| {
            let mut index = index.to_vec();
            let mut is_there = lit(true);
            if let Some(first) = index.first_mut() {
                // Wraps, and is outside, in front of the first element.
                let place = select(n.lt(0), *first + own - wanted, *first);
                is_there = place.lt(own);
                *first = select(is_there, place, lit(0));
            }
            match (is_there.as_literal(), own.as_literal()) {
                (Some(false), _) | (_, Some(0)) => default(base),
                _ => lowering.one_of(is_there, || at(&index), || default(base)),
            }
        });
    made.map(Value::Array)
}

fn taken(node: &AnyArr, base: Base, n: i32, extent: u32) -> AnyArr {
    let wanted = n.unsigned_abs();
    if wanted <= extent {
        return node.along(0, |x| match n < 0 {
            true => x.drop(extent - wanted),
            false => x.take(wanted),
        });
    }
    node.along(0, |x| {
        let mut missing = x.shape();
        if let Some(last) = missing.last_mut() {
            *last = lit(wanted - extent);
        }
        let missing = fill(missing, default(base));
        if n < 0 {
            append(missing, x)
        } else {
            append(x, missing)
        }
    })
}

fn drop(call: &Call) -> Lowered<Value> {
    let (n, array) = (count(call)?, call.array(1)?);
    if array.rank() == 0 {
        return Ok(array.into());
    }
    let n = int(&n.at()(&[]));
    let (own, node) = outer(call, &array);
    if let (Some(n), Some((node, extent))) = (n.as_literal(), node) {
        let left = extent.saturating_sub(n.unsigned_abs());
        let made = node.along(0, |x| {
            if n < 0 {
                x.take(left)
            } else {
                x.drop(extent - left)
            }
        });
        return Ok(Array::node(array.base, made).into());
    }
    let count = n.abs().cast::<u32>();
    let left = match (own.as_literal(), count.as_literal()) {
        (Some(own), Some(count)) => lit(own.saturating_sub(count)),
        _ => own - own.min(count),
    };
    let from = select(n.lt(0), lit(0), count);
    let mut extents = array.extents.clone();
    if let Some(first) = extents.first_mut() {
        *first = left;
    }
    let at = array.at();
    let made = call
        .lowering
        .delayed(array.base, extents, &[&array], move |index| {
            let mut index = index.to_vec();
            if let Some(first) = index.first_mut() {
                *first += from;
            }
            at(&index)
        });
    made.map(Value::Array)
}

/// `result[j] = array[j + n]`, cyclic, along an axis.
fn rotate(call: &Call, axis: usize) -> Lowered<Value> {
    let (n, array) = (call.array(0)?, call.array(1)?);
    let Some(own) = array.extents.get(axis).copied() else {
        return Ok(array.into());
    };
    if own.as_literal() == Some(0) {
        return Ok(array.into());
    }
    if let (true, Source::Node(node)) = (call.lowering.is_outside(), &array.elements)
        && let (Some(Constant::Int(n)), Some(extent)) = (n.value(), own.as_literal())
    {
        let by = i64::from(n).rem_euclid(i64::from(extent));
        let by = u32::try_from(by).unwrap_or(0);
        return Ok(Array::node(array.base, node.along(axis, |x| x.rotate(by))).into());
    }
    let (by, at) = (n.at(), array.at());
    let made = call.lowering.delayed(
        array.base,
        array.extents.clone(),
        &[&n, &array],
        move |index| {
            let mut index = index.to_vec();
            let extent = own.max(1u32);
            let by = int(&by(&[])).rem_euclid(extent.cast::<i32>()).cast::<u32>();
            if let Some(place) = index.get_mut(axis) {
                let moved = *place + by;
                *place = select(moved.lt(extent), moved, moved - extent);
            }
            at(&index)
        },
    );
    made.map(Value::Array)
}

fn vreverse(call: &Call) -> Lowered<Value> {
    let array = call.array(0)?;
    let Some(own) = array.extents.first().copied() else {
        return Ok(array.into());
    };
    if let (true, Source::Node(node)) = (call.lowering.is_outside(), &array.elements) {
        return Ok(Array::node(array.base, node.along(0, |x| x.reverse())).into());
    }
    let at = array.at();
    let made = call
        .lowering
        .delayed(array.base, array.extents.clone(), &[&array], move |index| {
            let mut index = index.to_vec();
            if let Some(first) = index.first_mut() {
                *first = own - 1 - *first;
            }
            at(&index)
        });
    made.map(Value::Array)
}

/// Axis `i` of the array becomes axis `p[i]` of the result.
fn transp2(call: &Call) -> Lowered<Value> {
    let (to, array) = (call.array(0)?, call.array(1)?);
    let to = call.lowering.host(&to, call.span)?;
    let mut order = vec![usize::MAX; array.rank()];
    for axis in 0..to.len() {
        let place = match to.elements.get(axis) {
            Some(Constant::Int(n)) => usize::try_from(i64::from(n) - 1).ok(),
            _ => None,
        };
        match place.and_then(|place| order.get_mut(place)) {
            Some(own) => *own = axis,
            None => return Err(call.wrong("`transp2` has an axis that the array does not have")),
        }
    }
    if order.contains(&usize::MAX) {
        return Err(call.wrong("the axes of `transp2` are no permutation"));
    }
    transposed(call, &array, order)
}

/// Axis `i` of the result is axis `order[i]` of the array.
fn transposed(call: &Call, array: &Array, order: Vec<usize>) -> Lowered<Value> {
    if order.len() < 2 {
        return Ok(array.clone().into());
    }
    if let (true, Source::Node(node)) = (call.lowering.is_outside(), &array.elements) {
        return Ok(Array::node(array.base, node.transpose_axes(&order)).into());
    }
    let extents = order
        .iter()
        .filter_map(|axis| array.extents.get(*axis).copied());
    let (extents, at) = (extents.collect(), array.at());
    let made = call
        .lowering
        .delayed(array.base, extents, &[array], move |index| {
            let mut own = index.to_vec();
            for (axis, coordinate) in order.iter().zip(index) {
                if let Some(place) = own.get_mut(*axis) {
                    *place = *coordinate;
                }
            }
            at(&own)
        });
    made.map(Value::Array)
}

/// Two arrays, one behind the other along the last axis.
fn joined(call: &Call, first: Array, second: Array) -> Lowered<Value> {
    let base = if first.base == Base::Open {
        second.base
    } else {
        first.base
    };
    let rank = first.rank();
    if rank == 0 || second.rank() != rank {
        return Err(call.wrong(format!("`{}` of arrays of other ranks", call.operator.name)));
    }
    let axis = rank - 1;
    let shapes = (first.shape(), second.shape());
    if let (Some(a), Some(b)) = &shapes
        && a.get(..axis) != b.get(..axis)
    {
        let message = format!(
            "`{}` of arrays whose shapes do not fit: {a:?} and {b:?}",
            call.operator.name
        );
        return Err(call.wrong(message));
    }
    // Nothing has a type of its own.
    let [own, other] = [&first, &second].map(|array| array.extents.get(axis).copied());
    let (own, other) = (
        own.unwrap_or_else(|| lit(0)),
        other.unwrap_or_else(|| lit(0)),
    );
    match (own.as_literal(), other.as_literal()) {
        (Some(0), _) => return Ok(second.into()),
        (_, Some(0)) => return Ok(first.into()),
        _ => {}
    }
    let has_node = [&first, &second].iter().any(|array| !array.is_known());
    if call.lowering.is_outside() && has_node {
        let made = append(first.to_node(), second.to_node());
        call.lowering.check()?;
        return Ok(Array::node(base, made).into());
    }
    let mut extents = first.extents.clone();
    if let Some(last) = extents.last_mut() {
        *last = own + other;
    }
    let required = call.lowering.required(
        call.span,
        "arrays behind each other have the same other axes",
    );
    if !call.lowering.is_outside() {
        let others = first.extents.iter().zip(&second.extents).take(axis);
        others.for_each(|(a, b)| required(a.eq(*b)));
    }
    let (a, b, lowering) = (first.at(), second.at(), call.lowering.clone());
    let made = call
        .lowering
        .delayed(base, extents, &[&first, &second], move |index| {
            let (mut left, mut right) = (index.to_vec(), index.to_vec());
            let at = index.last().copied().unwrap_or_else(|| lit(0));
            let is_left = at.lt(own);
            if let (Some(left), Some(right)) = (left.last_mut(), right.last_mut()) {
                *left = select(is_left, at, lit(0));
                *right = select(is_left, lit(0), at - own);
            }
            lowering.one_of(is_left, || a(&left), || b(&right))
        });
    made.map(Value::Array)
}
