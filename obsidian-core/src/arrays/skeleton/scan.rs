//! Scans: of one long row by many blocks, and of many rows by a block or a thread each.
//!
//! A long row is scanned in one launch: blocks in order have a tile each, of 4,096 elements or fewer, and find what is before it
//! ([`earlier`](crate::library::earlier)). That needs an operator that is an expression. One that reads arrays, runs loops or asserts takes three:
//!
//! ```text
//! pieces    a block combines a piece                                  fold_parts
//! carries   one block scans what the pieces have become               scan_carries
//! results   a block scans a piece, behind what the carries say        scan_pieces
//! ```

mod steps;

use std::rc::Rc;

use super::fold::{
    Element, ROW_THREADS, THREADS, handle, numbered, pieces, row_element, rows_of, tiles_of,
};
use super::generate::one_by_one;
use super::in_steps::stored;
use super::{Folded, Output, write};
use crate::array::{Choice, Pull, Push, Storable, Writer, require};
use crate::arrays::any::AnyElement;
use crate::arrays::arr::product;
use crate::arrays::graph::{Kind, graph, keep};
use crate::arrays::index::Index;
use crate::arrays::one_of;
use crate::ir::scanned_row;
use crate::library::parts::{earlier_at, map_accum_to, with_one};
use crate::library::{compute, exclusive_scan, generate, inclusive_scan, seq_iterate};
use crate::program::{
    Block, Grid, Program, Thread, Trace, ahead, cond, counter, distr_ordered, distr_par, for_all,
    pure, scope, seq_for, single_thread, write_ahead,
};
use crate::scalar::{ArrayId, Constraint, Exp, index, lit};

/// What stands in front of an element: nothing where the condition does not hold.
#[derive(Clone)]
struct Before {
    /// Is there anything? None: for certain.
    has: Option<Exp<bool>>,
    value: AnyElement,
}

impl Before {
    /// What stands in front of a row: the initial values, if all scans have one, or neutral ones, if they are known.
    fn of_row(folded: &Folded) -> Self {
        let initial: Option<Vec<_>> = folded
            .folds
            .iter()
            .map(|one| one.fold.initial.clone().map(|initial| initial.0))
            .collect();
        let initial = initial.map(|all| AnyElement(all.into_iter().flatten().collect()));
        match initial.or_else(|| folded.neutral.clone()) {
            Some(value) => Before { has: None, value },
            None => Before::nothing(folded),
        }
    }

    fn nothing(folded: &Folded) -> Self {
        Before {
            has: Some(lit(false)),
            value: AnyElement::zeros(&folded.types()),
        }
    }

    /// These in front of `value`.
    fn and(&self, folded: &Folded, value: &AnyElement) -> AnyElement {
        let f = folded.operator();
        match self.has {
            None => f(&self.value, value),
            Some(has) => one_of(has, || f(&self.value, value), || value.clone()),
        }
    }

    /// As fields that are carried from one round to the next.
    fn fields(&self) -> AnyElement {
        let has = self.has.iter().map(|has| has.any());
        AnyElement(has.chain(self.value.0.iter().copied()).collect())
    }

    /// What is carried, like this one.
    fn carried(&self, fields: &AnyElement) -> Self {
        let mut rest = fields.0.iter().copied();
        let has = match self.has {
            Some(_) => rest.next().and_then(|has| has.typed()),
            None => None,
        };
        Before {
            has,
            value: AnyElement(rest.collect()),
        }
    }

    /// The value `x`, which is certain.
    fn certain(&self, value: AnyElement) -> Self {
        Before {
            has: self.has.map(|_| lit(true)),
            value,
        }
    }
}

/// What is scanned: the elements of a row, and what becomes of the results.
#[derive(Clone)]
struct Row {
    folded: Folded,
    element: Element,
    length: Exp<u32>,
    before: Before,
    inclusive: bool,
    /// What is done with the result at a place, in the order in which elements are combined.
    then: Rc<dyn Fn(Exp<u32>, AnyElement) -> Program<Thread, ()>>,
}

impl Row {
    /// A row of the program's scans, whose results are written.
    fn of(
        folded: &Folded,
        row: Vec<Exp<u32>>,
        extents: Vec<Exp<u32>>,
        each: Vec<Output>,
        place: impl Fn(Exp<u32>) -> Exp<u32> + Clone + 'static,
    ) -> Self {
        let element = row_element(folded, &[], row.clone(), extents.clone(), place.clone());
        let then = {
            let (folded, extents) = (folded.clone(), extents.clone());
            move |j: Exp<u32>, value: AnyElement| {
                let index = folded.index(&row, &extents, place(j));
                let (folded, extents, each) = (folded.clone(), extents.clone(), each.clone());
                Program::new(move |trace: &mut Trace<Thread>| {
                    write_at(&folded, &value, &index, &extents, &each, trace);
                })
            }
        };
        Row {
            folded: folded.clone(),
            element,
            length: extents.last().copied().unwrap_or_else(|| lit(1)),
            before: Before::of_row(folded),
            inclusive: folded.order.is_some_and(|order| order.inclusive),
            then: Rc::new(then),
        }
    }

    /// The elements from `start` on, as many as `count`; those behind the row are neutral, if it is known what is, or zeros.
    fn piece(&self, start: Exp<u32>, count: u32) -> Program<Block, Pull<AnyElement>> {
        self.piece_or_stored(start, count).0
    }

    /// A piece, and whether it is stored.
    fn piece_or_stored(
        &self,
        start: Exp<u32>,
        count: u32,
    ) -> (Program<Block, Pull<AnyElement>>, bool) {
        let (element, length) = (self.element.clone(), self.length);
        let neutral = self.folded.neutral.clone();
        let behind = neutral.unwrap_or_else(|| AnyElement::zeros(&self.folded.types()));
        let at = move |j: Exp<u32>| {
            let place = index::add(start, j);
            one_of(place.lt(length), || element(place), || behind.clone())
        };
        // What the threads combine together is an expression; loops come before.
        let (_, loops) = ahead(|| at(counter().1));
        match loops.is_empty() && !self.folded.acts {
            true => (pure(generate(count, at)), false),
            false => (stored(count, at), true),
        }
    }

    /// One block scans the whole row, some elements of each of `threads` at a time, and gives what is behind it.
    fn in_rounds(&self, threads: u32) -> Program<Block, Before> {
        let size = threads * self.folded.order.map_or(1, |order| order.items);
        require(index::add(self.length, size - 1), Constraint::Fits);
        let rounds = index::add(
            index::div(self.length, size),
            index::rem(self.length, size).min(1u32),
        );
        let starts = generate(rounds, move |r| generate(1, move |_| index::mul(r, size)));
        let (this, first) = (self.clone(), self.before.clone());
        let round = move |carried: AnyElement, start: Pull<Exp<u32>>| {
            let (this, before) = (this.clone(), this.before.carried(&carried));
            let start = start.at(0u32);
            if this.folded.acts {
                return this.round_in_steps(start, size, before);
            }
            this.piece(start, size).and_then(move |piece| {
                let (this, before) = (this.clone(), before.clone());
                let f = this.folded.operator();
                let scanned = inclusive_scan(move |x: AnyElement, y: AnyElement| f(&x, &y), piece);
                compute::<Block, _, _>(scanned).map(move |own: Pull<AnyElement>| {
                    let left = index::sub(this.length, start).min(size);
                    let last = before.and(&this.folded, &own.at(index::sub(left, 1)));
                    let next = this.before.certain(last).fields();
                    (next, this.results(size, own, before.clone()))
                })
            })
        };
        let (then, length) = (self.then.clone(), self.length);
        let write: Writer<AnyElement> =
            Rc::new(move |value, j| cond(j.lt(length), then(j, value), pure(())));
        let carried = first.fields();
        map_accum_to(round, carried, starts, write).map(move |last| first.carried(&last))
    }

    /// The results of a round, of its inclusive scan.
    fn results(&self, size: u32, own: Pull<AnyElement>, before: Before) -> Push<Block, AnyElement> {
        let (folded, inclusive) = (self.folded.clone(), self.inclusive);
        generate(size, move |j| match inclusive {
            true => before.and(&folded, &own.at(j)),
            false => {
                let last = own.at(index::sub(j.max(1u32), 1));
                let both = before.and(&folded, &last);
                Choice::choose(j.eq(0u32), before.value.clone(), both)
            }
        })
        .push()
    }

    /// A block scans a tile of the row, behind all that earlier blocks have, and gives what stands behind the tile.
    fn tile(&self, start: Exp<u32>, size: u32) -> Program<Block, Before> {
        // What is behind the row is combined with nothing else.
        let left = index::sub(self.length, start).min(size);
        let last = index::sub(left.max(1u32), 1);
        // An exclusive scan begins with what changes nothing, if there is such a thing.
        let begun = self.folded.neutral.clone().filter(|_| !self.inclusive);
        let (piece, is_stored) = self.piece_or_stored(start, size);
        let this = self.clone();
        piece.and_then(move |piece: Pull<AnyElement>| {
            let (this, own, begun) = (this.clone(), piece.clone(), begun.clone());
            let end = generate(1, move |_| own.at(last));
            // The elements need not be in memory as long as their last one is asked for.
            let end = match is_stored && begun.is_some() {
                true => compute::<Block, _, _>(end),
                false => pure(end),
            };
            end.and_then(move |end: Pull<AnyElement>| {
                let (this, begun) = (this.clone(), begun.clone());
                this.scanned_tile((start, last, size), piece.clone(), begun, end)
            })
        })
    }

    /// The scan of a tile, whose elements are known, and what is done with it. `begun` is what an exclusive scan begins with, and `end` has the
    /// last element.
    fn scanned_tile(
        &self,
        (start, last, size): (Exp<u32>, Exp<u32>, u32),
        piece: Pull<AnyElement>,
        begun: Option<AnyElement>,
        end: Pull<AnyElement>,
    ) -> Program<Block, Before> {
        let (this, f) = (self.clone(), self.folded.operator());
        let combine = move |x: AnyElement, y: AnyElement| f(&x, &y);
        let is_begun = begun.is_some();
        let scanned: Push<Block, AnyElement> = match begun {
            Some(neutral) => exclusive_scan(combine, neutral, piece),
            None => inclusive_scan(combine, piece),
        };
        with_one(scanned, last).and_then(move |(own, at_last): (Pull<AnyElement>, AnyElement)| {
            let this = this.clone();
            let total = match is_begun {
                true => this.folded.operator()(&at_last, &end.at(0u32)),
                false => at_last,
            };
            let before = this.earlier(this.before.certain(total.clone()).fields());
            before.and_then(move |before| {
                let behind = before.and(&this.folded, &total);
                let behind = this.before.certain(behind);
                let results = this.of_tile((start, size), own.clone(), is_begun, before);
                results.map(move |()| behind.clone())
            })
        })
    }

    /// What all earlier blocks have, behind what stands in front of the row.
    fn earlier(&self, mine: AnyElement) -> Program<Block, Before> {
        let this = self.clone();
        let combine = move |x: AnyElement, y: AnyElement| {
            let [before, own] = [x, y].map(|fields| this.before.carried(&fields));
            let both = before.and(&this.folded, &own.value);
            this.before.certain(both).fields()
        };
        let this = self.clone();
        let own = generate(1, move |_| mine.clone());
        let found = earlier_at::<Block, _>(combine, self.before.fields(), own);
        found.map(move |found: Pull<AnyElement>| this.before.carried(&found.at(0u32)))
    }

    /// What is done with the results of a tile, whose scan is known. Each thread has neighbours, as it has in the scan.
    fn of_tile(
        &self,
        (start, size): (Exp<u32>, u32),
        own: Pull<AnyElement>,
        is_begun: bool,
        before: Before,
    ) -> Program<Block, ()> {
        let (this, run) = (self.clone(), scanned_row(size));
        for_all(size / run, move |i| {
            let (this, own, before) = (this.clone(), own.clone(), before.clone());
            seq_for(run, move |k| {
                let j = index::add(index::mul(i, run), k);
                let value = match this.inclusive || is_begun {
                    true => before.and(&this.folded, &own.at(j)),
                    false => {
                        let last = own.at(index::sub(j.max(1u32), 1));
                        let both = before.and(&this.folded, &last);
                        Choice::choose(j.eq(0u32), before.value.clone(), both)
                    }
                };
                let place = index::add(start, j);
                cond(place.lt(this.length), (this.then)(place, value), pure(()))
            })
        })
    }

    /// A block scans a piece of the row, behind `before`.
    fn by_piece(&self, start: Exp<u32>, size: u32, before: Before) -> Program<Block, ()> {
        let this = self.clone();
        self.piece(start, size)
            .and_then(move |piece| this.piece_in_steps(start, size, piece, before.clone()))
    }
}

/// Writes the results at an index.
fn write_at(
    folded: &Folded,
    value: &AnyElement,
    index: &Index,
    extents: &[Exp<u32>],
    each: &[Output],
    trace: &mut Trace<Thread>,
) {
    for (value, one) in folded.split(value).into_iter().zip(&folded.folds) {
        keep(one.number, index.key(), scope(), value);
    }
    // Rounds, and what is mirrored, are each element once; `check` follows neither.
    let arrays = each.iter().flat_map(|(_, arrays)| arrays.iter().copied());
    crate::scalar::session(|s| s.tables.written_whole.extend(arrays));
    write(each, index, index.number(extents).distinct(), trace);
}

/// Writes what is behind a row: the totals, and what is made of them.
fn write_totals(
    folded: &Folded,
    last: &Before,
    row: &Index,
    (number, outputs): (Exp<u32>, &[Output]),
    trace: &mut Trace<Thread>,
) {
    let totals = graph(|graph| {
        let all = graph.nodes.iter().enumerate();
        let of = |(number, node): (usize, &Rc<crate::arrays::graph::Node>)| match node.kind {
            Kind::Total(scan) => Some((scan, number)),
            _ => None,
        };
        all.filter_map(of).collect::<Vec<_>>()
    });
    let parts = folded.split(&last.value);
    for (scan, total) in totals.unwrap_or_default() {
        let own = folded.folds.iter().position(|one| one.number == scan);
        if let Some(value) = own.and_then(|own| parts.get(own)) {
            keep(total, row.key(), scope(), value.clone());
        }
    }
    write(outputs, row, number, trace);
}

/// One block scans a row.
fn row_by_block(
    row: &Row,
    threads: u32,
    index: Index,
    number: Exp<u32>,
    totals: Vec<Output>,
) -> Program<Block, ()> {
    let folded = row.folded.clone();
    row.in_rounds(threads).and_then(move |last| {
        let (folded, index, totals) = (folded.clone(), index.clone(), totals.clone());
        if totals.is_empty() {
            return pure(());
        }
        single_thread(Program::new(move |trace: &mut Trace<Thread>| {
            write_totals(&folded, &last, &index, (number, &totals), trace);
        }))
    })
}

/// Scans one row by one block.
pub(in crate::arrays) fn scan_row(
    folded: &Folded,
    n: Exp<u32>,
    each: Vec<Output>,
    totals: Vec<Output>,
) -> Program<Grid, ()> {
    let folded = folded.clone();
    distr_par(1u32, move |_| {
        let row = Row::of(&folded, Vec::new(), vec![n], each.clone(), |j| j);
        row_by_block(&row, THREADS, Index::of(Vec::new()), lit(0), totals.clone())
    })
}

/// Scans rows, each by a block.
pub(in crate::arrays) fn scan_rows(
    folded: &Folded,
    extents: Vec<Exp<u32>>,
    each: Vec<Output>,
    totals: Vec<Output>,
) -> Program<Grid, ()> {
    let folded = folded.clone();
    let (outer, _) = rows_of(&extents);
    distr_par(product(&outer), move |number| {
        let index = numbered(number, &outer);
        let coordinates = index.coordinates.clone();
        let row = Row::of(&folded, coordinates, extents.clone(), each.clone(), |j| j);
        row_by_block(&row, ROW_THREADS, index, number, totals.clone())
    })
}

/// Scans what the pieces of a row have become into `carries`, by one block, and writes the totals.
pub(in crate::arrays) fn scan_carries(
    folded: &Folded,
    (parts, count): (Vec<ArrayId>, Exp<u32>),
    carries: Vec<ArrayId>,
    totals: Vec<Output>,
) -> Program<Grid, ()> {
    let folded = folded.clone();
    distr_par(1u32, move |_| {
        let (from, to) = (handle(&folded, &parts), handle(&folded, &carries));
        let row = Row {
            folded: folded.clone(),
            element: Rc::new(move |j| AnyElement::load(&from, j)),
            length: count,
            before: Before::of_row(&folded),
            inclusive: true,
            then: Rc::new(move |j, value| {
                let to = to.clone();
                Program::new(move |trace| value.store(&to, j, trace))
            }),
        };
        row_by_block(&row, THREADS, Index::of(Vec::new()), lit(0), totals.clone())
    })
}

/// Scans one row by blocks in order, each of a tile.
pub(in crate::arrays) fn scan_tiles(
    folded: &Folded,
    n: Exp<u32>,
    each: Vec<Output>,
    totals: Vec<Output>,
) -> Program<Grid, ()> {
    let (folded, size) = (folded.clone(), folded.tile());
    // A row without elements has totals, too.
    let tiles = match totals.is_empty() {
        true => tiles_of(n, size),
        false => tiles_of(n, size).max(1u32),
    };
    distr_ordered(tiles, move |block| {
        let row = Row::of(&folded, Vec::new(), vec![n], each.clone(), |j| j);
        let (folded, totals) = (folded.clone(), totals.clone());
        row.tile(index::mul(block, size), size)
            .and_then(move |last| {
                let (folded, totals) = (folded.clone(), totals.clone());
                if totals.is_empty() {
                    return pure(());
                }
                let arrays = totals.iter().flat_map(|(_, arrays)| arrays.iter().copied());
                crate::scalar::session(|s| s.tables.written_whole.extend(arrays));
                let is_last = block.eq(index::sub(tiles, 1));
                let totals = Program::new(move |trace: &mut Trace<Thread>| {
                    let row = Index::of(Vec::new());
                    write_totals(&folded, &last, &row, (lit(0).distinct(), &totals), trace);
                });
                single_thread(cond(is_last, totals, pure(())))
            })
    })
}

/// Scans each piece of a row by a block, behind what `carries` has for the pieces before.
pub(in crate::arrays) fn scan_pieces(
    folded: &Folded,
    n: Exp<u32>,
    each: Vec<Output>,
    carries: Vec<ArrayId>,
) -> Program<Grid, ()> {
    let (folded, size) = (folded.clone(), folded.piece());
    distr_par(pieces(&folded, n), move |block| {
        let row = Row::of(&folded, Vec::new(), vec![n], each.clone(), |j| j);
        let first = block.eq(0u32);
        let carry = index::sub(block.max(1u32), 1).unchecked();
        let carry = AnyElement::load(&handle(&folded, &carries), carry);
        let before = match row.before.has {
            // The carries have the initial values in front.
            None => Before {
                has: None,
                value: Choice::choose(first, row.before.value.clone(), carry),
            },
            Some(_) => Before {
                has: Some(!first),
                value: carry,
            },
        };
        row.by_piece(index::mul(block, size), size, before)
    })
}

/// Scans narrow rows, each by a thread.
pub(in crate::arrays) fn scan_narrow(
    folded: &Folded,
    extents: Vec<Exp<u32>>,
    each: Vec<Output>,
    totals: Vec<Output>,
) -> Program<Grid, ()> {
    let folded = folded.clone();
    let (outer, _) = rows_of(&extents);
    let rows = product(&outer);
    one_by_one(rows, THREADS, move |number| {
        let (folded, each, totals) = (folded.clone(), each.clone(), totals.clone());
        let (outer, extents) = (outer.clone(), extents.clone());
        Program::new(move |trace: &mut Trace<Thread>| {
            let index = numbered(number, &outer);
            let coordinates = index.coordinates.clone();
            let (extents, each) = (extents.clone(), each.clone());
            let row = Row::of(&folded, coordinates, extents, each, |j| j);
            let (first, own) = (row.before.fields(), row.clone());
            let rounds = seq_iterate(
                row.length,
                move |j, carried: AnyElement| {
                    let before = own.before.carried(&carried);
                    let both = before.and(&own.folded, &(own.element)(j));
                    let value = match own.inclusive {
                        true => both.clone(),
                        false => before.value,
                    };
                    let level = Some(crate::ir::Level::Thread);
                    let ((), actions) = Trace::apart(level, |trace: &mut Trace<Thread>| {
                        (own.then)(j, value).run(trace);
                    });
                    write_ahead(actions);
                    own.before.certain(both).fields()
                },
                first,
            );
            let last = row.before.carried(&rounds.run(trace));
            write_totals(&folded, &last, &index, (number, &totals), trace);
        })
    })
}
