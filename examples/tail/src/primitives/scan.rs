//! `scan`: along the last axis, inclusive.

use std::rc::Rc;

use super::fold::{Folding, Row};
use super::reduce::folding_function;
use super::{Call, Primitive};
use crate::lower::Lowered;
use crate::lower::array::{Array, Source};
use crate::lower::element::default;
use crate::lower::value::Value;

pub fn find(name: &str) -> Option<Primitive> {
    match name {
        "scan" => Some(scan),
        _ => None,
    }
}

fn scan(call: &Call) -> Lowered<Value> {
    let (initial, array) = (call.array(1)?, call.array(2)?);
    if array.rank() == 0 {
        return Ok(array.into());
    }
    let base = initial.base;
    let folding = Folding::given(call, base)?;
    if let (true, Source::Node(node)) = (call.lowering.is_outside(), &array.elements)
        && folding.neutral().is_some()
    {
        let scanned = node.inclusive_scan(folding_function(&folding));
        call.lowering.check()?;
        return Ok(Array::node(base, scanned).into());
    }
    prefixes(call, folding, &array).map(Value::Array)
}

/// Each element with those in front of it, folded: in APL's order, from the right, they have nothing in common.
fn prefixes(call: &Call, folding: Folding, array: &Array) -> Lowered<Array> {
    let is_known = array.is_known() && call.lowering.is_known(&folding.function);
    let (at, base) = (array.at(), folding.base);
    call.lowering
        .made(base, array.extents.clone(), is_known, move |index| {
            let Some((last, outer)) = index.split_last() else {
                return at(index);
            };
            let (outer, at) = (outer.to_vec(), at.clone());
            let at = Rc::new(move |k| {
                let mut index = outer.clone();
                index.push(k);
                at(&index)
            });
            folding.row(Row {
                length: *last + 1,
                at,
                initial: default(base),
            })
        })
}
