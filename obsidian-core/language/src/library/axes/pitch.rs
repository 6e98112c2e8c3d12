//! `compute_pitch`: stores a matrix in rows that begin further apart.

use std::rc::Rc;

use super::super::compute;
use crate::array::{Data, IntoPush, Pull2, Push, Shape};
use crate::error::catalogue;
use crate::program::{Compute, Program};
use crate::scalar::report;

/// [`compute`] with rows that begin `pitch` elements apart, at least the width.
///
/// Threads that read a column of 32 elements read one bank of shared memory if rows begin 32 words
/// apart, and 32 banks if they begin 33 apart. What lies between the rows is not used.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn turned(tile: Pull2<EU32>) -> Program<Block, Push2<Block, EU32>> {
///         let stored = compute_pitch(33, tile)?; // 32 columns, and an unused one
///         pure(stored.transpose().push())
///     }
///
///     #[kernel(threads = 64)]
///     pub fn transposed(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(1024).as_grid_map(|x| exec_block(turned(x.in_rows(32))).flat())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&(0..1024).collect::<Vec<u32>>())?;
/// assert_eq!(example::transposed::launch(&device, &x)?.to_vec()?[..3], [0, 32, 64]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn compute_pitch<L: Compute, T: Data, A: IntoPush<L, T, Shape = (u32, u32)>>(
    pitch: u32,
    array: A,
) -> Program<L, Pull2<T>> {
    let push = array.into_push();
    let (height, width) = push.shape();
    if pitch < width {
        report(catalogue::narrow_pitch(pitch, width, "columns"));
    }
    // The last row needs no space behind it.
    let places = match (height, width) {
        (0, _) | (_, 0) => Some(0),
        _ => (height - 1)
            .checked_mul(pitch)
            .and_then(|n| n.checked_add(width)),
    };
    let places = places.unwrap_or_else(|| {
        report(catalogue::too_many_elements());
        0
    });
    let rows = (height, pitch);
    let list: Push<L, T> = push.rewrite(places, move |write| {
        Rc::new(move |value, index| write(value, rows.place(&index)))
    });
    compute(list).map(move |stored| stored.view((height, width), move |index| rows.place(&index)))
}
