//! Pull arrays: a length and a function from an index to an element.

use std::rc::Rc;

use super::length::require_if_known;
use super::{Choice, Length, Push, Writer};
use crate::error::{Origin, catalogue};
use crate::program::{AtMost, Block, for_all};
use crate::scalar::{Constraint, Exp, here, index, indexed_at, lit, report, spanned_here};

/// A pull array of `T`: any element can be computed on its own. Paper, section 4.2.
///
/// An array that nothing stores is a function of the index. Every index into memory is checked: at
/// compile time, or at launch. An index that is known only on the device is not held to the length
/// of an array such as `generate(16, f)`: element 20 of it is `f(20)`, on every device. `f` reads
/// memory at indices that are checked in turn.
///
/// `S` is the type of its length: `u32` if it is static, `Exp<u32>` if it is known at launch.
pub struct Pull<T, S = u32> {
    len: S,
    at: Rc<dyn Fn(Exp<u32>) -> T>,
    /// Where the user made it, in tokens that the front end reads.
    origin: Origin,
}

impl<T, S: Clone> Clone for Pull<T, S> {
    fn clone(&self) -> Self {
        Pull {
            len: self.len.clone(),
            at: self.at.clone(),
            origin: self.origin,
        }
    }
}

impl<T: 'static, S: Length> Pull<T, S> {
    /// A pull array of a length, whose element `i` is `at(i)`: the paper's `mkPull`.
    pub fn new(len: S, at: impl Fn(Exp<u32>) -> T + 'static) -> Self {
        Pull {
            len,
            at: Rc::new(at),
            origin: spanned_here(),
        }
    }

    /// Where the user made it, in tokens that the front end reads; natively unknown.
    pub(crate) fn origin(&self) -> Origin {
        self.origin
    }

    /// The number of elements.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> S {
        self.len.clone()
    }

    /// Element `i`, which must be below the length; an index known to be beyond it is reported.
    #[track_caller]
    pub fn at(&self, i: impl Into<Exp<u32>>) -> T {
        let i = i.into();
        if let (Some(i), Some(length)) = (i.as_literal(), self.len.fixed())
            && i >= length
        {
            report(catalogue::outside_of_array(
                "element",
                i.into(),
                length.into(),
            ));
        }
        (self.at)(i)
    }

    /// The array with `f` applied to every element.
    pub fn map<U: 'static>(&self, f: impl Fn(T) -> U + 'static) -> Pull<U, S> {
        let this = self.clone();
        Pull::new(self.len(), move |i| f((this.at)(i)))
    }

    /// The array whose element `i` is this one's element `f(i)`; `f` must stay below the length.
    ///
    /// An index for which that cannot be proved at compile time is an error; [`Exp::unchecked`]
    /// vouches for it.
    #[track_caller]
    pub fn ix_map(&self, f: impl Fn(Exp<u32>) -> Exp<u32> + 'static) -> Pull<T, S> {
        let (this, origin) = (self.clone(), here());
        Pull::new(self.len(), move |i| indexed_at(origin, || (this.at)(f(i))))
    }

    /// The same with another length, which the caller knows to be right.
    ///
    /// Nothing holds the array to it, at compile time or at launch; elements that memory does not
    /// have are an error where they are read. [`from_dyn`](Pull::from_dyn) is checked.
    pub fn set_len<Z: Length>(&self, len: Z) -> Pull<T, Z> {
        let mut array = self.view(len, |i| i);
        array.origin = self.origin;
        array
    }

    /// The same elements with another length, unchecked; for functions of this room.
    pub(crate) fn view<Z: Length>(
        &self,
        len: Z,
        index: impl Fn(Exp<u32>) -> Exp<u32> + 'static,
    ) -> Pull<T, Z> {
        let this = self.clone();
        Pull::new(len, move |i| (this.at)(index(i)))
    }

    /// The push array that computes each element by one iteration, shared out over the threads of
    /// level `L`.
    pub fn push<L: AtMost<Block>>(&self) -> Push<L, T, S> {
        let this = self.clone();
        Push::new(self.len(), move |write: Writer<T>| {
            let at = this.at.clone();
            for_all(this.len.exp(), move |i| write(at(i), i))
        })
    }

    /// A static array as one of dynamic length.
    pub fn to_dyn(&self) -> Pull<T, Exp<u32>> {
        self.view(self.len.exp(), |i| i)
    }

    /// The first `n` elements of an array as one of static length; there must be as many.
    ///
    /// A launch checks that, where it knows the length.
    #[track_caller]
    pub fn from_dyn(&self, n: u32) -> Pull<T, u32> {
        match self.len.exp().as_literal() {
            Some(length) if length < n => report(catalogue::other_length(length, n)),
            Some(_) => {}
            None => require_if_known(self.len.exp(), Constraint::AtLeast(n)),
        }
        self.view(n, |i| i)
    }
}

impl<T: Choice + 'static, S: Length> Pull<T, S> {
    /// This array and then another: every index tests which one it is in. Push arrays do it without
    /// the test.
    pub(crate) fn append_pull(&self, other: &Self) -> Self {
        let (first, second) = (self.clone(), other.clone());
        let border = self.len.exp();
        Pull::new(self.len.plus(&other.len), move |i: Exp<u32>| {
            if border.as_literal() == Some(0) {
                return (second.at)(i);
            }
            if second.len.fixed() == Some(0) {
                return (first.at)(i);
            }
            match (i.as_literal(), border.as_literal()) {
                (Some(i), Some(border)) if i < border => (first.at)(lit(i)),
                (Some(i), Some(border)) => (second.at)(lit(i - border)),
                _ => T::choose(
                    i.lt(border),
                    (first.at)(i),
                    (second.at)(index::sub(i, border)),
                ),
            }
        })
    }
}
