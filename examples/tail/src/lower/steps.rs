//! Loops of one thread: folds, iterations and searches in a function of elements.

use std::rc::Rc;

use obsidian_rt::arrays::{AnyElement, Computed};
use obsidian_rt::language::{EU32, lit, select, seq_iterate};

use super::array::LONGEST_LIST;
use super::element::{choose, zero};
use super::stop::Stop;
use super::{Lowered, Lowering};
use crate::syntax::{Base, Span};

/// The most steps that are written out.
pub(crate) const MOST_WRITTEN_OUT: u32 = 8;

/// The most iterations of loops that the host writes out in a part of a program.
const MOST_ITERATIONS: u64 = 1 << 17;

/// A loop of one thread.
pub(crate) struct Steps {
    /// How many there are.
    pub count: EU32,
    /// The most of them that are written out, one after the other.
    pub most_written_out: u32,
    /// What the first one changes.
    pub first: AnyElement,
    /// Where the loop stands in the program.
    pub span: Span,
    /// What it is, for the report.
    pub what: &'static str,
}

impl Lowering {
    /// What the last step gives; a step takes its number and what the one in front of it gives. Statements of a loop stand in front of the choice
    /// whose arm needs it: where the arm is not taken, the loop has no steps.
    pub(crate) fn steps(
        &self,
        steps: Steps,
        step: impl Fn(EU32, AnyElement) -> AnyElement + 'static,
    ) -> AnyElement {
        let count = steps.count.as_literal();
        let most = match self.is_folding() {
            true => u32::try_from(LONGEST_LIST).unwrap_or(u32::MAX),
            false => steps.most_written_out,
        };
        match count {
            Some(count) if count <= most => {
                (0..count).fold(steps.first, |state, k| step(lit(k), state))
            }
            _ if self.is_folding() => {
                self.needs_loop(Base::Int, steps.span);
                steps.first
            }
            _ => {
                self.note(steps.span, steps.what);
                let (count, first) = match self.arm() {
                    None => (steps.count, steps.first),
                    Some(arm) => (
                        select(arm, steps.count, lit(0)),
                        choose(arm, &steps.first, &zero(&steps.first)),
                    ),
                };
                seq_iterate(count, step, first).value()
            }
        }
    }

    /// Counts iterations that the host writes out, and refuses more than the program may have.
    pub(crate) fn writes_out(&self, iterations: i32, span: Span) -> Lowered<()> {
        let all = self.written_out.get() + u64::from(iterations.unsigned_abs());
        self.written_out.set(all);
        match all > MOST_ITERATIONS {
            true => Err(Stop::wrong(
                span,
                format!(
                    "the host writes out the {iterations} iterations of this loop, and at most {MOST_ITERATIONS} in a part of a program; a loop that keeps the extents of its state, prints nothing and draws no random numbers has any number"
                ),
            )),
            false => Ok(()),
        }
    }

    /// Notes what one thread does in order.
    pub(crate) fn note(&self, span: Span, what: &'static str) {
        self.in_order.borrow_mut().insert((span.start, what));
    }

    /// What one thread does in order, each with its place.
    pub(crate) fn noted(&self) -> Vec<String> {
        let notes = self.in_order.take();
        let shown = |(start, what): (usize, &str)| {
            let place = self.progress.place(Span { start, end: start });
            format!("{place}: {what}")
        };
        notes.into_iter().map(shown).collect()
    }
}

/// Steps of which few are written out.
pub(crate) fn few(count: EU32, first: AnyElement, span: Span, what: &'static str) -> Steps {
    Steps {
        count,
        most_written_out: MOST_WRITTEN_OUT,
        first,
        span,
        what,
    }
}

/// An element that is computed for a number.
pub(crate) type Numbered = Rc<dyn Fn(EU32) -> AnyElement>;
