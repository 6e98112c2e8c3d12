//! Single elements and parts of arrays: `first` and `idxS`.

use obsidian_rt::language::{EU32, lit};

use super::{Call, Primitive};
use crate::lower::Lowered;
use crate::lower::array::{Array, Source, product, size};
use crate::lower::element::{default, int};
use crate::lower::value::Value;
use crate::syntax::Constant;

pub fn find(name: &str) -> Option<Primitive> {
    Some(match name {
        "first" => first,
        "idxS" => part,
        "Prj" => projection,
        _ => return None,
    })
}

/// The first element in rows; the default if there is none.
fn first(call: &Call) -> Lowered<Value> {
    let array = call.array(0)?;
    let base = if array.base == crate::syntax::Base::Open {
        call.base(0)
    } else {
        array.base
    };
    if size(&array.extents) == Some(0) {
        return Ok(Array::scalar(base, default(base)).into());
    }
    let (at, extents, own) = (array.at(), array.extents.clone(), call.lowering.clone());
    let made = call
        .lowering
        .delayed(base, Vec::new(), &[&array], move |_| {
            let index: Vec<EU32> = extents.iter().map(|_| lit(0)).collect();
            match size(&extents) {
                Some(_) => at(&index),
                None => own.one_of(product(&extents).gt(0u32), || at(&index), || default(base)),
            }
        });
    made.map(Value::Array)
}

/// `idxS(axis, i, array)`: item `i` of an axis, which disappears.
fn part(call: &Call) -> Lowered<Value> {
    let (axis, item, array) = (call.array(0)?, call.array(1)?, call.array(2)?);
    let axis = call.lowering.host_int(&axis, call.span)?;
    let place = usize::try_from(i64::from(axis) - 1).ok();
    let Some((axis, own)) = place.and_then(|axis| Some((axis, array.extents.get(axis).copied()?)))
    else {
        return Err(call.wrong(format!(
            "`idxS` of axis {axis} of an array of rank {}",
            array.rank()
        )));
    };
    if let (Some(Constant::Int(n)), Some(extent)) = (item.value(), own.as_literal()) {
        let is_there = u32::try_from(n).is_ok_and(|n| (1..=extent).contains(&n));
        if !is_there {
            return Err(call.wrong(format!("the index {n} is not from 1 to {extent}")));
        }
        if let (true, Source::Node(node)) = (call.lowering.is_outside(), &array.elements) {
            let slice = node.axis(axis).slice_inner(n.unsigned_abs() - 1);
            return Ok(Array::node(array.base, slice).into());
        }
    }
    let mut extents = array.extents.clone();
    extents.remove(axis);
    let (at, item_at) = (array.at(), item.at());
    // An array of the program notices itself what is outside of it.
    let is_node = matches!(array.elements, Source::Node(_));
    let required = call
        .lowering
        .required(call.span, "an index of `idxS` is from 1 to the extent");
    let made = call
        .lowering
        .delayed(array.base, extents, &[&item, &array], move |index| {
            let mut index = index.to_vec();
            let place = (int(&item_at(&[])) - 1).cast::<u32>();
            if !is_node {
                required(place.lt(own));
            }
            index.insert(axis, place);
            at(&index)
        });
    made.map(Value::Array)
}

/// `Prj(i, tuple)`: a field, from 0.
fn projection(call: &Call) -> Lowered<Value> {
    let field = call.lowering.host_int(&call.array(0)?, call.span)?;
    let Value::Tuple(parts) = call.argument(1)? else {
        return Err(call.wrong("`Prj` of what is no tuple"));
    };
    let part = usize::try_from(field)
        .ok()
        .and_then(|field| parts.get(field));
    part.cloned()
        .ok_or_else(|| call.wrong(format!("the tuple has no field {field}")))
}
