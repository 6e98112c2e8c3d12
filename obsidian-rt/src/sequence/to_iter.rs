//! Elements of a sequence as an iterator of Rust.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use obsidian_language::arrays::{Arr, HasInner};

use super::Sequence;
use super::consume::for_each;
use super::run::Steps;
use crate::arrays::{HostOf, Rank};
use crate::device::Device;
use crate::error::{Error, Result};

/// The numbers of the elements of a sequence, in order: see [`Sequence::to_iter`].
///
/// ```
/// use obsidian_rt::{Device, sequence::{Sequence, ToIter}};
///
/// let mut squares: ToIter<u64> = Sequence::from_iter(0u64..).map(|x| x * x).to_iter(&Device::cpu()).chunk(16);
/// assert_eq!(squares.nth(5).transpose()?, Some(25));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[must_use = "nothing is read before the iterator is asked"]
pub struct ToIter<'s, T> {
    state: State<'s>,
    given: Rc<RefCell<VecDeque<T>>>,
}

enum State<'s> {
    Ready(super::run::Consumed<'s, ()>, Device),
    Running(Box<Steps<'s>>),
    Ended,
}

impl<T> std::fmt::Debug for ToIter<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state = match &self.state {
            State::Ready(..) => "ready",
            State::Running(_) => "running",
            State::Ended => "ended",
        };
        f.debug_struct("ToIter")
            .field("state", &state)
            .finish_non_exhaustive()
    }
}

impl<T> ToIter<'_, T> {
    /// The number of elements in a chunk, of which one at a time is there: see [`Consumed::chunk`](super::Consumed::chunk). Later than the first
    /// element it changes nothing.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// let mut read = 0;
    /// let counted = Sequence::from_iter(std::iter::from_fn(|| { read += 1; Some(1u32) }));
    /// assert_eq!(counted.to_iter(&Device::cpu()).chunk(8).take(3).count(), 3);
    /// assert_eq!(read, 8); // one chunk, and not more
    /// ```
    pub fn chunk(mut self, elements: usize) -> Self {
        self.state = match self.state {
            State::Ready(run, device) => State::Ready(run.chunk(elements), device),
            other => other,
        };
        self
    }
}

impl<T> Iterator for ToIter<'_, T> {
    type Item = Result<T>;
    fn next(&mut self) -> Option<Result<T>> {
        loop {
            if let Some(element) = self.given.borrow_mut().pop_front() {
                return Some(Ok(element));
            }
            let stepped = match std::mem::replace(&mut self.state, State::Ended) {
                State::Ready(run, device) => run.steps(&device).map(|steps| Some(Box::new(steps))),
                State::Running(steps) => steps.step().map(|steps| steps.map(Box::new)),
                State::Ended => return None,
            };
            match stepped {
                Ok(Some(steps)) => self.state = State::Running(steps),
                // The last results may have been given.
                Ok(None) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl<'s, Sh: HasInner + Rank, T: HostOf> Sequence<'s, Arr<Sh, T>> {
    /// The elements as an iterator of Rust, in order; of rows, their numbers. Each is a `Result`, as reading and computing may fail, which ends it.
    ///
    /// Chunks are read and computed on the calling thread, when an element of them is asked for. One chunk at a time is there, so a sequence
    /// without an end has an iterator, too.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// let device = Device::cpu();
    /// let squares = Sequence::generate(1_000_000, |i| i).map(|x| x * x);
    /// let found = squares.to_iter(&device).find(|x| x.as_ref().map_or(true, |x| *x > 1000));
    /// assert_eq!(found.transpose()?, Some(1024));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn to_iter(self, device: &Device) -> ToIter<'s, T::Host>
    where
        T::Host: 's,
    {
        let given = Rc::new(RefCell::new(VecDeque::new()));
        let taken = given.clone();
        let run = self.consume(for_each(move |elements: &[T::Host]| {
            taken.borrow_mut().extend(elements.iter().copied());
            Ok::<(), Error>(())
        }));
        ToIter {
            state: State::Ready(run, device.clone()),
            given,
        }
    }
}
