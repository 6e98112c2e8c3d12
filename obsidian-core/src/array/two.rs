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
    pub fn new(height: S, width: S, at: impl Fn(Exp<u32>, Exp<u32>) -> T + 'static) -> Self {
        Pull2 {
            height,
            width,
            at: Rc::new(at),
        }
    }

    /// The number of rows.
    pub fn height(&self) -> S {
        self.height.clone()
    }

    /// The number of columns.
    pub fn width(&self) -> S {
        self.width.clone()
    }

    /// The element in row `y` and column `x`; an index known to be outside is reported.
    #[track_caller]
    pub fn at(&self, y: impl Into<Exp<u32>>, x: impl Into<Exp<u32>>) -> T {
        let (y, x) = (y.into(), x.into());
        check("row", y, &self.height);
        check("column", x, &self.width);
        (self.at)(y, x)
    }

    /// The array with `f` applied to every element.
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
    pub fn set_size<Z: Length>(&self, height: Z, width: Z) -> Pull2<T, Z> {
        self.view2((height, width), |y, x| (y, x))
    }

    /// The push array that computes each element by one iteration, shared out over the threads of
    /// level `L`, neighbours in a row by neighbouring threads.
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
    pub fn new(height: S, width: S, push: impl Fn(Writer2<T>) -> Program<L, ()> + 'static) -> Self {
        Push2 {
            height,
            width,
            push: Rc::new(push),
            level: L::LEVEL,
        }
    }

    /// The number of rows.
    pub fn height(&self) -> S {
        self.height.clone()
    }

    /// The number of columns.
    pub fn width(&self) -> S {
        self.width.clone()
    }

    /// The level, where it is known: always, but for [`AnyLevel`](crate::program::AnyLevel).
    pub fn level(&self) -> Option<Level> {
        self.level
    }

    /// The same with its level known.
    pub fn stamped(mut self, level: Option<Level>) -> Self {
        self.level = level.or(self.level);
        self
    }

    /// The program that pushes every element to `write`.
    pub fn write_to(&self, write: Writer2<T>) -> Program<L, ()> {
        (self.push)(write)
    }

    /// The same with another height and width, which the caller knows to be right.
    pub fn set_size<Z: Length>(&self, height: Z, width: Z) -> Push2<L, T, Z> {
        let this = self.clone();
        Push2::new(height, width, move |write| this.write_to(write)).stamped(self.level)
    }

    /// The array with `f` applied to every element.
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
