//! `hold`: stores an array in the registers of the threads that compute it.

use super::compute::stored;
use super::{Pitch, compute_as};
use crate::array::{Data, IntoPush, Pull, Push, Writer};
use crate::error::{Origin, catalogue};
use crate::ir::{Layout, Level, WARP};
use crate::program::{Compute, Program, Thread, Trace, for_all, pure, seq_for};
use crate::scalar::{here, index, lit, report};

/// Stores an array of static length in registers: [`compute`](super::compute()) where each element is used by
/// the thread that has computed it. Element `i` belongs to the thread of iteration `i`.
///
/// - At Block, only the thread that owns an element can read it. An index that is not proved to be the
///   thread's own is an error, `not-own`; [`compute`](super::compute()) stores what others read.
/// - At Warp, a lane can also read the elements of other lanes, for example `a[i ^ 1]` or `a[(i + 1) % 32]`.
///   Such a read is one shuffle; all lanes take part in it.
/// - At Thread, it is [`compute`](super::compute()).
///
/// No barrier follows, and no shared memory is used. An array that needs more than 64 words a thread goes to
/// shared memory, as does a warp's array where blocks do not consist of whole warps; the header of the CUDA
/// text and `placements` of the manifest say which. The results are the same, bit for bit.
///
/// There is no `hold` at Grid. Length 0 stores nothing.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn of_block(piece: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
///         let own = hold(piece.map(|x| x * x))?;
///         // Each thread reads its own element, twice.
///         pure(zip_with(|a, b| a + b, own, own).push())
///     }
///
///     #[kernel(threads = 64)]
///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(64).as_grid_map(|piece| exec_block(of_block(piece)))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[3; 64])?;
/// let result = example::doubled::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [18; 64]);
/// let kernel = example::doubled::kernel();
/// assert_eq!((kernel.barriers(), kernel.shared_bytes()), (0, 0));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "__shfl_sync")]
#[doc(alias = "__shfl_xor_sync")]
#[doc(alias = "__shfl_down_sync")]
#[doc(alias = "plane_shuffle")]
#[doc(alias = "registers")]
#[track_caller]
pub fn hold<L: Compute, T: Data, A: IntoPush<L, T, Shape = u32>>(array: A) -> Program<L, Pull<T>> {
    held(array.into_push(), Layout::Striped, here())
}

/// [`hold`] in a layout, which says which thread owns which element:
///
/// - `Striped`: iteration `i` owns element `i`, as with [`hold`].
/// - `Blocked(k)`: iteration `i` owns the `k` neighbours from `k * i` on. The array is stored by
///   runs, and `a.split_up(k)` reads it by runs: each thread has its own. `k` divides the length.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn of_block(piece: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
///         // Each thread has four neighbours in registers.
///         let own = hold_as(Blocked(4), piece.map(|x| x + 1))?;
///         pure(own.split_up(4).as_block_map(|four| fold1(|a, b| a + b, four).push::<Thread>()))
///     }
///
///     #[kernel(threads = 64)]
///     pub fn sums(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(128).as_grid_map(|piece| exec_block(of_block(piece)))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1; 128])?;
/// let result = example::sums::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [8; 32]);
/// assert_eq!(example::sums::kernel().shared_bytes(), 0);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn hold_as<L: Compute, T: Data>(layout: Layout, array: Pull<T>) -> Program<L, Pull<T>> {
    held(by_layout(layout, &array), layout, here())
}

/// The elements of a held array in another layout: stores an array of layout `from`, and holds it as `to`.
///
/// The elements go through shared memory: a store, a barrier and a load for each, in rows of 32 that begin 33
/// apart, against bank conflicts. So a thread that has
/// loaded every 256th element, as memory wants it, gets neighbours: `exchange(Striped, Blocked(8), a)?`.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn of_block(piece: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
///         // Loaded as memory wants it, summed by neighbours.
///         let own = exchange(Striped, Blocked(4), piece)?;
///         pure(own.split_up(4).as_block_map(|four| fold1(|a, b| a + b, four).push::<Thread>()))
///     }
///
///     #[kernel(threads = 64)]
///     pub fn sums(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(128).as_grid_map(|piece| exec_block(of_block(piece)))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&(0..128).collect::<Vec<u32>>())?;
/// let result = example::sums::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?[..3], [6, 22, 38]); // 0 + 1 + 2 + 3, 4 + 5 + 6 + 7, ..
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "BlockExchange")]
#[doc(alias = "BlockLoad")]
#[doc(alias = "BlockStore")]
#[doc(alias = "WarpExchange")]
#[track_caller]
pub fn exchange<L: Compute, T: Data>(
    from: Layout,
    to: Layout,
    array: Pull<T>,
) -> Program<L, Pull<T>> {
    let push: Push<L, T> = by_layout(from, &array);
    compute_as(Pitch(WARP + 1), push).and_then(move |stored| hold_as(to, stored))
}

/// An array as a push array in which each thread stores what it owns.
#[track_caller]
fn by_layout<L: Compute, T: Data>(layout: Layout, array: &Pull<T>) -> Push<L, T> {
    let (length, run) = (array.len(), layout.run());
    if layout == Layout::Blocked(0) {
        report(catalogue::empty_pieces());
    } else if !length.is_multiple_of(run) {
        report(catalogue::does_not_divide(run, length));
    } else if run > 1 {
        let array = array.clone();
        return Push::new(length, move |write: Writer<T>| by_runs(&array, run, write));
    }
    array.clone().into_push()
}

/// Iteration `i` writes the elements of run `i`, in order.
fn by_runs<L: Compute, T: Data>(array: &Pull<T>, run: u32, write: Writer<T>) -> Program<L, ()> {
    let array = array.clone();
    for_all(array.len() / run, move |i| {
        let (array, write, start) = (array.clone(), write.clone(), index::mul(i, run));
        if run > WRITTEN_OUT {
            return seq_for(lit(run), move |j| {
                let at = index::add(start, j);
                write(array.at(at), at)
            });
        }
        let each = (0..run).map(|j| {
            let at = index::add(start, j);
            write(array.at(at), at)
        });
        each.fold(pure(()), |before: Program<Thread, ()>, next| {
            before.and_then(move |()| next.clone())
        })
    })
}

/// Runs of at most as many elements are no loop, so that a thread knows which of its elements it reads.
const WRITTEN_OUT: u32 = 16;

/// Stores the elements of an array in registers. No barrier follows: who reads an element has stored it, or
/// takes it by a shuffle.
fn held<L: Compute, T: Data>(
    push: Push<L, T>,
    layout: Layout,
    origin: Origin,
) -> Program<L, Pull<T>> {
    Program::new(move |trace: &mut Trace<L>| {
        let length = push.len();
        if trace.level() == Some(Level::Grid) {
            report(catalogue::no_shared_memory().at(origin));
            return Pull::new(length, |_| T::poison());
        }
        if length == 0 {
            return Pull::new(0, |_| crate::array::no_elements());
        }
        let (handle, actions) = stored(&push, (origin, Some(layout)), trace);
        let Some(handle) = handle else {
            report(catalogue::nothing_written(length).at(origin));
            return Pull::new(length, |_| T::poison());
        };
        trace.splice(actions);
        Pull::new(length, move |i| T::load(&handle, i))
    })
}
