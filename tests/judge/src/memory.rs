//! Cells of memory that remember who accessed them, and which accesses are ordered.

/// One access of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// The real block.
    pub block: u32,
    /// The thread in its block.
    pub thread: u32,
    /// Has its block come behind all others to where one of them goes on?
    pub is_last: bool,
    /// How many barriers of the block were before it.
    pub epoch: u32,
    /// How many barriers of its warp were before it.
    pub warp_epoch: u32,
    /// How often the lanes of its warp have taken values from each other before it.
    pub exchanges: u32,
    /// Which access of the text.
    pub site: usize,
}

/// How a cell is accessed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum How {
    /// Read.
    Read,
    /// Written.
    Write,
    /// Read and written in one step.
    Atomic,
}

impl Access {
    /// The number of its warp in the block.
    fn warp(&self) -> u32 {
        self.thread / 32
    }

    /// Have the lanes of one warp taken values from each other between the two?
    fn in_warp_before(&self, later: &Access) -> bool {
        let is_one = self.block == later.block && self.warp() == later.warp();
        is_one && self.exchanges < later.exchanges
    }

    /// Does it happen before `later`, which the machine runs after it?
    pub fn before(&self, later: &Access) -> bool {
        if later.is_last && self.block != later.block {
            return true;
        }
        self.block == later.block
            && (self.thread == later.thread
                || self.epoch < later.epoch
                || (self.warp() == later.warp() && self.warp_epoch < later.warp_epoch))
    }
}

/// Unordered accesses of a kind, as many as can matter.
///
/// One that happens before another need not be kept: what is unordered with it is unordered with
/// the other. So all that are kept are unordered among themselves. Of more than a warp's lanes two
/// are of different warps or blocks, and whatever is unordered with one more is unordered with one
/// of these; so no more are kept.
#[derive(Clone, Default, Debug)]
struct Several(Vec<Access>);

impl Several {
    const MOST: usize = 33;

    fn add(&mut self, access: Access) {
        self.0.retain(|earlier| !earlier.before(&access));
        if self.0.len() < Several::MOST {
            self.0.push(access);
        }
    }
}

/// What is remembered of one place in memory.
#[derive(Clone, Default, Debug)]
pub struct Cell {
    write: Option<Access>,
    reads: Several,
    atomics: Several,
}

impl Cell {
    /// Notes an access; gives every earlier one that it conflicts with and that does not happen
    /// before it. `commute` says whether two atomic operations do, and `is_used` whether the old value of one is used: then an exchange of its
    /// warp orders it with later ones.
    pub fn access(
        &mut self,
        how: How,
        now: Access,
        commute: impl Fn(usize, usize) -> bool,
        is_used: impl Fn(usize) -> bool,
    ) -> Vec<(How, Access)> {
        let unordered = |list: &[Access], of: How| {
            list.iter()
                .filter(|earlier| !earlier.before(&now))
                .map(|earlier| (of, *earlier))
                .collect::<Vec<_>>()
        };
        let mut found = unordered(self.write.as_slice(), How::Write);
        if how != How::Read {
            found.extend(unordered(&self.reads.0, How::Read));
        }
        let mut atomics = unordered(&self.atomics.0, How::Atomic);
        if how == How::Atomic {
            atomics.retain(|(_, earlier)| {
                let is_taken = is_used(earlier.site) && earlier.in_warp_before(&now);
                !is_taken && !commute(earlier.site, now.site)
            });
        }
        found.extend(atomics);
        match how {
            How::Read => self.reads.add(now),
            How::Atomic => self.atomics.add(now),
            // What is unordered with an earlier access is unordered with this write, or was
            // reported.
            How::Write => {
                *self = Cell {
                    write: Some(now),
                    ..Cell::default()
                }
            }
        }
        found
    }

    /// Has anybody written it?
    pub fn is_written(&self) -> bool {
        self.write.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(block: u32, thread: u32, epoch: u32, warp_epoch: u32) -> Access {
        Access {
            block,
            thread,
            is_last: false,
            epoch,
            warp_epoch,
            exchanges: warp_epoch,
            site: 0,
        }
    }

    #[test]
    fn barriers_and_program_order_order() {
        let first = at(0, 3, 2, 5);
        for (later, ordered) in [
            (at(0, 3, 2, 5), true),
            (at(0, 4, 2, 5), false),
            (at(0, 4, 2, 6), true),
            (at(0, 40, 2, 6), false),
            (at(0, 40, 3, 0), true),
            (at(1, 3, 9, 9), false),
        ] {
            assert_eq!(first.before(&later), ordered, "{later:?}");
        }
    }

    #[test]
    fn a_write_conflicts_with_one_of_many_reads() {
        let mut cell = Cell::default();
        for thread in 0..1024 {
            assert_eq!(
                cell.access(How::Read, at(0, thread, 1, 1), |_, _| true, |_| false),
                []
            );
        }
        // The writer's own read is not one of them, nor are those of its warp an epoch ago.
        let found = cell.access(How::Write, at(0, 31, 1, 2), |_, _| true, |_| false);
        assert!(!found.is_empty() && found.iter().all(|(_, a)| a.warp() == 1));
        assert_eq!(
            cell.access(How::Read, at(0, 8, 2, 2), |_, _| true, |_| false),
            []
        );
    }

    #[test]
    fn old_values_that_lanes_have_taken_order_atomics_and_nothing_else() {
        let never = |_: usize, _: usize| false;
        let later = Access {
            exchanges: 1,
            ..at(0, 1, 0, 0)
        };
        for (is_used, next, found) in [
            (true, later, 0),
            (false, later, 1),
            (true, at(0, 1, 0, 0), 1),
            (
                true,
                Access {
                    thread: 32,
                    ..later
                },
                1,
            ),
            (true, Access { block: 1, ..later }, 1),
        ] {
            let mut cell = Cell::default();
            cell.access(How::Atomic, at(0, 0, 0, 0), never, |_| is_used);
            assert_eq!(
                cell.clone()
                    .access(How::Read, next, never, |_| is_used)
                    .len(),
                1
            );
            let conflicts = cell.access(How::Atomic, next, never, |_| is_used);
            assert_eq!(conflicts.len(), found, "{is_used} {next:?}");
        }
    }

    #[test]
    fn atomics_conflict_with_plain_accesses_and_with_those_of_another_kind() {
        let mut cell = Cell::default();
        let commute = |x: usize, y: usize| x == y;
        let other = Access {
            site: 1,
            ..at(0, 2, 0, 0)
        };
        assert_eq!(
            cell.access(How::Atomic, at(0, 0, 0, 0), commute, |_| false),
            []
        );
        assert_eq!(
            cell.access(How::Atomic, at(0, 1, 0, 0), commute, |_| false),
            []
        );
        assert_eq!(cell.access(How::Atomic, other, commute, |_| false).len(), 2);
        assert_eq!(
            cell.access(How::Read, at(0, 3, 0, 0), commute, |_| false)
                .len(),
            3
        );
        assert_eq!(
            cell.access(How::Read, at(0, 3, 1, 0), commute, |_| false),
            []
        );
    }
}
