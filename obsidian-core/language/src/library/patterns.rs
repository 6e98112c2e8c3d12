//! Push arrays with loops of their own, divide and conquer, and folds that are unrolled. Paper,
//! sections 6.3 and 6.3.1.

use std::rc::Rc;

use super::compute;
use crate::array::{Data, Length, Pull, Push, Shape, Storable, Writer, no_elements};
use crate::program::{
    AtMost, Block, Compute, Hierarchy, Program, Thread, for_all, seq_for, single_thread,
};
use crate::scalar::{here, index, indexed_at, lit};

/// The pull array of a length whose element `i` is `f(i)`: the paper's `mkPull`.
///
/// It is [`generate`](super::generate()) by the paper's name.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn squares(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(4).as_grid_map(|x| mk_pull(4, |i| x[i] * x[i]).push())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4])?;
/// let result = example::squares::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 4, 9, 16]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "mkPull")]
pub fn mk_pull<T: 'static, S: Shape>(shape: S, f: impl Fn(S::Index) -> T + 'static) -> Pull<T, S> {
    Pull::new(shape, f)
}

/// The push array of a length that a program of writes makes: the paper's `mkPush`.
///
/// `f(write)` must call `write(element, index)` once for each index below the length; it is an
/// error if that cannot be proved at compile time.
///
/// Nothing is allocated: what `f` writes goes where the array is stored. An index that comes from data needs
/// [`unchecked`](crate::scalar::Exp::unchecked) and [`distinct`](crate::scalar::Exp::distinct).
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         // Two writes for each element read.
///         x.split_up(2).as_grid_map(|x| mk_push(4, |write| for_all(2, |i| {
///             write(x[i], 2 * i)?;
///             write(x[i] + 100, 2 * i + 1)
///         })))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2])?;
/// let result = example::doubled::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 101, 2, 102]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "mkPush")]
#[track_caller]
pub fn mk_push<L: Hierarchy, T: 'static, S: Shape>(
    shape: S,
    f: impl Fn(Writer<T, S::Index>) -> Program<L, ()> + 'static,
) -> Push<L, T, S> {
    let origin = here();
    Push::new(shape, move |write: Writer<T, S::Index>| {
        f(Rc::new(move |x, i| {
            let program = write(x, i);
            Program::new(move |trace| indexed_at(origin, || program.run(trace)))
        }))
    })
}

/// The push array of one value.
///
/// One thread of the level writes it.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn firsts(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(4).as_grid_map(|x| singleton_push(x.first()))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4, 5, 6, 7, 8])?;
/// let result = example::firsts::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 5]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn singleton_push<L: AtMost<Block>, T: Clone + 'static>(value: T) -> Push<L, T> {
    Push::new(1, move |write: Writer<T>| {
        single_thread(write(value.clone(), lit(0)))
    })
}

impl<T: 'static, S: Length> Pull<T, S> {
    /// The push array in which each thread takes `n` elements, as far apart as possible, so that in
    /// each step neighbouring threads read neighbouring elements; `n` divides the length. Paper,
    /// section 6.3.1.
    ///
    /// The order of the elements is that of the array. Another length is an error: at compile time if it is static, else at launch.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         // 64 threads, 4 elements each: thread `t` takes `t`, `t + 64`, ..
    ///         x.split_up(256).as_grid_map(|x| x.map(|x| x * 2).load(4))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&(0..256).collect::<Vec<u32>>())?;
    /// assert_eq!(example::doubled::launch(&device, &x)?.to_vec()?[..3], [0, 2, 4]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn load<L: AtMost<Block>>(&self, n: u32) -> Push<L, T, S> {
        let (this, threads) = (self.clone(), self.len().pieces(n).exp());
        Push::new(self.len(), move |write: Writer<T>| {
            let this = this.clone();
            for_all(threads, move |thread| {
                let (this, write) = (this.clone(), write.clone());
                seq_for::<Thread>(n, move |step| {
                    let i = index::add(thread, index::mul(step, threads));
                    write(this.at(i), i)
                })
            })
        })
    }

    /// The same as [`load`](Pull::load), to be said where an array is written rather than read.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(256).as_grid_map(|x| x.map(|x| x * 2).store(4))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&(0..256).collect::<Vec<u32>>())?;
    /// assert_eq!(example::doubled::launch(&device, &x)?.to_vec()?[..3], [0, 2, 4]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn store<L: AtMost<Block>>(&self, n: u32) -> Push<L, T, S> {
        self.load(n)
    }

    /// All but the first `n` elements: the paper's `shiftLeft`, another name of
    /// [`drop`](Pull::drop).
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn endings(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| x.shift_left(1).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4])?;
    /// let result = example::endings::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [2, 3, 4]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn shift_left(&self, n: S) -> Self {
        self.drop(n)
    }
}

impl<T: 'static, S: Length> Pull<Pull<T>, S> {
    /// Pieces of `n` elements with their elements dealt out in turn: undoes
    /// [`coalesce`](Pull::coalesce).
    ///
    /// `n` is the length of each piece, for which the caller vouches, as for [`concat`](Pull::concat).
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn same(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(6).as_grid_map(|x| x.coalesce(2).un_coalesce(2).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[0, 1, 2, 3, 4, 5])?;
    /// let result = example::same::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [0, 1, 2, 3, 4, 5]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn un_coalesce(&self, n: u32) -> Pull<T, S> {
        let (this, pieces) = (self.clone(), self.len().exp());
        Pull::new(self.len().times(n), move |i| {
            this.at(index::rem(i, pieces)).at(index::div(i, pieces))
        })
    }
}

impl<L: Hierarchy, T: 'static, S: Length> Push<L, T, S> {
    /// The array whose consecutive pieces of `n` elements are dealt out in turn, so that the first
    /// elements of all pieces come first; `n` divides the length. With as many pieces as threads,
    /// neighbours write neighbours.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn dealt(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         // Pieces of 2: their first elements, and then their second.
    ///         x.split_up(6).as_grid_map(|x| x.push().un_coalesce(2))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[0, 1, 2, 3, 4, 5])?;
    /// let result = example::dealt::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [0, 2, 4, 1, 3, 5]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn un_coalesce(&self, n: u32) -> Self {
        let pieces = self.len().pieces(n).exp();
        self.ix_map(move |i| index::add(index::div(i, n), index::mul(index::rem(i, n), pieces)))
    }
}

/// Halves an array `n` times, applies `f` to each piece and puts the results one after another.
/// Paper, section 6.3.1.
///
/// The length is a multiple of 2 to the power of `n`. Nothing is stored: what `arr` and `f` compute
/// is repeated wherever an element of the result is used, which the paper calls unsafe;
/// [`bin_split`] stores `arr` first.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn turned(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         // Each quarter backwards.
///         x.split_up(8).as_grid_map(|x| unsafe_bin_split(2, |piece| piece.reverse(), x).push())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[0, 1, 2, 3, 4, 5, 6, 7])?;
/// let result = example::turned::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 0, 3, 2, 5, 4, 7, 6]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn unsafe_bin_split<T: 'static, U: 'static>(
    n: u32,
    f: impl Fn(Pull<T>) -> Pull<U> + 'static,
    arr: Pull<T>,
) -> Pull<U> {
    let pieces = arr.split_up(piece_size(arr.len(), n));
    let length = if pieces.len() == 0 {
        0
    } else {
        f(pieces.at(0u32)).len()
    };
    pieces.map(f).concat(length)
}

#[track_caller]
fn piece_size(length: u32, n: u32) -> u32 {
    match 1u32.checked_shl(n) {
        Some(pieces) if length.is_multiple_of(pieces) && length > 0 => length / pieces,
        pieces => {
            crate::scalar::report(crate::error::catalogue::does_not_divide(
                pieces.unwrap_or(u32::MAX),
                length,
            ));
            length.max(1)
        }
    }
}

/// [`unsafe_bin_split`] of an array that is stored first, so that what it computes is computed
/// once.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn turned(x: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
///         let halves = bin_split(1, |piece| piece.reverse(), x.map(|x| x + 1))?;
///         pure(halves.push())
///     }
///
///     #[kernel(threads = 64)]
///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(4).as_grid_map(|x| exec_block(turned(x)))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[0, 1, 2, 3])?;
/// let result = example::all::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [2, 1, 4, 3]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn bin_split<L: Compute, T: Data, U: 'static>(
    n: u32,
    f: impl Fn(Pull<T>) -> Pull<U> + 'static,
    arr: Pull<T>,
) -> Program<L, Pull<U>> {
    let f = Rc::new(f);
    compute(arr).map(move |arr| {
        let f = f.clone();
        unsafe_bin_split(n, move |piece| f(piece), arr)
    })
}

/// The array of one element that combines all elements of another, from the first to the last, in
/// one expression.
///
/// There must be at least one. The expression is as long as the array;
/// [`seq_reduce`](super::seq_reduce) is a loop.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn sums(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         // Each thread adds 4 elements, written out.
///         x.split_up(8).as_grid_map(|x| x.split_up(4).map(|four| fold1(|a, b| a + b, four).at(0)).push())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4, 10, 20, 30, 40])?;
/// let result = example::sums::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [10, 100]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn fold1<T: Storable>(f: impl Fn(T, T) -> T + 'static, arr: Pull<T>) -> Pull<T> {
    let value = (0..arr.len())
        .map(|i| arr.at(i))
        .reduce(f)
        .unwrap_or_else(no_elements);
    Pull::new(1, move |_| value.clone())
}
