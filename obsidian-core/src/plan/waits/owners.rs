//! Which thread accesses each element of an array, if it is one.
//!
//! A table has an entry for each element's place in the memory of the block, copies of warps included, so that arrays which use
//! the same memory one after the other can be compared.

use std::collections::BTreeMap;

use super::lanes::Lanes;
use crate::ir::{Level, WARP};
use crate::plan::columns::Column;

/// Nobody, that is.
const NONE: u16 = u16::MAX;
/// More than one thread.
const SEVERAL: u16 = u16::MAX - 1;

/// The threads that access an array in some way; each entry is a thread, [`NONE`], or [`SEVERAL`].
#[derive(Clone, Debug)]
pub(super) struct Owners {
    /// Where the first element lies, in bytes.
    start: u32,
    /// Bytes of an element.
    width: u32,
    /// Elements from one warp's copy to the next; 0 for an array of the block.
    stride: u32,
    /// Elements of one copy.
    length: u32,
    threads: Vec<u16>,
}

impl Owners {
    /// Nobody yet. `end` is where the last copy ends, `stride` the bytes from copy to copy, and `length` the elements of a copy.
    pub(super) fn nobody([start, end]: [u32; 2], width: u32, stride: u32, length: u32) -> Self {
        let width = width.max(1);
        Owners { start, width, stride: stride / width, length, threads: vec![NONE; (end.saturating_sub(start) / width) as usize] }
    }

    /// A buffer, all of which is one entry.
    pub(super) fn of_buffer() -> Self {
        Owners { start: 0, width: 1, stride: 0, length: 1, threads: vec![NONE] }
    }

    /// Every lane accesses the element of an index; an index outside of the array is no access.
    pub(super) fn access(&mut self, lanes: &Lanes<'_>, index: &Column) {
        for lane in 0..lanes.len() {
            let (thread, element) = (lanes.thread(lane), index.at(lane));
            if element < u64::from(self.length) {
                self.add(self.copy(thread) + element as u32, thread as u16);
            }
        }
    }

    /// Every lane may access any element.
    pub(super) fn access_any(&mut self, lanes: &Lanes<'_>) {
        let mut owners: BTreeMap<u32, u16> = BTreeMap::new();
        for thread in (0..lanes.len()).map(|lane| lanes.thread(lane)) {
            let owner = owners.entry(self.copy(thread)).or_insert(NONE);
            *owner = both(*owner, thread as u16);
        }
        for (copy, owner) in owners {
            (copy..copy + self.length).for_each(|entry| self.add(entry, owner));
        }
    }

    /// The first entry of a thread's copy.
    fn copy(&self, thread: u32) -> u32 {
        thread / WARP * self.stride
    }

    fn add(&mut self, entry: u32, owner: u16) {
        if let Some(known) = self.threads.get_mut(entry as usize) {
            *known = both(*known, owner);
        }
    }

    /// May two threads of a scope access one byte, one of them as here and the other one as there?
    pub(super) fn meet(&self, other: &Owners, scope: Level) -> bool {
        let (start, end) = (self.start.max(other.start), self.end().min(other.end()));
        let step = self.width.min(other.width) as usize;
        (start..end).step_by(step).any(|byte| are_apart(self.at(byte), other.at(byte), scope))
    }

    fn end(&self) -> u32 {
        self.start + self.threads.len() as u32 * self.width
    }

    fn at(&self, byte: u32) -> u16 {
        self.threads.get(((byte - self.start) / self.width) as usize).copied().unwrap_or(NONE)
    }
}

/// The owner of what two have accessed.
fn both(a: u16, b: u16) -> u16 {
    match (a, b) {
        (NONE, other) | (other, NONE) => other,
        _ if a == b => a,
        _ => SEVERAL,
    }
}

/// Are there two different threads of one unit of the scope?
fn are_apart(a: u16, b: u16, scope: Level) -> bool {
    let warp = |thread: u16| u32::from(thread) / WARP;
    match (a, b) {
        (NONE, _) | (_, NONE) => false,
        (SEVERAL, _) | (_, SEVERAL) => true,
        _ => a != b && (scope != Level::Warp || warp(a) == warp(b)),
    }
}
