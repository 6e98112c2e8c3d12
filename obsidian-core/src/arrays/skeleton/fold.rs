//! Folds: of long rows by many blocks, and of many rows by a block or a thread each.

use std::rc::Rc;

use super::any_order::Rows;
use super::generate::{by_tiles, one_by_one};
use super::runs::Runs;
use super::{Folded, Output, write};
use crate::array::{Push, Storable, require};
use crate::arrays::arr::product;
use crate::arrays::graph::{note_below, where_below};
use crate::arrays::index::Index;
use crate::arrays::one_of;
use crate::arrays::{any::AnyElement, item::run_ahead};
use crate::library::{exec_block, exec_thread_value, generate, seq_iterate};
use crate::program::{Block, Grid, Program, Thread, Trace, distr_last, distr_par};
use crate::scalar::{ArrayId, Constraint, Exp, ScalarType, index, lit};

/// Threads of a block that fold a row, or a piece of one, in order.
pub(super) const THREADS: u32 = 256;
/// Threads of a block that fold one of many rows in order.
pub(super) const ROW_THREADS: u32 = 32;

/// An element of a row, in one thread.
pub(super) type Element = Rc<dyn Fn(Exp<u32>) -> AnyElement>;

/// What a block has folded, and whether it has elements, if that is not certain.
type Writer = Rc<dyn Fn(Option<Exp<bool>>, AnyElement) -> Program<Thread, ()>>;

/// A block folds the elements 0 to `length` of a row; `threads` of them do in order.
fn fold_in_block(
    folded: &Folded,
    (rows, threads): (Rows, u32),
    length: Exp<u32>,
    element: &Element,
    then: Writer,
) -> Program<Block, ()> {
    match folded.any_order() {
        Some(fold) => {
            let push = exec_block(fold.in_block(rows, length, element.clone()));
            push.push_to(move |value, _| then(None, value))
        }
        None => {
            let runs = Runs::new(threads, folded, length, element.clone());
            let push = match folded.acts {
                true => exec_block(runs.in_steps()),
                false => exec_block(runs.in_order()),
            };
            push.push_to(move |(has, value), _| then(Some(has), value))
        }
    }
}

/// A value by each thread of a block.
pub(super) fn each_thread(
    threads: u32,
    value: impl Fn(Exp<u32>) -> AnyElement + 'static,
) -> Program<Block, Push<Block, AnyElement>> {
    let value = Rc::new(value);
    let work = generate(threads, move |t| {
        let value = value.clone();
        exec_thread_value(Program::<Thread, AnyElement>::new(move |_| value(t)))
    });
    let work = work.as_block();
    Program::new(move |_| work.clone())
}

/// In how many pieces a row of `n` elements is folded.
pub(in crate::arrays) fn pieces(folded: &Folded, n: Exp<u32>) -> Exp<u32> {
    tiles_of(n, folded.piece())
}

/// How many tiles of some elements `n` elements are, the last one maybe not whole.
pub(super) fn tiles_of(n: Exp<u32>, tile: u32) -> Exp<u32> {
    match n.as_literal() {
        Some(n) => lit(n.div_ceil(tile)),
        None => {
            require(index::add(n, tile - 1), Constraint::Fits);
            index::add(index::div(n, tile), index::rem(n, tile).min(1u32))
        }
    }
}

/// Folds the pieces of one row: piece `b` becomes element `b` of `parts`. Elements of the row's extents are written on the way.
pub(in crate::arrays) fn fold_parts(
    folded: &Folded,
    n: Exp<u32>,
    each: Vec<Output>,
    parts: Vec<ArrayId>,
) -> Program<Grid, ()> {
    let (folded, piece) = (folded.clone(), folded.piece());
    distr_par(pieces(&folded, n), move |block| {
        let start = index::mul(block, piece);
        let length = index::sub(n, start).min(piece);
        let element = row_element(&folded, &each, Vec::new(), vec![n], move |j| {
            index::add(start, j)
        });
        fold_in_block(
            &folded,
            (Rows::Piece, THREADS),
            length,
            &element,
            part_of(&folded, &parts, block),
        )
    })
}

pub(super) fn handle(folded: &Folded, arrays: &[ArrayId]) -> Vec<(ArrayId, ScalarType)> {
    arrays.iter().copied().zip(folded.types()).collect()
}

/// Folds one row by one block, and writes the results. Elements of the row's extents are written on the way.
pub(in crate::arrays) fn fold_short(
    folded: &Folded,
    n: Exp<u32>,
    each: Vec<Output>,
    outputs: Vec<Output>,
) -> Program<Grid, ()> {
    let folded = folded.clone();
    distr_par(1u32, move |_| {
        let element = row_element(&folded, &each, Vec::new(), vec![n], |j| j);
        let (own, outputs) = (folded.clone(), outputs.clone());
        let then: Writer = Rc::new(move |has, value| {
            results(&own, has, value, Index::of(Vec::new()), lit(0), &outputs)
        });
        fold_in_block(&folded, (Rows::One, THREADS), n, &element, then)
    })
}

/// Folds one row in one launch: its pieces by many blocks, as [`fold_parts`], and by the last of them what these have become, and writes the
/// results.
pub(in crate::arrays) fn fold_once(
    folded: &Folded,
    n: Exp<u32>,
    each: Vec<Output>,
    (parts, count): (Vec<ArrayId>, Exp<u32>),
    outputs: Vec<Output>,
) -> Program<Grid, ()> {
    // Each block has written its parts.
    require(count, Constraint::Equal(pieces(folded, n).node()));
    let handle = handle(folded, &parts);
    let folded = folded.clone();
    fold_parts(&folded.clone(), n, each, parts).and_then(move |()| {
        let (folded, outputs, handle) = (folded.clone(), outputs.clone(), handle.clone());
        distr_last(move || {
            let handle = handle.clone();
            let element: Element = Rc::new(move |j| {
                let handle = handle.clone();
                run_ahead(&Program::new(move |trace| {
                    AnyElement::read(&handle, j, trace)
                }))
            });
            let (own, outputs) = (folded.clone(), outputs.clone());
            let then: Writer = Rc::new(move |has, value| {
                results(&own, has, value, Index::of(Vec::new()), lit(0), &outputs)
            });
            fold_in_block(&folded, (Rows::Rest, THREADS), count, &element, then)
        })
    })
}

/// The extents of rows, and their length.
pub(super) fn rows_of(extents: &[Exp<u32>]) -> (Vec<Exp<u32>>, Exp<u32>) {
    match extents.split_last() {
        Some((width, outer)) => (outer.to_vec(), *width),
        None => (Vec::new(), lit(1)),
    }
}

/// The index of the row with a number, which is below the extents of the rows.
pub(super) fn numbered(row: Exp<u32>, outer: &[Exp<u32>]) -> Index {
    let index = Index::numbered(row, outer);
    note_below(&index.coordinates, outer);
    index
}

/// A block for each row folds so many elements, which `element` gives of the row, and writes the results.
fn by_rows(
    folded: &Folded,
    rows: Rows,
    outer: Vec<Exp<u32>>,
    length: Exp<u32>,
    outputs: Vec<Output>,
    element: impl Fn(&Index, Exp<u32>) -> Element + 'static,
) -> Program<Grid, ()> {
    let folded = folded.clone();
    distr_par(product(&outer), move |row| {
        let index = numbered(row, &outer);
        let element = element(&index, row);
        let (own, outputs) = (folded.clone(), outputs.clone());
        let then: Writer =
            Rc::new(move |has, value| results(&own, has, value, index.clone(), row, &outputs));
        fold_in_block(&folded, (rows, ROW_THREADS), length, &element, then)
    })
}

/// Folds rows, each by a block, and writes the results. Elements of the rows are written on the way.
pub(in crate::arrays) fn fold_rows(
    folded: &Folded,
    extents: Vec<Exp<u32>>,
    each: Vec<Output>,
    outputs: Vec<Output>,
) -> Program<Grid, ()> {
    let (outer, width) = rows_of(&extents);
    let own = folded.clone();
    by_rows(
        folded,
        Rows::Many,
        outer,
        width,
        outputs,
        move |index, _| {
            let coordinates = index.coordinates.clone();
            row_element(&own, &each, coordinates, extents.clone(), |j| j)
        },
    )
}

/// In how many pieces rows are folded.
pub(in crate::arrays) fn row_pieces(folded: &Folded, extents: &[Exp<u32>]) -> Exp<u32> {
    let (outer, width) = rows_of(extents);
    index::mul(pieces(folded, width), product(&outer))
}

/// Folds the pieces of rows. The first pieces of all rows come first: what all rows are combined with is read by blocks that run at
/// the same time. Elements of the rows are written on the way.
pub(in crate::arrays) fn fold_row_parts(
    folded: &Folded,
    extents: Vec<Exp<u32>>,
    each: Vec<Output>,
    parts: Vec<ArrayId>,
) -> Program<Grid, ()> {
    let (folded, piece) = (folded.clone(), folded.piece());
    let (outer, width) = rows_of(&extents);
    let rows = product(&outer);
    distr_par(row_pieces(&folded, &extents), move |block| {
        let start = index::mul(index::div(block, rows), piece);
        let length = index::sub(width, start).min(piece);
        let row = numbered(index::rem(block, rows), &outer);
        let place = move |j| index::add(start, j);
        let element = element_of(
            &folded,
            &each,
            row.coordinates,
            extents.clone(),
            place,
            true,
        );
        fold_in_block(
            &folded,
            (Rows::Piece, THREADS),
            length,
            &element,
            part_of(&folded, &parts, block),
        )
    })
}

/// Stores what a block has folded as its part.
fn part_of(folded: &Folded, parts: &[ArrayId], block: Exp<u32>) -> Writer {
    let handle = handle(folded, parts);
    Rc::new(move |_, value| {
        let handle = handle.clone();
        Program::new(move |trace| value.store(&handle, block, trace))
    })
}

/// Folds what the pieces of rows have become, each row by a block, and writes the results. The length of the parts, which is the pieces of all rows,
/// is easier to prove with than the pieces by the width of a row.
pub(in crate::arrays) fn fold_row_rests(
    folded: &Folded,
    extents: &[Exp<u32>],
    (parts, length): (&[ArrayId], Exp<u32>),
    outputs: Vec<Output>,
) -> Program<Grid, ()> {
    let (outer, _) = rows_of(extents);
    let (rows, handle) = (product(&outer), handle(folded, parts));
    by_rows(
        folded,
        Rows::Rest,
        outer,
        index::div(length, rows),
        outputs,
        move |_, row| {
            let handle = handle.clone();
            Rc::new(move |j| {
                let part = index::add(index::mul(j, rows), row);
                AnyElement::load(&handle, part.unchecked())
            })
        },
    )
}

/// Folds narrow rows, each by a thread, and writes the results. Elements of the rows are written on the way.
pub(in crate::arrays) fn fold_narrow(
    folded: &Folded,
    extents: Vec<Exp<u32>>,
    each: Vec<Output>,
    outputs: Vec<Output>,
) -> Program<Grid, ()> {
    let folded = folded.clone();
    let (outer, width) = rows_of(&extents);
    let rows = product(&outer);
    one_by_one(rows, THREADS, move |row| {
        let (folded, each, outputs) = (folded.clone(), each.clone(), outputs.clone());
        let (outer, extents) = (outer.clone(), extents.clone());
        Program::new(move |trace: &mut Trace<Thread>| {
            let index = numbered(row, &outer);
            let coordinates = index.coordinates.clone();
            let element = row_element(&folded, &each, coordinates, extents.clone(), |j| j);
            let (has, value) = match folded.any_order() {
                Some(fold) => (None, fold.in_thread(width, &element)),
                None => {
                    let has = width.gt(lit(0));
                    (Some(has), in_one_thread(&folded, has, width, element))
                }
            };
            results(&folded, has, value, index, row, &outputs).run(trace);
        })
    })
}

/// Folds rows of more than 8 elements, each by 8 threads, in any order, and writes the results. Elements of the rows are written on the way.
pub(in crate::arrays) fn fold_in_lanes(
    folded: &Folded,
    extents: Vec<Exp<u32>>,
    each: Vec<Output>,
    outputs: Vec<Output>,
) -> Program<Grid, ()> {
    let folded = folded.clone();
    let (outer, width) = rows_of(&extents);
    let Some(fold) = folded.any_order() else {
        return fold_rows(&folded, extents, each, outputs);
    };
    by_tiles(
        product(&outer),
        fold.rows_of_lanes(THREADS),
        move |numbers| {
            let (own, each, of_rows, all) =
                (folded.clone(), each.clone(), outer.clone(), extents.clone());
            let element = move |row| {
                let index = numbered(row, &of_rows);
                row_element(&own, &each, index.coordinates, all.clone(), |j| j)
            };
            let (own, outputs, of_rows) = (folded.clone(), outputs.clone(), outer.clone());
            let then = move |row, value| {
                let index = numbered(row, &of_rows);
                results(&own, None, value, index, row, &outputs)
            };
            fold.clone()
                .in_lanes(numbers, width, Rc::new(element), Rc::new(then))
        },
    )
}

/// A row folded in order, if it has elements.
fn in_one_thread(folded: &Folded, has: Exp<bool>, width: Exp<u32>, element: Element) -> AnyElement {
    let (f, zeros) = (folded.operator(), AnyElement::zeros(&folded.types()));
    one_of(
        has,
        || {
            let place = folded.place(width, lit(0));
            let first = where_below(place, width, || element(lit(0)));
            let left = index::sub(width, 1);
            let rounds = seq_iterate(
                left,
                move |k, sum| f(&sum, &element(index::add(k, 1))),
                first,
            );
            run_ahead(&rounds)
        },
        || zeros,
    )
}

pub(super) fn row_element(
    folded: &Folded,
    each: &[Output],
    row: Vec<Exp<u32>>,
    extents: Vec<Exp<u32>>,
    place: impl Fn(Exp<u32>) -> Exp<u32> + 'static,
) -> Element {
    element_of(folded, each, row, extents, place, false)
}

/// An element of a row, or of a piece of one of several rows.
fn element_of(
    folded: &Folded,
    each: &[Output],
    row: Vec<Exp<u32>>,
    extents: Vec<Exp<u32>>,
    place: impl Fn(Exp<u32>) -> Exp<u32> + 'static,
    is_piece: bool,
) -> Element {
    let (folded, each) = (folded.clone(), each.to_vec());
    Rc::new(move |j| {
        let index = folded.index(&row, &extents, place(j));
        let value = folded.sources(&index);
        if !each.is_empty() {
            let level = Some(crate::ir::Level::Thread);
            // Tiles, and what is left behind them, are each element once; `check` follows no sum of two loops.
            let number = index.number(&extents).distinct();
            // Nothing but the loops around says that a piece ends where its row does.
            let number = match is_piece {
                true => number.unchecked(),
                false => number,
            };
            let each = each.clone();
            let arrays = each.iter().flat_map(|(_, arrays)| arrays.iter().copied());
            crate::scalar::session(|s| s.tables.written_whole.extend(arrays));
            let ((), actions) = Trace::apart(level, |trace: &mut Trace<Thread>| {
                write(&each, &index, number, trace);
            });
            crate::program::write_ahead(actions);
        }
        value
    })
}

/// Writes the results of a row.
fn results(
    folded: &Folded,
    has: Option<Exp<bool>>,
    value: AnyElement,
    row: Index,
    number: Exp<u32>,
    outputs: &[Output],
) -> Program<Thread, ()> {
    let (folded, outputs) = (folded.clone(), outputs.to_vec());
    Program::new(move |trace: &mut Trace<Thread>| {
        folded.finish(has, &value, &row);
        write(&outputs, &row, number, trace);
    })
}
