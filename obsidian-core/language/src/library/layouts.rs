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
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn of_block(piece: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
///         let stored = compute_as(Pitch(33), piece)?; // `Pitch` is a layout
///         pure(stored.reverse().push())
///     }
///
///     #[kernel(threads = 64)]
///     pub fn reversed(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(64).as_grid_map(|piece| exec_block(of_block(piece)))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&(0..64).collect::<Vec<u32>>())?;
/// assert_eq!(example::reversed::launch(&device, &x)?.to_vec()?[..2], [63, 62]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
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
/// [`compute_pitch`](super::compute_pitch) stores `array.in_rows(16)`.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn of_block(piece: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
///         let stored = compute_as(Pitch(33), piece)?;
///         // Thread `t` reads the elements from `8 * t` on: 32 threads, 32 banks.
///         pure(stored.split_up(8).as_block_map(|own| exec_thread_value(seq_reduce(|a, b| a + b, own))))
///     }
///
///     #[kernel(threads = 64)]
///     pub fn sums(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(256).as_grid_map(|piece| exec_block(of_block(piece)))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1; 256])?;
/// assert_eq!(example::sums::launch(&device, &x)?.to_vec()?, [8; 32]);
/// assert_eq!(example::sums::kernel().shared_bytes(), 4 * (256 + 7)); // 7 gaps between 8 rows
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "bank_conflicts")]
#[doc(alias = "padding")]
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
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn of_block(piece: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
///         let stored = compute_as(Pitch(33), piece)?;
///         pure(stored.coalesce(32).concat(32).push())
///     }
///
///     #[kernel(threads = 64)]
///     pub fn columns(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(64).as_grid_map(|piece| exec_block(of_block(piece)))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&(0..64).collect::<Vec<u32>>())?;
/// let result = example::columns::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?[..3], [0, 2, 4]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn compute_as<L: Compute, T: Data, A: IntoPush<L, T, Shape = u32>>(
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
