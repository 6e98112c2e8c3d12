//! `each` and `zipWith`: functions of elements.

use std::rc::Rc;

use obsidian_rt::arrays::{AnyElement, generate, zip_with};
use obsidian_rt::language::{EU32, lit};

use super::{Call, Primitive};
use crate::lower::array::{Array, At, Kept, index_of, number};
use crate::lower::stop::Stop;
use crate::lower::value::{Function, Value};
use crate::lower::{Lowered, Lowering};
use crate::syntax::{Base, Span};

/// The most elements of an array whose function cannot be one of elements, and is called for one element after the other.
const MOST_CALLS: u32 = 1024;

pub fn find(name: &str) -> Option<Primitive> {
    Some(match name {
        "each" => |call| map(call, 1),
        "zipWith" => |call| map(call, 2),
        _ => return None,
    })
}

/// A function of the elements of one or two arrays.
fn map(call: &Call, count: usize) -> Lowered<Value> {
    let (lowering, function) = (call.lowering, call.function(0)?);
    let arrays: Vec<Array> = (1..=count)
        .map(|n| call.array(n))
        .collect::<Result<_, _>>()?;
    have_one_shape(call, &arrays)?;
    if let ([a, b], false) = (arrays.as_slice(), lowering.is_outside()) {
        let required = lowering.required(call.span, "the arrays of `zipWith` have the same shape");
        let extents = a.extents.iter().zip(&b.extents);
        extents.for_each(|(a, b)| required(a.eq(*b)));
    }
    if lowering.is_outside() && lowering.has_effect(&function) {
        return one_by_one(call, &function, &arrays);
    }
    let of = OfElements {
        lowering: lowering.clone(),
        bases: arrays
            .iter()
            .enumerate()
            .map(|(n, array)| own_base(array, call.base(n)))
            .collect(),
        base: call.base(count),
        is_random: lowering.mentions(&function, "roll"),
        first_roll: lowering.rolls(),
        function: function.clone(),
        span: call.span,
    };
    let (is_random, first_roll) = (of.is_random, of.first_roll);
    let is_known = arrays.iter().all(Array::is_known) && lowering.is_known(&function);
    let made = match lowering.is_outside() && !is_known {
        true => of.nodes(&arrays),
        false => of.delayed(&arrays, is_known),
    };
    if is_random {
        // Where the function has not run yet, the next call draws other numbers all the same.
        lowering.has_rolled(first_roll.saturating_add(1));
    }
    match made {
        // What a function of elements cannot do may be possible outside of one.
        Err(Stop::Mistake(mistake)) if lowering.is_outside() => {
            one_by_one(call, &function, &arrays).map_err(|stop| match stop {
                Stop::Mistake(_) => Stop::Mistake(mistake),
                stop => stop,
            })
        }
        made => made.map(Value::Array),
    }
}

fn own_base(array: &Array, written: Base) -> Base {
    if array.base == Base::Open {
        written
    } else {
        array.base
    }
}

fn have_one_shape(call: &Call, arrays: &[Array]) -> Lowered<()> {
    let [a, b] = arrays else { return Ok(()) };
    let shapes = (a.shape(), b.shape());
    let differ = a.rank() != b.rank() || matches!(&shapes, (Some(a), Some(b)) if a != b);
    match differ {
        true => {
            let shown = |shape: Option<Vec<u32>>, array: &Array| match shape {
                Some(shape) => format!("{shape:?}"),
                None => format!("of rank {}", array.rank()),
            };
            let (left, right) = (shown(shapes.0, a), shown(shapes.1, b));
            Err(call.wrong(format!(
                "`zipWith` of arrays whose shapes differ: {left} and {right}"
            )))
        }
        false => Ok(()),
    }
}

/// A function of elements.
struct OfElements {
    lowering: Rc<Lowering>,
    function: Function,
    bases: Vec<Base>,
    base: Base,
    is_random: bool,
    /// How many calls of `roll` have been lowered before it.
    first_roll: u32,
    span: Span,
}

impl OfElements {
    fn value(&self, elements: &[AnyElement]) -> AnyElement {
        let arguments = self.bases.iter().copied().zip(elements.iter().cloned());
        let arguments: Vec<_> = arguments.collect();
        self.lowering.inside(self.base, || {
            self.lowering
                .call_element(&self.function, &arguments, self.span)
        })
    }

    /// The value for elements that stand at an index; random numbers depend on it.
    fn value_at(&self, elements: &[AnyElement], number: EU32) -> AnyElement {
        let value = || self.lowering.numbered(number, || self.value(elements));
        self.lowering.rolling(self.first_roll, value)
    }

    /// The results as an array that is made of its index.
    fn delayed(self, arrays: &[Array], is_known: bool) -> Lowered<Array> {
        let extents = arrays
            .first()
            .map_or_else(Vec::new, |array| array.extents.clone());
        let sources: Vec<At> = arrays.iter().map(Array::at).collect();
        let kept = match arrays {
            [array] if !self.is_random => array.kept().cloned(),
            _ => None,
        };
        let (lowering, own) = (self.lowering.clone(), extents.clone());
        let this = Rc::new(self);
        let of_kept = kept.map(|kept| {
            let (this, at) = (this.clone(), kept.at.clone());
            Kept {
                length: kept.length,
                is_kept: kept.is_kept.clone(),
                at: Rc::new(move |k| this.value(&[at(k)])),
            }
        });
        let made = lowering.made(this.base, extents, is_known, move |index| {
            let elements: Vec<_> = sources.iter().map(|at| at(index)).collect();
            match this.is_random {
                true => this.value_at(&elements, number(index, &own)),
                false => this.value(&elements),
            }
        })?;
        Ok(match of_kept {
            Some(kept) => made.with_kept(kept),
            None => made,
        })
    }

    /// The results as an array of the program.
    fn nodes(self, arrays: &[Array]) -> Lowered<Array> {
        let (base, lowering) = (self.base, self.lowering.clone());
        let made = match arrays {
            _ if self.is_random => {
                let sources: Vec<At> = arrays.iter().map(Array::at).collect();
                let extents = arrays.first().map_or_else(Vec::new, |a| a.extents.clone());
                let own = extents.clone();
                if let [a, b] = arrays {
                    // Asks that the extents be the same.
                    let _ = zip_with(|x, _| x, a.to_node(), b.to_node());
                }
                generate(extents, move |index: Vec<EU32>| {
                    let elements: Vec<_> = sources.iter().map(|at| at(&index)).collect();
                    self.value_at(&elements, number(&index, &own))
                })
            }
            [a] => a.to_node().map(move |x| self.value(&[x])),
            [a, b] => zip_with(move |x, y| self.value(&[x, y]), a.to_node(), b.to_node()),
            _ => return Err(Stop::wrong(self.span, "a function of elements of no array")),
        };
        lowering.check()?;
        Ok(Array::node(base, made))
    }
}

/// Calls the function for one element after the other, outside of functions of elements.
fn one_by_one(call: &Call, function: &Function, arrays: &[Array]) -> Lowered<Value> {
    let extents = arrays
        .first()
        .map_or_else(Vec::new, |array| array.extents.clone());
    let size = crate::lower::array::size(&extents);
    let Some(size) = size.filter(|size| *size <= MOST_CALLS) else {
        let message = format!(
            "a function that prints, asks for a file or the clock, or changes a variable that is bound outside of it is called for one element after the other, and for at most {MOST_CALLS} of them; print or change what it gives behind the `{}`",
            call.operator.name
        );
        return Err(call.wrong(message));
    };
    let mut results = Vec::new();
    for n in 0..size {
        let index = index_of(lit(n), &extents);
        let elements = arrays
            .iter()
            .map(|array| element(call.lowering, array, &index).map(Value::Array));
        let elements: Vec<Value> = elements.collect::<Result<_, _>>()?;
        let result = call.lowering.call(function, &elements, call.span)?;
        results.push(call.lowering.array(&result, call.span)?);
    }
    let mut made = call.lowering.joined(&results, extents)?;
    if made.base == Base::Open {
        made.base = call.base(arrays.len());
    }
    Ok(made.into())
}

/// The element at an index as a scalar.
pub fn element(lowering: &Lowering, array: &Array, index: &[EU32]) -> Lowered<Array> {
    let (at, index) = (array.at(), index.to_vec());
    lowering.delayed(array.base, Vec::new(), &[array], move |_| at(&index))
}
