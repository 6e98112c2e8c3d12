//! Which thread accesses each element of an array, if it is one.
//!
//! A table has an entry for each element's place in the memory of the block, copies of warps
//! included, so that arrays which use the same memory one after the other can be compared.

use super::columns::Column;
use super::lanes::Lanes;
use crate::ir::{Level, WARP};
use crate::ordered::Map;

/// Who accesses an element: a thread and its warp, each by its number, so that many can be compared at once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Owner {
    thread: u16,
    warp: u16,
}

/// Elements that are compared before it is asked whether one of them is found.
const RUN: usize = 64;

/// Stands for several threads, or warps; no block has a thread with this number.
const SEVERAL: u16 = u16::MAX;

impl Owner {
    const NOBODY: Owner = Owner {
        thread: SEVERAL - 1,
        warp: SEVERAL - 1,
    };

    fn thread(thread: u32) -> Owner {
        Owner {
            thread: thread as u16,
            warp: (thread / WARP) as u16,
        }
    }

    /// The owner of what two have accessed.
    fn and(self, other: Owner) -> Owner {
        match (self, other) {
            (Owner::NOBODY, other) | (other, Owner::NOBODY) => other,
            _ if self == other => self,
            _ => Owner {
                thread: SEVERAL,
                warp: match self.warp == other.warp {
                    true => self.warp,
                    false => SEVERAL,
                },
            },
        }
    }

    /// May there be a thread of the one and another one of the other, in one warp or in different
    /// warps?
    ///
    /// What happens in different warps is kept apart by waits of the block only, what happens in
    /// one warp also by its own.
    fn is_apart(self, other: Owner, scope: Level) -> bool {
        let both = (self != Owner::NOBODY) & (other != Owner::NOBODY);
        let several = (self.warp == SEVERAL) | (other.warp == SEVERAL);
        let one_warp = self.warp == other.warp;
        let threads = (self.thread != other.thread) | (self.thread == SEVERAL);
        let apart = match scope {
            Level::Warp => one_warp & threads,
            _ => !one_warp,
        };
        both & (several | apart)
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
            owners: vec![Owner::NOBODY; (end.saturating_sub(start) / width) as usize],
        }
    }

    /// A buffer, all of which is one entry.
    pub(super) fn of_buffer() -> Self {
        Owners {
            start: 0,
            width: 1,
            stride: 0,
            length: 1,
            owners: vec![Owner::NOBODY],
        }
    }

    /// Every lane accesses the element of an index; an index outside of the array is no access.
    pub(super) fn access(&mut self, lanes: &Lanes<'_>, index: &Column) {
        if let (Column::Each(threads), Column::Each(index)) = (lanes.threads(), index) {
            for (thread, element) in threads.iter().zip(&**index) {
                self.one(*thread as u32, *element);
            }
            return;
        }
        for lane in 0..lanes.len() {
            self.one(lanes.thread(lane), index.at(lane));
        }
    }

    fn one(&mut self, thread: u32, element: u64) {
        if element < u64::from(self.length) {
            self.add(self.copy(thread) + element as u32, Owner::thread(thread));
        }
    }

    /// Every lane may access any element.
    pub(super) fn access_any(&mut self, lanes: &Lanes<'_>) {
        let mut owners: Map<u32, Owner> = Map::new();
        for thread in (0..lanes.len()).map(|lane| lanes.thread(lane)) {
            let owner = owners.entry(self.copy(thread)).or_insert(Owner::NOBODY);
            *owner = owner.and(Owner::thread(thread));
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
            // Many at once, without a branch for each.
            let runs = here.chunks(RUN).zip(there.chunks(RUN));
            let any = |(here, there): (&[Owner], &[Owner])| {
                let both = here.iter().zip(there);
                both.fold(false, |any, (own, other)| any | own.is_apart(*other, scope))
            };
            return runs.into_iter().any(any);
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
            .unwrap_or(Owner::NOBODY)
    }
}
