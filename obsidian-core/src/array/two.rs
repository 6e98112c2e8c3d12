//! Two-dimensional pull and push arrays: rows and columns instead of one index.
//!
//! They are to [`Pull`](super::Pull) and [`Push`](super::Push) what a matrix is to a list, and no
//! more data than those are: what an element's two indices mean in memory is said where the array
//! is made of a flat one, and where it is made flat again. So programs over matrices have no index
//! arithmetic, and what the library writes is exact.

use std::rc::Rc;

use super::{Length, Pull, Push};
use crate::error::catalogue;
use crate::ir::Level;
use crate::program::{AtMost, Block, Hierarchy, Program, Thread, for_all};
use crate::scalar::{Exp, index, lit, report};

/// A two-dimensional pull array: any element can be computed on its own, from its row and column.
///
/// `S` is the type of its height and width: `u32` if they are static, `Exp<u32>` if they are known
/// at launch.
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
pub struct Pull2<T, S = u32> {
    height: S,
    width: S,
    at: Rc<dyn Fn(Exp<u32>, Exp<u32>) -> T>,
}

impl<T, S: Clone> Clone for Pull2<T, S> {
    fn clone(&self) -> Self {
        Pull2 {
            height: self.height.clone(),
            width: self.width.clone(),
            at: self.at.clone(),
        }
    }
}

impl<T: 'static, S: Length> Pull2<T, S> {
    /// An array of a height and width, whose element in row `y` and column `x` is `at(y, x)`.
    ///
    /// In a `#[kernels]` module it is [`generate2`](crate::library::generate2).
    ///
    /// ```
    /// use obsidian_rt::{Device, TypedKernel, language::*};
    ///
    /// let table = TypedKernel::build("table", 64, |x: DPull<EU32>| {
    ///     x.split_up(2).as_grid_map(|x| Pull2::new(2, 2, move |row, column| x.at(row) * x.at(column)).flat().push())
    /// })?;
    /// let device = Device::cpu();
    /// let x = device.upload(&[3, 4])?;
    /// assert_eq!(table.launch(&device, &x)?.to_vec()?, [9, 12, 12, 16]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn new(height: S, width: S, at: impl Fn(Exp<u32>, Exp<u32>) -> T + 'static) -> Self {
        Pull2 {
            height,
            width,
            at: Rc::new(at),
        }
    }

    /// The number of rows.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     fn flipped(x: Pull2<EU32>) -> Pull2<EU32> {
    ///         generate2(x.height(), x.width(), |row, column| x.at(x.height() - 1 - row, column))
    ///     }
    ///
    ///     #[kernel(threads = 64)]
    ///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| flipped(x.in_rows(2)).flat().push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4])?;
    /// let result = example::all::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [3, 4, 1, 2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn height(&self) -> S {
        self.height.clone()
    }

    /// The number of columns.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     fn mirrored(x: Pull2<EU32>) -> Pull2<EU32> {
    ///         generate2(x.height(), x.width(), |row, column| x.at(row, x.width() - 1 - column))
    ///     }
    ///
    ///     #[kernel(threads = 64)]
    ///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| mirrored(x.in_rows(2)).flat().push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4])?;
    /// let result = example::all::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [2, 1, 4, 3]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn width(&self) -> S {
        self.width.clone()
    }

    /// The element in row `y` and column `x`; an index known to be outside is reported.
    ///
    /// One that cannot be proved to be inside is an error where the array is read.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn diagonals(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| generate(2, |i| x.in_rows(2).at(i, i)).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4])?;
    /// let result = example::diagonals::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 4]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn at(&self, y: impl Into<Exp<u32>>, x: impl Into<Exp<u32>>) -> T {
        let (y, x) = (y.into(), x.into());
        check("row", y, &self.height);
        check("column", x, &self.width);
        (self.at)(y, x)
    }

    /// The array with `f` applied to every element.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| x.in_rows(2).map(|x| 2 * x).flat().push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4])?;
    /// let result = example::doubled::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [2, 4, 6, 8]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn map<U: 'static>(&self, f: impl Fn(T) -> U + 'static) -> Pull2<U, S> {
        let this = self.clone();
        Pull2::new(self.height(), self.width(), move |y, x| f((this.at)(y, x)))
    }

    /// Other elements of this array, unchecked; for functions of the library.
    pub(crate) fn view2<Z: Length>(
        &self,
        (height, width): (Z, Z),
        index: impl Fn(Exp<u32>, Exp<u32>) -> (Exp<u32>, Exp<u32>) + 'static,
    ) -> Pull2<T, Z> {
        let this = self.clone();
        Pull2::new(height, width, move |y, x| {
            let (y, x) = index(y, x);
            (this.at)(y, x)
        })
    }

    /// Some elements of this array as a list, unchecked; for functions of the library.
    pub(crate) fn list<Z: Length>(
        &self,
        len: Z,
        index: impl Fn(Exp<u32>) -> (Exp<u32>, Exp<u32>) + 'static,
    ) -> Pull<T, Z> {
        let this = self.clone();
        Pull::new(len, move |i| {
            let (y, x) = index(i);
            (this.at)(y, x)
        })
    }

    /// The same with another height and width, which the caller knows to be right.
    ///
    /// Nothing holds the array to them, at compile time or at launch; elements that memory does not
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
    ///         x.split_up(9).as_grid_map(|x| x.in_rows(3).set_size(2, 2).flat().push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5, 6, 7, 8, 9])?;
    /// let result = example::corners::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 2, 4, 5]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn set_size<Z: Length>(&self, height: Z, width: Z) -> Pull2<T, Z> {
        self.view2((height, width), |y, x| (y, x))
    }

    /// The push array that computes each element by one iteration, shared out over the threads of
    /// level `L`, neighbours in a row by neighbouring threads.
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
    pub fn push<L: AtMost<Block>>(&self) -> Push2<L, T, S> {
        let this = self.clone();
        Push2::new(self.height(), self.width(), move |write: Writer2<T>| {
            let (at, width) = (this.at.clone(), this.width.exp());
            for_all(index::mul(this.height.exp(), width), move |i| {
                let (y, x) = (index::div(i, width), index::rem(i, width));
                write(at(y, x), y, x)
            })
        })
    }
}

#[track_caller]
fn check<S: Length>(what: &str, i: Exp<u32>, size: &S) {
    if let (Some(i), Some(size)) = (i.as_literal(), size.fixed())
        && i >= size
    {
        report(catalogue::outside_of_array(what, i.into(), size.into()));
    }
}

/// Takes an element, its row and its column.
pub type Writer2<T> = Rc<dyn Fn(T, Exp<u32>, Exp<u32>) -> Program<Thread, ()>>;

/// An element with its row and column, for functions that deal with lists.
pub(crate) type Cell<T> = (Exp<u32>, Exp<u32>, T);

/// A two-dimensional push array at level `L`: it has its own loops, and gives each element with its
/// row and column.
///
/// `S` is the type of its height and width.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn doubled(x: Pull2<EU32>) -> Push2<Block, EU32> {
///         x.map(|x| 2 * x).push()
///     }
///
///     #[kernel(threads = 64)]
///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.in_rows(4).tiles(2, 2).as_grid_map(|tile| doubled(tile)).flat()
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4, 5, 6, 7, 8])?;
/// let result = example::all::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [2, 4, 6, 8, 10, 12, 14, 16]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[must_use = "a push array does nothing until it is stored, pushed or returned"]
pub struct Push2<L, T, S = u32> {
    height: S,
    width: S,
    push: Rc<dyn Fn(Writer2<T>) -> Program<L, ()>>,
    level: Option<Level>,
}

impl<L, T, S: Clone> Clone for Push2<L, T, S> {
    fn clone(&self) -> Self {
        Push2 {
            height: self.height.clone(),
            width: self.width.clone(),
            push: self.push.clone(),
            level: self.level,
        }
    }
}

impl<L: Hierarchy, T: 'static, S: Length> Push2<L, T, S> {
    /// A push array of a height and width; `push(write)` must write every element exactly once.
    ///
    /// ```
    /// use obsidian_rt::{Device, TypedKernel, language::*};
    ///
    /// let transposed = TypedKernel::build("transposed", 64, |x: DPull<EU32>| {
    ///     x.split_up(4).as_grid_map(|x| {
    ///         let matrix = Push2::new(2, 2, move |write| {
    ///             let x = x.clone();
    ///             for_all2(2, 2, move |row, column| write(x.at(lit(2) * row + column), column, row))
    ///         });
    ///         matrix.flat()
    ///     })
    /// })?;
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4])?;
    /// assert_eq!(transposed.launch(&device, &x)?.to_vec()?, [1, 3, 2, 4]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn new(height: S, width: S, push: impl Fn(Writer2<T>) -> Program<L, ()> + 'static) -> Self {
        Push2 {
            height,
            width,
            push: Rc::new(push),
            level: L::LEVEL,
        }
    }

    /// The number of rows.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     fn counted(x: Push2<Block, EU32>) -> Push<Block, EU32> {
    ///         append(x.flat(), singleton_push(lit(x.height())))
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
    /// assert_eq!(result.to_vec()?, [1, 1, 1, 1, 1, 1, 2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn height(&self) -> S {
        self.height.clone()
    }

    /// The number of columns.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     fn counted(x: Push2<Block, EU32>) -> Push<Block, EU32> {
    ///         append(x.flat(), singleton_push(lit(x.width())))
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
    /// assert_eq!(result.to_vec()?, [1, 1, 1, 1, 1, 1, 3]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn width(&self) -> S {
        self.width.clone()
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

    /// The program that pushes every element to `write`.
    ///
    /// ```
    /// use std::rc::Rc;
    ///
    /// use obsidian_rt::{Device, TypedKernel, language::*};
    ///
    /// let flipped = TypedKernel::build("flipped", 64, |x: DPull<EU32>| {
    ///     x.split_up(4).as_grid_map(|x| {
    ///         let matrix: Push2<Block, EU32> = x.in_rows(2).push();
    ///         Push::new(4, move |write| {
    ///             matrix.write_to(Rc::new(move |x, row, column| write(x, (lit(1) - row) * lit(2) + column)))
    ///         })
    ///     })
    /// })?;
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4])?;
    /// assert_eq!(flipped.launch(&device, &x)?.to_vec()?, [3, 4, 1, 2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn write_to(&self, write: Writer2<T>) -> Program<L, ()> {
        (self.push)(write)
    }

    /// The same with another height and width, which the caller knows to be right.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn same(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.in_rows(4).tiles(2, 2).as_grid_map(|tile| tile.push()).set_size(x.len() / 4, lit(4)).flat()
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5, 6, 7, 8])?;
    /// let result = example::same::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 2, 3, 4, 5, 6, 7, 8]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn set_size<Z: Length>(&self, height: Z, width: Z) -> Push2<L, T, Z> {
        let this = self.clone();
        Push2::new(height, width, move |write| this.write_to(write)).stamped(self.level)
    }

    /// The array with `f` applied to every element.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.in_rows(4).tiles(2, 2).as_grid_map(|tile| tile.push()).map(|x| 2 * x).flat()
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5, 6, 7, 8])?;
    /// let result = example::doubled::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [2, 4, 6, 8, 10, 12, 14, 16]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn map<U: 'static>(&self, f: impl Fn(T) -> U + 'static) -> Push2<L, U, S> {
        let f = Rc::new(f);
        self.rewrite((self.height(), self.width()), move |write| {
            let f = f.clone();
            Rc::new(move |value, y, x| write(f(value), y, x))
        })
    }

    /// An array of another size that gives its elements to another writer.
    pub(crate) fn rewrite<U: 'static, Z: Length>(
        &self,
        (height, width): (Z, Z),
        writer: impl Fn(Writer2<U>) -> Writer2<T> + 'static,
    ) -> Push2<L, U, Z> {
        let this = self.clone();
        Push2::new(height, width, move |write| this.write_to(writer(write))).stamped(self.level)
    }

    /// The elements with their rows and columns, as a list whose order is of no matter.
    pub(crate) fn cells(&self) -> Push<L, Cell<T>, S> {
        let this = self.clone();
        Push::new(
            self.height.product(&self.width),
            move |write: super::Writer<Cell<T>>| {
                this.write_to(Rc::new(move |value, y, x| write((y, x, value), lit(0))))
            },
        )
        .stamped(self.level)
    }

    /// The array of elements that know where they belong.
    pub(crate) fn of_cells<Z: Length>(
        (height, width): (S, S),
        cells: &Push<L, Cell<T>, Z>,
    ) -> Self {
        let (this, level) = (cells.clone(), cells.level());
        let push = move |write: Writer2<T>| {
            this.write_to(Rc::new(move |(y, x, value), _| write(value, y, x)))
        };
        Push2::new(height, width, push).stamped(level)
    }
}

/// Two-dimensional arrays that can be pushed at level `L`: push arrays of that level, and pull
/// arrays up to Block.
#[diagnostic::on_unimplemented(
    message = "this cannot be pushed at the level of the program",
    label = "{Self} is not a two-dimensional array of level {L}",
    note = "a `Push2` can at its own level, a `Pull2` at Thread, Warp and Block; `in_rows` and `as_2d` make them of flat arrays"
)]
pub trait IntoPush2<L, T, S>: Clone + 'static {
    /// The array as a push array.
    fn into_push2(self) -> Push2<L, T, S>;
}

impl<L: Hierarchy, T: 'static, S: Length> IntoPush2<L, T, S> for Push2<L, T, S> {
    fn into_push2(self) -> Push2<L, T, S> {
        self
    }
}

impl<L: Hierarchy, T: 'static, S: Length> IntoPush2<L, T, S> for Pull2<T, S> {
    fn into_push2(self) -> Push2<L, T, S> {
        let push: Push2<Block, T, S> = self.push();
        Push2::new(self.height(), self.width(), move |write| {
            push.write_to(write).at_level()
        })
    }
}
