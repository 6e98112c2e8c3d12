//! Operators that move elements: along an axis, to other axes, and behind those of another array.

use super::code::{Binding, Code, Number};
use super::literals::shape;
use super::output::Kind;
use super::scalars::select;
use super::value::{Array, Scalar, Value};
use super::{Call, Printed, Printer, wrong};
use crate::syntax::{Base, Constant};
use crate::value::default_value;

/// How far `take` and `drop` go.
struct Count {
    /// Is it negative, as far as that is known?
    is_negative: Option<bool>,
    /// How far without the sign.
    size: Number,
    /// With its sign.
    signed: Code,
}

/// What `take` does: how far, of how many items, and where those are that are missing.
struct Taken {
    count: Count,
    own: Number,
    /// Are all items there that are taken?
    all_there: bool,
    /// Does an item of defaults stand behind the others?
    is_padded: bool,
}

impl Count {
    /// One of two numbers: for a count that is negative, or the other one.
    fn choose(&self, negative: &Number, other: &Number) -> Number {
        match self.is_negative {
            Some(true) => negative.clone(),
            Some(false) => other.clone(),
            None => Number::of(Code::call(
                "select($0 < 0, #1, #2)",
                &[&self.signed, &negative.device(), &other.device()],
            )),
        }
    }
}

impl Printer {
    pub(super) fn moves(&mut self, call: &Call) -> Option<Printed<Value>> {
        Some(match call.name {
            "take" => self.take(call),
            "drop" => self.drop(call),
            "rotate" => self.rotate(call, false),
            "vrotate" => self.rotate(call, true),
            "vreverse" => self.vreverse(call),
            "transp" => call.array(0).and_then(|array| {
                let order = (0..array.rank()).rev().collect();
                self.transposed(array, order)
            }),
            "transp2" => self.transp2(call),
            "cat" => self.joined(call, [false, false]),
            "cons" => self.joined(call, [true, false]),
            "snoc" => self.joined(call, [false, true]),
            _ => return None,
        })
    }

    fn count(&mut self, call: &Call) -> Printed<Count> {
        let n = call.array(0)?;
        let n = self.one(&n, call.span)?;
        let signed = n.on_device();
        let stated = match n.value {
            Some(Constant::Int(n)) => Some(n),
            _ => None,
        };
        let is_negative = stated.map(|n| n < 0);
        let is_literal = n.is_literal;
        let is_extent = n.extent.is_some() && !n.is_literal;
        let size = match (stated, &n.extent) {
            (Some(n), _) if is_literal => Number::literal(n.unsigned_abs()),
            (_, Some(extent)) => extent.clone(),
            _ if !self.is_outside() && n.host.is_none() => {
                Number::of(Code::of("$0.abs() as u32", Binding::Cast, &[&signed]))
            }
            _ => return self.host_count(&n, stated, call),
        };
        let is_negative = is_negative.or(is_extent.then_some(false));
        Ok(Count {
            is_negative,
            size,
            signed,
        })
    }

    /// A count that the host has to know.
    fn host_count(&mut self, n: &Scalar, stated: Option<i32>, call: &Call) -> Printed<Count> {
        let name = self.host_variable(n, call.span)?;
        let argument = Code::call("#0.unsigned_abs()", &[&name]);
        let wished = format!("size_{}", name.text);
        let code = self.output.parameter(&wished, Kind::Length, argument);
        let known = stated.map(i32::unsigned_abs);
        Ok(Count {
            is_negative: stated.map(|n| n < 0),
            size: Number { code, known },
            signed: name,
        })
    }

    fn take(&mut self, call: &Call) -> Printed<Value> {
        let (count, mut array) = (self.count(call)?, call.array(1)?);
        if array.rank() == 0 {
            array = self.lifted(array)?;
        }
        let (base, wanted) = (array.base, count.size.clone());
        let own = array.extents.first().cloned();
        let own = own.unwrap_or_else(|| Number::literal(1));
        let extents = with_first(&array.extents, &wanted);
        if own.known == Some(0) || wanted.known == Some(0) {
            let default = Scalar::constant(default_value(base));
            return self.made(base, extents, super::elements::constant(default));
        }
        let both = own.known.zip(wanted.known);
        let all_there = both.is_some_and(|(own, wanted)| wanted <= own);
        if all_there && self.is_outside() && array.rank() == 1 {
            let (template, n) = match count.is_negative {
                Some(true) => ("$0.drop(#1)", own.sub(&wanted)),
                Some(false) => ("$0.take(#1)", wanted),
                None => {
                    return self.taken(
                        Taken {
                            count,
                            own,
                            all_there,
                            is_padded: false,
                        },
                        array,
                        extents,
                    );
                }
            };
            let code = Code::call(template, &[&self.node(&array)?, &n.code]);
            return Ok(Array::node(base, extents, code).into());
        }
        let is_padded = self.is_outside() && !all_there && !own.is_positive();
        let array = match is_padded {
            true => self.padded(&array, call)?,
            false => array,
        };
        let taken = Taken {
            count,
            own,
            all_there,
            is_padded,
        };
        self.taken(taken, array, extents)
    }

    /// The items of `take` by their index.
    fn taken(&mut self, taken: Taken, array: Array, extents: Vec<Number>) -> Printed<Value> {
        let array = self.in_place(array)?;
        let default = Scalar::constant(default_value(array.base));
        self.made(array.base, extents, move |printer, index| {
            let Taken { count, own, .. } = &taken;
            let first = index.first().cloned();
            let first = first.unwrap_or_else(|| Number::literal(0));
            // Wraps, and is outside, in front of the first element.
            let place = count.choose(&first.add(own).sub(&count.size), &first);
            let at = |place: &Number| with_first(index, place);
            if taken.all_there {
                return printer.at(&array, &at(&place));
            }
            if taken.is_padded {
                return printer.at(&array, &at(&place.min(own)));
            }
            match place.less(own) {
                Ok(true) => printer.at(&array, &at(&place)),
                Ok(false) => Ok(default.clone()),
                Err(is_there) => {
                    let place = place.min(&own.sub(&Number::literal(1)));
                    let element = printer.at(&array, &at(&place))?;
                    let is_there = Scalar::element(Base::Bool, is_there);
                    Ok(select(&is_there, &element, &default))
                }
            }
        })
    }

    /// An array with one more item of defaults, the last one, for what is not there.
    fn padded(&mut self, array: &Array, call: &Call) -> Printed<Array> {
        let (base, code) = (array.base, self.node(array)?);
        let default = Scalar::constant(default_value(base)).on_device();
        let code = match array.extents.as_slice() {
            [_] => Code::call("append(#0, fill(1, #1))", &[&code, &default]),
            [_, width] => Code::call(
                "append($0.transpose(), fill((#1, 1), #2)).transpose()",
                &[&code, &width.code, &default],
            ),
            _ => return call.wrong("`take` of an array of rank 3 that may be empty"),
        };
        let name = self
            .output
            .array("padded", (base, array.rank()), code, None);
        let mut extents = array.extents.clone();
        if let Some(first) = extents.first_mut() {
            *first = first.add(&Number::literal(1));
        }
        Ok(Array::node(base, extents, name))
    }

    fn drop(&mut self, call: &Call) -> Printed<Value> {
        let (count, array) = (self.count(call)?, call.array(1)?);
        let Some(own) = array.extents.first().cloned() else {
            return Ok(array.into());
        };
        let gone = own.min(&count.size);
        let left = own.sub(&gone);
        let extents = with_first(&array.extents, &left);
        let list = shortened(&array, &count);
        if let (true, 1, Some(is_negative)) = (self.is_outside(), array.rank(), count.is_negative) {
            let code = self.node(&array)?;
            let code = match is_negative {
                true => Code::call("$0.take(#1)", &[&code, &left.code]),
                false => Code::call("$0.drop(#1)", &[&code, &gone.code]),
            };
            let made = Array::node(array.base, extents, code);
            return Ok(Array { list, ..made }.into());
        }
        let from = count.choose(&Number::literal(0), &gone);
        let array = self.in_place(array)?;
        self.made(array.base, extents, move |printer, index| {
            let place = index.first().map(|first| first.add(&from));
            let index = place.map(|place| with_first(index, &place));
            printer.at(&array, &index.unwrap_or_default())
        })
    }

    /// `result[j] = array[j + n]`, cyclic, along the first axis or the last one.
    fn rotate(&mut self, call: &Call, is_first: bool) -> Printed<Value> {
        let (n, array) = (call.array(0)?, call.array(1)?);
        let axis = match is_first {
            true => 0,
            false => array.rank().saturating_sub(1),
        };
        let own = array.extents.get(axis).cloned();
        let Some(own) = own.filter(|own| own.known != Some(0)) else {
            return Ok(array.into());
        };
        let n = self.one(&n, call.span)?;
        let is_simple = n.host.is_some() && self.is_outside();
        let template = match (array.rank(), is_first) {
            (1, _) | (_, false) if is_simple => "$0.rotate(#1)",
            (2, true) if is_simple => "$0.transpose().rotate(#1).transpose()",
            _ => "",
        };
        let by = rotation(&n, &own);
        if !template.is_empty() {
            let code = self.node(&array)?;
            let code = Code::call(template, &[&code, &by.code]);
            return Ok(Array::node(array.base, array.extents, code).into());
        }
        let (array, by) = (self.in_place(array)?, by.rem(&own));
        self.made(array.base, array.extents.clone(), move |printer, index| {
            let mut index = index.to_vec();
            if let Some(place) = index.get_mut(axis) {
                let moved = place.add(&by);
                *place = match moved.less(&own) {
                    Ok(true) => moved,
                    Ok(false) => moved.sub(&own),
                    Err(is_less) => chosen(&is_less, &moved.device(), &moved.sub(&own).device()),
                };
            }
            printer.at(&array, &index)
        })
    }

    fn vreverse(&mut self, call: &Call) -> Printed<Value> {
        let array = call.array(0)?;
        let Some(own) = array
            .extents
            .first()
            .cloned()
            .filter(|own| own.known != Some(0))
        else {
            return Ok(array.into());
        };
        let list = array
            .list
            .as_ref()
            .map(|list| list.iter().rev().cloned().collect());
        let template = match array.rank() {
            1 if self.is_outside() => "$0.reverse()",
            2 if self.is_outside() => "$0.transpose().reverse().transpose()",
            _ => "",
        };
        if !template.is_empty() {
            let code = self.node(&array)?;
            let made = Array::node(array.base, array.extents, Code::call(template, &[&code]));
            return Ok(Array { list, ..made }.into());
        }
        let array = self.in_place(array)?;
        self.made(array.base, array.extents.clone(), move |printer, index| {
            let mut index = index.to_vec();
            if let Some(first) = index.first_mut() {
                *first = own.sub(&Number::literal(1)).sub(first);
            }
            printer.at(&array, &index)
        })
    }

    /// Axis `i` of the array becomes axis `p[i]` of the result.
    fn transp2(&mut self, call: &Call) -> Printed<Value> {
        let (to, array) = (call.array(0)?, call.array(1)?);
        let mut order = vec![usize::MAX; array.rank()];
        for (axis, place) in to.list.as_deref().unwrap_or_default().iter().enumerate() {
            let place = match place.value {
                Some(Constant::Int(n)) => usize::try_from(n).ok().and_then(|n| n.checked_sub(1)),
                _ => None,
            };
            match place.and_then(|place| order.get_mut(place)) {
                Some(own) => *own = axis,
                None => return call.wrong("the axes of `transp2` are not written out"),
            }
        }
        match order.contains(&usize::MAX) {
            true => call.wrong("the axes of `transp2` are no permutation that is written out"),
            false => self.transposed(array, order),
        }
    }

    /// Axis `i` of the result is axis `order[i]` of the array.
    fn transposed(&mut self, array: Array, order: Vec<usize>) -> Printed<Value> {
        if order.is_sorted() {
            return Ok(array.into());
        }
        let extents = order
            .iter()
            .filter_map(|axis| array.extents.get(*axis).cloned());
        let extents: Vec<Number> = extents.collect();
        if self.is_outside() && order.len() == 2 {
            let code = self.node(&array)?;
            let code = Code::call("$0.transpose()", &[&code]);
            return Ok(Array::node(array.base, extents, code).into());
        }
        let array = self.in_place(array)?;
        self.made(array.base, extents, move |printer, index| {
            let mut own = index.to_vec();
            for (axis, coordinate) in order.iter().zip(index) {
                if let Some(place) = own.get_mut(*axis) {
                    *place = coordinate.clone();
                }
            }
            printer.at(&array, &own)
        })
    }

    /// An axis of extent 1 behind the others.
    fn lifted(&mut self, array: Array) -> Printed<Array> {
        let mut extents = array.extents.clone();
        extents.push(Number::literal(1));
        if let Some(scalar) = array.only() {
            return Ok(Array::vector(array.base, vec![scalar.clone()]));
        }
        if self.is_outside() {
            let code = self.node(&array)?;
            let code = Code::call("$0.reshape(#1)", &[&code, &shape(&extents)]);
            return Ok(Array::node(array.base, extents, code));
        }
        let (base, rank) = (array.base, array.rank());
        let made = self.made(base, extents, move |printer, index| {
            printer.at(&array, index.get(..rank).unwrap_or_default())
        })?;
        match made {
            Value::Array(array) => Ok(array),
            _ => wrong(
                crate::syntax::Span { start: 0, end: 0 },
                "an array is expected here",
            ),
        }
    }

    /// Two arrays, one behind the other along the last axis; those that lack this axis get it.
    fn joined(&mut self, call: &Call, lifts: [bool; 2]) -> Printed<Value> {
        let mut arrays = Vec::new();
        for (n, lifts) in lifts.into_iter().enumerate() {
            let array = call.array(n)?;
            arrays.push(if lifts { self.lifted(array)? } else { array });
        }
        let [first, second] = arrays.as_slice() else {
            return call.wrong("two arrays are expected here");
        };
        let (Some(own), Some(other)) = (first.extents.last(), second.extents.last()) else {
            return call.wrong("a scalar has no axis to join along");
        };
        match (own.known, other.known) {
            (Some(0), _) => return Ok(second.clone().into()),
            (_, Some(0)) => return Ok(first.clone().into()),
            _ => {}
        }
        let base = super::elements::own(first, second.base);
        let mut extents = first.extents.clone();
        if let Some(last) = extents.last_mut() {
            *last = own.add(other);
        }
        super::is_short(extents.len(), call.span)?;
        if !self.is_outside() {
            let (first, second) = (first.clone(), second.clone());
            return self.made(base, extents, move |printer, index| {
                printer.at_joined(&first, &second, index)
            });
        }
        let (a, b) = (self.node(first)?, self.node(second)?);
        let code = Code::call("append(#0, #1)", &[&a, &b]);
        let list = first.list.as_deref().zip(second.list.as_deref());
        let list = list.map(|(a, b)| a.iter().chain(b).cloned().collect());
        let made = Array::node(base, extents, code);
        Ok(Array { list, ..made }.into())
    }

    /// The element at an index of one array and another one behind it.
    fn at_joined(&mut self, first: &Array, second: &Array, index: &[Number]) -> Printed<Scalar> {
        let (Some((at, outer)), Some(own)) = (index.split_last(), first.extents.last()) else {
            return self.at(first, index);
        };
        let with = |last: Number| [outer, &[last]].concat();
        let behind = at.sub(own);
        match at.less(own) {
            Ok(true) => self.at(first, index),
            Ok(false) => self.at(second, &with(behind)),
            Err(is_left) => {
                let zero = Code::atom("lit(0u32)");
                let left = chosen(&is_left, &at.device(), &zero);
                let right = chosen(&is_left, &zero, &behind.device());
                let a = self.at(first, &with(left))?;
                let b = self.at(second, &with(right))?;
                Ok(select(&Scalar::element(Base::Bool, is_left), &a, &b))
            }
        }
    }
}

/// One of two numbers.
fn chosen(condition: &Code, then: &Code, otherwise: &Code) -> Number {
    let parts = [condition, then, otherwise];
    Number::of(Code::call("select(#0, #1, #2)", &parts))
}

/// How far elements rotate to the left.
fn rotation(n: &Scalar, own: &Number) -> Number {
    match (n.value.filter(|_| n.is_literal), own.code.literal()) {
        (Some(Constant::Int(n @ 0..)), None) => Number::literal(n.unsigned_abs()),
        (Some(Constant::Int(n)), Some(own)) => {
            let by = i64::from(n).rem_euclid(i64::from(own));
            Number::literal(u32::try_from(by).unwrap_or(0))
        }
        _ => Number::of(Code::of(
            "$0.rem_euclid($1 as i32) as u32",
            Binding::Cast,
            &[&n.on_device(), &own.device()],
        )),
    }
}

/// An index or extents with another first number.
fn with_first(index: &[Number], first: &Number) -> Vec<Number> {
    let mut index = index.to_vec();
    if let Some(own) = index.first_mut() {
        *own = first.clone();
    }
    index
}

/// What `drop` leaves of a list.
fn shortened(array: &Array, count: &Count) -> Option<std::rc::Rc<[Scalar]>> {
    let (list, n) = (array.list.as_deref()?, count.size.code.literal()? as usize);
    let kept = list.len().saturating_sub(n);
    match count.is_negative? {
        true => list.get(..kept).map(Into::into),
        false => list.get(list.len() - kept..).map(Into::into),
    }
}
