//! Between flat arrays and two-dimensional ones: row after row.

use crate::array::{Extent, Length, Pull, Pull2, Push, Push2, Writer, Writer2, require};
use crate::error::catalogue;
use crate::program::Hierarchy;
use crate::scalar::{Constraint, index, report};
use std::rc::Rc;

/// The height of a flat array in rows of `width`, which has to divide the length: now, or at
/// launch.
#[track_caller]
fn rows_of<S: Length>(len: &S, width: &S) -> S {
    match (len.fixed(), width.fixed()) {
        (_, Some(width)) => len.pieces(width),
        _ => {
            require(len.exp(), Constraint::DividedBy(width.exp().node()));
            S::from_exp(index::div(len.exp(), width.exp()))
        }
    }
}

/// A length has to be the product of a height and a width: now, or at launch.
#[track_caller]
fn check_size<S: Length>(len: &S, height: &S, width: &S) {
    match (len.fixed(), height.fixed(), width.fixed()) {
        (Some(len), Some(height), Some(width)) if height.checked_mul(width) == Some(len) => {}
        (Some(len), Some(height), Some(width)) => {
            report(catalogue::not_as_many(len, height, width))
        }
        _ => require(
            len.exp(),
            Constraint::Equal(height.product(width).exp().node()),
        ),
    }
}

impl<T: 'static, S: Length> Pull<T, S> {
    /// The elements in rows of `width`, which divides the length; that is checked at launch if it
    /// is not known before.
    #[track_caller]
    pub fn in_rows(&self, width: impl Extent<S>) -> Pull2<T, S> {
        let width = width.extent();
        let height = rows_of(&self.len(), &width);
        self.reshaped(height, width)
    }

    /// The elements in `height` rows of `width`; there must be as many, which is checked at launch
    /// if it is not known before.
    #[track_caller]
    pub fn as_2d(&self, height: impl Extent<S>, width: impl Extent<S>) -> Pull2<T, S> {
        let (height, width) = (height.extent(), width.extent());
        check_size(&self.len(), &height, &width);
        self.reshaped(height, width)
    }

    fn reshaped(&self, height: S, width: S) -> Pull2<T, S> {
        let (this, pitch) = (self.clone(), width.exp());
        Pull2::new(height, width, move |y, x| {
            this.at(index::add(index::mul(y, pitch), x))
        })
    }
}

impl<T: 'static, S: Length> Pull2<T, S> {
    /// The rows, one after another.
    pub fn flat(&self) -> Pull<T, S> {
        let width = self.width().exp();
        self.list(self.height().product(&self.width()), move |i| {
            (index::div(i, width), index::rem(i, width))
        })
    }
}

impl<L: Hierarchy, T: 'static, S: Length> Push2<L, T, S> {
    /// The rows, one after another.
    pub fn flat(&self) -> Push<L, T, S> {
        let (this, width) = (self.clone(), self.width().exp());
        Push::new(
            self.height().product(&self.width()),
            move |write: Writer<T>| {
                this.write_to(Rc::new(move |value, y, x| {
                    write(value, index::add(index::mul(y, width), x))
                }))
            },
        )
        .stamped(self.level())
    }
}

impl<L: Hierarchy, T: 'static, S: Length> Push<L, T, S> {
    /// The elements in rows of `width`, which divides the length; that is checked at launch if it
    /// is not known before.
    #[track_caller]
    pub fn in_rows(&self, width: impl Extent<S>) -> Push2<L, T, S> {
        let width = width.extent();
        let height = rows_of(&self.len(), &width);
        self.reshaped(height, width)
    }

    /// The elements in `height` rows of `width`; there must be as many, which is checked at launch
    /// if it is not known before.
    #[track_caller]
    pub fn as_2d(&self, height: impl Extent<S>, width: impl Extent<S>) -> Push2<L, T, S> {
        let (height, width) = (height.extent(), width.extent());
        check_size(&self.len(), &height, &width);
        self.reshaped(height, width)
    }

    fn reshaped(&self, height: S, width: S) -> Push2<L, T, S> {
        let (this, columns) = (self.clone(), width.exp());
        Push2::new(height, width, move |write: Writer2<T>| {
            this.write_to(Rc::new(move |value, i| {
                write(value, index::div(i, columns), index::rem(i, columns))
            }))
        })
        .stamped(self.level())
    }
}
