//! `compute2`: stores a two-dimensional array.

use std::rc::Rc;

use super::super::compute;
use crate::array::{Data, IntoPush2, Pull2, Push, Push2, Writer};
use crate::error::catalogue;
use crate::program::{Compute, Program};
use crate::scalar::{index, report};

/// [`compute`] for a two-dimensional array of static height and width: stored row after row.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn turned(x: Pull2<EU32>) -> Program<Block, Push2<Block, EU32>> {
///         let stored = compute2(x)?;
///         pure(stored.transpose().push())
///     }
///
///     #[kernel(threads = 64)]
///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(6).as_grid_map(|x| exec_block2(turned(x.in_rows(3))).flat())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4, 5, 6])?;
/// let result = example::all::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 4, 2, 5, 3, 6]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn compute2<L: Compute, T: Data, A: IntoPush2<L, T, u32>>(array: A) -> Program<L, Pull2<T>> {
    let push = array.into_push2();
    let pitch = push.width();
    stored(push, pitch)
}

/// [`compute2`] with rows that begin `pitch` elements apart, at least the width.
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
///         let stored = compute2_pitch(33, tile)?; // 32 columns, and an unused one
///         pure(stored.transpose().push())
///     }
///
///     #[kernel(threads = 64)]
///     pub fn transposed(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(1024).as_grid_map(|x| exec_block2(turned(x.in_rows(32))).flat())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&(0..1024).collect::<Vec<u32>>())?;
/// assert_eq!(example::transposed::launch(&device, &x)?.to_vec()?[..3], [0, 32, 64]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn compute2_pitch<L: Compute, T: Data, A: IntoPush2<L, T, u32>>(
    pitch: u32,
    array: A,
) -> Program<L, Pull2<T>> {
    let push = array.into_push2();
    if pitch < push.width() {
        report(catalogue::narrow_pitch(pitch, push.width(), "columns"));
    }
    stored(push, pitch)
}

#[track_caller]
fn stored<L: Compute, T: Data>(push: Push2<L, T>, pitch: u32) -> Program<L, Pull2<T>> {
    let (height, width) = (push.height(), push.width());
    // The last row needs no space behind it.
    let size = match (height, width) {
        (0, _) | (_, 0) => Some(0),
        _ => (height - 1)
            .checked_mul(pitch)
            .and_then(|n| n.checked_add(width)),
    };
    let size = size.unwrap_or_else(|| {
        report(catalogue::too_many_elements());
        0
    });
    let level = push.level();
    let list: Push<L, T> = Push::new(size, move |write: Writer<T>| {
        push.write_to(Rc::new(move |value, y, x| {
            write(value, index::add(index::mul(y, pitch), x))
        }))
    });
    let program = compute(list.stamped(level));
    program.map(move |stored| {
        Pull2::new(height, width, move |y, x| {
            stored.at(index::add(index::mul(y, pitch), x))
        })
    })
}
