//! A device function for each element of a range.

use std::rc::Rc;

use super::counting::coordinates;
use super::tree::Num;
use super::values::Val;
use crate::array::{Push, Writer};
use crate::library::chunks::pieces;
use crate::program::{Block, Grid, Program, Thread, Trace, cond, distr_par, for_all, pure};
use crate::scalar::{Exp, index};

/// The elements that a block computes.
const EACH: u32 = 256;

/// The array whose elements are those of a range of one to three dimensions, the last one fastest: `f`
/// gives each by its coordinates, which have the type `num`.
pub fn range<T: 'static>(
    extents: &[Exp<u32>],
    num: Num,
    f: impl Fn(Val, &mut Trace<Thread>) -> T + 'static,
) -> Push<Grid, T, Exp<u32>> {
    let mut all = extents.iter().copied();
    let first = all.next().unwrap_or_else(|| crate::scalar::lit(1));
    let length = all.fold(first, index::mul);
    let (extents, f) = (extents.to_vec(), Rc::new(f));
    Push::new(length, move |write: Writer<T>| {
        let (extents, f) = (extents.clone(), f.clone());
        distr_par::<Grid>(pieces(&length, EACH), move |block| {
            let (extents, f, write) = (extents.clone(), f.clone(), write.clone());
            for_all::<Block>(EACH, move |thread| {
                let i = index::add(index::mul(block, EACH), thread);
                let (extents, f, write) = (extents.clone(), f.clone(), write.clone());
                let element = Program::<Thread, ()>::new(move |trace| {
                    let value = f(coordinates(i, &extents, num), trace);
                    write(value, i).run(trace);
                });
                cond(i.lt(length), element, pure(()))
            })
        })
    })
}
