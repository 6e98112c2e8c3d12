//! `reduce`: along the last axis.

use std::rc::Rc;

use obsidian_rt::arrays::AnyArr;
use obsidian_rt::language::{EU32, lit};

use super::fold::{Folding, Row};
use super::{Call, Primitive};
use crate::lower::Lowered;
use crate::lower::array::{Array, Source};
use crate::lower::element::{choose, constant};
use crate::lower::value::Value;

pub fn find(name: &str) -> Option<Primitive> {
    match name {
        "reduce" => Some(reduce),
        _ => None,
    }
}

fn reduce(call: &Call) -> Lowered<Value> {
    let (initial, array) = (call.array(1)?, call.array(2)?);
    let Some((length, outer)) = array.extents.split_last() else {
        return Ok(array.into());
    };
    let base = initial.base;
    let folding = Folding::given(call, base)?;
    if let (true, Source::Node(node)) = (call.lowering.is_outside(), &array.elements)
        && let Some(neutral) = folding.neutral()
    {
        let folded = node.fold(folding_function(&folding), constant(neutral));
        call.lowering.check()?;
        let is_neutral = initial.value() == Some(neutral);
        return with_initial(call, folded, &initial, *length, is_neutral).map(Value::Array);
    }
    if let Some((kept, neutral)) = array.kept().cloned().zip(folding.neutral()) {
        let folded = Array::scalar(base, folding.kept(&kept, constant(neutral)));
        let (length, is_neutral) = (*length, initial.value() == Some(neutral));
        let element = choose(
            length.eq(0u32) & lit(!is_neutral),
            &initial.at()(&[]),
            &folded.at()(&[]),
        );
        return Ok(Array::scalar(base, element).into());
    }
    rows(call, &folding, &initial, &array, outer).map(Value::Array)
}

pub fn folding_function(
    folding: &Folding,
) -> impl Fn(
    obsidian_rt::arrays::AnyElement,
    obsidian_rt::arrays::AnyElement,
) -> obsidian_rt::arrays::AnyElement
+ 'static {
    let folding = folding.clone();
    move |x, y| folding.of(x, y)
}

/// The initial value counts where there are no elements, and only there.
fn with_initial(
    call: &Call,
    folded: AnyArr,
    initial: &Array,
    length: EU32,
    is_neutral: bool,
) -> Lowered<Array> {
    let base = initial.base;
    let folded = Array::node(base, folded);
    if is_neutral || length.as_literal().is_some_and(|n| n > 0) {
        return Ok(folded);
    }
    let (element, at) = (initial.at(), folded.at());
    call.lowering
        .made(base, folded.extents.clone(), false, move |index| {
            choose(length.eq(0u32), &element(&[]), &at(index))
        })
}

/// Each row by one thread.
fn rows(
    call: &Call,
    folding: &Folding,
    initial: &Array,
    array: &Array,
    outer: &[EU32],
) -> Lowered<Array> {
    let length = array.extents.last().copied().unwrap_or_else(|| lit(0));
    let is_known =
        array.is_known() && initial.is_known() && call.lowering.is_known(&folding.function);
    let (at, element, own) = (array.at(), initial.at(), folding.clone());
    call.lowering
        .made(folding.base, outer.to_vec(), is_known, move |index| {
            let (index, at) = (index.to_vec(), at.clone());
            let at = Rc::new(move |k| {
                let mut index = index.clone();
                index.push(k);
                at(&index)
            });
            own.row(Row {
                length,
                at,
                initial: element(&[]),
            })
        })
}
