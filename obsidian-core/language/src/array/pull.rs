//! Pull arrays: a shape and a function from an index to an element.

use std::any::Any;
use std::rc::Rc;

use super::length::require_if_known;
use super::{Choice, IntoIndex, Length, Push, Shape, Writer};
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
/// `S` is the type of its [shape](Shape): of a list a length, which is `u32` if it is static and `Exp<u32>` if
/// it is known at launch; of a [matrix](super::Pull2) a pair of them, and with [three axes](super::Pull3) a
/// triple. Its elements are counted row after row, which [`flat`](Pull::flat) makes a list of.
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
pub struct Pull<T, S: Shape = u32> {
    shape: S,
    at: Rc<dyn Fn(S::Index) -> T>,
    /// Where the user made it, in tokens that the front end reads.
    origin: Origin,
}

impl<T, S: Shape> Clone for Pull<T, S> {
    fn clone(&self) -> Self {
        Pull {
            shape: self.shape.clone(),
            at: self.at.clone(),
            origin: self.origin,
        }
    }
}

impl<T: 'static, S: Shape> Pull<T, S> {
    /// A pull array of a shape, whose element `i` is `at(i)`: the paper's `mkPull`. Where there are several axes, `i` is a tuple.
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
    pub fn new(shape: S, at: impl Fn(S::Index) -> T + 'static) -> Self {
        Pull {
            shape,
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
    pub fn len(&self) -> S::Size {
        self.shape.elements()
    }

    /// The length of a list, `(height, width)` of a matrix, and `(depth, height, width)` of an array of
    /// three axes.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     fn turned(x: Pull2<EU32>) -> Pull2<EU32> {
    ///         let (height, width) = x.shape();
    ///         generate((height, width), |(row, column)| x.at((height - 1 - row, width - 1 - column)))
    ///     }
    ///
    ///     #[kernel(threads = 64)]
    ///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| turned(x.in_rows(2)).flat().push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4])?;
    /// let result = example::all::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [4, 3, 2, 1]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn shape(&self) -> S {
        self.shape.clone()
    }

    /// The element at an index, which must be inside; one that is known to be outside is reported.
    ///
    /// The index of a matrix is `(row, column)`, and with three axes `(plane, row, column)`. In a `#[kernels]` module `array[i]` says the same. An index that the compiler cannot prove to be inside is an error, `maybe-outside`.
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
    pub fn at(&self, index: impl IntoIndex<S::Index>) -> T {
        let index = index.into_index();
        check(&self.shape, &S::numbers(&index));
        (self.at)(index)
    }

    /// The element at an index that is inside; for functions of the library.
    pub(crate) fn get(&self, index: S::Index) -> T {
        (self.at)(index)
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
        Pull::new(self.shape(), move |i| f((this.at)(i)))
    }

    /// The same with another shape of as many axes, which the caller knows to be right.
    ///
    /// Nothing holds the array to it, at compile time or at launch; elements that memory does not
    /// have are an error where they are read.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn corners(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         // 2 rows and columns of 3.
    ///         x.split_up(9).as_grid_map(|x| x.in_rows(3).set_size((2, 2)).flat().push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5, 6, 7, 8, 9])?;
    /// let result = example::corners::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 2, 4, 5]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn set_size<Z: Shape<Index = S::Index>>(&self, shape: Z) -> Pull<T, Z> {
        self.with_shape(shape)
    }

    /// The same with another shape of as many axes, whose indices may be of another type.
    #[doc(hidden)]
    pub fn with_shape<Z: Shape>(&self, shape: Z) -> Pull<T, Z> {
        let mut array = match (self as &dyn Any).downcast_ref::<Pull<T, Z>>() {
            Some(array) => array.clone(),
            None => self.view(shape.clone(), |index| S::index(&Z::numbers(&index))),
        };
        array.shape = shape;
        array.origin = self.origin;
        array
    }

    /// Some elements of this array, unchecked; for functions of the library.
    pub(crate) fn view<Z: Shape>(
        &self,
        shape: Z,
        index: impl Fn(Z::Index) -> S::Index + 'static,
    ) -> Pull<T, Z> {
        let this = self.clone();
        Pull::new(shape, move |i| (this.at)(index(i)))
    }

    /// The rows, one after another.
    ///
    /// It is a view, with a division and a remainder for the index, unless the width is 1.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn transposed(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(6).as_grid_map(|x| x.in_rows(3).transpose().flat().push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5, 6])?;
    /// let result = example::transposed::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 4, 2, 5, 3, 6]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn flat(&self) -> Pull<T, S::Size> {
        let shape = self.shape();
        self.view(self.len(), move |i| shape.at_place(i))
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
        Push::new(self.shape(), move |write: Writer<T, S::Index>| {
            let (at, shape) = (this.at.clone(), this.shape());
            for_all(this.shape.count(), move |i| {
                let index = shape.at_place(i);
                write(at(index.clone()), index)
            })
        })
    }
}

impl<T: 'static, S: Length> Pull<T, S> {
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
        self.set_size(len)
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
        self.view(self.len().exp(), |i| i)
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
        match self.len().exp().as_literal() {
            Some(length) if length < n => report(catalogue::other_length(length, n)),
            Some(_) => {}
            None => require_if_known(self.len().exp(), Constraint::AtLeast(n)),
        }
        self.view(n, |i| i)
    }
}

#[track_caller]
fn check<S: Shape>(shape: &S, index: &[Exp<u32>]) {
    let sizes = shape.sizes();
    let axes = match sizes.len() {
        1 => &["element"][..],
        2 => &["row", "column"],
        _ => &["plane", "row", "column"],
    };
    for ((axis, size), i) in axes.iter().zip(&sizes).zip(index) {
        check_axis(axis, *i, size);
    }
}

/// Reports an index that is known to be outside.
#[track_caller]
pub(crate) fn check_axis<S: Length>(axis: &str, i: Exp<u32>, size: &S) {
    if let (Some(i), Some(size)) = (i.as_literal(), size.fixed())
        && i >= size
    {
        report(catalogue::outside_of_array(axis, i.into(), size.into()));
    }
}

impl<T: Choice + 'static, S: Length> Pull<T, S> {
    /// This array and then another: every index tests which one it is in. Push arrays do it without
    /// the test.
    pub(crate) fn append_pull(&self, other: &Self) -> Self {
        let (first, second) = (self.clone(), other.clone());
        let border = self.len().exp();
        Pull::new(self.len().plus(&other.len()), move |i: Exp<u32>| {
            if border.as_literal() == Some(0) {
                return (second.at)(i);
            }
            if second.len().fixed() == Some(0) {
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
