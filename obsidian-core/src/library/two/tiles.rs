//! Two-dimensional arrays cut into tiles of one size, and put together again.

use super::super::chunks::pieces;
use crate::array::{Length, Pull2};
use crate::scalar::{Exp, index};

impl<T: 'static, S: Length> Pull2<T, S> {
    /// The tiles of `height` rows and `width` columns, in their rows and columns; they divide the
    /// array's, which is checked at launch if it is not known before.
    #[track_caller]
    pub fn tiles(&self, height: u32, width: u32) -> Pull2<Pull2<T>, S> {
        let this = self.clone();
        Pull2::new(
            self.height().pieces(height),
            self.width().pieces(width),
            move |y, x| {
                let (top, left) = (index::mul(y, height), index::mul(x, width));
                this.view2((height, width), move |y, x| {
                    (index::add(top, y), index::add(left, x))
                })
            },
        )
    }

    /// Tiles that cover an array of any size. Those at its lower and right edge go beyond it, and
    /// repeat its last row and column there: nothing is read outside, and
    /// [`crop`](crate::array::Push2::crop) takes away what that makes too much.
    #[track_caller]
    pub fn cover(&self, height: u32, width: u32) -> Pull2<Pull2<T>, S> {
        let this = self.clone();
        let (bottom, right) = (last(&self.height(), height), last(&self.width(), width));
        Pull2::new(
            pieces(&self.height(), height),
            pieces(&self.width(), width),
            move |y, x| {
                let (top, left) = (index::mul(y, height), index::mul(x, width));
                this.view2((height, width), move |y, x| {
                    (
                        up_to(index::add(top, y), bottom),
                        up_to(index::add(left, x), right),
                    )
                })
            },
        )
    }
}

/// The last row or column, unless whole tiles end there.
fn last<S: Length>(size: &S, tile: u32) -> Option<Exp<u32>> {
    match size.fixed() {
        Some(size) if tile > 0 && size.is_multiple_of(tile) => None,
        _ => Some(index::sub(size.exp(), 1)),
    }
}

fn up_to(i: Exp<u32>, last: Option<Exp<u32>>) -> Exp<u32> {
    last.map_or(i, |last| i.min(last))
}

impl<T: 'static, S: Length> Pull2<Pull2<T>, S> {
    /// Tiles of `height` rows and `width` columns, put together: undoes [`tiles`](Pull2::tiles).
    pub fn untile(&self, height: u32, width: u32) -> Pull2<T, S> {
        let this = self.clone();
        Pull2::new(
            self.height().times(height),
            self.width().times(width),
            move |y, x| {
                let tile = this.at(index::div(y, height), index::div(x, width));
                tile.at(index::rem(y, height), index::rem(x, width))
            },
        )
    }
}
