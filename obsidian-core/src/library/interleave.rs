//! Neighbours as tuples and back, and interleaving. Paper, sections 4.2 and 4.5.

use crate::array::{Choice, Length, Pull, Push, Writer, common, common_of};
use crate::program::{Hierarchy, Program, Thread, pure};
use crate::scalar::{Exp, index};

/// The array whose element `i` is `at(i / n, i % n)`; `n` is at least 1, and every index tests
/// which of the `n` it is.
pub(crate) fn flatten<T: Choice + 'static, S: Length>(
    len: S,
    n: u32,
    at: impl Fn(Exp<u32>, u32) -> T + 'static,
) -> Pull<T, S> {
    Pull::new(len.times(n), move |i| {
        let (row, which) = (index::div(i, n), index::rem(i, n));
        if let Some(known) = which.as_literal() {
            return at(row, known);
        }
        (0..n - 1).rev().fold(at(row, n - 1), |rest, k| {
            T::choose(which.eq(k), at(row, k), rest)
        })
    })
}

impl<T: 'static, S: Length> Pull<T, S> {
    /// `f` of the first index of each `n` neighbours, as elements of one array; `n` divides the
    /// length.
    #[track_caller]
    pub fn neighbours<U: 'static>(
        &self,
        n: u32,
        f: impl Fn(&dyn Fn(u32) -> T) -> U + 'static,
    ) -> Pull<U, S> {
        let this = self.clone();
        Pull::new(self.len().pieces(n), move |i| {
            let start = index::mul(i, n);
            f(&|k| this.at(index::add(start, k)))
        })
    }

    /// Neighbours as pairs; 2 divides the length. Paper, Figure 1.
    #[track_caller]
    pub fn pair(&self) -> Pull<(T, T), S> {
        self.neighbours(2, |at| (at(0), at(1)))
    }

    /// Three neighbours as triples; 3 divides the length.
    #[track_caller]
    pub fn triple(&self) -> Pull<(T, T, T), S> {
        self.neighbours(3, |at| (at(0), at(1), at(2)))
    }

    /// Four neighbours as quadruples; 4 divides the length.
    #[track_caller]
    pub fn quadruple(&self) -> Pull<(T, T, T, T), S> {
        self.neighbours(4, |at| (at(0), at(1), at(2), at(3)))
    }
}

impl<T: Choice + 'static, S: Length> Pull<(T, T), S> {
    /// Pairs as neighbours: undoes [`pair`](Pull::pair). Every index tests which one it is. Paper,
    /// Figure 1.
    pub fn unpair(&self) -> Pull<T, S> {
        let this = self.clone();
        flatten(self.len(), 2, move |i, k| {
            if k == 0 { this.at(i).0 } else { this.at(i).1 }
        })
    }
}

impl<T: Choice + 'static, S: Length> Pull<(T, T, T), S> {
    /// Triples as neighbours: undoes [`triple`](Pull::triple). Every index tests which one it is.
    pub fn untriple(&self) -> Pull<T, S> {
        let this = self.clone();
        flatten(self.len(), 3, move |i, k| {
            let (x, y, z) = this.at(i);
            [x, y, z]
                .into_iter()
                .nth(k as usize)
                .unwrap_or_else(|| this.at(i).0)
        })
    }
}

impl<T: Choice + 'static, S: Length> Pull<(T, T, T, T), S> {
    /// Quadruples as neighbours: undoes [`quadruple`](Pull::quadruple). Every index tests which one
    /// it is.
    pub fn unquadruple(&self) -> Pull<T, S> {
        let this = self.clone();
        flatten(self.len(), 4, move |i, k| {
            let (x, y, z, w) = this.at(i);
            [x, y, z, w]
                .into_iter()
                .nth(k as usize)
                .unwrap_or_else(|| this.at(i).0)
        })
    }
}

impl<L: Hierarchy, T: 'static, S: Length> Push<L, T, S> {
    /// The array in which `n` elements, which `parts` makes of each element, take its place: one
    /// loop, `n` writes.
    pub fn flatten<U: 'static>(
        &self,
        n: u32,
        parts: impl Fn(T) -> Vec<U> + 'static,
    ) -> Push<L, U, S> {
        let (this, parts) = (self.clone(), std::rc::Rc::new(parts));
        Push::new(self.len().times(n), move |write: Writer<U>| {
            let parts = parts.clone();
            this.write_to(std::rc::Rc::new(move |x, i| {
                let start = index::mul(i, n);
                let writes = parts(x)
                    .into_iter()
                    .zip(0..)
                    .map(|(part, k)| write(part, index::add(start, k)));
                writes.fold(pure(()), |before: Program<Thread, ()>, next| {
                    before.and_then(move |()| next.clone())
                })
            }))
        })
        .stamped(self.level())
    }
}

impl<L: Hierarchy, T: 'static, S: Length> Push<L, (T, T), S> {
    /// Pairs as neighbours: two writes in one loop, and no test. The repository's `unpairP`.
    pub fn unpair(&self) -> Push<L, T, S> {
        self.flatten(2, |(x, y)| vec![x, y])
    }
}

/// Arrays that can be interleaved.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be interleaved",
    note = "two pull arrays or two push arrays of one level can"
)]
pub trait Interleave {
    /// The elements of this array at even places, those of another at odd ones.
    #[track_caller]
    fn interleave_with(&self, other: &Self) -> Self;
}

impl<T: Choice + 'static, S: Length> Interleave for Pull<T, S> {
    #[track_caller]
    fn interleave_with(&self, other: &Self) -> Self {
        let lengths = [self, other].map(|array| (array.len(), array.origin()));
        let length = common_of("interleave", &lengths);
        let (first, second) = (self.clone(), other.clone());
        flatten(
            length,
            2,
            move |i, k| {
                if k == 0 { first.at(i) } else { second.at(i) }
            },
        )
    }
}

impl<L: Hierarchy, T: 'static, S: Length> Interleave for Push<L, T, S> {
    #[track_caller]
    fn interleave_with(&self, other: &Self) -> Self {
        let length = common("interleave", &[&self.len(), &other.len()]);
        let (first, second) = (self.clone(), other.clone());
        Push::new(length.times(2), move |write: Writer<T>| {
            let odd = write.clone();
            let rest = second.write_to(std::rc::Rc::new(move |x, i| {
                odd(x, index::add(index::mul(i, 2), 1))
            }));
            let even: Writer<T> = std::rc::Rc::new(move |x, i| write(x, index::mul(i, 2)));
            first.write_to(even).and_then(move |()| rest.clone())
        })
        .stamped(self.level().or(other.level()))
    }
}

/// One array's elements at even places and another's at odd ones; both have one length. Pull arrays
/// test at each index, push arrays have two loops and no test. Paper, section 4.5.
#[track_caller]
pub fn interleave<A: Interleave>(first: A, second: A) -> A {
    first.interleave_with(&second)
}
