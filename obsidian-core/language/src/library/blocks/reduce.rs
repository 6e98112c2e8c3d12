//! Reductions of arrays of any length.

use std::rc::Rc;

use super::super::collectives::stored_for_all;
use super::super::{exec_thread_value, generate, lift_in, reduce, seq_iterate};
use super::unit::Unit;
use crate::array::{Choice, Data, Length, Pull, Push};
use crate::program::{AtMost, Block, Compute, Program, Thread, Warp};
use crate::scalar::{Exp, index, lit};

/// All elements combined, after `initial`, by a block: `initial . x0 . x1 . ..`, which is `initial` where there
/// are no elements. All threads of the block have the result.
///
/// `f` must be associative up to rounding, and need not be commutative. It is applied as [`reduce`](super::super::reduce())
/// applies it: of `n` elements, each `ceil(n / 256)` neighbours are folded from the left, and what that makes is
/// combined in a balanced tree; `initial` comes first. So the bits depend on the length alone. `f` may not read arrays.
///
/// A thread reads neighbours, so that the threads together do not read memory in order:
/// [`block_reduce_commutative`] does.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     use obsidian_rt::algorithms::blocks::*;
///
///     #[kernel(threads = 64)]
///     pub fn sums(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
///         let rows = x.in_rows(width).rows();
///         rows.as_grid_map(|row| exec_block_value(block_reduce(|a, b| a + b, 100, row)))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 10, 20, 30])?;
/// let result = example::sums::launch(&device, 3, &x)?;
/// assert_eq!(result.to_vec()?, [106, 160]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "BlockReduce")]
#[doc(alias = "__reduce_add_sync")]
#[track_caller]
pub fn block_reduce<T: Data, S: Length>(
    f: impl Fn(T, T) -> T + 'static,
    initial: T,
    arr: Pull<T, S>,
) -> Program<Block, T> {
    in_order(Unit::Block, f, initial, arr)
}

/// [`block_reduce`] by a warp.
///
/// Of `n` elements, each `ceil(n / 32)` neighbours are folded from the left, if the length is known at launch; if it is static, as
/// [`reduce`](super::super::reduce()) does.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     use obsidian_rt::algorithms::blocks::*;
///
///     #[kernel(threads = 64)]
///     pub fn sums(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
///         let rows = x.in_rows(width).rows();
///         let sum = |row: DPull<EU32>| exec_warp_value(warp_reduce(|a, b| a + b, 100, row));
///         rows.as_grid_map(|row| singleton(sum(row)).as_block())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 10, 20, 30])?;
/// let result = example::sums::launch(&device, 3, &x)?;
/// assert_eq!(result.to_vec()?, [106, 160]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "WarpReduce")]
#[doc(alias = "__shfl_down_sync")]
#[track_caller]
pub fn warp_reduce<T: Data, S: Length>(
    f: impl Fn(T, T) -> T + 'static,
    initial: T,
    arr: Pull<T, S>,
) -> Program<Warp, T> {
    in_order(Unit::Warp, f, initial, arr)
}

/// All elements combined from left to right, after `initial`, in a loop of one thread.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     use obsidian_rt::algorithms::blocks::*;
///
///     #[kernel(threads = 64)]
///     pub fn sums(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
///         let rows = x.in_rows(width).rows();
///         let sum = |row: DPull<EU32>| exec_thread_value(thread_reduce(|a, b| a + b, 100, row));
///         rows.as_grid_map(|row| singleton(sum(row)).as_block())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 10, 20, 30])?;
/// let result = example::sums::launch(&device, 3, &x)?;
/// assert_eq!(result.to_vec()?, [106, 160]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "ThreadReduce")]
#[track_caller]
pub fn thread_reduce<T: Data, S: Length>(
    f: impl Fn(T, T) -> T + 'static,
    initial: T,
    arr: Pull<T, S>,
) -> Program<Thread, T> {
    seq_iterate(arr.len().exp(), move |i, x| f(x, arr.at(i)), initial)
}

/// [`block_reduce`] for an `f` that is commutative too, such as a sum: neighbouring threads read neighbouring
/// elements.
///
/// Of 256 threads, thread `t` folds the elements `t`, `t + 256`, `t + 512`, .. from the left, and what that makes is
/// combined in a balanced tree; `initial` comes first. The block need not have 256 threads. With an `f` that is not
/// commutative the result is that of another order.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     use obsidian_rt::algorithms::blocks::*;
///
///     #[kernel(threads = 64)]
///     pub fn sums(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
///         let rows = x.in_rows(width).rows();
///         rows.as_grid_map(|row| exec_block_value(block_reduce_commutative(|a, b| a + b, 100, row)))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 10, 20, 30])?;
/// let result = example::sums::launch(&device, 3, &x)?;
/// assert_eq!(result.to_vec()?, [106, 160]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY")]
#[track_caller]
pub fn block_reduce_commutative<T: Data, S: Length>(
    f: impl Fn(T, T) -> T + 'static,
    initial: T,
    arr: Pull<T, S>,
) -> Program<Block, T> {
    in_any_order(Unit::Block, f, initial, arr)
}

/// [`block_reduce_commutative`] by a warp: lane `t` folds the elements `t`, `t + 32`, `t + 64`, ..
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     use obsidian_rt::algorithms::blocks::*;
///
///     #[kernel(threads = 64)]
///     pub fn sums(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
///         let rows = x.in_rows(width).rows();
///         let sum = |row: DPull<EU32>| exec_warp_value(warp_reduce_commutative(|a, b| a + b, 100, row));
///         rows.as_grid_map(|row| singleton(sum(row)).as_block())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 10, 20, 30])?;
/// let result = example::sums::launch(&device, 3, &x)?;
/// assert_eq!(result.to_vec()?, [106, 160]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn warp_reduce_commutative<T: Data, S: Length>(
    f: impl Fn(T, T) -> T + 'static,
    initial: T,
    arr: Pull<T, S>,
) -> Program<Warp, T> {
    in_any_order(Unit::Warp, f, initial, arr)
}

/// Each thread folds neighbours.
#[track_caller]
#[doc(hidden)]
pub fn in_order<L: Compute + AtMost<Block>, T: Data, S: Length>(
    unit: Unit,
    f: impl Fn(T, T) -> T + 'static,
    initial: T,
    arr: Pull<T, S>,
) -> Program<L, T> {
    let f = Rc::new(f);
    if let Some(length) = arr.len().fixed() {
        if length == 0 {
            return Program::new(move |_| initial.clone());
        }
        let operator = f.clone();
        let all = reduce(move |x, y| operator(x, y), arr.from_dyn(length));
        return stored_for_all(all).map(move |all| f(initial.clone(), all.at(0u32)));
    }
    let threads = unit.threads();
    let length = arr.len().exp();
    // Elements of a thread but for its first: the threads that have any have one at least.
    let others = index::div(index::sub(length, length.min(1u32)), threads);
    let run = index::add(others, 1);
    let own = Own {
        first: Rc::new(move |t| index::mul(t, run)),
        others: Rc::new(move |t| {
            let first = index::mul(t, run);
            index::sub(index::sub(length, first), 1).min(others)
        }),
        step: 1,
    };
    combined(threads, own, f, initial, arr)
}

/// Each thread folds elements that are as many apart as there are threads.
#[track_caller]
#[doc(hidden)]
pub fn in_any_order<L: Compute + AtMost<Block>, T: Data, S: Length>(
    unit: Unit,
    f: impl Fn(T, T) -> T + 'static,
    initial: T,
    arr: Pull<T, S>,
) -> Program<L, T> {
    if arr.len().fixed() == Some(0) {
        return Program::new(move |_| initial.clone());
    }
    let threads = unit.threads();
    let length = arr.len().exp();
    let own = Own {
        first: Rc::new(|t| t),
        others: Rc::new(move |t| index::div(index::sub(index::sub(length, t), 1), threads)),
        step: threads,
    };
    combined(threads, own, Rc::new(f), initial, arr)
}

/// Which elements a thread folds.
struct Own {
    first: Rc<dyn Fn(Exp<u32>) -> Exp<u32>>,
    /// How many there are beside the first, if that one is there.
    others: Rc<dyn Fn(Exp<u32>) -> Exp<u32>>,
    /// How far apart they are.
    step: u32,
}

/// What the threads fold, combined by the level.
#[track_caller]
fn combined<L: Compute + AtMost<Block>, T: Data, S: Length>(
    threads: u32,
    own: Own,
    f: Rc<dyn Fn(T, T) -> T>,
    initial: T,
    arr: Pull<T, S>,
) -> Program<L, T> {
    let length = arr.len().exp();
    let (operator, start) = (f.clone(), initial.clone());
    let works = generate(threads, move |t| {
        let first = (own.first)(t);
        let has = first.lt(length);
        let (arr, operator, step) = (arr.clone(), operator.clone(), own.step);
        let others = Exp::choose(has, (own.others)(t), lit(0));
        let value = Choice::choose(has, arr.at(first), start.clone());
        let folded = seq_iterate(
            others,
            move |k, x| {
                let next = index::add(index::add(first, step), index::mul(k, step));
                operator(x, arr.at(next))
            },
            value,
        );
        exec_thread_value(folded.map(move |x| (has, x)))
    });
    let works: Push<L, (Exp<bool>, T)> = lift_in(works);
    let operator = f.clone();
    // Threads with elements come first, so that the left one has some if the right one has.
    let both = move |(has, x): (Exp<bool>, T), (more, y): (Exp<bool>, T)| {
        let all = operator(x.clone(), y);
        (has, Choice::choose(more, all, x))
    };
    super::super::hold(works)
        .and_then(move |own| stored_for_all(reduce(both.clone(), own)))
        .map(move |all| {
            let (has, all) = all.at(0u32);
            Choice::choose(has, f(initial.clone(), all), initial.clone())
        })
}
