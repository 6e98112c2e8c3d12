//! Push arrays: a shape and a program that pushes every element to a writer.

use std::any::Any;
use std::rc::Rc;

use super::length::require_if_known;
use super::{Length, Pull, Shape};
use crate::error::catalogue;
use crate::ir::{Level, Unroll};
use crate::program::{Block, Hierarchy, Program, Thread, pure, unroll};
use crate::scalar::{Constraint, Exp, here, indexed_at, lit, report};

/// Takes an element and its index, a tuple where there are several axes: the paper's `Writer`.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn twice(write: Writer<EU32>, x: EU32, i: EU32) -> Program<Thread, ()> {
///         write(x, 2 * i)?;
///         write(x, 2 * i + 1)
///     }
///
///     #[kernel(threads = 64)]
///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(2).as_grid_map(|x| mk_push(4, |write| for_all(2, |i| twice(write, x[i], i))))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2])?;
/// let result = example::doubled::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 1, 2, 2]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub type Writer<T, I = Exp<u32>> = Rc<dyn Fn(T, I) -> Program<Thread, ()>>;

/// A push array of `T` at level `L`: it has its own loops, and a consumer takes elements as they
/// come. Paper, section 4.4.
///
/// `S` is the type of its [shape](Shape), as that of [`Pull`].
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn both(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         // Two loops, and no test of the index.
///         x.split_up(2).as_grid_map(|x| append(x.push(), x.map(|x| 10 * x).push()))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2])?;
/// let result = example::both::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 2, 10, 20]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[must_use = "a push array does nothing until it is stored, pushed or returned"]
pub struct Push<L, T, S: Shape = u32> {
    shape: S,
    push: Rc<dyn Fn(Writer<T, S::Index>) -> Program<L, ()>>,
    level: Option<Level>,
}

impl<L, T, S: Shape> Clone for Push<L, T, S> {
    fn clone(&self) -> Self {
        Push {
            shape: self.shape.clone(),
            push: self.push.clone(),
            level: self.level,
        }
    }
}

impl<L: Hierarchy, T: 'static, S: Shape> Push<L, T, S> {
    /// A push array of a length; `push(write)` must write every element exactly once: the paper's
    /// `mkPush`.
    ///
    /// In a `#[kernels]` module it is [`mk_push`](crate::library::mk_push).
    ///
    /// ```
    /// use obsidian_rt::{Device, TypedKernel, language::*};
    ///
    /// let reversed = TypedKernel::build("reversed", 64, |x: DPull<EU32>| {
    ///     x.split_up(2).as_grid_map(|x| {
    ///         Push::new(2, move |write| {
    ///             let x = x.clone();
    ///             for_all(2, move |i| write(x.at(i), lit(1) - i))
    ///         })
    ///     })
    /// })?;
    /// let device = Device::cpu();
    /// let x = device.upload(&[3, 4])?;
    /// assert_eq!(reversed.launch(&device, &x)?.to_vec()?, [4, 3]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn new(shape: S, push: impl Fn(Writer<T, S::Index>) -> Program<L, ()> + 'static) -> Self {
        Push {
            shape,
            push: Rc::new(push),
            level: L::LEVEL,
        }
    }

    /// The number of elements.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     fn numbered(x: Push<Block, EU32>) -> Push<Block, EU32> {
    ///         append(x, singleton_push(lit(x.len())))
    ///     }
    ///
    ///     #[kernel(threads = 64)]
    ///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(2).as_grid_map(|x| numbered(x.push()))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[7, 8])?;
    /// let result = example::all::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [7, 8, 2]);
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
    ///     fn counted(x: Push2<Block, EU32>) -> Push<Block, EU32> {
    ///         let (height, width) = x.shape();
    ///         append(x.flat(), singleton_push(lit(10 * height + width)))
    ///     }
    ///
    ///     #[kernel(threads = 64)]
    ///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(6).as_grid_map(|x| counted(x.in_rows(3).push()))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 1, 1, 1, 1, 1])?;
    /// let result = example::all::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 1, 1, 1, 1, 1, 23]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn shape(&self) -> S {
        self.shape.clone()
    }

    /// The level, where it is known: always, but for [`AnyLevel`](crate::program::AnyLevel).
    #[doc(hidden)]
    pub fn level(&self) -> Option<Level> {
        self.level
    }

    /// The same with its level known.
    #[doc(hidden)]
    pub fn stamped(mut self, level: Option<Level>) -> Self {
        self.level = level.or(self.level);
        self
    }

    /// The program that pushes every element to `write`: the paper's `<:`.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn reversed(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| mk_push(4, |write| x.reverse().push().write_to(write)))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4])?;
    /// let result = example::reversed::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [4, 3, 2, 1]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn write_to(&self, write: Writer<T, S::Index>) -> Program<L, ()> {
        (self.push)(write)
    }

    /// The program that gives every element and its index to `f`: [`write_to`](Push::write_to) for
    /// a closure.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn added(x: DPull<EU32>, sums: MGlobal<EU32>) -> Program<Grid, ()> {
    ///         x.split_up(2).as_grid_map(|x| x.push()).push_to(|x, i| sums.atomic_add(i % 2, x).void())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let (x, mut sums) = (device.upload(&[1, 2, 3, 4])?, device.upload(&[0; 2])?);
    /// example::added::launch(&device, &x, &mut sums)?;
    /// assert_eq!(sums.to_vec()?, [4, 6]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn push_to(
        &self,
        f: impl Fn(T, S::Index) -> Program<Thread, ()> + 'static,
    ) -> Program<L, ()> {
        self.write_to(Rc::new(f))
    }

    /// The array with `f` applied to every element.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn sums(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(2).as_grid_map(|x| reduce(|a, b| a + b, x)).map(|sum| 10 * sum)
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4])?;
    /// let result = example::sums::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [30, 70]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn map<U: 'static>(&self, f: impl Fn(T) -> U + 'static) -> Push<L, U, S> {
        let f = Rc::new(f);
        self.rewrite(self.shape(), move |write| {
            let f = f.clone();
            Rc::new(move |x, i| write(f(x), i))
        })
    }

    /// The same array, whose outermost loops are unrolled: see [`unroll`](crate::program::unroll).
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(256).as_grid_map(|x| x.map(|x| 2 * x).push().unroll(4))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1; 256])?;
    /// assert_eq!(example::doubled::launch(&device, &x)?.to_vec()?, [2; 256]);
    /// assert!(example::doubled::CUDA.contains("#pragma unroll"));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn unroll(&self, rounds: u32) -> Push<L, T, S> {
        let this = self.clone();
        // An invalid `rounds` is reported at this call, not where the array is pushed.
        let _ = unroll(rounds, pure::<L, ()>(()));
        let rounds = rounds.clamp(1, Unroll::MOST);
        Push::new(self.shape(), move |write| {
            unroll(rounds, this.write_to(write))
        })
        .stamped(self.level)
    }

    /// The same with another shape of as many axes, which the caller knows to be right.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn same(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.in_rows(4).tiles(2, 2).as_grid_map(|tile| tile.push()).set_size((x.len() / 4, lit(4))).flat()
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5, 6, 7, 8])?;
    /// let result = example::same::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 2, 3, 4, 5, 6, 7, 8]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn set_size<Z: Shape<Index = S::Index>>(&self, shape: Z) -> Push<L, T, Z> {
        self.with_shape(shape)
    }

    /// The same with another shape of as many axes, whose indices may be of another type.
    #[doc(hidden)]
    pub fn with_shape<Z: Shape>(&self, shape: Z) -> Push<L, T, Z> {
        match (self as &dyn Any).downcast_ref::<Push<L, T, Z>>() {
            Some(array) => Push {
                shape,
                ..array.clone()
            },
            None => self.rewrite(shape, |write| {
                Rc::new(move |x, i| write(x, Z::index(&S::numbers(&i))))
            }),
        }
    }

    /// The same elements, given to another writer; for functions of the library.
    pub(crate) fn rewrite<U: 'static, Z: Shape>(
        &self,
        shape: Z,
        writer: impl Fn(Writer<U, Z::Index>) -> Writer<T, S::Index> + 'static,
    ) -> Push<L, U, Z> {
        let this = self.clone();
        Push::new(shape, move |write| this.write_to(writer(write))).stamped(self.level)
    }

    /// The rows, one after another.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.in_rows(4).tiles(2, 2).as_grid_map(|tile| tile.map(|x| 2 * x).push()).flat()
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5, 6, 7, 8])?;
    /// let result = example::doubled::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [2, 4, 6, 8, 10, 12, 14, 16]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn flat(&self) -> Push<L, T, S::Size> {
        let shape = self.shape();
        self.rewrite(self.len(), move |write| {
            let shape = shape.clone();
            Rc::new(move |x, index| write(x, shape.place(&index)))
        })
    }
}

impl<L: Hierarchy, T: 'static, S: Length> Push<L, T, S> {
    /// The array whose element `f(i)` is this one's element `i`; `f` must be a permutation.
    ///
    /// What is no permutation, or cannot be proved to be one at compile time, is an error. If it
    /// comes from data, `i.unchecked().distinct()` promises that it is one: see [`Exp::distinct`].
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn swapped(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| x.push().ix_map(|i| i ^ 1))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4])?;
    /// let result = example::swapped::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [2, 1, 4, 3]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "ixMap")]
    #[doc(alias = "scatter")]
    #[track_caller]
    pub fn ix_map(&self, f: impl Fn(Exp<u32>) -> Exp<u32> + 'static) -> Push<L, T, S> {
        let (f, origin) = (Rc::new(f), here());
        self.rewrite(self.len(), move |write: Writer<T>| {
            let f = f.clone();
            Rc::new(move |x, i| {
                let program = write(x, f(i));
                Program::new(move |trace| indexed_at(origin, || program.run(trace)))
            })
        })
    }

    /// The same with another length, which the caller knows to be right: the paper's `setSize`.
    ///
    /// An element that is not written then, or written outside, is an error where the array is
    /// stored or becomes an output.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn sums(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         // The number of sums is known here, and not to the compiler.
    ///         let sums = x.chunks(4, 0).as_grid_map(|x| reduce(|a, b| a + b, x));
    ///         sums.set_len(x.len().div_ceil(4))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5])?;
    /// let result = example::sums::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [10, 5]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn set_len<Z: Length>(&self, len: Z) -> Push<L, T, Z> {
        self.set_size(len)
    }

    /// A static array as one of dynamic length.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     fn number(x: Pull<EU32>) -> DPush<Block, EU32> {
    ///         x.push().to_dyn()
    ///     }
    ///
    ///     #[kernel(threads = 64)]
    ///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(2).as_grid_map(|x| number(x).from_dyn(2))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2])?;
    /// let result = example::all::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn to_dyn(&self) -> Push<L, T, Exp<u32>> {
        self.set_len(self.len().exp())
    }

    /// An array that is known to have `n` elements as one of static length.
    ///
    /// A launch checks that, where it knows the length.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn pieces(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| x.to_dyn().push().from_dyn(4))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4])?;
    /// let result = example::pieces::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 2, 3, 4]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn from_dyn(&self, n: u32) -> Push<L, T, u32> {
        match self.len().exp().as_literal() {
            Some(length) if length != n => report(catalogue::other_length(length, n)),
            Some(_) => {}
            None => require_if_known(self.len().exp(), Constraint::Equal(lit(n).node())),
        }
        self.set_len(n)
    }

    /// This array and then another, as two loops.
    pub(crate) fn append_push(&self, other: &Self) -> Self {
        let (first, second) = (self.clone(), other.clone());
        let border = self.len().exp();
        Push::new(self.len().plus(&other.len()), move |write: Writer<T>| {
            let shifted = write.clone();
            let rest = second.write_to(Rc::new(move |x, i| {
                shifted(x, crate::scalar::index::add(i, border))
            }));
            first.write_to(write).and_then(move |()| rest.clone())
        })
        .stamped(self.level.or(other.level))
    }
}

/// Arrays that can be pushed at level `L`: push arrays of that level, and pull arrays up to Block.
#[diagnostic::on_unimplemented(
    message = "this cannot be pushed at the level of the program",
    label = "{Self} is not an array of level {L}",
    note = "a push array can at its own level, a pull array at Thread, Warp and Block"
)]
pub trait IntoPush<L, T>: Clone + 'static {
    /// Its shape.
    type Shape: Shape;

    /// The push array.
    fn into_push(self) -> Push<L, T, Self::Shape>;
}

impl<L: Hierarchy, T: 'static, S: Shape> IntoPush<L, T> for Push<L, T, S> {
    type Shape = S;

    fn into_push(self) -> Push<L, T, S> {
        self
    }
}

// For every level, so that `compute` at Grid is one error, about `compute`, and not a second one
// about its argument.
impl<L: Hierarchy, T: 'static, S: Shape> IntoPush<L, T> for Pull<T, S> {
    type Shape = S;

    fn into_push(self) -> Push<L, T, S> {
        let push: Push<Block, T, S> = self.push();
        Push::new(self.shape(), move |write| push.write_to(write).at_level())
    }
}
