//! `each` and `zipWith`: functions of elements.

use std::rc::Rc;

use super::code::{Binding, Code, Number, number_of};
use super::value::{Array, Function, Scalar, Source, Value};
use super::{Call, Printed, Printer, is_short};
use crate::syntax::{Base, Expr, ExprKind};

impl Printer {
    /// A function of the elements of one or two arrays.
    pub(super) fn mapped(&mut self, call: &Call, count: usize) -> Printed<Value> {
        let function = call.function(0)?;
        let arrays: Vec<Array> = (1..=count).map(|n| call.array(n)).collect::<Printed<_>>()?;
        self.have_one_shape(call, &arrays)?;
        let extents = agreed(&arrays);
        is_short(extents.len(), call.span)?;
        let base = call.base(count);
        if self.is_outside() && !mentions(&function, "roll") {
            let code = self.mapped_nodes(call, &function, &arrays)?;
            return Ok(Array::node(base, extents, code).into());
        }
        let (span, own) = (call.span, extents.clone());
        self.made(base, extents, move |printer, index| {
            let mut elements = Vec::new();
            for array in &arrays {
                elements.push(printer.at(array, index)?);
            }
            let around = printer.numbered(&number_of(index, &own));
            let made = printer.of_scalar(&function, elements, span);
            printer.element = around;
            made
        })
    }

    /// Outside of functions of elements, the array layer compares shapes.
    fn have_one_shape(&mut self, call: &Call, arrays: &[Array]) -> Printed<()> {
        let [a, b] = arrays else { return Ok(()) };
        if a.rank() != b.rank() {
            return call.wrong("`zipWith` of arrays of other ranks");
        }
        if self.is_outside() {
            return Ok(());
        }
        for (a, b) in a.extents.iter().zip(&b.extents) {
            if !a.is(b) {
                let is_same = Code::infix("==", Binding::Compare, &a.device(), &b.code);
                self.required(&is_same, "the arrays of `zipWith` have the same shape");
            }
        }
        Ok(())
    }

    /// Asserts a condition where an element is computed.
    pub(super) fn required(&mut self, condition: &Code, text: &str) {
        let code = Code::call(&format!("assert!(#0, {text:?})?;"), &[condition]);
        self.statement("", code);
        self.runs();
    }

    fn mapped_nodes(
        &mut self,
        call: &Call,
        function: &Function,
        arrays: &[Array],
    ) -> Printed<Code> {
        let bases = (0..).zip(arrays).map(|(n, a)| own(a, call.base(n)));
        let bases: Vec<Base> = bases.collect();
        let nodes = arrays.iter().map(|a| self.node(a));
        let nodes: Vec<Code> = nodes.collect::<Printed<_>>()?;
        let closure = self.of_elements(function, &bases, call.span)?;
        Ok(match nodes.as_slice() {
            [a] => Code::call("$0.map(#1)", &[a, &closure]),
            several => Code::call("zip_with(#0, #1)", &[&closure, &super::code::list(several)]),
        })
    }

    /// The element with a number is computed from here on. Gives the number of the one around.
    pub(super) fn numbered(&mut self, number: &Number) -> Option<Code> {
        let number = number.device();
        let combined = match &self.element {
            Some(around) => Code::of(
                "$0 * 0x9e37_79b1 + $1 + 1",
                Binding::Add,
                &[around, &number],
            ),
            None => number,
        };
        self.element.replace(combined)
    }

    /// An array that is made of its index: outside of functions of elements, an array of the part.
    pub(super) fn made(
        &mut self,
        base: Base,
        extents: Vec<Number>,
        at: impl Fn(&mut Printer, &[Number]) -> Printed<Scalar> + 'static,
    ) -> Printed<Value> {
        if self.is_outside() && !extents.is_empty() {
            let code = self.generated(&extents, &at)?;
            return Ok(Array::node(base, extents, code).into());
        }
        if extents.is_empty() {
            if self.is_outside() {
                let code = self.generated(&extents, &at)?;
                return Ok(Array::node(base, extents, code).into());
            }
            return Ok(at(self, &[])?.into());
        }
        Ok(Array {
            base,
            extents,
            list: None,
            source: Some(Source::Delayed(Rc::new(at))),
        }
        .into())
    }
}

/// The base type of an array, or the one that is written where its own is open.
pub fn own(array: &Array, written: Base) -> Base {
    match array.base {
        Base::Open => written,
        base => base,
    }
}

/// The extents that arrays have in common: numbers where one of them knows them.
fn agreed(arrays: &[Array]) -> Vec<Number> {
    let mut arrays = arrays.iter();
    let first = arrays
        .next()
        .map_or_else(Vec::new, |array| array.extents.clone());
    arrays.fold(first, |extents, array| {
        let pairs = extents.into_iter().zip(&array.extents);
        pairs
            .map(|(a, b)| match (a.code.literal(), b.code.literal()) {
                (None, Some(_)) => b.clone(),
                _ => a,
            })
            .collect()
    })
}

/// Does a function mention an operator, in itself or in functions around it?
pub fn mentions(function: &Function, name: &str) -> bool {
    any_operator(function, &|operator| operator == name)
}

/// Does a function print, read a file or the clock, or change a variable?
pub fn has_effect(function: &Function) -> bool {
    any_operator(function, &crate::primitives::has_effect)
}

fn any_operator(function: &Function, is: &dyn Fn(&str) -> bool) -> bool {
    let (lambda, environment) = match function {
        Function::Operator(operator) => return is(&operator.name),
        Function::Closure(lambda, environment) => (lambda, environment),
    };
    let mut found = false;
    crate::lower::visit(&lambda.body, &mut |expr: &Expr| {
        found = found
            || match &expr.kind {
                ExprKind::Operator(operator) | ExprKind::Call(operator, _) => is(&operator.name),
                ExprKind::Variable(name) => match super::value::find(name, environment) {
                    Some(frame) => match &*frame.value.borrow() {
                        Value::Function(function) => any_operator(function, is),
                        _ => false,
                    },
                    None => false,
                },
                _ => false,
            };
    });
    found
}

/// A scalar that is the same for all.
pub fn constant(scalar: Scalar) -> impl Fn(&mut Printer, &[Number]) -> Printed<Scalar> {
    move |_, _| Ok(scalar.clone())
}
