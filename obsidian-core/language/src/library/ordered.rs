//! Blocks in order: what a block finds of all blocks before it.

use super::collectives::earlier_of;
use super::compute;
use crate::array::{Data, Pull};
use crate::program::{Block, Compute, Program};

/// What the blocks before this one have, combined: element `i` is `initial`, and behind it, from the first block to the last one before
/// this, element `i` of what each has as `own`. The first block gets `initial` itself, which need not be neutral and counts once.
///
/// It belongs to the function of [`as_grid_ordered`](Pull::as_grid_ordered), or to functions that it calls, once, and not below a condition or in a loop of the device.
/// Where several things are wanted, an element is a tuple of them. All blocks have equally many elements, one or more, which are never combined with
/// each other; there may be more of them than threads. The result is a stored array, as that of [`compute`]: each thread may read all of it. Element `i` of `own` is
/// read once, by thread `i` of the block, so `own` may be [held](super::hold).
///
/// `f` is as that of [`reduce`](super::reduce): associative up to rounding, and not necessarily commutative. It may not read arrays, and neither it nor
/// `initial` may depend on the block. What `own` is computed of may be inputs and whatever the block has stored, counters in shared memory for instance,
/// but no array of the kernel that the block changes.
///
/// # Order and cost
/// The order is fixed, so the bits of a result depend neither on the device nor on timing. 32 blocks that follow each other are a group. A block finds
/// `((initial . G0) . G1) . E`: the totals of the groups before its own, from the left, and `E`, the balanced tree over neighbours,
/// `(x0 . x1) . (x2 . x3)`, of the blocks before it in its group. The total of a group is `E` of its last block, combined with what that has. So block 0
/// finds `initial`, block 1 `initial . x0`, block 32 `initial . G0`, and block 33 `(initial . G0) . x32`.
///
/// On a GPU it is one launch: a block tells what it has as soon as it knows it, and looks back for what is before. It takes a number
/// when it begins, so that the blocks before it run or have run; nothing can wait for ever. It needs 8 bytes of the device's memory for each 4 bytes
/// that a block has, which are made at the first launch and kept. With whole warps the first warp looks for one element after the other, and from 32 elements on each thread for its
/// own. A CPU runs what `own` needs of all blocks first, and then everything.
///
/// Recorded launches, fewer real blocks (`grid = resident`), and other loops over blocks in the same kernel work as ever.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn scanned(tile: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
///         let here = compute(inclusive_scan(|a, b| a + b, tile))?;
///         let before = earlier(|a, b| a + b, 0, singleton(here[3]))?;
///         pure(here.map(|x| before[0] + x).push())
///     }
///
///     #[kernel(threads = 64)]
///     pub fn running(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(4).as_grid_ordered(|tile| exec_block(scanned(tile)))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4, 10, 20, 30, 40])?;
/// let result = example::running::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 3, 6, 10, 20, 40, 70, 110]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
///
/// Several counts at once: how many keys with each digit are in earlier tiles?
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn counted(digits: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
///         let counts = new_shared_mutable(4, 0_u32)?;
///         for_all(digits.len(), |i| counts.atomic_add(digits[i] % 4, 1).void())?;
///         sync()?;
///         let before = earlier(|a, b| a + b, 0, compute(counts.push())?)?;
///         pure(before.push())
///     }
///
///     #[kernel(threads = 64)]
///     pub fn firsts(digits: DPull<EU32>) -> DPush<Grid, EU32> {
///         digits.split_up(8).as_grid_ordered(|tile| exec_block(counted(tile)))
///     }
/// }
///
/// let device = Device::cpu();
/// let digits = device.upload(&[0, 1, 1, 2, 3, 3, 3, 3, 0, 0, 1, 2, 2, 2, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0])?;
/// let result = example::firsts::launch(&device, &digits)?;
/// assert_eq!(result.to_vec()?, [0, 0, 0, 0, 1, 2, 1, 4, 3, 3, 5, 5]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "DeviceScan")]
#[doc(alias = "decoupled look-back")]
#[doc(alias = "chained scan")]
#[track_caller]
pub fn earlier<T: Data>(
    f: impl Fn(T, T) -> T + 'static,
    initial: T,
    own: Pull<T>,
) -> Program<Block, Pull<T>> {
    earlier_at(f, initial, own)
}

/// The same where levels are values.
#[doc(hidden)]
#[track_caller]
pub fn earlier_at<L: Compute, T: Data>(
    f: impl Fn(T, T) -> T + 'static,
    initial: T,
    own: Pull<T>,
) -> Program<L, Pull<T>> {
    compute(earlier_of(f, initial, own))
}
