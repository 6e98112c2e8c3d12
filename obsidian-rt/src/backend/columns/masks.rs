//! Which lanes of a strip take part.
//!
//! Operations without an effect are done for a whole range of lanes: what a lane has that does not
//! take part, nobody looks at. Loads, stores and changes of cells ask the mask.

use std::ops::Range;

/// Lanes of a strip.
#[derive(Clone, Debug, Default)]
pub(super) struct Mask {
    /// All lanes that take part are in this range; the first one of it does. It is empty where none does.
    pub(super) range: Range<usize>,
    /// Do all lanes of the range take part? Then `lanes` says nothing.
    pub(super) full: bool,
    /// By lane, inside of the range.
    pub(super) lanes: Vec<bool>,
}

impl Mask {
    pub(super) fn new(strip: usize) -> Self {
        Mask {
            range: 0..0,
            full: true,
            lanes: vec![false; strip],
        }
    }

    /// The first `count` lanes.
    pub(super) fn first(&mut self, count: usize) {
        self.range = 0..count;
        self.full = true;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.range.is_empty()
    }

    /// Calls `f` on each lane that takes part, in order.
    #[inline(always)]
    pub(super) fn try_each<E>(&self, mut f: impl FnMut(usize) -> Result<(), E>) -> Result<(), E> {
        if self.full {
            for lane in self.range.clone() {
                f(lane)?;
            }
        } else {
            for lane in self.range.clone() {
                if self.lanes[lane] {
                    f(lane)?;
                }
            }
        }
        Ok(())
    }

    /// The lanes of another mask.
    pub(super) fn set(&mut self, from: &Mask) {
        self.range = from.range.clone();
        self.full = from.full;
        if !from.full {
            let range = from.range.clone();
            self.lanes[range.clone()].copy_from_slice(&from.lanes[range]);
        }
    }

    /// The lanes of another mask where a column is as wanted.
    pub(super) fn set_where(&mut self, from: &Mask, column: &[bool], wanted: bool) {
        self.range = from.range.clone();
        self.full = false;
        let range = from.range.clone();
        let lanes = self.lanes[range.clone()].iter_mut();
        let chosen = &column[range.clone()];
        if from.full {
            lanes
                .zip(chosen)
                .for_each(|(lane, is)| *lane = *is == wanted);
        } else {
            let both = from.lanes[range].iter().zip(chosen);
            lanes
                .zip(both)
                .for_each(|(lane, (on, is))| *lane = *on & (*is == wanted));
        }
        self.shrink();
    }

    /// The lanes of another mask in a range, or those outside of it.
    pub(super) fn set_range(&mut self, from: &Mask, range: Range<usize>, wanted: bool) {
        self.set(from);
        let all = from.range.clone();
        let [start, end] = [range.start, range.end].map(|lane| lane.clamp(all.start, all.end));
        self.range = match wanted {
            true => start..end,
            false if start >= end => all,
            false if start == all.start => end..all.end,
            false if end == all.end => all.start..start,
            // In two pieces.
            false => return self.retain(|lane| !(start..end).contains(&lane)),
        };
        if self.range.is_empty() {
            self.clear();
        } else if !self.full {
            self.shrink();
        }
    }

    /// Keeps the lanes for which `keep` holds.
    pub(super) fn retain(&mut self, keep: impl Fn(usize) -> bool) {
        let range = self.range.clone();
        for lane in range {
            self.lanes[lane] = (self.full || self.lanes[lane]) && keep(lane);
        }
        self.full = false;
        self.shrink();
    }

    /// Leaves out the lanes of another mask.
    pub(super) fn remove(&mut self, others: &Mask) {
        let off = others.range.clone();
        self.retain(|lane| !(off.contains(&lane) && (others.full || others.lanes[lane])));
    }

    /// Leaves out the lanes from `end` on.
    pub(super) fn end_at(&mut self, end: usize) {
        self.range.end = self.range.end.min(end);
        if self.range.is_empty() {
            self.clear();
        }
    }

    /// No lanes.
    pub(super) fn clear(&mut self) {
        self.range = 0..0;
        self.full = true;
    }

    /// Makes the range as small as it can be.
    fn shrink(&mut self) {
        let lanes = &self.lanes[self.range.clone()];
        if all(lanes, true) {
            self.full = true;
            return;
        }
        if all(lanes, false) {
            return self.clear();
        }
        let first = lanes.iter().position(|on| *on);
        let last = lanes.iter().rposition(|on| *on);
        match (first, last) {
            (Some(first), Some(last)) => {
                self.full = all(&lanes[first..=last], true);
                self.range = self.range.start + first..self.range.start + last + 1;
            }
            _ => self.clear(),
        }
    }
}

/// Do all lanes take part, or none? Eight of them are one word.
fn all(lanes: &[bool], wanted: bool) -> bool {
    let words = lanes.chunks_exact(8);
    let rest = words.remainder().iter().all(|on| *on == wanted);
    let other = if wanted { EIGHT } else { 0 };
    let word = |eight: &[bool]| {
        let bytes = std::array::from_fn(|n| u8::from(eight[n]));
        u64::from_ne_bytes(bytes) ^ other
    };
    rest && words.fold(0, |any, eight| any | word(eight)) == 0
}

/// Eight lanes that take part.
const EIGHT: u64 = u64::from_ne_bytes([1; 8]);
