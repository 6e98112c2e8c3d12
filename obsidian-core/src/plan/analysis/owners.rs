//! Which thread accesses each element of an array, if it is one.
//!
//! A table has an entry for each element's place in the memory of the block, copies of warps
//! included, so that arrays which use the same memory one after the other can be compared.

use std::collections::BTreeMap;

use super::columns::Column;
use super::lanes::Lanes;
use crate::ir::{Level, WARP};

/// Who accesses an element.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Owner {
    Nobody,
    Thread(u16),
    /// Two threads or more of one warp.
    Warp(u16),
    /// Threads of two warps or more.
    Several,
}

impl Owner {
    /// The warp of all threads, if it is one.
    fn warp(self) -> Option<u16> {
        match self {
            Owner::Thread(thread) => Some(thread / WARP as u16),
            Owner::Warp(warp) => Some(warp),
            Owner::Nobody | Owner::Several => None,
        }
    }

    /// The owner of what two have accessed.
    fn and(self, other: Owner) -> Owner {
        match (self, other) {
            (Owner::Nobody, other) | (other, Owner::Nobody) => other,
            _ if self == other => self,
            _ => self
                .warp()
                .filter(|_| self.warp() == other.warp())
                .map_or(Owner::Several, Owner::Warp),
        }
    }

    /// May there be a thread of the one and another one of the other, in one warp or in different
    /// warps?
    ///
    /// What happens in different warps is kept apart by waits of the block only, what happens in
    /// one warp also by its own.
    fn is_apart(self, other: Owner, scope: Level) -> bool {
        match (self.warp(), other.warp()) {
            _ if self == Owner::Nobody || other == Owner::Nobody => false,
            (Some(a), Some(b)) if scope == Level::Warp => {
                a == b && (self != other || !matches!(self, Owner::Thread(_)))
            }
            (Some(a), Some(b)) => a != b,
            _ => true,
        }
    }
}

/// The threads that access an array in some way.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Owners {
    /// Where the first element lies, in bytes.
    start: u32,
    /// Bytes of an element.
    width: u32,
    /// Elements from one warp's copy to the next; 0 for an array of the block.
    stride: u32,
    /// Elements of one copy.
    length: u32,
    owners: Vec<Owner>,
}

impl Owners {
    /// Nobody yet. `end` is where the last copy ends, `stride` the bytes from copy to copy, and
    /// `length` the elements of a copy.
    pub(super) fn nobody([start, end]: [u32; 2], width: u32, stride: u32, length: u32) -> Self {
        let width = width.max(1);
        Owners {
            start,
            width,
            stride: stride / width,
            length,
            owners: vec![Owner::Nobody; (end.saturating_sub(start) / width) as usize],
        }
    }

    /// A buffer, all of which is one entry.
    pub(super) fn of_buffer() -> Self {
        Owners {
            start: 0,
            width: 1,
            stride: 0,
            length: 1,
            owners: vec![Owner::Nobody],
        }
    }

    /// Every lane accesses the element of an index; an index outside of the array is no access.
    pub(super) fn access(&mut self, lanes: &Lanes<'_>, index: &Column) {
        for lane in 0..lanes.len() {
            let (thread, element) = (lanes.thread(lane), index.at(lane));
            if element < u64::from(self.length) {
                self.add(
                    self.copy(thread) + element as u32,
                    Owner::Thread(thread as u16),
                );
            }
        }
    }

    /// Every lane may access any element.
    pub(super) fn access_any(&mut self, lanes: &Lanes<'_>) {
        let mut owners: BTreeMap<u32, Owner> = BTreeMap::new();
        for thread in (0..lanes.len()).map(|lane| lanes.thread(lane)) {
            let owner = owners.entry(self.copy(thread)).or_insert(Owner::Nobody);
            *owner = owner.and(Owner::Thread(thread as u16));
        }
        for (copy, owner) in owners {
            (copy..copy + self.length).for_each(|entry| self.add(entry, owner));
        }
    }

    /// The first entry of a thread's copy.
    fn copy(&self, thread: u32) -> u32 {
        thread / WARP * self.stride
    }

    fn add(&mut self, entry: u32, owner: Owner) {
        if let Some(known) = self.owners.get_mut(entry as usize) {
            *known = known.and(owner);
        }
    }

    /// May two threads access one byte, one of them as here and the other one as there: of one
    /// warp, or of different warps?
    pub(super) fn meet(&self, other: &Owners, scope: Level) -> bool {
        let (start, end) = (self.start.max(other.start), self.end().min(other.end()));
        if let (Some(here), Some(there)) = (self.from(start), other.from(start))
            && self.width == other.width
        {
            return here
                .iter()
                .zip(there)
                .any(|(own, other)| own.is_apart(*other, scope));
        }
        let step = self.width.min(other.width) as usize;
        (start..end)
            .step_by(step)
            .any(|byte| self.at(byte).is_apart(other.at(byte), scope))
    }

    /// The owners from the element on that begins at a byte, if one does.
    fn from(&self, byte: u32) -> Option<&[Owner]> {
        let (element, rest) = (
            (byte - self.start) / self.width,
            (byte - self.start) % self.width,
        );
        self.owners.get(element as usize..).filter(|_| rest == 0)
    }

    /// How many elements there are.
    pub(super) fn len(&self) -> usize {
        self.owners.len()
    }

    fn end(&self) -> u32 {
        self.start + self.owners.len() as u32 * self.width
    }

    fn at(&self, byte: u32) -> Owner {
        self.owners
            .get(((byte - self.start) / self.width) as usize)
            .copied()
            .unwrap_or(Owner::Nobody)
    }
}
