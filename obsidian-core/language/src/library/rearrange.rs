//! Rearranging one array: other views of the same elements.

use crate::array::{Choice, Length, Pull, Push, require_if_known};
use crate::error::catalogue;
use crate::program::Hierarchy;
use crate::scalar::{Constraint, index, lit, report};

impl<T: 'static, S: Length> Pull<T, S> {
    /// The elements from the last to the first; of no elements, none. It is a view: an index is subtracted, and nothing is stored.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn reversed(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| x.reverse().push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[0, 1, 2, 3])?;
    /// let result = example::reversed::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [3, 2, 1, 0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn reverse(&self) -> Self {
        let last = index::sub(self.len().exp(), 1);
        self.ix_map(move |i| index::sub(last, i))
    }

    /// The first `n` elements, and the others; there must be at least `n`. Both are views.
    ///
    /// More than there are is an error: at compile time if both numbers are static, else at launch.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn turned(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| {
    ///             let (front, back) = x.split_at(1);
    ///             append(back, front).push()
    ///         })
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[0, 1, 2, 3])?;
    /// let result = example::turned::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 2, 3, 0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn split_at(&self, n: S) -> (Self, Self) {
        (self.take(n.clone()), self.drop(n))
    }

    /// The first half and the second; of an odd length the second is longer.
    ///
    /// Of one element, the first half has none. Both are views.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn swapped(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(5).as_grid_map(|x| {
    ///             let (front, back) = x.halve(); // 2 and 3 elements
    ///             append(back, front).push()
    ///         })
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[0, 1, 2, 3, 4])?;
    /// let result = example::swapped::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [2, 3, 4, 0, 1]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn halve(&self) -> (Self, Self) {
        let half = self.len().over(2);
        (self.take(half.clone()), self.rest(&half))
    }

    /// The first `n` elements; there must be as many.
    ///
    /// It is a view. Static lengths that are too short are a compile error, `outside-of-array`.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn beginnings(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| x.take(2).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[0, 1, 2, 3, 4, 5, 6, 7])?;
    /// let result = example::beginnings::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [0, 1, 4, 5]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn take(&self, n: S) -> Self {
        self.check_prefix(&n);
        self.view(n, |i| i)
    }

    /// All but the first `n` elements; there must be as many, which is checked at launch if it knows
    /// both lengths.
    ///
    /// It is a view.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn endings(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| x.drop(3).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[0, 1, 2, 3, 4, 5, 6, 7])?;
    /// let result = example::endings::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [3, 7]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn drop(&self, n: S) -> Self {
        self.check_prefix(&n);
        let rest = self.rest(&n);
        if rest.len().fixed().is_none() {
            require_if_known(rest.len().exp(), Constraint::Fits);
        }
        rest
    }

    /// All but the first `n` elements, of which there are as many.
    fn rest(&self, n: &S) -> Self {
        let start = n.exp();
        self.view(self.len().minus(n), move |i| index::add(i, start))
    }

    #[track_caller]
    fn check_prefix(&self, n: &S) {
        if let (Some(n), Some(length)) = (n.fixed(), self.len().fixed())
            && n > length
        {
            report(catalogue::outside_of_array(
                "position",
                n.into(),
                length.into(),
            ));
        }
    }

    /// All but the first element.
    ///
    /// There must be one. It is a view: [`drop`](Pull::drop) of 1.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn tails(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| x.tail().push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[0, 1, 2, 3])?;
    /// let result = example::tails::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 2, 3]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn tail(&self) -> Self {
        self.drop(S::from_exp(lit(1)))
    }

    /// The first element: the paper's `first`. Of a static length of 0 it is a compile error.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn differences(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| x.map(|y| y - x.first()).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[5, 6, 7, 9])?;
    /// let result = example::differences::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [0, 1, 2, 4]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn first(&self) -> T {
        self.at(0u32)
    }

    /// The last element. Of a static length of 0 it is a compile error.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn distances(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| x.map(|y| x.last() - y).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[5, 6, 7, 9])?;
    /// let result = example::distances::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [4, 3, 2, 0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn last(&self) -> T {
        if self.len().fixed() == Some(0) {
            return self.at(0u32);
        }
        self.at(index::sub(self.len().exp(), 1))
    }

    /// `f` of each element and the one behind it, which is one result fewer than there are elements;
    /// there must be at least one. An element is computed twice: store an array that is costly.
    ///
    /// ```
    /// use obsidian_language::{library::generate, scalar::build};
    ///
    /// let built = build(|| generate(8, |i| i * i).adjacent(|x, y| y - x).len());
    /// assert_eq!(built.result, 7);
    /// ```
    #[doc(alias = "adjacent_difference")]
    #[doc(alias = "tuple_windows")]
    #[track_caller]
    pub fn adjacent<U: 'static>(&self, f: impl Fn(T, T) -> U + 'static) -> Pull<U, S> {
        let (this, next) = (self.clone(), self.tail());
        Pull::new(next.len(), move |i| f(this.at(i), next.at(i)))
    }

    /// The `n` elements from each one on, as far as there are as many: pieces that overlap, and of which
    /// there are `n - 1` fewer than elements.
    ///
    /// ```
    /// use obsidian_language::{library::generate, scalar::build};
    ///
    /// let built = build(|| {
    ///     let windows = generate(8, |i| i).windows(3);
    ///     (windows.len(), windows.at(0_u32).len())
    /// });
    /// assert_eq!(built.result, (6, 3));
    /// ```
    #[doc(alias = "stencil")]
    #[track_caller]
    pub fn windows(&self, n: u32) -> Pull<Pull<T>, S> {
        if n == 0 {
            report(catalogue::empty_pieces());
        }
        let rest = self.drop(S::from_exp(lit(n.saturating_sub(1))));
        let this = self.clone();
        Pull::new(rest.len(), move |i| this.view(n, move |j| index::add(i, j)))
    }

    /// Consecutive pieces of `n` elements; `n` divides the length, which is checked at launch if it
    /// is dynamic.
    ///
    /// [`chunks`](Pull::chunks) is for lengths that `n` does not divide. A piece for each block is read coalesced; where each *thread* has a
    /// piece, neighbouring threads read `n` elements apart, which [`coalesce`](Pull::coalesce) avoids.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn sums(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|piece| reduce(|a, b| a + b, piece))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[0, 1, 2, 3, 4, 5, 6, 7])?;
    /// let result = example::sums::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [6, 22]);
    /// let odd = device.upload(&[0; 6])?;
    /// assert!(example::sums::launch(&device, &odd).is_err()); // 4 does not divide 6
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "splitUp")]
    #[track_caller]
    pub fn split_up(&self, n: u32) -> Pull<Pull<T>, S> {
        let this = self.clone();
        Pull::new(self.len().pieces(n), move |i| {
            let start = index::mul(i, n);
            this.view(n, move |j| index::add(start, j))
        })
    }

    /// Pieces of `n` elements that are as far apart as possible: piece `i` has the elements
    /// `i`, `i + s`, `i + 2 s`, .. where `s` is the number of pieces, so that neighbouring pieces
    /// read neighbouring elements. Paper, section 6.2.5.
    ///
    /// Where each thread has a piece, neighbouring threads read neighbours: the reads of a warp are coalesced. `n` divides the length, which is
    /// checked at launch if it is dynamic.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn sums(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         // 4 threads: thread 0 has the elements 0 and 4.
    ///         x.split_up(8).as_grid_map(|x| x.coalesce(2).as_block_map(|own| exec_thread_value(seq_reduce(|a, b| a + b, own))))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[0, 1, 2, 3, 10, 20, 30, 40])?;
    /// let result = example::sums::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [10, 21, 32, 43]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "striped")]
    #[track_caller]
    pub fn coalesce(&self, n: u32) -> Pull<Pull<T>, S> {
        let (this, pieces) = (self.clone(), self.len().pieces(n));
        let stride = pieces.exp();
        Pull::new(pieces, move |i| {
            this.view(n, move |j| index::add(i, index::mul(j, stride)))
        })
    }

    /// The elements with even index, and those with odd index. Paper, section 6.2.1.
    ///
    /// Of an odd length the first has one element more. Both are views.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn sums(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| {
    ///             let (evens, odds) = x.even_odds();
    ///             zip_with(|a, b| a + b, evens, odds).push()
    ///         })
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[0, 1, 2, 3])?;
    /// let result = example::sums::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 5]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "evenOdds")]
    pub fn even_odds(&self) -> (Self, Self) {
        (self.evens(), self.odds())
    }

    /// The elements with even index.
    ///
    /// Of 5 elements there are 3. It is a view; threads that read it read every second element.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn evens(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(5).as_grid_map(|x| x.evens().push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[0, 1, 2, 3, 4])?;
    /// let result = example::evens::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [0, 2, 4]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn evens(&self) -> Self {
        let one = S::from_exp(lit(1));
        self.view(self.len().plus(&one).over(2), |i| index::mul(i, 2))
    }

    /// The elements with odd index.
    ///
    /// Of 5 elements there are 2. It is a view; threads that read it read every second element.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn odds(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(5).as_grid_map(|x| x.odds().push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[0, 1, 2, 3, 4])?;
    /// let result = example::odds::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 3]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn odds(&self) -> Self {
        self.view(self.len().over(2), |i| index::add(index::mul(i, 2), 1))
    }

    /// Every `n`-th element, from the first; `n` divides the length.
    ///
    /// It is a view. Another length is an error: at compile time if it is static, else at launch.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn thirds(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(6).as_grid_map(|x| x.every_nth(3).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[0, 1, 2, 3, 4, 5])?;
    /// let result = example::thirds::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [0, 3]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn every_nth(&self, n: u32) -> Self {
        self.view(self.len().pieces(n), move |i| index::mul(i, n))
    }
}

impl<T: 'static, S: Length> Pull<Pull<T>, S> {
    /// Pieces of static length, one after another: undoes [`split_up`](Pull::split_up).
    ///
    /// `n` is the length of each piece, for which the caller vouches: the result has `n` elements
    /// for each piece, whatever the pieces have.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn rotated(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         // The halves of each piece of 4 change places.
    ///         let pieces = x.split_up(4).map(|piece| {
    ///             let (front, back) = piece.halve();
    ///             append(back, front)
    ///         });
    ///         pieces.concat(4).split_up(4).as_grid_map(|x| x.push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[0, 1, 2, 3, 4, 5, 6, 7])?;
    /// let result = example::rotated::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [2, 3, 0, 1, 6, 7, 4, 5]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn concat(&self, n: u32) -> Pull<T, S> {
        let this = self.clone();
        Pull::new(self.len().times(n), move |i| {
            this.at(index::div(i, n)).at(index::rem(i, n))
        })
    }
}

impl<L: Hierarchy, T: 'static, S: Length> Push<L, T, S> {
    /// The elements from the last to the first.
    ///
    /// The index that is written is subtracted; nothing is stored.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn reversed(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         // The whole array backwards, though each block knows 2 elements only.
    ///         x.split_up(2).as_grid_map(|x| x.push()).reverse()
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[0, 1, 2, 3])?;
    /// let result = example::reversed::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [3, 2, 1, 0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn reverse(&self) -> Self {
        let last = index::sub(self.len().exp(), 1);
        self.ix_map(move |i| index::sub(last, i))
    }
}

/// Arrays that can be put one after another.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn twice<A: Append>(array: A) -> A {
///         append(array, array)
///     }
///
///     #[kernel(threads = 64)]
///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(2).as_grid_map(|x| twice(x.push()))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2])?;
/// let result = example::doubled::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 2, 1, 2]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be appended",
    note = "two pull arrays or two push arrays of one level can"
)]
pub trait Append {
    /// This array and then another.
    fn append_to(&self, other: &Self) -> Self;
}

impl<T: Choice + 'static, S: Length> Append for Pull<T, S> {
    fn append_to(&self, other: &Self) -> Self {
        self.append_pull(other)
    }
}

impl<L: Hierarchy, T: 'static, S: Length> Append for Push<L, T, S> {
    fn append_to(&self, other: &Self) -> Self {
        self.append_push(other)
    }
}

/// One array and then another: pull arrays by a test at each index, push arrays by two loops.
/// Paper, section 4.5.
///
/// Either may be empty.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn framed(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(2).as_grid_map(|x| append(x, replicate(1, 9)).push())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[0, 1, 2, 3])?;
/// let result = example::framed::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [0, 1, 9, 2, 3, 9]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn append<A: Append>(first: A, second: A) -> A {
    first.append_to(&second)
}
