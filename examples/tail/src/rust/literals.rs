//! What stands in the program: vectors that are written out.

use super::code::{Code, Number, list, tuple};
use super::value::{Array, Scalar, Source, Value};
use super::{Printed, Printer, element_of, wrong};
use crate::syntax::{Base, Constant, Span};
use crate::value::default_value;

/// The most elements of a vector of which some are no constants: an element at an index is a choice between all of them.
pub const LONGEST: usize = 32;

impl Printer {
    /// An array as an expression of an `#[arrays]` function.
    pub(super) fn node(&mut self, array: &Array) -> Printed<Code> {
        match &array.source {
            Some(Source::Node(code)) => return Ok(code.clone()),
            Some(Source::Delayed(at)) => {
                let at = at.clone();
                return self.generated(&array.extents, &*at);
            }
            None => {}
        }
        let scalars = array.list.clone().unwrap_or_default();
        if let (0, [scalar]) = (array.rank(), &*scalars) {
            return Ok(match scalar.is_literal {
                true => Code::call("unit(#0)", &[&scalar.on_device()]),
                false => Code::call("generate((), |_| #0)", &[&scalar.on_device()]),
            });
        }
        if scalars.is_empty() {
            let default = Scalar::constant(default_value(array.base)).on_device();
            return Ok(Code::call("fill(0, #0)", &[&default]));
        }
        match scalars.iter().all(|scalar| scalar.is_literal) {
            true => Ok(Self::written_out(array.base, &scalars)),
            false => self.generated(&array.extents, &|printer, index| printer.at(array, index)),
        }
    }

    /// A vector of constants.
    fn written_out(base: Base, scalars: &[Scalar]) -> Code {
        if base == Base::Complex {
            let part = |first: bool| -> Vec<Scalar> {
                let parts = scalars.iter().filter_map(|scalar| match scalar.value {
                    Some(Constant::Complex(x, _)) if first => Some(Constant::Double(x)),
                    Some(Constant::Complex(_, y)) => Some(Constant::Double(y)),
                    _ => None,
                });
                parts.map(Scalar::constant).collect()
            };
            let (x, y) = (part(true), part(false));
            let x = Self::written_out(Base::Double, &x);
            let y = Self::written_out(Base::Double, &y);
            return Code::call("zip(#0, #1)", &[&x, &y]);
        }
        // The first one has its type written out.
        let of = |(n, scalar): (usize, &Scalar)| match n {
            0 => scalar.on_host().unwrap_or_else(|| scalar.device.clone()),
            _ => scalar.device.clone(),
        };
        let elements: Vec<Code> = scalars.iter().enumerate().map(of).collect();
        Code::call("literal(&[#0])", &[&list(&elements)])
    }

    /// A vector that stands in the printed text once, wherever it is used.
    pub(super) fn long_vector(
        &mut self,
        base: Base,
        list: &[Scalar],
        span: Span,
    ) -> Printed<Value> {
        if !list.iter().all(|scalar| scalar.is_literal) {
            let message = format!(
                "a vector of {} elements: one that is not all constants has up to {LONGEST}",
                list.len()
            );
            return wrong(span, message);
        }
        let code = Self::written_out(base, list);
        let name = self.output.array("list", (base, 1), code, None);
        let length = u32::try_from(list.len()).unwrap_or(u32::MAX);
        Ok(Array::node(base, vec![Number::literal(length)], name).into())
    }

    /// The element at an index.
    pub(super) fn at(&mut self, array: &Array, index: &[Number]) -> Printed<Scalar> {
        match (&array.source, array.list.clone()) {
            (Some(Source::Delayed(at)), _) => {
                let at = at.clone();
                at(self, index)
            }
            (Some(Source::Node(code)), _) => {
                let (base, rank) = (array.base, array.rank());
                let name = match code.is_name() {
                    true => code.clone(),
                    false => self.output.array("array", (base, rank), code.clone(), None),
                };
                let index: Vec<Code> = index.iter().map(|at| at.code.clone()).collect();
                Ok(Scalar::element(base, element_of(&name, &index)))
            }
            (None, scalars) => {
                let scalars = scalars.unwrap_or_default();
                let number = super::code::number_of(index, &array.extents);
                if let Some(n) = number.code.literal()
                    && let Some(scalar) = scalars.get(n as usize)
                {
                    return Ok(scalar.clone());
                }
                if scalars.len() > 1 && scalars.iter().all(|scalar| scalar.is_literal) {
                    // An index outside of an array is noticed.
                    let code = Self::written_out(array.base, &scalars);
                    let name = self.output.array("list", (array.base, 1), code, None);
                    return Ok(Scalar::element(
                        array.base,
                        element_of(&name, &[number.code]),
                    ));
                }
                Ok(one_of(array.base, &scalars, &number))
            }
        }
    }
}

/// The scalar with a number.
fn one_of(base: Base, scalars: &[Scalar], number: &Number) -> Scalar {
    let mut rest = scalars.iter().enumerate().rev();
    let last = rest.next().map(|(_, scalar)| scalar.clone());
    let last = last.unwrap_or_else(|| Scalar::constant(default_value(base)));
    let number = number.device();
    rest.fold(last, |otherwise, (n, scalar)| {
        let code = Code::call(
            &format!("select($0 == {n}, #1, #2)"),
            &[&number, &scalar.on_device(), &otherwise.on_device()],
        );
        Scalar::element(base, code)
    })
}

/// Extents, as functions of the array layer take them.
pub fn shape(extents: &[Number]) -> Code {
    let codes: Vec<Code> = extents.iter().map(|extent| extent.code.clone()).collect();
    match codes.is_empty() {
        true => Code::atom("()"),
        false => tuple(&codes),
    }
}
