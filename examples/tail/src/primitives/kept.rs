//! `compress`, `replicate` and the grades in a function of elements.
//!
//! Nothing of an array that an element makes is stored, so that each of its elements is looked for where it is needed: among as many as there
//! are. Where the elements that `compress` keeps are folded by an associative function, the fold goes over those in front of it instead.

use std::rc::Rc;

use obsidian_rt::arrays::AnyElement;
use obsidian_rt::language::{EBool, EU32, lit, select};

use super::Call;
use super::order::key;
use crate::lower::array::{Array, Kept, Source};
use crate::lower::element::{boolean, choose, code, double, int};
use crate::lower::steps::{Numbered, few};
use crate::lower::{Lowered, Lowering};
use crate::syntax::{Base, Span};

/// A vector in a function of elements.
struct Elements {
    lowering: Rc<Lowering>,
    span: Span,
    length: EU32,
    at: Numbered,
}

impl Elements {
    fn of(call: &Call, array: &Array) -> Self {
        let at = array.at();
        Elements {
            lowering: call.lowering.clone(),
            span: call.span,
            length: array.extents.first().copied().unwrap_or_else(|| lit(1)),
            at: Rc::new(move |k| at(&[k])),
        }
    }

    /// A fold over its elements, each with its number.
    fn folded(
        &self,
        first: AnyElement,
        f: impl Fn(AnyElement, EU32, AnyElement) -> AnyElement + 'static,
    ) -> AnyElement {
        let what = "a search in a function of elements, which goes over all elements";
        let (at, steps) = (self.at.clone(), few(self.length, first, self.span, what));
        self.lowering
            .steps(steps, move |k, state| f(state, k, at(k)))
    }
}

/// The two arrays have one length.
fn have_one_length(call: &Call, numbers: &Array, array: &Array) {
    let text = "the vectors have one length";
    let required = call.lowering.required(call.span, text);
    for (a, b) in numbers.extents.iter().zip(&array.extents) {
        required(a.eq(*b));
    }
}

fn count(element: &AnyElement) -> EU32 {
    element.to()
}

/// The elements that have a flag.
pub fn compress(call: &Call, flags: &Array, array: &Array) -> Lowered<Array> {
    have_one_length(call, flags, array);
    let all = Elements::of(call, flags);
    let one = |flag: &AnyElement| select(boolean(flag), lit(1u32), lit(0));
    let zero = AnyElement::of(lit(0u32));
    let length = all.folded(zero, move |n, _, flag| {
        AnyElement::of(count(&n) + one(&flag))
    });
    let (at, flag_at) = (array.at(), flags.at());
    let kept = Kept {
        length: all.length,
        is_kept: Rc::new(move |k| boolean(&flag_at(&[k]))),
        at: Rc::new({
            let at = at.clone();
            move |k| at(&[k])
        }),
    };
    let is_known = flags.is_known() && array.is_known();
    let found = move |index: &[EU32]| {
        let own = index.first().copied().unwrap_or_else(|| lit(0));
        let nothing = AnyElement::of((lit(0u32), lit(0u32)));
        let found = all.folded(nothing, move |state, k, flag| {
            let (n, found): (EU32, EU32) = state.to();
            let is_it = boolean(&flag) & n.eq(own);
            AnyElement::of((n + one(&flag), select(is_it, k, found)))
        });
        at(&[count(&found.parts(1..2))])
    };
    let made = call
        .lowering
        .made(array.base, vec![count(&length)], is_known, found)?;
    Ok(made.with_kept(kept))
}

/// Each element as often as its number says; a negative one stands for that many of `default`.
pub fn replicate(call: &Call, default: &Array, counts: &Array, array: &Array) -> Lowered<Array> {
    have_one_length(call, counts, array);
    let (all, base) = (Elements::of(call, counts), array.base);
    let often = |count: &AnyElement| int(count).abs().cast::<u32>();
    let zero = AnyElement::of(lit(0u32));
    let length = all.folded(zero, move |n, _, c| AnyElement::of(count(&n) + often(&c)));
    let (is_constant, default) = (default.is_known(), default.at());
    let (at, count_at) = (array.at(), counts.at());
    let is_known = counts.is_known() && array.is_known() && is_constant;
    call.lowering
        .made(base, vec![count(&length)], is_known, move |index| {
            let own = index.first().copied().unwrap_or_else(|| lit(0));
            let nothing = AnyElement::of((lit(0u32), lit(0u32)));
            let found = all.folded(nothing, move |state, k, count| {
                let (start, found): (EU32, EU32) = state.to();
                let end = start + often(&count);
                let is_it = start.le(own) & own.lt(end);
                AnyElement::of((end, select(is_it, k, found)))
            });
            let place = count(&found.parts(1..2));
            let is_default = int(&count_at(&[place])).lt(0);
            choose(is_default, &default(&[]), &at(&[place]))
        })
}

/// The number of the element with each rank.
pub fn grade(call: &Call, array: &Array, is_down: bool) -> Lowered<Array> {
    let (base, at, lowering) = (array.base, array.at(), call.lowering.clone());
    let span = call.span;
    let length = Elements::of(call, array).length;
    let keys: Numbered = Rc::new(move |k| key(base, &at(&[k]), is_down));
    let made = move |index: &[EU32]| {
        let rank = index.first().copied().unwrap_or_else(|| lit(0));
        let all = || Elements {
            lowering: lowering.clone(),
            span,
            length,
            at: keys.clone(),
        };
        let inner = Rc::new(all());
        let found = all().folded(AnyElement::of(lit(0u32)), move |found, i, own| {
            let zero = AnyElement::of(lit(0u32));
            let in_front = inner.folded(zero, move |n, j, other| {
                let (is_less, is_same) = compared(base, &other, &own);
                let is_in_front = is_less | is_same & j.lt(i);
                AnyElement::of(count(&n) + select(is_in_front, lit(1u32), lit(0)))
            });
            let is_it = count(&in_front).eq(rank);
            AnyElement::of(select(is_it, i, count(&found)))
        });
        AnyElement::of(count(&found).cast::<i32>() + 1)
    };
    call.lowering
        .made(Base::Int, vec![length], array.is_known(), made)
}

/// Is a key less than another one, and are they equal?
fn compared(base: Base, a: &AnyElement, b: &AnyElement) -> (EBool, EBool) {
    match base {
        Base::Double => {
            let (a, b) = (double(a), double(b));
            (a.lt(b), a.eq(b))
        }
        Base::Bool => {
            let (a, b) = (boolean(a), boolean(b));
            (!a & b, !(a ^ b))
        }
        Base::Char => {
            let (a, b) = (code(a), code(b));
            (a.lt(b), a.eq(b))
        }
        Base::Int | Base::Open | Base::Complex => {
            let (a, b) = (int(a), int(b));
            (a.lt(b), a.eq(b))
        }
    }
}

impl Array {
    /// Notes which elements of another array these are.
    pub fn with_kept(self, kept: Kept) -> Self {
        match self.elements {
            Source::Delayed(delayed) => {
                let kept = Some(Rc::new(kept));
                let elements = Source::Delayed(crate::lower::array::Delayed { kept, ..delayed });
                Array { elements, ..self }
            }
            _ => self,
        }
    }
}
