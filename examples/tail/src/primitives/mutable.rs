//! `idxassign`: changes an element of a variable.

use std::rc::Rc;

use obsidian_rt::language::lit;

use crate::lower::array::Array;
use crate::lower::element::{choose, int};
use crate::lower::stop::Stop;
use crate::lower::value::{Environment, Value, find};
use crate::lower::{Lowered, Lowering};
use crate::syntax::{Constant, Expr, ExprKind, Span};

impl Lowering {
    /// `idxassign(index, mv, x)`: the variable is another array from here on.
    pub(crate) fn assign(
        self: &Rc<Self>,
        arguments: &[Expr],
        environment: &Environment,
        span: Span,
    ) -> Lowered<Value> {
        let [index, variable, element] = arguments else {
            return Err(Stop::wrong(span, "`idxassign` takes 3 arguments"));
        };
        let frame = match &variable.kind {
            ExprKind::Variable(name) => find(name, environment),
            _ => None,
        };
        let Some(frame) = frame else {
            return Err(Stop::wrong(variable.span, "`idxassign` changes a variable"));
        };
        if frame.depth != self.depth() {
            let message = "`idxassign` changes a variable that is bound outside of this function of elements, whose calls have no order; bind an `mv` variable inside of it";
            return Err(Stop::wrong(variable.span, message));
        }
        let index_value = self.expression(index, environment)?;
        let place = self.array(&index_value, index.span)?;
        let element_value = self.expression(element, environment)?;
        let element = self.array(&element_value, element.span)?;
        let old = self.array(&frame.value.borrow().clone(), variable.span)?;
        self.is_inside(&place, &old, index.span)?;
        let changed = self.at(span, || self.changed(&old, &place, &element, index.span))?;
        *frame.value.borrow_mut() = self.computed(changed.into());
        Ok(Array::constant(Constant::Bool(true)).into())
    }

    fn is_inside(&self, place: &Array, array: &Array, span: Span) -> Lowered<()> {
        let (Some(host), Some(shape)) = (place.to_host(), array.shape()) else {
            return Ok(());
        };
        for (axis, extent) in shape.iter().enumerate() {
            match host.elements.get(axis) {
                Some(Constant::Int(n))
                    if u32::try_from(n).is_ok_and(|n| (1..=*extent).contains(&n)) => {}
                Some(Constant::Int(n)) => {
                    return Err(Stop::wrong(
                        span,
                        format!("the index {n} is not from 1 to {extent}"),
                    ));
                }
                _ => return Err(Stop::wrong(span, "the index has too few numbers")),
            }
        }
        Ok(())
    }

    fn changed(
        self: &Rc<Self>,
        old: &Array,
        place: &Array,
        element: &Array,
        span: Span,
    ) -> Lowered<Array> {
        if place.to_host().is_none() && old.size() == Some(0) {
            return Err(Stop::wrong(span, "the array has no elements"));
        }
        let required = self.required(span, "an index of `idxassign` is from 1 to the extent");
        let extents = old.extents.clone();
        let (at, place_at, new) = (old.at(), place.at(), element.at());
        let sources = [old, place, element];
        // In an arm of a choice that is not taken, nothing changes.
        let taken = self.arm().unwrap_or_else(|| lit(true));
        self.delayed(old.base, old.extents.clone(), &sources, move |index| {
            let mut is_there = taken;
            for (axis, (own, extent)) in (0u32..).zip(index.iter().zip(&extents)) {
                let wanted = (int(&place_at(&[lit(axis)])) - 1).cast::<u32>();
                required(wanted.lt(*extent));
                is_there &= own.eq(wanted);
            }
            choose(is_there, &new(&[]), &at(index))
        })
    }
}
