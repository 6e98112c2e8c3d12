//! Accesses of several neighbouring elements at once.

use super::{Effect, Physical, Stage, Statement};
use crate::error::Origin;
use crate::scalar::{ArrayId, NodeId};

/// Bytes of the widest access. Buffers are asked for this alignment, see
/// [`Special::Aligned`](crate::scalar::Special::Aligned).
pub const WIDEST: u32 = 16;

/// Which way the elements of a [`Wide`] access go.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Direction {
    /// From memory into registers.
    Load,
    /// From registers into memory.
    Store,
}

/// One access of as many elements as a held array has: elements `index`, `index + 1`, .. of an array
/// in memory on one side, and all elements of the held array on the other.
///
/// `index` is a multiple of the number of elements, and their bytes are 4, 8 or 16. It is equivalent to
/// an unconditional access of each element.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Wide {
    /// Load or store.
    pub direction: Direction,
    /// Shared, or a parameter whose role allows it.
    pub array: ArrayId,
    /// The first of the elements, `u32`.
    pub index: NodeId,
    /// Of the same type; its length is the number of elements.
    pub held: ArrayId,
    /// The user's place.
    pub origin: Origin,
}

impl Direction {
    /// Both.
    pub const ALL: [Direction; 2] = [Direction::Load, Direction::Store];

    /// The word of the statement in a kernel's text.
    pub const fn word(self) -> &'static str {
        match self {
            Direction::Load => "wide_load",
            Direction::Store => "wide_store",
        }
    }
}

impl Wide {
    /// The array that is written.
    pub fn writes(&self) -> ArrayId {
        match self.direction {
            Direction::Load => self.held,
            Direction::Store => self.array,
        }
    }

    /// The statement.
    pub fn statement(self) -> Statement<Physical> {
        Statement::Wide((), self)
    }
}

impl<S: Stage> Statement<S> {
    /// The wide access that the statement is, if it is one.
    pub fn wide(&self) -> Option<&Wide> {
        let Effect::AccessesWide(wide) = self.effect() else {
            return None;
        };
        Some(wide)
    }
}
