//! What a program needs of values that only a run knows: an index inside of its axis, a length that is not negative, equal extents.
//!
//! It is an assertion where an element is computed. Both arms of a choice are computed there, so that an assertion holds in an arm that is not
//! taken, whatever it says: [`Lowering::under`] notes the condition of an arm.

use std::rc::Rc;

use obsidian_rt::arrays::{AnyElement, Computed};
use obsidian_rt::language::{EBool, assert_that, lit, select};

use super::Lowering;
use super::element::choose;
use crate::syntax::{Base, Span};

impl Lowering {
    /// The condition under which what is lowered now is needed.
    pub(crate) fn arm(&self) -> Option<EBool> {
        self.arm.get()
    }

    /// Computes the arm of a choice, which is taken where a condition holds.
    pub(crate) fn under<R>(&self, condition: EBool, arm: impl FnOnce() -> R) -> R {
        let before = self.arm.get();
        self.arm.set(both(before, Some(condition)));
        let made = arm();
        self.arm.set(before);
        made
    }

    /// One of two elements.
    pub(crate) fn one_of(
        &self,
        condition: EBool,
        then: impl FnOnce() -> AnyElement,
        otherwise: impl FnOnce() -> AnyElement,
    ) -> AnyElement {
        match condition.as_literal() {
            Some(true) => then(),
            Some(false) => otherwise(),
            None => {
                let then = self.under(condition, then);
                let otherwise = self.under(!condition, otherwise);
                choose(condition, &then, &otherwise)
            }
        }
    }

    /// A function that asserts a condition where an element is computed. It counts in the arms of choices around here and around its call.
    pub(crate) fn required(
        self: &Rc<Self>,
        span: Span,
        text: &'static str,
    ) -> impl Fn(EBool) + Clone + 'static {
        let (own, here) = (self.clone(), self.arm.get());
        move |condition| {
            let condition = match both(here, own.arm.get()) {
                // What the condition reads may not be there where the arm is not taken.
                Some(arm) => select(arm, condition, lit(true)),
                None => condition,
            };
            if condition.as_literal() == Some(true) {
                return;
            }
            if own.is_folding() {
                own.needs_loop(Base::Int, span);
                return;
            }
            let nothing = |()| AnyElement::default();
            let _ = own.at(span, || assert_that(condition, text).map(nothing).value());
        }
    }
}

fn both(a: Option<EBool>, b: Option<EBool>) -> Option<EBool> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a & b),
        (one, None) | (None, one) => one,
    }
}
