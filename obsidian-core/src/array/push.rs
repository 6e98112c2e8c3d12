//! Push arrays: a length and a program that pushes every element to a writer.

use std::rc::Rc;

use super::length::require_if_known;
use super::{Length, Pull};
use crate::error::catalogue;
use crate::ir::{Level, Unroll};
use crate::program::{Block, Hierarchy, Program, Thread, pure, unroll};
use crate::scalar::{Constraint, Exp, here, indexed_at, lit, report};

/// Takes an element and its index: the paper's `Writer`.
pub type Writer<T> = Rc<dyn Fn(T, Exp<u32>) -> Program<Thread, ()>>;

/// A push array of `T` at level `L`: it has its own loops, and a consumer takes elements as they
/// come. Paper, section 4.4.
///
/// `S` is the type of its length: `u32` if it is static, `Exp<u32>` if it is known at launch.
#[must_use = "a push array does nothing until it is stored, pushed or returned"]
pub struct Push<L, T, S = u32> {
    len: S,
    push: Rc<dyn Fn(Writer<T>) -> Program<L, ()>>,
    level: Option<Level>,
}

impl<L, T, S: Clone> Clone for Push<L, T, S> {
    fn clone(&self) -> Self {
        Push {
            len: self.len.clone(),
            push: self.push.clone(),
            level: self.level,
        }
    }
}

impl<L: Hierarchy, T: 'static, S: Length> Push<L, T, S> {
    /// A push array of a length; `push(write)` must write every element exactly once: the paper's
    /// `mkPush`.
    pub fn new(len: S, push: impl Fn(Writer<T>) -> Program<L, ()> + 'static) -> Self {
        Push {
            len,
            push: Rc::new(push),
            level: L::LEVEL,
        }
    }

    /// The number of elements.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> S {
        self.len.clone()
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

    /// The program that pushes every element to `write`: the paper's `<:`.
    pub fn write_to(&self, write: Writer<T>) -> Program<L, ()> {
        (self.push)(write)
    }

    /// The program that gives every element and its index to `f`: [`write_to`](Push::write_to) for
    /// a closure.
    pub fn push_to(
        &self,
        f: impl Fn(T, Exp<u32>) -> Program<Thread, ()> + 'static,
    ) -> Program<L, ()> {
        self.write_to(Rc::new(f))
    }

    /// The array with `f` applied to every element.
    pub fn map<U: 'static>(&self, f: impl Fn(T) -> U + 'static) -> Push<L, U, S> {
        let (this, f) = (self.clone(), Rc::new(f));
        Push::new(self.len(), move |write: Writer<U>| {
            let f = f.clone();
            this.write_to(Rc::new(move |x, i| write(f(x), i)))
        })
        .stamped(self.level)
    }

    /// The array whose element `f(i)` is this one's element `i`; `f` must be a permutation.
    ///
    /// What is no permutation, or cannot be proved to be one at compile time, is an error. If it
    /// comes from data, `i.unchecked().distinct()` promises that it is one: see [`Exp::distinct`].
    #[track_caller]
    pub fn ix_map(&self, f: impl Fn(Exp<u32>) -> Exp<u32> + 'static) -> Push<L, T, S> {
        let (this, f, origin) = (self.clone(), Rc::new(f), here());
        Push::new(self.len(), move |write: Writer<T>| {
            let f = f.clone();
            this.write_to(Rc::new(move |x, i| {
                let program = write(x, f(i));
                Program::new(move |trace| indexed_at(origin, || program.run(trace)))
            }))
        })
        .stamped(self.level)
    }

    /// The same with another length, which the caller knows to be right: the paper's `setSize`.
    ///
    /// An element that is not written then, or written outside, is an error where the array is
    /// stored or becomes an output.
    pub fn set_len<Z: Length>(&self, len: Z) -> Push<L, T, Z> {
        let this = self.clone();
        Push::new(len, move |write| this.write_to(write)).stamped(self.level)
    }

    /// The same array, whose outermost loops are unrolled: see [`unroll`](crate::program::unroll).
    #[track_caller]
    pub fn unroll(&self, rounds: u32) -> Push<L, T, S> {
        let this = self.clone();
        // An invalid `rounds` is reported at this call, not where the array is pushed.
        let _ = unroll(rounds, pure::<L, ()>(()));
        let rounds = rounds.clamp(1, Unroll::MOST);
        Push::new(self.len(), move |write| {
            unroll(rounds, this.write_to(write))
        })
        .stamped(self.level)
    }

    /// A static array as one of dynamic length.
    pub fn to_dyn(&self) -> Push<L, T, Exp<u32>> {
        self.set_len(self.len.exp())
    }

    /// An array that is known to have `n` elements as one of static length.
    ///
    /// A launch checks that, where it knows the length.
    #[track_caller]
    pub fn from_dyn(&self, n: u32) -> Push<L, T, u32> {
        match self.len.exp().as_literal() {
            Some(length) if length != n => report(catalogue::other_length(length, n)),
            Some(_) => {}
            None => require_if_known(self.len.exp(), Constraint::Equal(lit(n).node())),
        }
        self.set_len(n)
    }

    /// This array and then another, as two loops.
    pub(crate) fn append_push(&self, other: &Self) -> Self {
        let (first, second) = (self.clone(), other.clone());
        let border = self.len.exp();
        Push::new(self.len.plus(&other.len), move |write: Writer<T>| {
            let shifted = write.clone();
            let rest = second.write_to(Rc::new(move |x, i| {
                shifted(x, crate::scalar::index::add(i, border))
            }));
            first.write_to(write).and_then(move |()| rest.clone())
        })
        .stamped(self.level.or(other.level))
    }
}

/// Arrays that can be pushed at level `L`: push arrays of that level, and pull arrays up to Block.
#[diagnostic::on_unimplemented(
    message = "this cannot be pushed at the level of the program",
    label = "{Self} is not an array of level {L}",
    note = "a push array can at its own level, a pull array at Thread, Warp and Block"
)]
pub trait IntoPush<L, T, S>: Clone + 'static {
    /// The array as a push array.
    fn into_push(self) -> Push<L, T, S>;
}

impl<L: Hierarchy, T: 'static, S: Length> IntoPush<L, T, S> for Push<L, T, S> {
    fn into_push(self) -> Push<L, T, S> {
        self
    }
}

// For every level, so that `compute` at Grid is one error, about `compute`, and not a second one
// about its argument.
impl<L: Hierarchy, T: 'static, S: Length> IntoPush<L, T, S> for Pull<T, S> {
    fn into_push(self) -> Push<L, T, S> {
        let push: Push<Block, T, S> = self.push();
        Push::new(self.len(), move |write| push.write_to(write).at_level())
    }
}
