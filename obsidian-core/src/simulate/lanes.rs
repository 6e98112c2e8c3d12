//! The threads of a block that take part in something.

use std::rc::Rc;

use crate::ir::WARP;

/// Threads in order of their numbers, and where each warp's end.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    pub(super) threads: Vec<u32>,
    ends: Vec<u32>,
}

/// Threads that several steps take part with.
pub(super) type Active = Rc<Lanes>;

impl Lanes {
    /// Of threads in order.
    pub(super) fn new(threads: Vec<u32>) -> Active {
        let mut ends = Vec::new();
        for (n, pair) in threads.windows(2).enumerate() {
            if pair[0] / WARP != pair[1] / WARP {
                ends.push(n as u32 + 1);
            }
        }
        if !threads.is_empty() {
            ends.push(threads.len() as u32);
        }
        Rc::new(Lanes { threads, ends })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.threads.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.threads.len()
    }

    /// How many warps take part.
    pub(super) fn warps(&self) -> u64 {
        self.ends.len() as u64
    }

    /// Which of the threads are each warp's, as positions in the list.
    pub(super) fn each_warp(&self) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts
            .zip(&self.ends)
            .map(|(start, end)| start as usize..*end as usize)
    }

    /// Those for which something holds, and the others; they are themselves where all agree.
    pub(super) fn split(self: &Rc<Self>, holds: impl Fn(u32) -> bool) -> (Active, Active) {
        let (yes, no): (Vec<u32>, Vec<u32>) =
            self.threads.iter().partition(|thread| holds(**thread));
        match (yes.is_empty(), no.is_empty()) {
            (_, true) => (Rc::clone(self), Active::default()),
            (true, _) => (Active::default(), Rc::clone(self)),
            _ => (Lanes::new(yes), Lanes::new(no)),
        }
    }

    /// All threads of two sets that have none in common.
    pub(super) fn union(self: Rc<Self>, other: Active) -> Active {
        if self.is_empty() || other.is_empty() {
            return if self.is_empty() { other } else { self };
        }
        let mut threads: Vec<u32> = self.threads.iter().chain(&other.threads).copied().collect();
        threads.sort_unstable();
        Lanes::new(threads)
    }

    /// How many warps have threads in both.
    pub(super) fn warps_in_common(&self, other: &Lanes) -> u64 {
        let warps = |lanes: &Lanes| {
            lanes
                .each_warp()
                .map(|warp| lanes.threads[warp.start] / WARP)
                .collect::<Vec<_>>()
        };
        if self.is_empty() || other.is_empty() {
            return 0;
        }
        let others = warps(other);
        warps(self)
            .iter()
            .filter(|warp| others.binary_search(warp).is_ok())
            .count() as u64
    }
}
