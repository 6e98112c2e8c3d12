//! Operators on shapes, and parts of arrays that are found by an index: `iota`, `shape`, `reshape`, `rav`, `zilde`, `first`, `idxS`, `mem`.

use super::code::{Binding, Code, Number, index_of, number_of, product};
use super::literals::shape;
use super::output::Kind;
use super::value::{Array, Scalar, Source, Value};
use super::{Call, Printed, Printer, is_short};
use crate::syntax::{Base, Constant, Span};
use crate::value::default_value;

impl Printer {
    pub(super) fn shapes(&mut self, call: &Call) -> Option<Printed<Value>> {
        Some(match call.name {
            "each" => self.mapped(call, 1),
            "zipWith" => self.mapped(call, 2),
            "iota" => self.iota(call),
            "shape" => call.array(0).map(shape_of),
            "reshape" => self.reshape(call),
            "rav" => self.rav(call),
            "zilde" => Ok(Array::vector(call.base(0), Vec::new()).into()),
            "mem" | "memScl" => self.stored(call),
            "first" => self.first(call),
            "idxS" => self.item(call),
            "Prj" => projection(call),
            _ => return None,
        })
    }

    /// A length: a number of the host, the extent of an array, or, in functions of elements, any number.
    pub(super) fn length(&mut self, scalar: &Scalar, span: Span) -> Printed<Number> {
        if let Some(extent) = &scalar.extent {
            return Ok(extent.clone());
        }
        if let Some(Constant::Int(n @ ..0)) = scalar.value {
            return super::wrong(span, format!("the length {n} is negative"));
        }
        if scalar.host.is_none() && !self.is_outside() {
            let code = self.element("n", scalar.on_device());
            let is_there = Code::call("#0 >= 0", &[&code]);
            self.required(&is_there, "a length is not negative");
            return Ok(Number::of(Code::of("$0 as u32", Binding::Cast, &[&code])));
        }
        let name = self.host_variable(scalar, span)?;
        let argument = Code::call("support::length(#0)?", &[&name]);
        let known = match scalar.value {
            Some(Constant::Int(n)) => u32::try_from(n).ok(),
            _ => None,
        };
        let code = self
            .output
            .parameter(&format!("length_{}", name.text), Kind::Length, argument);
        Ok(Number { code, known })
    }

    /// A scalar as a variable of the host.
    pub(super) fn host_variable(&mut self, scalar: &Scalar, span: Span) -> Printed<Code> {
        let code = self.host_scalar(scalar, span)?;
        match code.is_name() {
            true => Ok(code),
            false => Ok(self.output.host("n", Kind::Scalar(scalar.base), code, None)),
        }
    }

    fn iota(&mut self, call: &Call) -> Printed<Value> {
        let n = call.array(0)?;
        let n = self.one(&n, call.span)?;
        let n = self.length(&n, call.span)?;
        self.made(Base::Int, vec![n], |_, index| {
            let at = index
                .first()
                .map_or_else(|| Code::atom("lit(0u32)"), Number::device);
            Ok(Scalar::element(
                Base::Int,
                Code::of("$0 as i32 + 1", Binding::Add, &[&at]),
            ))
        })
    }

    fn rav(&mut self, call: &Call) -> Printed<Value> {
        let array = call.array(0)?;
        if array.rank() == 1 {
            return Ok(array.into());
        }
        let to = vec![product(&array.extents)];
        match (&array.source, self.is_outside()) {
            (Some(Source::Node(code)), true) if array.rank() > 1 => {
                let code = Code::call("$0.flatten()", &[code]);
                Ok(Array::node(array.base, to, code).into())
            }
            _ => self.reshaped(&array, to),
        }
    }

    fn reshape(&mut self, call: &Call) -> Printed<Value> {
        let (to, mut array) = (call.array(0)?, call.array(1)?);
        array.base = super::elements::own(&array, call.base(0));
        let scalars = match &to.list {
            Some(list) => list.to_vec(),
            None => self.items(&to, call.operator, call.span)?,
        };
        let mut extents = Vec::new();
        for scalar in &scalars {
            extents.push(self.length(scalar, call.span)?);
        }
        is_short(extents.len(), call.span)?;
        self.reshaped(&array, extents)
    }

    /// The numbers of a shape that is no list: one for each axis that the instance list states.
    fn items(
        &mut self,
        to: &Array,
        operator: &crate::syntax::Operator,
        span: Span,
    ) -> Printed<Vec<Scalar>> {
        let numbers = operator
            .instance
            .as_ref()
            .map(|instance| instance.numbers.clone());
        let rank = numbers
            .and_then(|numbers| numbers.last().copied())
            .unwrap_or(0);
        (0..rank)
            .map(|n| {
                let element = self.at(to, &[Number::literal(n)])?;
                match self.is_outside() {
                    true => self
                        .host_variable(&element, span)
                        .map(|name| Scalar::of_host(Base::Int, name)),
                    false => Ok(element),
                }
            })
            .collect()
    }

    /// The elements in rows with other extents, from the first one again behind the last one; defaults if there is none.
    fn reshaped(&mut self, array: &Array, to: Vec<Number>) -> Printed<Value> {
        let base = array.base;
        if array.size() == Some(0) {
            let default = Scalar::constant(default_value(base));
            return self.filled(base, to, default);
        }
        if let (Some([scalar]), None) = (array.list.as_deref(), &array.source) {
            return self.filled(base, to, scalar.clone());
        }
        let (own, wanted) = (product(&array.extents), product(&to));
        if self.is_outside() && own.is(&wanted) && own.known.is_some() && !to.is_empty() {
            let code = self.node(array)?;
            let code = Code::call("$0.reshape(#1)", &[&code, &shape(&to)]);
            return Ok(Array::node(base, to, code).into());
        }
        let array = match own.is_positive() {
            true => array.clone(),
            false => return self.reshaped_or_defaults(array, to),
        };
        let is_shorter = matches!((own.code.literal(), wanted.code.literal()), (Some(own), Some(wanted)) if wanted <= own);
        let array = self.in_place(array)?;
        let (from, own_to) = (array.extents.clone(), to.clone());
        self.made(base, to, move |printer, index| {
            let number = number_of(index, &own_to);
            let number = match is_shorter {
                true => number,
                false => number.rem(&product(&from)),
            };
            printer.at(&array, &index_of(&number, &from))
        })
    }

    /// The same where there may be no elements: a default stands behind them.
    fn reshaped_or_defaults(&mut self, array: &Array, to: Vec<Number>) -> Printed<Value> {
        let (base, own) = (array.base, product(&array.extents));
        let padded = match self.is_outside() {
            true => {
                let code = self.node(array)?;
                let flat = match array.rank() {
                    1 => code,
                    _ => Code::call("$0.flatten()", &[&code]),
                };
                let default = Scalar::constant(default_value(base)).on_device();
                let code = Code::call("append(#0, fill(1, #1))", &[&flat, &default]);
                let name = self.output.array("padded", (base, 1), code, None);
                Array::node(base, vec![own.add(&Number::literal(1))], name)
            }
            false => array.clone(),
        };
        let (extents, own_to) = (padded.extents.clone(), to.clone());
        let is_flat = padded.rank() == 1;
        self.made(base, to, move |printer, index| {
            let number = number_of(index, &own_to);
            let most = Code::call("$0.max(1)", &[&own.code]);
            let number = number.rem(&Number::of(most));
            match is_flat {
                true => printer.at(&padded, &[number]),
                false => printer.at(&padded, &index_of(&number, &extents)),
            }
        })
    }

    /// An array of one value.
    fn filled(&mut self, base: Base, to: Vec<Number>, value: Scalar) -> Printed<Value> {
        match self.is_outside() && !to.is_empty() {
            true => {
                let code = match value.host.is_some() {
                    true => Code::call("fill(#0, #1)", &[&shape(&to), &value.on_device()]),
                    false => self.generated(&to, &super::elements::constant(value))?,
                };
                Ok(Array::node(base, to, code).into())
            }
            false if to.is_empty() => Ok(Scalar { base, ..value }.into()),
            false => self.made(base, to, super::elements::constant(value)),
        }
    }

    /// An array whose elements are read several times, as a variable.
    pub(super) fn in_place(&mut self, array: Array) -> Printed<Array> {
        match (&array.source, self.is_outside()) {
            (None, true) if array.rank() > 0 => self.named_array("list", array, None),
            (Some(Source::Node(code)), true) if !code.is_name() => {
                self.named_array("array", array, None)
            }
            _ => Ok(array),
        }
    }

    fn stored(&mut self, call: &Call) -> Printed<Value> {
        let array = call.array(0)?;
        if !self.is_outside() {
            return Ok(array.into());
        }
        let code = self.node(&array)?;
        let code = Code::call("$0.compute()", &[&code]);
        Ok(Array::node(array.base, array.extents, code).into())
    }

    /// The first element in rows; the default if there is none.
    fn first(&mut self, call: &Call) -> Printed<Value> {
        let array = call.array(0)?;
        let base = super::elements::own(&array, call.base(0));
        if let (Some(list), 1) = (&array.list, array.rank()) {
            let first = list.first().cloned();
            return Ok(first
                .unwrap_or_else(|| Scalar::constant(default_value(base)))
                .into());
        }
        let own = product(&array.extents);
        if own.known == Some(0) {
            return Ok(Scalar::constant(default_value(base)).into());
        }
        if !own.is_positive() && array.rank() > 0 {
            return self.reshaped_or_defaults(&Array { base, ..array }, Vec::new());
        }
        let array = self.in_place(array)?;
        let index: Vec<Number> = array.extents.iter().map(|_| Number::literal(0)).collect();
        self.at(&array, &index).map(Value::from)
    }

    /// `idxS(axis, i, array)`: item `i` of an axis, which disappears.
    fn item(&mut self, call: &Call) -> Printed<Value> {
        let (axis, item, array) = (call.array(0)?, call.array(1)?, call.array(2)?);
        let axis = match axis.only().and_then(|axis| axis.value) {
            Some(Constant::Int(n)) => usize::try_from(n).ok().and_then(|n| n.checked_sub(1)),
            _ => return call.wrong("the axis of `idxS` is not written out"),
        };
        let Some(axis) = axis.filter(|axis| *axis < array.rank()) else {
            return call.wrong("`idxS` of an axis that the array does not have");
        };
        let item = self.one(&item, call.span)?;
        let place = match item.value.filter(|_| item.is_literal) {
            Some(Constant::Int(n @ 1..)) => Number::literal(n.unsigned_abs() - 1),
            _ => Number::of(Code::of(
                "($0 - 1) as u32",
                Binding::Cast,
                &[&item.on_device()],
            )),
        };
        if let (Some(list), Some(n), 1) = (&array.list, place.code.literal(), array.rank())
            && let Some(scalar) = list.get(n as usize)
        {
            return Ok(scalar.clone().into());
        }
        let array = self.in_place(array)?;
        let mut extents = array.extents.clone();
        extents.remove(axis);
        // An array of the program notices itself what is outside of it.
        if let (Some(Source::Delayed(_)), Some(extent)) = (&array.source, array.extents.get(axis)) {
            match place.less(extent) {
                Ok(true) => {}
                Ok(false) => return call.wrong("the index of `idxS` is larger than the extent"),
                Err(is_there) => {
                    self.required(&is_there, "an index of `idxS` is from 1 to the extent")
                }
            }
        }
        if extents.is_empty() {
            return self.at(&array, &[place]).map(Value::from);
        }
        self.made(array.base, extents, move |printer, index| {
            let mut index = index.to_vec();
            index.insert(axis, place.clone());
            printer.at(&array, &index)
        })
    }
}

/// `shape(array)`
fn shape_of(array: Array) -> Value {
    let extents = array.extents.into_iter().map(Scalar::extent);
    Array::vector(Base::Int, extents.collect()).into()
}

/// `Prj(i, tuple)`: a field, from 0.
fn projection(call: &Call) -> Printed<Value> {
    let field = call.array(0)?;
    let field = match field.only().and_then(|field| field.value) {
        Some(Constant::Int(n)) => usize::try_from(n).ok(),
        _ => None,
    };
    let part = match call.arguments.get(1) {
        Some(Value::Tuple(parts)) => field.and_then(|field| parts.get(field)),
        _ => None,
    };
    match part {
        Some(part) => Ok(part.clone()),
        None => call.wrong("`Prj` of a field that is not there"),
    }
}
