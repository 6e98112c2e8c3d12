//! Operators on shapes: `iota`, `shape`, `reshape`, `rav`, `zilde`, and `mem`, which stores.

use std::rc::Rc;

use obsidian_rt::arrays::{AnyArr, AnyElement};
use obsidian_rt::language::{EU32, lit};

use super::{Call, Primitive};
use crate::lower::array::{Array, Source, index_of, number, product, size};
use crate::lower::element::{default, int};
use crate::lower::value::Value;
use crate::lower::{Lowered, Lowering};
use crate::syntax::{Base, Constant};

pub fn find(name: &str) -> Option<Primitive> {
    Some(match name {
        "iota" => iota,
        "shape" => shape,
        "reshape" => reshape,
        "rav" => rav,
        "zilde" => |call| Ok(Array::vector(call.base(0), Vec::new()).into()),
        "mem" | "memScl" => mem,
        _ => return None,
    })
}

/// A length: a number of the host, the extent of an array, or, inside of functions of elements, any number.
fn length(call: &Call, array: &Array) -> Lowered<EU32> {
    let lowering = call.lowering;
    let is_device = matches!(array.elements, Source::Node(_)) && lowering.is_outside();
    let n = match is_device {
        true => lit(lowering.host_int(array, call.span)?),
        false => int(&array.at()(&[])),
    };
    if n.as_literal().is_none() && lowering.is_outside() {
        return match lowering.extent_of(n) {
            Some(extent) => Ok(extent),
            // Extents are made of extents alone.
            None => {
                let n = lowering.host_int(array, call.span)?;
                length(call, &Array::constant(Constant::Int(n)))
            }
        };
    }
    if n.as_literal().is_none() {
        lowering.required(call.span, "a length is not negative")(n.ge(0));
        return Ok(n.max(0).cast());
    }
    match n.as_literal().map(|n| (n, u32::try_from(n))) {
        Some((_, Ok(n))) => Ok(lit(n)),
        Some((n, Err(_))) => Err(call.wrong(format!("the length {n} is negative"))),
        None => Ok(n.cast()),
    }
}

fn iota(call: &Call) -> Lowered<Value> {
    let n = length(call, &call.array(0)?)?;
    let made = call.lowering.delayed(Base::Int, vec![n], &[], |index| {
        let at = index.first().copied().unwrap_or_else(|| lit(0));
        AnyElement::of(at.cast::<i32>() + 1)
    });
    made.map(Value::Array)
}

fn shape(call: &Call) -> Lowered<Value> {
    let extents = call.array(0)?.extents;
    let as_int = |extent: &EU32| match extent.as_literal().and_then(|n| i32::try_from(n).ok()) {
        Some(n) => lit(n),
        None => call.lowering.int_of_extent(*extent),
    };
    Ok(Array::ints(extents.iter().map(as_int).collect()).into())
}

fn rav(call: &Call) -> Lowered<Value> {
    let array = call.array(0)?;
    let to = vec![product(&array.extents)];
    reshaped(call, &array, to).map(Value::Array)
}

fn reshape(call: &Call) -> Lowered<Value> {
    let (shape, array) = (call.array(0)?, call.array(1)?);
    let mut extents = Vec::new();
    match shape.listed_outside(call.lowering) {
        Some(list) => {
            for element in list.iter() {
                extents.push(length(call, &Array::scalar(Base::Int, element.clone()))?);
            }
        }
        None => {
            let host = call.lowering.host(&shape, call.span)?;
            for n in 0..host.len() {
                let Some(value) = host.elements.get(n) else {
                    continue;
                };
                extents.push(length(call, &Array::constant(value))?);
            }
        }
    }
    let array = Array {
        base: if array.base == Base::Open {
            call.base(0)
        } else {
            array.base
        },
        ..array
    };
    reshaped(call, &array, extents).map(Value::Array)
}

/// The elements in rows with other extents, from the first one again behind the last one; defaults if there is none.
fn reshaped(call: &Call, array: &Array, to: Vec<EU32>) -> Lowered<Array> {
    let (from, base) = (array.extents.clone(), array.base);
    let sizes = (size(&from), size(&to));
    if sizes.0 == Some(0) {
        return call.lowering.made(base, to, true, move |_| default(base));
    }
    if let (true, Source::Node(node)) = (call.lowering.is_outside(), &array.elements)
        && let (Some(own), Some(wanted)) = sizes
    {
        return Ok(Array::node(base, repeated(node, own, wanted).reshape(to)));
    }
    let all_there = matches!(sizes, (Some(own), Some(wanted)) if wanted <= own);
    let (at, own, count) = (array.at(), to.clone(), product(&from));
    let lowering = call.lowering.clone();
    call.lowering.delayed(base, to, &[array], move |index| {
        let n = number(index, &own);
        if all_there {
            return at(&index_of(n, &from));
        }
        let repeated = || at(&index_of(n % count, &from));
        lowering.one_of(count.gt(0u32), repeated, || default(base))
    })
}

/// An array with at least one element as an array of as many as wanted, in some extents.
fn repeated(node: &AnyArr, own: u32, wanted: u32) -> AnyArr {
    if own == wanted {
        return node.clone();
    }
    let flat = node.flatten().untyped();
    if wanted < own {
        return flat.take(wanted);
    }
    let times = wanted.div_ceil(own);
    let copies = flat.replicate(times);
    match wanted % own {
        0 => copies,
        _ => copies.flatten().untyped().take(wanted),
    }
}

/// The argument, stored.
fn mem(call: &Call) -> Lowered<Value> {
    let array = call.array(0)?;
    if !call.lowering.is_outside() {
        return Ok(array.into());
    }
    let stored = array.to_node().compute();
    call.lowering.check()?;
    Ok(Array::node(array.base, stored).into())
}

impl Array {
    /// The elements as a list, where they may be computed.
    pub(crate) fn listed_outside(&self, lowering: &Lowering) -> Option<Rc<[AnyElement]>> {
        match (&self.elements, lowering.is_outside()) {
            (Source::Node(_), true) => None,
            _ => self.listed(),
        }
    }
}
