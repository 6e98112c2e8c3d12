//! Arrays of any length in pieces of one size, and push arrays cut to a length.

use std::rc::Rc;

use crate::array::{Choice, Length, Pull, Push, Writer, require};
use crate::error::catalogue;
use crate::program::{Hierarchy, Program, Thread, cond, pure};
use crate::scalar::{Constraint, Exp, index, lit, report};

/// The number of pieces of `n` elements, with a piece for what is left.
#[track_caller]
pub(super) fn pieces<S: Length>(len: &S, n: u32) -> S {
    match len.fixed() {
        _ if n == 0 => {
            report(catalogue::empty_pieces());
            S::from_exp(lit(0))
        }
        Some(len) => S::from_exp(lit(len.div_ceil(n))),
        None => {
            fits(len.exp(), n);
            S::from_exp(index::add(
                index::div(len.exp(), n),
                index::rem(len.exp(), n).min(1),
            ))
        }
    }
}

/// Asks that a launch check that the indices of the last piece, those beyond the array among them,
/// fit a `u32`.
#[track_caller]
fn fits(len: Exp<u32>, n: u32) {
    require(index::add(len, n - 1), Constraint::Fits);
}

impl<T: 'static, S: Length> Pull<T, S> {
    /// Consecutive pieces of `n` elements of an array of any length; what the last one lacks is
    /// `pad`.
    ///
    /// Nothing is read outside of the array. With [`Push::take`] the result has the exact length
    /// again: `arr.chunks(256, zero).as_grid_map(..).take(arr.len())`. Lengths go up to 2^32 - `n`;
    /// a launch with more is refused.
    #[track_caller]
    pub fn chunks(&self, n: u32, pad: T) -> Pull<Pull<T>, S>
    where
        T: Choice + Clone,
    {
        let (this, length) = (self.clone(), self.len());
        let whole = length
            .fixed()
            .is_some_and(|length| n > 0 && length.is_multiple_of(n));
        Pull::new(pieces(&length, n), move |i| {
            let (this, pad, length) = (this.clone(), pad.clone(), length.clone());
            let start = index::mul(i, n);
            Pull::new(n, move |j| {
                let i = index::add(start, j);
                match (i.as_literal(), length.fixed()) {
                    (Some(i), Some(length)) if i >= length => pad.clone(),
                    (Some(_), Some(_)) => this.at(i),
                    _ if whole => this.at(i),
                    _ => T::choose(i.lt(length.exp()), this.at(i), pad.clone()),
                }
            })
        })
    }

    /// Consecutive pieces of `n` elements of an array of any length; the last one is as long as
    /// what is left.
    #[track_caller]
    pub fn chunks_len(&self, n: u32) -> Pull<Pull<T, Exp<u32>>, S> {
        let (this, length) = (self.clone(), self.len().exp());
        Pull::new(pieces(&self.len(), n), move |i| {
            let start = index::mul(i, n);
            let left = index::sub(length, start);
            this.view(left.min(n), move |j| index::add(start, j))
        })
    }
}

impl<L: Hierarchy, T: 'static, S: Length> Push<L, T, S> {
    /// The first `len` elements; there must be as many. The others are computed as well, and not
    /// written.
    #[track_caller]
    pub fn take<Z: Length>(&self, len: Z) -> Push<L, T, Z> {
        if let (Some(wanted), Some(length)) = (len.fixed(), self.len().fixed()) {
            if wanted > length {
                report(catalogue::outside_of_array(
                    "position",
                    wanted.into(),
                    length.into(),
                ));
            }
            if wanted >= length {
                return self.set_len(len);
            }
        }
        let (this, end) = (self.clone(), len.exp());
        Push::new(len, move |write: Writer<T>| {
            this.write_to(Rc::new(move |x, i| {
                let nothing: Program<Thread, ()> = pure(());
                cond(i.lt(end), write(x, i), nothing)
            }))
        })
        .stamped(self.level())
    }
}
