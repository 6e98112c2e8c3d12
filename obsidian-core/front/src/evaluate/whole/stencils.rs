//! Stencils of array programs: what is outside, and the elements around one.

use std::rc::Rc;

use super::Whole;
use crate::arrays::{AnyShape, Boundary, Window};
use crate::error::catalogue;
use crate::evaluate::call::Call as Method;
use crate::evaluate::{Eval, Flow, Machine, Value};
use crate::scalar::ScalarType;
use crate::syntax::{HostType, Site};

impl Machine {
    /// What a stencil of an array reads outside of it.
    pub(super) fn boundary_of(
        self: &Rc<Self>,
        arr: &Whole,
        value: &Value,
        site: Site,
    ) -> Eval<Boundary<Value, AnyShape>> {
        let Value::Boundary(boundary) = value else {
            let wanted =
                "what is outside, `Clamp`, `Wrap`, `Mirror`, `Constant(value)` or `Function(f)`";
            return self.wrong_kind(wanted, value, site);
        };
        match &**boundary {
            Boundary::Constant(value) => {
                let value = self.like_elements(arr, ("what is outside", value), site)?;
                Ok(Boundary::Constant(value))
            }
            Boundary::Function(f) => {
                let (f, machine, arr) = (f.clone(), self.clone(), arr.clone());
                let like_elements = move |place| {
                    let value = f(place);
                    let value = machine.like_elements(&arr, ("what is outside", &value), site);
                    value.unwrap_or(Value::Poison)
                };
                Ok(Boundary::Function(Rc::new(like_elements)))
            }
            other => Ok(other.clone()),
        }
    }

    /// Calls a method of the elements around one.
    pub(in crate::evaluate) fn window_method(
        self: &Rc<Self>,
        window: &Window<AnyShape, Value>,
        call: &Method<'_>,
    ) -> Eval {
        let ("at", [offset]) = (call.name, call.arguments) else {
            if call.name == "at" {
                let form = match window.axes() {
                    1 => "w.at(1)",
                    2 => "w.at((0, 1))",
                    _ => "w.at((0, 0, 1))",
                };
                let found = call.arguments.len();
                let wrong = catalogue::wrong_count_beside("at", found, form);
                return self.fail(call.site, wrong);
            }
            return self.no_method(call, "the window of a stencil", &["at"]);
        };
        let offset = self.offset(offset, window.axes(), call.site)?;
        self.at(call.site, || window.at(offset))
    }

    /// How far away a neighbour is on each axis: numbers of the host.
    fn offset(&self, offset: &Value, axes: usize, site: Site) -> Eval<Vec<i32>> {
        let parts = match offset {
            Value::Tuple(parts) => parts.to_vec(),
            one => vec![one.clone()],
        };
        let mut offsets = Vec::new();
        for part in &parts {
            match part {
                Value::Int(n, ty)
                    if ty.is_none_or(|ty| ty == HostType::Scalar(ScalarType::I32)) =>
                {
                    match i32::try_from(*n) {
                        Ok(n) => offsets.push(n),
                        Err(_) => {
                            let found = format!("{n}, which is no `i32`");
                            return self.fail(site, catalogue::offset_of_the_device(&found));
                        }
                    }
                }
                Value::Poison => return Err(Flow::Stop),
                other => {
                    return self.fail(site, catalogue::offset_of_the_device(&other.kind()));
                }
            }
        }
        match offsets.len() == axes {
            true => Ok(offsets),
            false => self.fail(site, catalogue::offset_of_another_rank(offsets.len(), axes)),
        }
    }
}
