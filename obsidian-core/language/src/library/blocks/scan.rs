//! Scans of arrays of any length.

use std::rc::Rc;

use super::super::{compute, inclusive_scan, map_accum_l, s_map_accum};
use super::unit::Unit;
use crate::array::{Choice, Data, Length, Pull, Push, Storable};
use crate::program::{Block, Compute, Program, Thread, Warp};
use crate::scalar::{AnyExp, Exp, Literal, index, lit};

/// Each element combined with all those in front of it, by a block: element `i` is `x0 . x1 . .. . xi`.
///
/// `f` must be associative up to rounding, and need not be commutative; it may not read arrays. Tiles of 1,024
/// elements are scanned one after another, each as [`inclusive_scan`](super::super::inclusive_scan()) does, and combined with
/// all that was in front of them. So the bits depend on the length alone.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     use obsidian_rt::algorithms::blocks::*;
///
///     #[kernel(threads = 64)]
///     pub fn scan(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         mk_push(x.len(), |write| {
///             distr_par(1, |_| block_inclusive_scan(|a, b| a + b, x).push_to(|y, i| write(y, i)))
///         })
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 10])?;
/// let result = example::scan::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 3, 6, 16]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "BlockScan")]
#[track_caller]
pub fn block_inclusive_scan<T: Data, S: Length>(
    f: impl Fn(T, T) -> T + 'static,
    arr: Pull<T, S>,
) -> Push<Block, T, S> {
    inclusive(Unit::Block, f, arr)
}

/// [`block_inclusive_scan`] by a warp, in tiles of 128 elements.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     use obsidian_rt::algorithms::blocks::*;
///
///     #[kernel(threads = 64)]
///     pub fn scan(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         mk_push(x.len(), |write| {
///             distr_par(1, |_| distr_par(1, |_| warp_inclusive_scan(|a, b| a + b, x).push_to(|y, i| write(y, i))))
///         })
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 10])?;
/// let result = example::scan::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 3, 6, 16]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "WarpScan")]
#[doc(alias = "__shfl_up_sync")]
#[track_caller]
pub fn warp_inclusive_scan<T: Data, S: Length>(
    f: impl Fn(T, T) -> T + 'static,
    arr: Pull<T, S>,
) -> Push<Warp, T, S> {
    inclusive(Unit::Warp, f, arr)
}

/// Each element combined with all those in front of it, in a loop of one thread.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     use obsidian_rt::algorithms::blocks::*;
///
///     #[kernel(threads = 64)]
///     pub fn scan(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         mk_push(x.len(), |write| {
///             distr_par(1, |_| single_thread(thread_inclusive_scan(|a, b| a + b, x).push_to(|y, i| write(y, i))))
///         })
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 10])?;
/// let result = example::scan::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 3, 6, 16]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "ThreadScan")]
#[track_caller]
pub fn thread_inclusive_scan<T: Data, S: Length>(
    f: impl Fn(T, T) -> T + 'static,
    arr: Pull<T, S>,
) -> Push<Thread, T, S> {
    let length = arr.len();
    if length.fixed() == Some(0) {
        return Push::new(length, |_| Program::new(|_| ()));
    }
    let start = (lit(false), zeros(&arr.at(0u32)));
    let next = move |(has, before): (Exp<bool>, T), x: T| {
        let sum = Choice::choose(has, f(before, x.clone()), x);
        ((lit(true), sum.clone()), sum)
    };
    map_accum_l(next, start, arr)
}

/// The elements in front of each, combined after `initial`, by a block: element 0 is `initial`, and element `i` is
/// `initial . x0 . .. . x(i - 1)`.
///
/// `f` and the order are those of [`block_inclusive_scan`]; `initial` comes first.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     use obsidian_rt::algorithms::blocks::*;
///
///     #[kernel(threads = 64)]
///     pub fn scan(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         mk_push(x.len(), |write| {
///             distr_par(1, |_| block_exclusive_scan(|a, b| a + b, 100, x).push_to(|y, i| write(y, i)))
///         })
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 10])?;
/// let result = example::scan::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [100, 101, 103, 106]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "BlockScan")]
#[track_caller]
pub fn block_exclusive_scan<T: Data, S: Length>(
    f: impl Fn(T, T) -> T + 'static,
    initial: T,
    arr: Pull<T, S>,
) -> Push<Block, T, S> {
    exclusive(Unit::Block, f, initial, arr)
}

/// [`block_exclusive_scan`] by a warp, in tiles of 128 elements.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     use obsidian_rt::algorithms::blocks::*;
///
///     #[kernel(threads = 64)]
///     pub fn scan(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         mk_push(x.len(), |write| {
///             distr_par(1, |_| distr_par(1, |_| warp_exclusive_scan(|a, b| a + b, 100, x).push_to(|y, i| write(y, i))))
///         })
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 10])?;
/// let result = example::scan::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [100, 101, 103, 106]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "WarpScan")]
#[track_caller]
pub fn warp_exclusive_scan<T: Data, S: Length>(
    f: impl Fn(T, T) -> T + 'static,
    initial: T,
    arr: Pull<T, S>,
) -> Push<Warp, T, S> {
    exclusive(Unit::Warp, f, initial, arr)
}

/// The elements in front of each, combined after `initial`, in a loop of one thread.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     use obsidian_rt::algorithms::blocks::*;
///
///     #[kernel(threads = 64)]
///     pub fn scan(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         mk_push(x.len(), |write| {
///             distr_par(1, |_| single_thread(thread_exclusive_scan(|a, b| a + b, 100, x).push_to(|y, i| write(y, i))))
///         })
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 10])?;
/// let result = example::scan::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [100, 101, 103, 106]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "ThreadScan")]
#[track_caller]
pub fn thread_exclusive_scan<T: Data, S: Length>(
    f: impl Fn(T, T) -> T + 'static,
    initial: T,
    arr: Pull<T, S>,
) -> Push<Thread, T, S> {
    map_accum_l(move |sum: T, x| (f(sum.clone(), x), sum), initial, arr)
}

/// The tiles of an array one after another, with what is in front of each combined.
#[track_caller]
#[doc(hidden)]
pub fn inclusive<L: Compute, T: Data, S: Length>(
    unit: Unit,
    f: impl Fn(T, T) -> T + 'static,
    arr: Pull<T, S>,
) -> Push<L, T, S> {
    let length = arr.len();
    if length.fixed() == Some(0) {
        return Push::new(length, |_| Program::new(|_| ()));
    }
    let f = Rc::new(f);
    let nothing = zeros(&arr.at(0u32));
    let start = (lit(false), nothing.clone());
    let tiles = arr.chunks(unit.tile(), nothing);
    let scanned = s_map_accum(
        move |(has, before): (Exp<bool>, T), tile: Pull<T>| {
            let (f, operator, last) = (f.clone(), f.clone(), tile.len() - 1);
            compute(inclusive_scan(move |x, y| operator(x, y), tile)).map(move |own: Pull<T>| {
                let (f, before) = (f.clone(), before.clone());
                let all = own.map(move |x| Choice::choose(has, f(before.clone(), x.clone()), x));
                ((lit(true), all.at(last)), all.push())
            })
        },
        start,
        tiles,
    );
    scanned.take(length)
}

/// The tiles of an array one after another, with what is in front of each combined.
#[track_caller]
#[doc(hidden)]
pub fn exclusive<L: Compute, T: Data, S: Length>(
    unit: Unit,
    f: impl Fn(T, T) -> T + 'static,
    initial: T,
    arr: Pull<T, S>,
) -> Push<L, T, S> {
    let length = arr.len();
    if length.fixed() == Some(0) {
        return Push::new(length, |_| Program::new(|_| ()));
    }
    let f = Rc::new(f);
    let tiles = arr.chunks(unit.tile(), zeros(&initial));
    let scanned = s_map_accum(
        move |before: T, tile: Pull<T>| {
            let (f, operator, length) = (f.clone(), f.clone(), tile.len());
            compute(inclusive_scan(move |x, y| operator(x, y), tile)).map(move |own: Pull<T>| {
                let (g, first) = (f.clone(), before.clone());
                let next = f(before.clone(), own.at(length - 1));
                let all = Pull::new(length, move |i| {
                    let in_front = g(first.clone(), own.at(index::sub(i.max(1u32), 1)));
                    Choice::choose(i.eq(0u32), first.clone(), in_front)
                });
                (next, all.push())
            })
        },
        initial,
        tiles,
    );
    scanned.take(length)
}

/// A value of the shape of another one, with a 0 in each place.
pub(super) fn zeros<T: Storable>(like: &T) -> T {
    let mut leaves = Vec::new();
    like.leaves(&mut leaves);
    let mut zeros = leaves
        .into_iter()
        .map(|leaf| AnyExp::literal(Literal::zero(leaf.ty())));
    like.rebuild(&mut zeros)
}
