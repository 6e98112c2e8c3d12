//! Rearranging one array: other views of the same elements.

use crate::array::{Choice, Length, Pull, Push, require_if_known};
use crate::error::catalogue;
use crate::program::Hierarchy;
use crate::scalar::{Constraint, index, lit, report};

impl<T: 'static, S: Length> Pull<T, S> {
    /// The elements from the last to the first.
    #[track_caller]
    pub fn reverse(&self) -> Self {
        let last = index::sub(self.len().exp(), 1);
        self.ix_map(move |i| index::sub(last, i))
    }

    /// The first `n` elements, and the others.
    #[track_caller]
    pub fn split_at(&self, n: S) -> (Self, Self) {
        (self.take(n.clone()), self.drop(n))
    }

    /// The first half and the second; of an odd length the second is longer.
    pub fn halve(&self) -> (Self, Self) {
        let half = self.len().over(2);
        (self.take(half.clone()), self.rest(&half))
    }

    /// The first `n` elements; there must be as many.
    #[track_caller]
    pub fn take(&self, n: S) -> Self {
        self.check_prefix(&n);
        self.view(n, |i| i)
    }

    /// All but the first `n` elements; there must be as many, which is checked at launch if it knows
    /// both lengths.
    #[track_caller]
    pub fn drop(&self, n: S) -> Self {
        self.check_prefix(&n);
        let rest = self.rest(&n);
        if rest.len().fixed().is_none() {
            require_if_known(rest.len().exp(), Constraint::Fits);
        }
        rest
    }

    /// All but the first `n` elements, of which there are as many.
    fn rest(&self, n: &S) -> Self {
        let start = n.exp();
        self.view(self.len().minus(n), move |i| index::add(i, start))
    }

    #[track_caller]
    fn check_prefix(&self, n: &S) {
        if let (Some(n), Some(length)) = (n.fixed(), self.len().fixed())
            && n > length
        {
            report(catalogue::outside_of_array(
                "position",
                n.into(),
                length.into(),
            ));
        }
    }

    /// All but the first element.
    #[track_caller]
    pub fn tail(&self) -> Self {
        self.drop(S::from_exp(lit(1)))
    }

    /// The first element: the paper's `first`.
    #[track_caller]
    pub fn first(&self) -> T {
        self.at(0u32)
    }

    /// The last element.
    #[track_caller]
    pub fn last(&self) -> T {
        if self.len().fixed() == Some(0) {
            return self.at(0u32);
        }
        self.at(index::sub(self.len().exp(), 1))
    }

    /// `f` of each element and the one behind it, which is one result fewer than there are elements;
    /// there must be at least one. An element is computed twice: store an array that is costly.
    ///
    /// ```
    /// use obsidian_core::{library::generate, scalar::build};
    ///
    /// let built = build(|| generate(8, |i| i * i).adjacent(|x, y| y - x).len());
    /// assert_eq!(built.result, 7);
    /// ```
    #[doc(alias = "adjacent_difference")]
    #[doc(alias = "tuple_windows")]
    #[track_caller]
    pub fn adjacent<U: 'static>(&self, f: impl Fn(T, T) -> U + 'static) -> Pull<U, S> {
        let (this, next) = (self.clone(), self.tail());
        Pull::new(next.len(), move |i| f(this.at(i), next.at(i)))
    }

    /// The `n` elements from each one on, as far as there are as many: pieces that overlap, and of which
    /// there are `n - 1` fewer than elements.
    ///
    /// ```
    /// use obsidian_core::{library::generate, scalar::build};
    ///
    /// let built = build(|| {
    ///     let windows = generate(8, |i| i).windows(3);
    ///     (windows.len(), windows.at(0_u32).len())
    /// });
    /// assert_eq!(built.result, (6, 3));
    /// ```
    #[doc(alias = "stencil")]
    #[track_caller]
    pub fn windows(&self, n: u32) -> Pull<Pull<T>, S> {
        if n == 0 {
            report(catalogue::empty_pieces());
        }
        let rest = self.drop(S::from_exp(lit(n.saturating_sub(1))));
        let this = self.clone();
        Pull::new(rest.len(), move |i| this.view(n, move |j| index::add(i, j)))
    }

    /// Consecutive pieces of `n` elements; `n` divides the length, which is checked at launch if it
    /// is dynamic.
    #[track_caller]
    pub fn split_up(&self, n: u32) -> Pull<Pull<T>, S> {
        let this = self.clone();
        Pull::new(self.len().pieces(n), move |i| {
            let start = index::mul(i, n);
            this.view(n, move |j| index::add(start, j))
        })
    }

    /// Pieces of `n` elements that are as far apart as possible: piece `i` has the elements
    /// `i`, `i + s`, `i + 2 s`, .. where `s` is the number of pieces, so that neighbouring pieces
    /// read neighbouring elements. Paper, section 6.2.5.
    #[track_caller]
    pub fn coalesce(&self, n: u32) -> Pull<Pull<T>, S> {
        let (this, pieces) = (self.clone(), self.len().pieces(n));
        let stride = pieces.exp();
        Pull::new(pieces, move |i| {
            this.view(n, move |j| index::add(i, index::mul(j, stride)))
        })
    }

    /// The elements with even index, and those with odd index. Paper, section 6.2.1.
    pub fn even_odds(&self) -> (Self, Self) {
        (self.evens(), self.odds())
    }

    /// The elements with even index.
    pub fn evens(&self) -> Self {
        let one = S::from_exp(lit(1));
        self.view(self.len().plus(&one).over(2), |i| index::mul(i, 2))
    }

    /// The elements with odd index.
    pub fn odds(&self) -> Self {
        self.view(self.len().over(2), |i| index::add(index::mul(i, 2), 1))
    }

    /// Every `n`-th element, from the first; `n` divides the length.
    #[track_caller]
    pub fn every_nth(&self, n: u32) -> Self {
        self.view(self.len().pieces(n), move |i| index::mul(i, n))
    }
}

impl<T: 'static, S: Length> Pull<Pull<T>, S> {
    /// Pieces of static length, one after another: undoes [`split_up`](Pull::split_up).
    ///
    /// `n` is the length of each piece, for which the caller vouches: the result has `n` elements
    /// for each piece, whatever the pieces have.
    pub fn concat(&self, n: u32) -> Pull<T, S> {
        let this = self.clone();
        Pull::new(self.len().times(n), move |i| {
            this.at(index::div(i, n)).at(index::rem(i, n))
        })
    }
}

impl<L: Hierarchy, T: 'static, S: Length> Push<L, T, S> {
    /// The elements from the last to the first.
    #[track_caller]
    pub fn reverse(&self) -> Self {
        let last = index::sub(self.len().exp(), 1);
        self.ix_map(move |i| index::sub(last, i))
    }
}

/// Arrays that can be put one after another.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be appended",
    note = "two pull arrays or two push arrays of one level can"
)]
pub trait Append {
    /// This array and then another.
    fn append_to(&self, other: &Self) -> Self;
}

impl<T: Choice + 'static, S: Length> Append for Pull<T, S> {
    fn append_to(&self, other: &Self) -> Self {
        self.append_pull(other)
    }
}

impl<L: Hierarchy, T: 'static, S: Length> Append for Push<L, T, S> {
    fn append_to(&self, other: &Self) -> Self {
        self.append_push(other)
    }
}

/// One array and then another: pull arrays by a test at each index, push arrays by two loops.
/// Paper, section 4.5.
pub fn append<A: Append>(first: A, second: A) -> A {
    first.append_to(&second)
}
