//! What a kernel did that it must not do.

use std::fmt;

use super::access::Access;
use crate::error::Origin;

/// What is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FaultKind {
    /// The arguments are not those of the kernel.
    Arguments,
    /// An index is outside of its array.
    Bounds,
    /// Not all threads of a unit reach its wait.
    Divergence,
    /// Exact index arithmetic left its range or divided by 0, and what comes of it is used.
    Inexact,
    /// A loop does not end.
    Endless,
    /// An assertion of the user's does not hold.
    Assertion,
    /// An array lies outside of shared memory, or nowhere.
    Layout,
    /// Two threads access one place, one of them to change it, and no wait orders them.
    Race,
    /// An element is written twice: of an output, or at an index that the user promises to be
    /// distinct.
    WrittenTwice,
    /// Nothing has written an element of an output.
    NeverWritten,
    /// An element is read in which nothing has been stored since its array began.
    Uninitialised,
}

/// One fault: what, where, and by whom.
#[derive(Clone, PartialEq, Eq)]
pub struct Fault(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
pub(super) struct Inner {
    pub(super) kind: FaultKind,
    pub(super) message: String,
    pub(super) array: Option<String>,
    pub(super) index: Option<u64>,
    pub(super) length: Option<u64>,
    pub(super) block: u32,
    pub(super) thread: Option<u32>,
    pub(super) origin: Origin,
    pub(super) race: Option<[Access; 2]>,
}

impl Fault {
    pub(super) fn new(kind: FaultKind, message: impl Into<String>) -> Self {
        Fault(Box::new(Inner {
            kind,
            message: message.into(),
            array: None,
            index: None,
            length: None,
            block: 0,
            thread: None,
            origin: Origin::UNKNOWN,
            race: None,
        }))
    }

    /// The same with more known about it.
    pub(super) fn with(mut self, f: impl FnOnce(&mut Inner)) -> Self {
        f(&mut self.0);
        self
    }

    /// What is wrong.
    pub fn kind(&self) -> FaultKind {
        self.0.kind
    }

    /// The array, for faults of an access.
    pub fn array(&self) -> Option<&str> {
        self.0.array.as_deref()
    }

    /// The index that was used.
    pub fn index(&self) -> Option<u64> {
        self.0.index
    }

    /// The number of elements of the array.
    pub fn length(&self) -> Option<u64> {
        self.0.length
    }

    /// The real block.
    pub fn block(&self) -> u32 {
        self.0.block
    }

    /// The thread in its block, if it is one thread's fault.
    pub fn thread(&self) -> Option<u32> {
        self.0.thread
    }

    /// The user's place, as far as it is known.
    pub fn origin(&self) -> Origin {
        self.0.origin
    }

    /// The two accesses of a race, in the order in which they were found.
    pub fn race(&self) -> Option<&[Access; 2]> {
        self.0.race.as_ref()
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner {
            kind,
            message,
            block,
            thread,
            race,
            ..
        } = self.0.as_ref();
        f.write_str(message)?;
        let of_two_blocks = race
            .as_ref()
            .is_some_and(|[first, second]| first.block != second.block);
        match (kind, thread) {
            (FaultKind::Arguments | FaultKind::NeverWritten | FaultKind::WrittenTwice, _) => Ok(()),
            _ if of_two_blocks => Ok(()),
            (_, Some(thread)) => write!(f, ", in thread {thread} of block {block}"),
            (_, None) => write!(f, ", in block {block}"),
        }
    }
}

impl fmt::Debug for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fault({:?}: {self})", self.0.kind)
    }
}

impl std::error::Error for Fault {}
