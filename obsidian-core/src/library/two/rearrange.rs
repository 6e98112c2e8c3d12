//! Other views of a two-dimensional array's elements: turned, by rows, by columns, cropped; and
//! arrays from functions.

use std::rc::Rc;

use crate::array::{Length, Pull, Pull2, Push2, Writer2, common};
use crate::error::catalogue;
use crate::program::{Hierarchy, Program, Thread, cond, pure};
use crate::scalar::{Exp, report};

/// The array of a height and width whose element in row `y` and column `x` is `f(y, x)`.
pub fn generate2<T: 'static, S: Length>(
    height: S,
    width: S,
    f: impl Fn(Exp<u32>, Exp<u32>) -> T + 'static,
) -> Pull2<T, S> {
    Pull2::new(height, width, f)
}

/// The array of `f` of each element of one array with each of another: row `y` has those of element `y`
/// of the first. An element is computed in each row or column: store an array that is costly.
///
/// ```
/// use obsidian_core::library::{generate, outer};
///
/// let table = outer(|x, y| x * y, generate(3, |i| i + 1), generate(4, |i| i + 1));
/// assert_eq!((table.height(), table.width()), (3, 4));
/// ```
#[doc(alias = "cartesian_product")]
pub fn outer<T: 'static, U: 'static, V: 'static, S: Length>(
    f: impl Fn(T, U) -> V + 'static,
    rows: Pull<T, S>,
    columns: Pull<U, S>,
) -> Pull2<V, S> {
    Pull2::new(rows.len(), columns.len(), move |y, x| {
        f(rows.at(y), columns.at(x))
    })
}

/// Applies `f` to the elements of two arrays at the same place; they are equally high and wide.
#[track_caller]
pub fn zip_with2<T: 'static, U: 'static, V: 'static, S: Length>(
    f: impl Fn(T, U) -> V + 'static,
    first: Pull2<T, S>,
    second: Pull2<U, S>,
) -> Pull2<V, S> {
    let (height, width) = (
        common("zip_with2", &[&first.height(), &second.height()]),
        common("zip_with2", &[&first.width(), &second.width()]),
    );
    Pull2::new(height, width, move |y, x| {
        f(first.at(y, x), second.at(y, x))
    })
}

/// Applies `f` to the elements of two arrays at the same place; the result is as high as the lower
/// one and as wide as the narrower one.
pub fn zip_with2_shortest<T: 'static, U: 'static, V: 'static, S: Length>(
    f: impl Fn(T, U) -> V + 'static,
    first: Pull2<T, S>,
    second: Pull2<U, S>,
) -> Pull2<V, S> {
    let (height, width) = (
        first.height().least(&second.height()),
        first.width().least(&second.width()),
    );
    Pull2::new(height, width, move |y, x| {
        f(first.at(y, x), second.at(y, x))
    })
}

impl<T: 'static, S: Length> Pull2<T, S> {
    /// Rows as columns, and columns as rows.
    pub fn transpose(&self) -> Pull2<T, S> {
        self.view2((self.width(), self.height()), |y, x| (x, y))
    }

    /// Row `y`.
    #[track_caller]
    pub fn row(&self, y: impl Into<Exp<u32>>) -> Pull<T, S> {
        let y = y.into();
        inside("row", y, &self.height());
        self.list(self.width(), move |x| (y, x))
    }

    /// Column `x`.
    #[track_caller]
    pub fn column(&self, x: impl Into<Exp<u32>>) -> Pull<T, S> {
        let x = x.into();
        inside("column", x, &self.width());
        self.list(self.height(), move |y| (y, x))
    }

    /// The rows.
    pub fn rows(&self) -> Pull<Pull<T, S>, S> {
        let this = self.clone();
        Pull::new(self.height(), move |y| this.row(y))
    }

    /// The columns.
    pub fn columns(&self) -> Pull<Pull<T, S>, S> {
        let this = self.clone();
        Pull::new(self.width(), move |x| this.column(x))
    }
}

#[track_caller]
fn inside<S: Length>(what: &str, i: Exp<u32>, size: &S) {
    if let (Some(i), Some(size)) = (i.as_literal(), size.fixed())
        && i >= size
    {
        report(catalogue::outside_of_array(what, i.into(), size.into()));
    }
}

impl<L: Hierarchy, T: 'static, S: Length> Push2<L, T, S> {
    /// Rows as columns, and columns as rows.
    pub fn transpose(&self) -> Push2<L, T, S> {
        self.rewrite((self.width(), self.height()), |write| {
            Rc::new(move |value, y, x| write(value, x, y))
        })
    }

    /// The first `height` rows and `width` columns; there must be as many. The others are computed
    /// as well, and not written.
    #[track_caller]
    pub fn crop<Z: Length>(&self, height: Z, width: Z) -> Push2<L, T, Z> {
        let (rows, columns) = (
            within("row", &height, &self.height()),
            within("column", &width, &self.width()),
        );
        let (bottom, right) = (height.exp(), width.exp());
        self.rewrite((height, width), move |write: Writer2<T>| {
            Rc::new(move |value, y, x| {
                let nothing: Program<Thread, ()> = pure(());
                match (rows, columns) {
                    (true, true) => write(value, y, x),
                    (true, false) => cond(x.lt(right), write(value, y, x), nothing),
                    (false, true) => cond(y.lt(bottom), write(value, y, x), nothing),
                    (false, false) => cond(y.lt(bottom) & x.lt(right), write(value, y, x), nothing),
                }
            })
        })
    }
}

/// Is all of a size wanted? More than there is, is a mistake.
#[track_caller]
fn within<Z: Length, S: Length>(what: &str, wanted: &Z, size: &S) -> bool {
    match (wanted.fixed(), size.fixed()) {
        (Some(wanted), Some(size)) if wanted > size => {
            report(catalogue::outside_of_array(
                what,
                wanted.into(),
                size.into(),
            ));
            true
        }
        (Some(wanted), Some(size)) => wanted == size,
        _ => wanted.exp().node() == size.exp().node(),
    }
}
