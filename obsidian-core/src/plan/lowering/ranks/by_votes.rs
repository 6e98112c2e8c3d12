//! Places in the order of digits, 32 elements of a warp at a time.
//!
//! Each warp has as many neighbouring elements, and counters of its own. In a round its lanes have 32 neighbours:
//!
//! ```text
//! same    the lanes whose element has the same digit, by a vote for each bit of it
//! place   what the counter of the digit has, and how many of these lanes come before
//! ```
//!
//! The first of these lanes adds their number to the counter, and tells the others what it has been. So equal digits keep their
//! order: within a round by lanes, within a warp by rounds, and the counters of a later warp begin behind those of earlier ones.

use super::super::Lowering;
use super::super::collectives::{List, assigned, bound, declared};
use super::{COUNTERS, Counted, Digits};
use crate::ir::{AtomicOp, Lane, Level, LevelledLoop, Lowered, Shuffle, Statement, Unroll, WARP};
use crate::scalar::{ArrayId, BinaryOp, NodeId, ScalarType, UnaryOp, VariableKind};

/// How warps share out the elements.
#[derive(Clone, Copy)]
struct Warps {
    /// Those that have elements.
    count: u32,
    /// The rounds of each.
    rounds: u32,
    /// Has each lane an element in each round?
    is_whole: bool,
}

impl Warps {
    fn of(of: &Digits<'_>, width: u32) -> Self {
        let most = (width / WARP).min(COUNTERS / of.bins).max(1);
        let rounds = of.n().div_ceil(most * WARP);
        let count = of.n().div_ceil(rounds * WARP);
        Warps {
            count,
            rounds,
            is_whole: count * rounds * WARP == of.n(),
        }
    }
}

/// An element: the numbers of its warp, its lane, and its own.
#[derive(Clone, Copy)]
struct Element {
    warp: NodeId,
    lane: NodeId,
    at: NodeId,
}

impl Lowering<'_> {
    /// Counts for each warp, and makes what is done with the counts.
    pub(super) fn counted_by_warps(
        &mut self,
        of: &Digits<'_>,
        (width, stored): (u32, Option<ArrayId>),
        result: &mut List,
    ) -> Counted {
        let warps = Warps::of(of, width);
        let counters = self.counters(of, of.bins * warps.count, result);
        self.each_element(of, warps, result, |pass, element| {
            let mut list = List::new();
            let digit = pass.digit_at(of, (stored, element.at), &mut list);
            let slot = pass.slot(of, element.warp, digit);
            list.push(pass.one_more(of, counters, slot));
            pass.unless(warps.is_whole, (element.at, of.n()), list)
        });
        result.push(Statement::Wait { scope: of.level() });
        let totals = self.totals(of, (counters, warps), result);
        Counted {
            counters,
            totals: Some(totals),
            stored,
        }
    }

    /// The places, from what has been counted.
    pub(super) fn by_votes(
        &mut self,
        of: &Digits<'_>,
        (width, counted): (u32, Counted),
        result: &mut List,
    ) {
        let warps = Warps::of(of, width);
        self.before_each_warp(of, (counted, warps), result);
        self.each_element(of, warps, result, |pass, element| {
            pass.placed(of, (counted, warps), element)
        });
    }

    /// The counter of a digit that a warp has.
    fn slot(&mut self, of: &Digits<'_>, warp: NodeId, digit: NodeId) -> NodeId {
        let row = self.scaled(warp, of.bins);
        self.sum(row, digit)
    }

    /// A loop over the elements, 32 of each warp at a time.
    fn each_element(
        &mut self,
        of: &Digits<'_>,
        warps: Warps,
        result: &mut List,
        each: impl FnOnce(&mut Self, Element) -> List,
    ) {
        let (outer, thread) = self.counted();
        let (inner, round) = self.counted();
        let warp = self.divided(thread, WARP);
        let last = self.number(WARP - 1);
        let lane = self.tables.nodes.binary(BinaryOp::And, thread, last);
        let first = self.scaled(warp, warps.rounds * WARP);
        let own = self.scaled(round, WARP);
        let own = self.sum(own, lane);
        let at = self.sum(first, own);
        let body = each(self, Element { warp, lane, at });
        let rounds = Statement::Loop {
            kind: LevelledLoop::Sequential(Level::Thread),
            unroll: Unroll::Free,
            counter: inner,
            bounds: [self.number(warps.rounds)],
            body,
        };
        result.push(self.shared_out(&of.rows, (outer, warps.count * WARP), vec![rounds]));
    }

    /// How many elements there are of each digit, and of each counter how many earlier warps have.
    fn totals(
        &mut self,
        of: &Digits<'_>,
        (counters, warps): (ArrayId, Warps),
        result: &mut List,
    ) -> ArrayId {
        let totals = self.array(of.rows.combining, ScalarType::U32, of.bins, result);
        let (counter, digit) = self.counted();
        let cells = self.cells(of.rows.combining);
        let zero = self.number(0);
        let mut list = declared(&cells, &[zero]);
        let (inner, warp) = self.counted();
        let slot = self.slot(of, warp, digit);
        let mut each = List::new();
        let sum = self.present(&of.rows, &cells, &mut each);
        let own = self.stored(&of.rows, &[counters], slot, &mut each)[0];
        each.extend(of.rows.combining.put(&[counters], slot, &sum));
        let next = self.tables.nodes.binary(BinaryOp::Add, sum[0], own);
        each.extend(assigned(&cells, &[next]));
        list.push(self.in_order((inner, warps.count), each));
        let total = self.present(&of.rows, &cells, &mut list);
        list.extend(of.rows.combining.put(&[totals], digit, &total));
        if let Some(count) = of.count {
            list.extend(self.done_with(of, count, digit, &total));
        }
        self.step_of(&of.rows, (counter, of.bins), list, result);
        totals
    }

    /// Makes of each counter the place of the first element of its warp that has its digit.
    fn before_each_warp(
        &mut self,
        of: &Digits<'_>,
        (counted, warps): (Counted, Warps),
        result: &mut List,
    ) {
        let counters = counted.counters;
        let Some(totals) = counted.totals else { return };
        self.firsts(of, (totals, of.bins), result, |pass, digit, first| {
            let origin = of.rows.combining.origin;
            let (counter, warp) = pass.counted();
            let slot = pass.slot(of, warp, digit);
            let read = pass.fresh(VariableKind::Let, ScalarType::U32);
            let before = pass.variable(read, ScalarType::U32);
            let value = pass.tables.nodes.binary(BinaryOp::Add, before, first);
            vec![Statement::Loop {
                kind: LevelledLoop::Sequential(Level::Thread),
                unroll: Unroll::Free,
                counter,
                bounds: [pass.number(warps.count)],
                body: vec![
                    Statement::Read {
                        variable: read,
                        array: counters,
                        index: slot,
                        origin,
                    },
                    Statement::Store {
                        array: counters,
                        index: slot,
                        value,
                        origin,
                    },
                ],
            }]
        });
    }

    /// What a lane does with its element: it finds the place, and does with it what the results are for.
    fn placed(
        &mut self,
        of: &Digits<'_>,
        (counted, warps): (Counted, Warps),
        Element { warp, lane, at }: Element,
    ) -> List {
        let [zero, one] = [0, 1].map(|n| self.number(n));
        let number = self.number(of.n());
        let is_there = self.tables.nodes.binary(BinaryOp::Lt, at, number);
        let mut list = List::new();
        let digit = match warps.is_whole {
            true => self.digit_at(of, (counted.stored, at), &mut list),
            false => {
                let cells = self.cells(of.rows.combining);
                list.extend(declared(&cells, &[zero]));
                let mut then = List::new();
                let digit = self.digit_at(of, (counted.stored, at), &mut then);
                then.extend(assigned(&cells, &[digit]));
                list.extend(self.unless(false, (at, of.n()), then));
                self.present(&of.rows, &cells, &mut list)[0]
            }
        };
        let mut same = None;
        let mut votes: Vec<NodeId> = (0..of.bins.trailing_zeros())
            .map(|bit| {
                let bit = self.number(1 << bit);
                let nodes = &mut self.tables.nodes;
                let own = nodes.binary(BinaryOp::And, digit, bit);
                nodes.binary(BinaryOp::Ne, own, zero)
            })
            .collect();
        votes.extend((!warps.is_whole).then_some(is_there));
        for vote in votes {
            let alike = self.exchanged(of, vote, Lane::Equal, &mut list);
            let nodes = &mut self.tables.nodes;
            same = Some(match same {
                Some(same) => nodes.binary(BinaryOp::And, same, alike),
                None => alike,
            });
        }
        let same = self.name(same.unwrap_or(zero), &mut list);
        let nodes = &mut self.tables.nodes;
        let own = nodes.binary(BinaryOp::Shl, one, lane);
        let below = nodes.binary(BinaryOp::Sub, own, one);
        let before = nodes.binary(BinaryOp::And, same, below);
        let rank = nodes.unary(UnaryOp::CountOnes, before);
        let all = nodes.unary(UnaryOp::CountOnes, same);
        let is_first = nodes.binary(BinaryOp::Eq, before, zero);
        let is_first = match warps.is_whole {
            true => is_first,
            false => nodes.binary(BinaryOp::And, is_first, is_there),
        };
        // A lane is among those that are as it is, so there is a first one.
        let first = nodes.unary(UnaryOp::TrailingZeros, same);
        let slot = self.slot(of, warp, digit);
        let cells = self.cells(of.rows.combining);
        list.extend(declared(&cells, &[zero]));
        let old = self.fresh(VariableKind::Let, ScalarType::U32);
        let told = self.variable(old, ScalarType::U32);
        let mut then = vec![Statement::Atomic {
            array: counted.counters,
            index: slot,
            op: AtomicOp::Add,
            operands: vec![all],
            result: Some(old),
            origin: of.rows.combining.origin,
        }];
        then.extend(assigned(&cells, &[told]));
        list.push(Statement::If {
            condition: is_first,
            then,
            otherwise: Vec::new(),
        });
        let began = self.present(&of.rows, &cells, &mut list)[0];
        let began = self.exchanged(of, began, Lane::Number(first), &mut list);
        let place = self.tables.nodes.binary(BinaryOp::Add, began, rank);
        let used = self.done_with(of, of.rows.of, at, &[place]);
        list.extend(self.unless(warps.is_whole, (at, of.n()), used));
        list
    }

    /// A name for a value.
    fn name(&mut self, value: NodeId, list: &mut List) -> NodeId {
        let variable = self.fresh(VariableKind::Let, ScalarType::U32);
        list.extend(bound(&[variable], &[value]));
        self.variable(variable, ScalarType::U32)
    }

    /// What a lane takes, a number.
    fn exchanged(
        &mut self,
        of: &Digits<'_>,
        value: NodeId,
        from: Lane,
        list: &mut Vec<Statement<Lowered>>,
    ) -> NodeId {
        let variable = self.fresh(VariableKind::Let, ScalarType::U32);
        list.push(Statement::Shuffle(
            (),
            Shuffle {
                variable,
                value,
                from,
                origin: of.rows.combining.origin,
            },
        ));
        self.variable(variable, ScalarType::U32)
    }
}
