//! Pull arrays: a length and a function from an index to an element.

use std::rc::Rc;

use super::length::require_if_known;
use super::{Choice, Length, Push, Writer};
use crate::error::{Origin, catalogue};
use crate::program::{AtMost, Block, for_all};
use crate::scalar::{Constraint, Exp, here, index, indexed_at, lit, report, spanned_here};

/// A pull array of `T`: any element can be computed on its own. Paper, section 4.2.
///
/// An array that nothing stores is a function of the index. Every index into memory is checked: at
/// compile time, or at launch. An index that is known only on the device is not held to the length
/// of an array such as `generate(16, f)`: element 20 of it is `f(20)`, on every device. `f` reads
/// memory at indices that are checked in turn.
///
/// `S` is the type of its length: `u32` if it is static, `Exp<u32>` if it is known at launch.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn smoothed(x: DPull<EF32>) -> DPush<Grid, EF32> {
///         // Two views and a sum: one kernel, nothing stored between.
///         x.split_up(4).as_grid_map(|x| zip_with(|a, b| (a + b) / 2.0, x, x.reverse()).push())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1.0, 2.0, 3.0, 7.0])?;
/// let result = example::smoothed::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [4.0, 2.5, 2.5, 4.0]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub struct Pull<T, S = u32> {
    len: S,
    at: Rc<dyn Fn(Exp<u32>) -> T>,
    /// Where the user made it, in tokens that the front end reads.
    origin: Origin,
}

impl<T, S: Clone> Clone for Pull<T, S> {
    fn clone(&self) -> Self {
        Pull {
            len: self.len.clone(),
            at: self.at.clone(),
            origin: self.origin,
        }
    }
}

impl<T: 'static, S: Length> Pull<T, S> {
    /// A pull array of a length, whose element `i` is `at(i)`: the paper's `mkPull`.
    ///
    /// In a `#[kernels]` module it is [`generate`](crate::library::generate()) or [`mk_pull`](crate::library::mk_pull).
    ///
    /// ```
    /// use obsidian_rt::{Device, TypedKernel, language::*};
    ///
    /// let squares = TypedKernel::build("squares", 64, |x: DPull<EU32>| {
    ///     x.split_up(2).as_grid_map(|x| Pull::new(2, move |i| x.at(i) * x.at(i)).push())
    /// })?;
    /// let device = Device::cpu();
    /// let x = device.upload(&[3, 4])?;
    /// assert_eq!(squares.launch(&device, &x)?.to_vec()?, [9, 16]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn new(len: S, at: impl Fn(Exp<u32>) -> T + 'static) -> Self {
        Pull {
            len,
            at: Rc::new(at),
            origin: spanned_here(),
        }
    }

    /// Where the user made it, in tokens that the front end reads; natively unknown.
    pub(crate) fn origin(&self) -> Origin {
        self.origin
    }

    /// The number of elements.
    ///
    /// It is a number of the host where the length is static, and a device value (`EU32`) where a launch knows it.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn means(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| reduce(|a, b| a + b, x).map(|sum| sum / x.len()))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 6])?;
    /// let result = example::means::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [3]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> S {
        self.len.clone()
    }

    /// Element `i`, which must be below the length; an index known to be beyond it is reported.
    ///
    /// In a `#[kernels]` module `array[i]` says the same. An index that the compiler cannot prove to be inside is an error, `maybe-outside`.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn neighbours(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| generate(3, |i| x.at(i) + x.at(i + 1)).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4])?;
    /// let result = example::neighbours::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [3, 5, 7]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn at(&self, i: impl Into<Exp<u32>>) -> T {
        let i = i.into();
        if let (Some(i), Some(length)) = (i.as_literal(), self.len.fixed())
            && i >= length
        {
            report(catalogue::outside_of_array(
                "element",
                i.into(),
                length.into(),
            ));
        }
        (self.at)(i)
    }

    /// The array with `f` applied to every element.
    ///
    /// It is a view: each read of an element computes `f` again.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn squares(x: DPull<EF32>) -> DPush<Grid, EF32> {
    ///         x.split_up(2).as_grid_map(|x| x.map(|x| x * x).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[3.0, 4.0])?;
    /// let result = example::squares::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [9.0, 16.0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "fmap")]
    #[doc(alias = "transform_iterator")]
    pub fn map<U: 'static>(&self, f: impl Fn(T) -> U + 'static) -> Pull<U, S> {
        let this = self.clone();
        Pull::new(self.len(), move |i| f((this.at)(i)))
    }

    /// The array whose element `i` is this one's element `f(i)`; `f` must stay below the length.
    ///
    /// An index for which that cannot be proved at compile time is an error; [`Exp::unchecked`]
    /// vouches for it.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn rotated(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| x.ix_map(|i| (i + 1) % 4).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4])?;
    /// let result = example::rotated::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [2, 3, 4, 1]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "ixMap")]
    #[doc(alias = "permutation_iterator")]
    #[doc(alias = "gather")]
    #[track_caller]
    pub fn ix_map(&self, f: impl Fn(Exp<u32>) -> Exp<u32> + 'static) -> Pull<T, S> {
        let (this, origin) = (self.clone(), here());
        Pull::new(self.len(), move |i| indexed_at(origin, || (this.at)(f(i))))
    }

    /// The same with another length, which the caller knows to be right.
    ///
    /// Nothing holds the array to it, at compile time or at launch; elements that memory does not
    /// have are an error where they are read. [`from_dyn`](Pull::from_dyn) is checked.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn beginnings(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| x.set_len(2).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4])?;
    /// let result = example::beginnings::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn set_len<Z: Length>(&self, len: Z) -> Pull<T, Z> {
        let mut array = self.view(len, |i| i);
        array.origin = self.origin;
        array
    }

    /// The same elements with another length, unchecked; for functions of this room.
    pub(crate) fn view<Z: Length>(
        &self,
        len: Z,
        index: impl Fn(Exp<u32>) -> Exp<u32> + 'static,
    ) -> Pull<T, Z> {
        let this = self.clone();
        Pull::new(len, move |i| (this.at)(index(i)))
    }

    /// The push array that computes each element by one iteration, shared out over the threads of
    /// level `L`.
    ///
    /// Neighbouring threads compute neighbours, so what memory is written, and what is read at the element's own index, is coalesced.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         // 64 threads: each computes 4 of the 256 elements.
    ///         x.split_up(256).as_grid_map(|x| x.map(|x| 2 * x).push::<Block>())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1; 256])?;
    /// assert_eq!(example::doubled::launch(&device, &x)?.to_vec()?, [2; 256]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn push<L: AtMost<Block>>(&self) -> Push<L, T, S> {
        let this = self.clone();
        Push::new(self.len(), move |write: Writer<T>| {
            let at = this.at.clone();
            for_all(this.len.exp(), move |i| write(at(i), i))
        })
    }

    /// A static array as one of dynamic length.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(2).as_grid_map(|x| x.push())
    ///     }
    ///
    ///     #[kernel(threads = 64)]
    ///     pub fn numbers() -> DPush<Grid, EU32> {
    ///         all(iota(4).to_dyn())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// assert_eq!(example::numbers::launch(&device)?.to_vec()?, [0, 1, 2, 3]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn to_dyn(&self) -> Pull<T, Exp<u32>> {
        self.view(self.len.exp(), |i| i)
    }

    /// The first `n` elements of an array as one of static length; there must be as many.
    ///
    /// A launch checks that, where it knows the length.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn weighted(x: DPull<EU32>, weights: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         // The first two weights, whatever else there is.
    ///         let weights = weights.from_dyn(2);
    ///         x.split_up(2).as_grid_map(|x| zip_with(|x, w| x * w, x, weights).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let (x, weights) = (device.upload(&[1, 2, 3, 4])?, device.upload(&[10, 100])?);
    /// assert_eq!(example::weighted::launch(&device, &x, &weights)?.to_vec()?, [10, 200, 30, 400]);
    /// let short = device.upload(&[10])?;
    /// assert!(example::weighted::launch(&device, &x, &short).is_err());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn from_dyn(&self, n: u32) -> Pull<T, u32> {
        match self.len.exp().as_literal() {
            Some(length) if length < n => report(catalogue::other_length(length, n)),
            Some(_) => {}
            None => require_if_known(self.len.exp(), Constraint::AtLeast(n)),
        }
        self.view(n, |i| i)
    }
}

impl<T: Choice + 'static, S: Length> Pull<T, S> {
    /// This array and then another: every index tests which one it is in. Push arrays do it without
    /// the test.
    pub(crate) fn append_pull(&self, other: &Self) -> Self {
        let (first, second) = (self.clone(), other.clone());
        let border = self.len.exp();
        Pull::new(self.len.plus(&other.len), move |i: Exp<u32>| {
            if border.as_literal() == Some(0) {
                return (second.at)(i);
            }
            if second.len.fixed() == Some(0) {
                return (first.at)(i);
            }
            match (i.as_literal(), border.as_literal()) {
                (Some(i), Some(border)) if i < border => (first.at)(lit(i)),
                (Some(i), Some(border)) => (second.at)(lit(i - border)),
                _ => T::choose(
                    i.lt(border),
                    (first.at)(i),
                    (second.at)(index::sub(i, border)),
                ),
            }
        })
    }
}
