//! `compute_as`: stores an array with its elements elsewhere than one after another.

use std::rc::Rc;

use super::compute;
use super::compute::computed;
use crate::array::{Data, IntoPush, Pull, Push, Writer};
use crate::error::{Diagnostic, catalogue};
use crate::ir::WARP;
use crate::program::{Compute, Program};
use crate::scalar::{Exp, here, index, report};

/// Where [`compute_as`] puts the elements of an array: the layout of its memory, which no result
/// depends on.
pub trait Layout: Copy + 'static {
    /// What is wrong with the layout itself.
    #[doc(hidden)]
    fn mistake(self) -> Option<Diagnostic>;

    /// How many places an array of `length` elements takes, unused ones included; `None` if the number
    /// does not fit a `u32`.
    #[doc(hidden)]
    fn places(self, length: u32) -> Option<u32>;

    /// The place of element `index` of an array of `length` elements. No two elements share a place.
    #[doc(hidden)]
    fn place(self, index: Exp<u32>, length: u32) -> Exp<u32>;
}

/// A [`Layout`] for [`compute_as`]: rows of 32 elements, and the distance from the start of one row
/// to the start of the next, in elements, at least 32.
///
/// Shared memory has 32 banks, one word wide each, and a row of 32 words is one element of each.
/// Threads that read every eighth element read four banks, eight threads each, and wait for each
/// other. With `Pitch(33)` each row begins a bank further on, and 32 such threads read 32 banks. What
/// lies between the rows is not used. For rows of another size,
/// [`compute2_pitch`](super::compute2_pitch) stores `array.in_rows(16)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pitch(pub u32);

impl Layout for Pitch {
    fn mistake(self) -> Option<Diagnostic> {
        (self.0 < WARP).then(|| catalogue::narrow_pitch(self.0, WARP, "elements"))
    }

    fn places(self, length: u32) -> Option<u32> {
        // The last row needs no space behind it.
        let rows = length.saturating_sub(1) / WARP;
        rows.checked_mul(self.0.saturating_sub(WARP))?
            .checked_add(length)
    }

    fn place(self, index: Exp<u32>, length: u32) -> Exp<u32> {
        let gap = self.0.saturating_sub(WARP);
        if gap == 0 || length <= WARP {
            return index;
        }
        let row = index::div(index, WARP);
        let skipped = if gap == 1 { row } else { index::mul(row, gap) };
        index::add(index, skipped)
    }
}

/// [`compute`] with another layout of the memory, such as [`Pitch`], against bank conflicts: the
/// array that it gives has the same elements at the same indices.
///
/// At Thread, where an array is the thread's own, a layout is of no use.
#[track_caller]
pub fn compute_as<L: Compute, T: Data, A: IntoPush<L, T, u32>>(
    layout: impl Layout,
    array: A,
) -> Program<L, Pull<T>> {
    let push = array.into_push();
    let (length, level) = (push.len(), push.level());
    if let Some(mistake) = layout.mistake() {
        report(mistake);
        return compute(push);
    }
    let places = layout.places(length).unwrap_or_else(|| {
        report(catalogue::too_many_elements());
        0
    });
    let placed: Push<L, T> = Push::new(places, move |write: Writer<T>| {
        push.write_to(Rc::new(move |value, i| {
            write(value, layout.place(i, length))
        }))
    });
    computed(placed.stamped(level), length, here())
        .map(move |stored| Pull::new(length, move |i| stored.at(layout.place(i, length))))
}
