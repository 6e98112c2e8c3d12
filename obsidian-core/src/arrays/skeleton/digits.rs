//! One pass of an LSD radix sort: a stable order by one digit.
//!
//! ```text
//! counts    a block counts the digits of a piece                       count_digits
//! offsets   a scan of the counts, digit by digit                       (a scan of the program)
//! places    a block gives each element of a piece its place            find_places
//! ```
//!
//! A piece is 8,192 elements. Each of 32 threads has 256 of them, one after the other, and counters of its own, so that no two threads
//! change one, and equal digits keep their order.

use super::{Output, write};
use crate::array::require;
use crate::arrays::graph::{Kind, NodeNumber, extents_of, graph, keep, note_below};
use crate::arrays::index::Index;
use crate::arrays::pieces::{BINS, OWN, PIECE, THREADS, pieces_of_digits};
use crate::library::{Mutable, new_shared_mutable};
use crate::program::{
    Block, Grid, Program, Thread, Trace, assign_cell, declare, distr_par, for_all, get_cell, scope,
    seq_for,
};
use crate::scalar::{Constraint, Exp, ScalarType, index, lit};

type Counters = Mutable<Exp<u32>, u32>;

/// Where a thread has its counter of a digit.
fn counter(thread: Exp<u32>, digit: Exp<u32>) -> Exp<u32> {
    index::add(index::mul(thread, BINS), digit)
}

/// Counts the digits of a piece: `counted` is told each element, and how many of its digit its thread has had before.
fn count_up(
    digits: NodeNumber,
    n: Exp<u32>,
    piece: Exp<u32>,
    counters: &Counters,
    counted: impl Fn(&Index, Exp<u32>, &mut Trace<Thread>) + Clone + 'static,
) -> Program<Block, ()> {
    let counters = counters.clone();
    for_all(THREADS, move |thread| {
        let (counters, counted) = (counters.clone(), counted.clone());
        let first = index::add(index::mul(piece, PIECE), index::mul(thread, OWN));
        let own = index::sub(n, first.min(n)).min(OWN);
        seq_for(own, move |i| {
            let (counters, counted) = (counters.clone(), counted.clone());
            Program::new(move |trace: &mut Trace<Thread>| {
                let coordinates = vec![index::add(first, i)];
                note_below(&coordinates, &[n]);
                let index = Index::of(coordinates);
                let Some(node) = graph(|graph| graph.node(digits)).flatten() else {
                    return;
                };
                let digit = (node.element)(&index).0.first().and_then(|d| d.typed());
                let Some(digit) = digit else {
                    return;
                };
                // Each thread has counters of its own.
                let place = counter(thread, digit & (BINS - 1)).distinct();
                let before = counters.read(place).run(trace);
                counters.write(place, index::add(before, 1)).run(trace);
                counted(&index, before, trace);
            })
        })
    })
}

/// Runs `f` for the counters of a digit, by the order of their threads, with a sum that it changes.
fn by_digit(
    digit: Exp<u32>,
    first: Exp<u32>,
    trace: &mut Trace<Thread>,
    f: impl Fn(Exp<u32>, Exp<u32>, &mut Trace<Thread>) -> Exp<u32> + Clone + 'static,
) -> Exp<u32> {
    let sum = declare(first.any()).run(trace);
    let read = move |trace: &mut Trace<Thread>| {
        let value = get_cell(sum, ScalarType::U32).run(trace);
        value.typed().unwrap_or_else(Exp::poison)
    };
    seq_for(THREADS, move |thread| {
        let f = f.clone();
        Program::new(move |trace: &mut Trace<Thread>| {
            let before = read(trace);
            let next = f(counter(thread, digit), before, trace);
            assign_cell(sum, next.any()).run(trace);
        })
    })
    .run(trace);
    read(trace)
}

/// Counts the digits of each piece.
pub(in crate::arrays) fn count_digits(
    digits: NodeNumber,
    n: Exp<u32>,
    outputs: Vec<Output>,
) -> Program<Grid, ()> {
    require(index::add(n, PIECE - 1), Constraint::Fits);
    let pieces = pieces_of_digits(n);
    let arrays = outputs
        .iter()
        .flat_map(|(_, arrays)| arrays.iter().copied());
    crate::scalar::session(|s| s.tables.written_whole.extend(arrays));
    distr_par(pieces, move |piece| {
        let outputs = outputs.clone();
        new_shared_mutable(BINS * THREADS, lit(0u32)).and_then(move |counters: Counters| {
            let outputs = outputs.clone();
            count_up(digits, n, piece, &counters, |_, _, _| {}).and_then(move |()| {
                let (counters, outputs) = (counters.clone(), outputs.clone());
                for_all(BINS, move |digit| {
                    let (counters, outputs) = (counters.clone(), outputs.clone());
                    Program::new(move |trace: &mut Trace<Thread>| {
                        let counters = counters.clone();
                        let total = by_digit(digit, lit(0), trace, move |at, sum, trace| {
                            index::add(sum, counters.read(at).run(trace))
                        });
                        let place = index::add(index::mul(digit, pieces), piece);
                        let place = place.unchecked().distinct();
                        for array in outputs.iter().flat_map(|(_, arrays)| arrays) {
                            crate::array::store_any(*array, place, total.any(), trace);
                        }
                    })
                })
            })
        })
    })
}

/// Gives each element its place, and writes what is made of it.
pub(in crate::arrays) fn find_places(
    digits: NodeNumber,
    n: Exp<u32>,
    each: Vec<Output>,
) -> Program<Grid, ()> {
    require(index::add(n, PIECE - 1), Constraint::Fits);
    let pieces = pieces_of_digits(n);
    let arrays = each.iter().flat_map(|(_, arrays)| arrays.iter().copied());
    crate::scalar::session(|s| s.tables.written_whole.extend(arrays));
    let nodes = graph(|graph| {
        let mut all = graph.nodes.iter().enumerate();
        all.find_map(|(number, node)| match node.kind {
            Kind::Place {
                digits: own,
                offsets,
            } if own == digits => Some((number, offsets)),
            _ => None,
        })
    });
    let (own, offsets) = nodes.flatten().unwrap_or((digits, digits));
    distr_par(pieces, move |piece| {
        let each = each.clone();
        new_shared_mutable(BINS * THREADS, lit(0u32)).and_then(move |counters: Counters| {
            let (each, later) = (each.clone(), counters.clone());
            let counted = count_up(digits, n, piece, &counters, |_, _, _| {});
            let begun = counted.and_then(move |()| {
                let counters = counters.clone();
                for_all(BINS, move |digit| {
                    let counters = counters.clone();
                    Program::new(move |trace: &mut Trace<Thread>| {
                        let counters = counters.clone();
                        let coordinates = vec![index::add(index::mul(digit, pieces), piece)];
                        note_below(&coordinates, &extents_of(offsets));
                        let found = graph(|graph| graph.node(offsets)).flatten();
                        let first = found.and_then(|node| {
                            let fields = (node.element)(&Index::of(coordinates));
                            fields.0.first().and_then(|first| first.typed())
                        });
                        let first = first.unwrap_or_else(|| lit(0));
                        by_digit(digit, first, trace, move |at, place, trace| {
                            let count = counters.read(at).run(trace);
                            counters.write(at, place).run(trace);
                            index::add(place, count)
                        });
                    })
                })
            });
            begun.and_then(move |()| {
                let each = each.clone();
                count_up(digits, n, piece, &later, move |index, place, trace| {
                    keep(
                        own,
                        index.key(),
                        scope(),
                        crate::arrays::any::AnyElement(vec![place.any()]),
                    );
                    write(&each, index, index.number(&[n]).distinct(), trace);
                })
            })
        })
    })
}
