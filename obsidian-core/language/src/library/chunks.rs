//! Arrays of any length in pieces of one size, and push arrays cut to a length.

use std::rc::Rc;

use crate::array::{Choice, Length, Pull, Push, Writer, require};
use crate::error::{Origin, catalogue};
use crate::program::{Hierarchy, Program, Thread, cond, pure};
use crate::scalar::{
    BinaryOp, Constraint, Exp, Fill, FillPlace, Node, NodeId, here, index, lit, report, session,
};

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

/// Asks that a launch check that a number of elements which is made of whole pieces fits a `u32`, unless [`pieces`] has asked for that.
#[track_caller]
pub(super) fn fits_in_pieces(size: Exp<u32>) {
    let operands = |id: NodeId, wanted: BinaryOp| match session(|s| s.tables.nodes.node(id))? {
        Node::Binary {
            op, left, right, ..
        } if op == wanted => Some((left, right)),
        _ => None,
    };
    let Some((count, n)) = operands(size.node(), BinaryOp::Mul) else {
        return;
    };
    let whole =
        operands(count, BinaryOp::Add).and_then(|(whole, _)| operands(whole, BinaryOp::Div));
    if whole.is_none_or(|(_, size)| size != n) {
        require(size, Constraint::Fits);
    }
}

/// Asks that a launch check that the indices of the last piece, those beyond the array among them,
/// fit a `u32`.
#[track_caller]
fn fits(len: Exp<u32>, n: u32) {
    require(index::add(len, n - 1), Constraint::Fits);
}

/// Notes that a choice is between element `i` and the fill of pieces of `n`; pieces of 1 are never filled.
fn filled(inside: Exp<bool>, i: Exp<u32>, (n, origin): (u32, Origin)) {
    if n == 1 {
        return;
    }
    let place = FillPlace::Pieces {
        index: i.node(),
        length: n,
    };
    note_fill(inside.node(), Fill { place, origin });
}

/// Notes what is beyond an array, by the node that chooses it.
pub(super) fn note_fill(by: NodeId, fill: Fill) {
    session(|s| {
        let known = s.tables.fills.entry(by).or_default();
        if !known.iter().any(|known| known.place == fill.place) {
            known.push(fill);
        }
    });
}

impl<T: 'static, S: Length> Pull<T, S> {
    /// Consecutive pieces of `n` elements of an array of any length; what the last one lacks is
    /// `pad`.
    ///
    /// Nothing is read outside of the array. With [`Push::take`] the result has the exact length
    /// again: `arr.chunks(256, zero).as_grid_map(..).take(arr.len())`. Lengths go up to 2^32 - `n`;
    /// a launch with more is refused.
    ///
    /// Of no elements there are no pieces. `n = 0` is a compile error.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn squares(x: DPull<EF32>) -> DPush<Grid, EF32> {
    ///         x.chunks(256, 0.0).as_grid_map(|piece| piece.map(|x| x * x).push()).take(x.len())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1.0, 2.0, 3.0])?;
    /// let result = example::squares::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1.0, 4.0, 9.0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "grid_stride_loop")]
    #[doc(alias = "bounds_check")]
    #[track_caller]
    pub fn chunks(&self, n: u32, pad: T) -> Pull<Pull<T>, S>
    where
        T: Choice + Clone,
    {
        let (this, length, origin) = (self.clone(), self.len(), here());
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
                    _ => {
                        let inside = i.lt(length.exp());
                        filled(inside, i, (n, origin));
                        T::choose(inside, this.at(i), pad.clone())
                    }
                }
            })
        })
    }

    /// Consecutive pieces of `n` elements of an array of any length; the last one is as long as
    /// what is left.
    ///
    /// The pieces have a dynamic length, so they cannot be stored by [`compute`](super::compute()); loops over them have as many iterations as there are elements.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn sums(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         // Each thread sums up to 4 elements.
    ///         let sums = x.chunks_len(4).map(|own| exec_thread_value(seq_reduce(|a, b| a + b, own)));
    ///         distributed(sums)
    ///     }
    ///
    ///     fn distributed(sums: DPull<Push<Thread, EU32>>) -> DPush<Grid, EU32> {
    ///         mk_push(sums.len(), |write| distr_par(sums.len(), |b| single_thread(sums.at(b).push_to(|x, _| write(x, b)))))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5])?;
    /// let result = example::sums::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [10, 5]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
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
    ///
    /// More than there are is an error where both lengths are static, and at launch otherwise.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         // 256 elements are computed, 3 written.
    ///         x.chunks(256, 0).as_grid_map(|piece| piece.map(|x| x * 2).push()).take(x.len())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3])?;
    /// let result = example::doubled::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [2, 4, 6]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
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

    /// Says that the array is to have the fill of [`chunks`](Pull::chunks) behind its last element, or the rows and columns that
    /// [`cover`](Pull::cover) repeats.
    ///
    /// Without it, and without [`take`](Push::take) or [`crop`](Push::crop), a fill that becomes part of an output is the error
    /// `fill-in-output`, and what `cover` repeats is the error `edge-in-output`.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn whole_pieces(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.chunks(4, 7).as_grid_map(|piece| piece.push()).padded()
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5])?;
    /// let result = example::whole_pieces::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 2, 3, 4, 5, 7, 7, 7]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn padded(&self) -> Push<L, T, S> {
        self.rewrite(self.len(), |write: Writer<T>| {
            Rc::new(move |x, i| {
                let index = i.node();
                session(|s| s.tables.padded.insert(index));
                write(x, i)
            })
        })
    }
}
