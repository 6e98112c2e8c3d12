//! Races: two accesses of one place that nothing orders.
//!
//! What orders two accesses of a block is a wait that both threads took part in, after the one and
//! before the other; the order in which this room steps through threads orders nothing, and neither
//! do lanes of a warp run in lockstep. The number of waits of the block so far is its *epoch*; it
//! grows over the whole run, so that two accesses of one epoch are of one real block with no wait
//! of the block between. Within it two lanes of one warp are ordered if the number of their warp's
//! waits differs. (A chain through a third thread would need a wait of the block.)
//!
//! Two accesses *conflict* if they are by two threads, and one of them is a store, or one is atomic
//! and the other a read.
//!
//! For each cell it is enough to remember the last store and, of reads and of atomic operations,
//! two each (as in FastTrack, Flanagan and Freund 2009): two of different warps, because one of
//! them conflicts with the thread that stores next; or of one warp the last one and another lane's in the
//! same round between waits.
//!
//! Blocks never wait for each other, so two accesses of a buffer by different blocks are never
//! ordered, but where one of them is what the last block does. What counts is the *virtual* block: two of them may be worked through by one real
//! block, one after the other, and with another grid they are not. Two virtual threads or warps on
//! one real thread or warp are in order, and count as one: the plan is for this number of threads,
//! and may rely on it. Run the kernel with other numbers of threads to see the others.

use crate::ir::WARP;
use obsidian_base::counts::AccessKind;

/// Who accessed a cell, and when.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Mark {
    /// 0 for nobody.
    pub(super) epoch: u32,
    pub(super) warp_epoch: u32,
    pub(super) thread: u32,
    /// The virtual block.
    pub(super) block: u32,
    /// The last epoch of which all accesses, of any block, come before it.
    pub(super) after: u32,
    pub(super) site: u32,
    /// Which of the virtual threads of the real one it is.
    pub(super) round: u64,
}

impl Mark {
    fn same_warp(self, other: Mark) -> bool {
        self.thread / WARP == other.thread / WARP
    }

    /// Is this earlier access in no order with the present one?
    fn races(self, now: Mark) -> bool {
        let ordered = || {
            self.thread == now.thread || (self.same_warp(now) && self.warp_epoch != now.warp_epoch)
        };
        self.epoch == now.epoch && !ordered()
    }

    /// Is this earlier access of the same place in the kernel one by another virtual thread of the
    /// real one, with no barrier in between?
    pub(super) fn is_of_another_round(self, now: Mark) -> bool {
        let key = |mark: Mark| {
            (
                mark.epoch,
                mark.warp_epoch,
                mark.thread,
                mark.block,
                mark.site,
            )
        };
        key(self) == key(now) && self.round != now.round
    }

    /// Is it another block's?
    fn elsewhere(self, now: Mark) -> bool {
        self.epoch > now.after && self.block != now.block
    }
}

/// Accesses of one kind, which do not conflict with each other.
type Pair = [Mark; 2];

/// Remembers an access of the present epoch.
fn add(pair: &mut Pair, now: Mark) {
    let [first, second] = *pair;
    if first.epoch != now.epoch {
        *pair = [now, Mark::default()];
        return;
    }
    let two_warps = second.epoch == now.epoch && !second.same_warp(first);
    if two_warps {
        return;
    }
    if !first.same_warp(now) {
        pair[1] = now;
    } else if first.warp_epoch != now.warp_epoch {
        *pair = [now, Mark::default()];
    } else if first.thread != now.thread {
        pair[1] = now;
    }
}

/// Remembers an access of two different blocks.
fn add_block(pair: &mut Pair, now: Mark) {
    if pair[0].epoch == 0 {
        pair[0] = now;
    } else if pair[1].epoch == 0 && pair[0].block != now.block {
        pair[1] = now;
    }
}

/// Cells of a page: a run of a few blocks touches few pages of a large buffer.
const PAGE: usize = 1024;

/// One value for each of many cells. A page takes memory once a cell of it is changed; until then
/// its cells have the default value.
#[derive(Default)]
struct Paged<T> {
    cells: usize,
    pages: Vec<Option<Box<[T]>>>,
}

impl<T: Copy + Default> Paged<T> {
    /// A table with a number of cells; none if races are not looked for.
    fn new(cells: usize, wanted: bool) -> Self {
        let cells = if wanted { cells } else { 0 };
        Paged {
            cells,
            pages: vec![None; cells.div_ceil(PAGE)],
        }
    }

    /// What is remembered of the cell; none if that is nothing.
    #[inline]
    fn get(&self, cell: usize) -> Option<&T> {
        self.pages.get(cell / PAGE)?.as_ref()?.get(cell % PAGE)
    }

    /// The cell, to be changed; none where cells are not wanted.
    #[inline]
    fn get_mut(&mut self, cell: usize) -> Option<&mut T> {
        let page = self.pages.get_mut(cell / PAGE)?;
        let page = page.get_or_insert_with(|| vec![T::default(); PAGE].into_boxed_slice());
        page.get_mut(cell % PAGE)
    }
}

/// What is remembered of the cells of some memory; what cannot happen takes no space.
#[derive(Default)]
pub(super) struct Shadow {
    stores: Paged<Mark>,
    reads: Paged<Pair>,
    atomics: Paged<Pair>,
    /// The same over all blocks.
    block_reads: Paged<Pair>,
    block_atomics: Paged<Pair>,
    /// Is it a buffer, which several blocks see?
    blocks: bool,
}

impl Shadow {
    /// The history of `cells` cells. The flags say whether there are reads, atomic operations, several blocks.
    pub(super) fn new(cells: usize, reads: bool, atomics: bool, blocks: bool) -> Self {
        let pairs = |wanted: bool| Paged::new(cells, wanted);
        Shadow {
            stores: Paged::new(cells, true),
            reads: pairs(reads),
            atomics: pairs(atomics),
            block_reads: pairs(reads && blocks),
            block_atomics: pairs(atomics && blocks),
            blocks,
        }
    }

    /// Has anything been stored in the cell, by anybody?
    pub(super) fn is_stored(&self, cell: usize) -> bool {
        self.stores.get(cell).is_some_and(|store| store.epoch != 0)
    }

    /// The last store in the cell, if there is one.
    pub(super) fn last_store(&self, cell: usize) -> Option<Mark> {
        self.stores
            .get(cell)
            .copied()
            .filter(|store| store.epoch != 0)
    }

    /// The first cell in which nothing has been stored.
    pub(super) fn first_empty(&self) -> Option<usize> {
        (0..self.stores.cells).find(|cell| !self.is_stored(*cell))
    }

    /// Notes an access; an earlier one that it races with.
    #[inline]
    pub(super) fn access(&mut self, cell: usize, kind: AccessKind, now: Mark) -> Option<Mark> {
        let store = self.stores.get(cell);
        if let Some(store) =
            store.filter(|store| store.races(now) || self.blocks && store.elsewhere(now))
        {
            return Some(*store);
        }
        let (against_reads, against_atomics) = match kind {
            AccessKind::Read => (false, true),
            AccessKind::Write => (true, true),
            AccessKind::Atomic => (true, false),
        };
        let race = |pairs: &Paged<Pair>, blocks: &Paged<Pair>| {
            let near = pairs
                .get(cell)
                .into_iter()
                .flatten()
                .find(|mark| mark.races(now));
            near.or_else(|| {
                let mut others = blocks.get(cell).into_iter().flatten();
                others.find(|mark| mark.elsewhere(now))
            })
            .copied()
        };
        let found = if against_reads {
            race(&self.reads, &self.block_reads)
        } else {
            None
        };
        let found = found.or_else(|| {
            if against_atomics {
                race(&self.atomics, &self.block_atomics)
            } else {
                None
            }
        });
        if found.is_some() {
            return found;
        }
        match kind {
            AccessKind::Write => self
                .stores
                .get_mut(cell)
                .into_iter()
                .for_each(|store| *store = now),
            AccessKind::Read => {
                self.reads
                    .get_mut(cell)
                    .into_iter()
                    .for_each(|pair| add(pair, now));
                self.block_reads
                    .get_mut(cell)
                    .into_iter()
                    .for_each(|pair| add_block(pair, now));
            }
            AccessKind::Atomic => {
                self.atomics
                    .get_mut(cell)
                    .into_iter()
                    .for_each(|pair| add(pair, now));
                self.block_atomics
                    .get_mut(cell)
                    .into_iter()
                    .for_each(|pair| add_block(pair, now));
            }
        }
        None
    }
}
