//! Stencils of array programs: what is outside, and the elements around one.

use std::rc::Rc;

use super::Whole;
use crate::arrays::{AnyShape, Boundary, Window};
use crate::front::catalogue;
use crate::front::evaluate::arrays::Method;
use crate::front::evaluate::{Eval, Machine, Value};
use crate::front::syntax::Site;

/// Does a name stand for what a stencil reads outside, without an argument?
pub(in crate::front::evaluate) fn is_boundary(name: &str) -> bool {
    matches!(name, "Clamp" | "Wrap" | "Mirror")
}

/// What a stencil reads outside, by its name.
pub(in crate::front::evaluate) fn boundary(name: &str) -> Value {
    Value::Boundary(Box::new(match name {
        "Clamp" => Boundary::Clamp,
        "Wrap" => Boundary::Wrap,
        _ => Boundary::Mirror,
    }))
}

impl Machine {
    /// What a stencil of an array reads outside of it.
    pub(super) fn boundary_of(
        &self,
        arr: &Whole,
        value: &Value,
        site: Site,
    ) -> Eval<Boundary<Value>> {
        let Value::Boundary(boundary) = value else {
            let wanted = "what is outside, `Clamp`, `Wrap`, `Mirror` or `Constant(value)`";
            return self.fail(site, catalogue::wrong_kind(wanted, &value.kind()));
        };
        match &**boundary {
            Boundary::Constant(value) => {
                Ok(Boundary::Constant(self.like_elements(arr, value, site)?))
            }
            other => Ok(other.clone()),
        }
    }

    /// Calls a method of the elements around one.
    pub(in crate::front::evaluate) fn window_method(
        self: &Rc<Self>,
        window: &Window<AnyShape, Value>,
        call: &Method<'_>,
    ) -> Eval {
        let ("at", [offset]) = (call.name, call.arguments) else {
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
        let part = |part: &Value| match part {
            Value::Int(n, _) => i32::try_from(*n).ok(),
            _ => None,
        };
        let offsets: Option<Vec<i32>> = parts.iter().map(part).collect();
        match offsets {
            Some(offsets) if offsets.len() == axes => Ok(offsets),
            Some(offsets) => self.fail(site, catalogue::index_of_another_rank(offsets.len(), axes)),
            None => {
                let wanted = "an offset, a number of the host for each axis, as `-1` or `(0, 1)`";
                self.fail(site, catalogue::wrong_kind(wanted, &offset.kind()))
            }
        }
    }
}
