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
    match total.as_literal() {
        Some(total) => distr_par(total.div_ceil(TILE), move |block| {
            tile(block, total.clamp(1, TILE), &extents, &outputs)
        }),
        None => {
            require(index::add(total, TILE - 1), Constraint::Fits);
            let rest = index::rem(total, TILE).min(1u32);
            let blocks = index::add(index::div(total, TILE), rest);
            distr_par(blocks, move |block| tile(block, TILE, &extents, &outputs))
        }
    }
}

fn tile(
    block: Exp<u32>,
    tile: u32,
    extents: &[Exp<u32>],
    outputs: &[Output],
) -> Program<Block, ()> {
    let (extents, outputs) = (extents.to_vec(), outputs.to_vec());
    let total = product(&extents);
    for_all(tile, move |i| {
        let number = index::add(index::mul(block, TILE), i);
        let (extents, outputs) = (extents.clone(), outputs.clone());
        let write = Program::new(move |trace: &mut Trace<Thread>| {
            let index = Index::numbered(number, &extents);
            note_below(&index.coordinates, &extents);
            write(&outputs, &index, number, trace);
        });
        let nothing: Program<Thread, ()> = pure(());
        match total.as_literal() {
            Some(total) if total % tile == 0 => write,
            _ => cond(number.lt(total), write, nothing),
        }
    })
}
