//! Arrays each of whose elements is computed on its own.

use super::{Output, write};
use crate::array::require;
use crate::arrays::arr::product;
use crate::arrays::graph::note_below;
use crate::arrays::index::Index;
use crate::program::{Block, Grid, Program, Thread, Trace, cond, distr_par, for_all, pure};
use crate::scalar::{Constraint, Exp, index};

/// Elements of a block.
const TILE: u32 = 1024;

/// Writes arrays of some extents: blocks of 1,024 elements, each by one thread.
pub(in crate::arrays) fn generate(
    extents: Vec<Exp<u32>>,
    outputs: Vec<Output>,
) -> Program<Grid, ()> {
    let total = product(&extents);
    one_by_one(total, TILE, move |number| {
        let (extents, outputs) = (extents.clone(), outputs.clone());
        Program::new(move |trace: &mut Trace<Thread>| {
            let index = Index::numbered(number, &extents);
            note_below(&index.coordinates, &extents);
            write(&outputs, &index, number, trace);
        })
    })
}

/// Each number below `total` by one thread, `tile` of them by a block.
pub(super) fn one_by_one(
    total: Exp<u32>,
    tile: u32,
    each: impl Fn(Exp<u32>) -> Program<Thread, ()> + Clone + 'static,
) -> Program<Grid, ()> {
    by_tiles(total, tile, move |numbers| numbers.each(each.clone()))
}

/// The numbers below `total`, `tile` of them by a block.
pub(super) fn by_tiles(
    total: Exp<u32>,
    tile: u32,
    block: impl Fn(Numbers) -> Program<Block, ()> + 'static,
) -> Program<Grid, ()> {
    let of_block = move |number: Exp<u32>, own: u32| {
        let first = index::mul(number, tile);
        block(Numbers { first, own, total })
    };
    match total.as_literal() {
        Some(known) => distr_par(known.div_ceil(tile), move |number| {
            of_block(number, known.clamp(1, tile))
        }),
        None => {
            require(index::add(total, tile - 1), Constraint::Fits);
            // One block holds them, however many there are.
            if total.most() <= tile.into() {
                return distr_par(1, move |number| of_block(number, tile));
            }
            let rest = index::rem(total, tile).min(1u32);
            let blocks = index::add(index::div(total, tile), rest);
            distr_par(blocks, move |number| of_block(number, tile))
        }
    }
}

/// The numbers that a block has: `own` from `first` on, as far as they are below `total`.
#[derive(Clone, Copy)]
pub(super) struct Numbers {
    first: Exp<u32>,
    pub(super) own: u32,
    total: Exp<u32>,
}

impl Numbers {
    /// Each by one thread.
    pub(super) fn each(
        self,
        each: impl Fn(Exp<u32>) -> Program<Thread, ()> + 'static,
    ) -> Program<Block, ()> {
        self.each_numbered(move |_, number| each(number))
    }

    /// The same, with the place of each in the block.
    pub(super) fn each_numbered(
        self,
        each: impl Fn(Exp<u32>, Exp<u32>) -> Program<Thread, ()> + 'static,
    ) -> Program<Block, ()> {
        for_all(self.own, move |i| {
            let number = self.number(i);
            let (work, nothing) = (each(i, number), pure(()));
            match self.is_there(number) {
                None => work,
                Some(is_there) => cond(is_there, work, nothing),
            }
        })
    }

    /// The number at a place of the block.
    pub(super) fn number(self, place: Exp<u32>) -> Exp<u32> {
        index::add(self.first, place)
    }

    /// Is there such a number, if that is not certain?
    pub(super) fn is_there(self, number: Exp<u32>) -> Option<Exp<bool>> {
        match self.total.as_literal() {
            Some(total) if total % self.own == 0 => None,
            _ => Some(number.lt(self.total)),
        }
    }
}
