//! Collectives in registers: the lanes of a warp take what they combine from each other.
//!
//! Where blocks have whole warps, 32 neighbouring rows are combined by [`Shuffle`]s, in five steps without
//! memory and without waits. What each 32 of them, a *run*, come to goes through shared memory, and is
//! combined in the same way by the first warp. The order of association is that of
//! [`Collective`](crate::ir::Collective): in the step of distance `d` a lane combines what it has with what
//! the lane `d` further has (a reduction), or with the last one of the `d` before its own half (a scan), as
//! the steps of the [network](super::network) do it with elements.
//!
//! An operator that is exactly associative and commutative (one with an
//! [`identity`](crate::scalar::BinaryOp::identity)) gives the same bits in every order, those of NaNs aside. There each thread
//! folds all that is its own before the lanes of a warp combine anything, and a scan needs one number for
//! each run of rows.
//!
//! Loops go over rows, filled up to whole warps: every lane takes part in each shuffle. Lanes behind the
//! last row have a zero, which no other lane uses.
//!
//! # Limits
//! - Operators with statements of their own, results that go where elements come from, sorts, and
//!   exclusive scans of long rows by an operator that is not exactly associative are networks.
//! - At Thread, and with threads that are not whole warps, all are networks. They give the same bits.

use std::collections::BTreeMap;

use super::collectives::{Combining, List, assigned, bound, declared};
use super::loops::apart;
use super::{Executed, Lowering};
use crate::ir::{
    Collective, CollectiveOp, Lane, Level, Levelled, LevelledLoop, Lowered, Shuffle, Statement,
    Unroll, WARP, WIDEST, row, substitute,
};
use crate::scalar::{
    ArrayId, BinaryOp, Literal, Node, NodeId, Nodes, ScalarType, VariableId, VariableKind,
};

/// Rows of at most as many elements are written out.
const WRITTEN_OUT: u32 = 32;

/// Words that a thread keeps of a row in registers.
const MOST_WORDS: u32 = 24;

/// More elements than in any memory of a block; the arithmetic below stays in 32 bits.
const MOST: u32 = 1 << 24;

/// What a collective combines, and for how many threads.
struct Rows<'c> {
    of: &'c Collective<Levelled>,
    combining: &'c Combining,
    /// Elements, those of a row, rows, and rows filled up to whole warps.
    n: u32,
    row: u32,
    rows: u32,
    filled: u32,
    /// Threads that share the rows out.
    width: u32,
    /// For each component what changes no value, if the operator is exactly associative.
    identity: Option<Vec<NodeId>>,
}

impl Rows<'_> {
    /// Does every lane have a row, and every row all of its elements?
    fn is_whole(&self) -> bool {
        self.row * self.filled == self.n
    }

    /// Runs of 32 rows.
    fn runs(&self) -> u32 {
        self.filled / WARP
    }

    /// The length of an array that has an element for each row, or `times` of them. The elements of row
    /// `i` are all `i` modulo the threads, so the thread of the row owns them, and `placement` can put them
    /// into its registers; but not where that takes many registers, or more than twice the memory of the
    /// rows.
    fn stored(&self, times: u32) -> u32 {
        let owned = self.rows.next_multiple_of(self.width);
        let words: u32 = self
            .combining
            .types
            .iter()
            .map(|ty| ty.bytes().div_ceil(4))
            .sum();
        let is_owned = self.of.level == Level::Block
            && owned <= 2 * self.rows
            && words.saturating_mul(self.row) <= MOST_WORDS;
        times * if is_owned { owned } else { self.rows }
    }
}

impl Lowering<'_> {
    /// Puts a collective's loops at the end of a list, if lanes can compute it; else gives it back.
    pub(super) fn by_lanes(
        &mut self,
        of: Collective<Levelled>,
        combining: &Combining,
        initial: &[NodeId],
        result: &mut List,
    ) -> Option<Collective<Levelled>> {
        let n = self.tables.nodes.literal(of.count).map_or(0, Literal::u32);
        let Some(width) = self
            .width(of.level)
            .filter(|_| combining.is_one_expression())
        else {
            return Some(of);
        };
        let rows = n.div_ceil(row(n));
        let identity = self.identity(combining);
        let of_rows = Rows {
            of: &of,
            combining,
            n,
            row: row(n),
            rows,
            filled: rows.next_multiple_of(WARP),
            width,
            identity,
        };
        // What a list binds, or allocates, is there once.
        let is_plain = names_only(&of.source);
        // In one loop no barrier can stand between what elements are made of and what is done with results.
        let (source, _) = self.elements(&of, combining);
        let body = self.list(of.body.clone(), Level::Thread);
        let is_apart = apart(&self.tables.nodes, &source, &body);
        if n > MOST || !is_apart {
            return Some(of);
        }
        match (of.op, &of_rows.identity) {
            (CollectiveOp::Sort, _) => return Some(of),
            (CollectiveOp::Reduce, Some(identity)) if n > width && is_plain => {
                self.fold_of_threads(&of_rows, identity, result);
            }
            (CollectiveOp::Reduce, _) if is_plain || of_rows.row == 1 => {
                self.fold_of_rows(&of_rows, result);
            }
            (CollectiveOp::Reduce, _) => return Some(of),
            _ if of_rows.row == 1 && rows <= WARP => {
                self.scan_of_a_run(&of_rows, initial, result);
            }
            (_, Some(identity)) => {
                let start = if initial.is_empty() {
                    identity
                } else {
                    initial
                };
                self.scan_of_runs(&of_rows, [identity, start], result);
            }
            (CollectiveOp::InclusiveScan, None) if is_plain || of_rows.row == 1 => {
                self.scan_in_order(&of_rows, result);
            }
            _ => return Some(of),
        }
        None
    }

    /// The threads that share out the iterations of a level, if they are whole warps.
    fn width(&self, level: Level) -> Option<u32> {
        let Executed::ByThreads(threads) = self.by else {
            return None;
        };
        match level {
            Level::Warp if threads >= WARP => Some(WARP),
            Level::Block if threads.is_multiple_of(WARP) => Some(threads),
            _ => None,
        }
    }

    /// A reduction whose threads each fold all elements that they have, in any order.
    fn fold_of_threads(&mut self, of: &Rows<'_>, identity: &[NodeId], result: &mut List) {
        let threads = of.width.min(of.n.next_multiple_of(WARP));
        let (counter, t) = self.counted();
        let cells = self.cells(of.combining);
        let mut each = declared(&cells, identity);
        let group = self.group(of, threads);
        let rounds = of.n / (threads * group);
        // Element `(q * threads + t) * group + k`.
        let (round, q) = self.counted();
        let (inner, k) = self.counted();
        let step = self.fold(of, &cells, |pass| {
            let start = pass.scaled(q, threads);
            let place = pass.sum(start, t);
            let first = pass.scaled(place, group);
            match group {
                1 => first,
                _ => pass.sum(first, k),
            }
        });
        let step = match group {
            1 => step,
            _ => vec![self.in_order((inner, group), step)],
        };
        each.push(self.in_order((round, rounds), step));
        let rest = of.n % (threads * group);
        if rest > 0 {
            let done = self.number(of.n - rest);
            let then = self.fold(of, &cells, |pass| pass.sum(done, t));
            each.push(self.when_below(t, rest, then));
        }
        let names = self.names(of.combining);
        each.extend(of.combining.get(&names, &cells));
        let folded = self.variables(&names, &of.combining.types);
        self.folded_runs(of, (counter, t), (each, folded), [threads, threads], result);
    }

    /// Neighbours that a thread takes at once, for one access of 16 bytes; 1 if elements do not lie side by
    /// side in memory, or are not as many.
    fn group(&self, of: &Rows<'_>, threads: u32) -> u32 {
        let widest = of.combining.types.iter().map(|ty| ty.bytes()).max();
        let group = WIDEST / widest.unwrap_or(WIDEST).max(4);
        let fits = names_only(&of.of.source) && of.n.is_multiple_of(threads * group);
        match fits && lie_side_by_side(&self.tables.nodes, of.of) {
            true => group,
            false => 1,
        }
    }

    /// One element, which `index` finds, combined into cells.
    fn fold(
        &mut self,
        of: &Rows<'_>,
        cells: &[VariableId],
        index: impl FnOnce(&mut Self) -> NodeId,
    ) -> List {
        let index = index(self);
        let (mut list, element) = self.element(of, index);
        let (get, value) = self.present(of, cells);
        list.extend(get);
        let combined = self.combined(of, [&value, &element], &mut list);
        list.extend(assigned(cells, &combined));
        list
    }

    /// A reduction that folds rows from the left, and the rows in a tree.
    fn fold_of_rows(&mut self, of: &Rows<'_>, result: &mut List) {
        let (counter, i) = self.counted();
        let (mut each, folded) = self.folded_row(of, i, None);
        let names = self.names(of.combining);
        each.extend(bound(&names, &folded));
        let folded = self.variables(&names, &of.combining.types);
        self.folded_runs(
            of,
            (counter, i),
            (each, folded),
            [of.rows, of.filled],
            result,
        );
    }

    /// The fold of row `i` from the left; where no row is, a zero. If `kept` are arrays, what is folded up to
    /// each element goes there.
    fn folded_row(
        &mut self,
        of: &Rows<'_>,
        i: NodeId,
        kept: Option<&[ArrayId]>,
    ) -> (List, Vec<NodeId>) {
        let first = self.scaled(i, of.row);
        if of.row == 1 && of.is_whole() {
            return self.element(of, first);
        }
        let cells = self.cells(of.combining);
        let zeros = self.zeros(of);
        let mut list = declared(&cells, &zeros);
        let (mut then, element) = self.element(of, first);
        then.extend(assigned(&cells, &element));
        then.extend(kept.map_or(List::new(), |arrays| of.combining.put(arrays, i, &element)));
        if of.row > 1 {
            let (counter, k) = self.counted();
            let one = self.number(1);
            let k = self.sum(k, one);
            let at = self.sum(first, k);
            let mut step = self.fold(of, &cells, |_| at);
            if let Some(arrays) = kept {
                let (get, value) = self.present(of, &cells);
                step.extend(get);
                let place = self.place(of, i, k);
                step.extend(of.combining.put(arrays, place, &value));
            }
            if !of.is_whole() {
                step = vec![self.when_below(at, of.n, step)];
            }
            then.push(self.in_order((counter, of.row - 1), step));
        }
        if of.is_whole() {
            list.extend(then);
        } else {
            list.push(self.when_below(first, of.n, then));
        }
        let (get, value) = self.present(of, &cells);
        list.extend(get);
        (list, value)
    }

    /// The tree over what the lanes of each run have, and over the runs; then the result. `rows` lanes have
    /// something, of `filled`.
    fn folded_runs(
        &mut self,
        of: &Rows<'_>,
        (counter, i): (VariableId, NodeId),
        (mut each, folded): (List, Vec<NodeId>),
        [rows, filled]: [u32; 2],
        result: &mut List,
    ) {
        let folded = self.tree(of, folded, (i, rows), &mut each);
        if filled == WARP {
            each.push(self.result(of, i, &folded));
            result.push(self.shared_out(of, (counter, filled), each));
            return;
        }
        let runs = filled / WARP;
        let totals = self.scratch(of.combining, runs, result);
        each.push(self.by_one_lane(of, (i, 0), &totals, &folded));
        self.step_of(of, (counter, filled), each, result);
        let (counter, i) = self.counted();
        let (mut each, total) = self.run_of(of, &totals, (i, runs));
        let total = self.tree(of, total, (i, runs), &mut each);
        each.push(self.result(of, i, &total));
        result.push(self.shared_out(of, (counter, WARP), each));
    }

    /// What is done with the result of a reduction, by the first lane.
    fn result(&mut self, of: &Rows<'_>, i: NodeId, value: &[NodeId]) -> Statement<Lowered> {
        let zero = self.number(0);
        let is_first = self.tables.nodes.binary(BinaryOp::Eq, i, zero);
        Statement::If {
            condition: is_first,
            then: self.used(of, zero, value),
            otherwise: Vec::new(),
        }
    }

    /// What is done with result `j`.
    fn used(&mut self, of: &Rows<'_>, j: NodeId, value: &[NodeId]) -> List {
        let mut list = bound(&of.of.result, value);
        let mut body = self.list(of.of.body.clone(), Level::Thread);
        substitute(&mut self.tables.nodes, &mut body, of.of.element, j);
        list.extend(body);
        list
    }

    /// Prefixes of at most 32 elements, which never leave their lanes.
    fn scan_of_a_run(&mut self, of: &Rows<'_>, initial: &[NodeId], result: &mut List) {
        let (counter, i) = self.counted();
        let (mut each, value) = self.folded_row(of, i, None);
        let mut value = self.prefixes_of_lanes(of, value, i, of.rows, &mut each);
        if of.of.op == CollectiveOp::ExclusiveScan {
            let zero = self.number(0);
            let before = self.lane_before(i);
            let taken = self.taken(of, &value, Lane::Number(before), &mut each);
            let combined = self.combined(of, [initial, &taken], &mut each);
            let is_behind = self.tables.nodes.binary(BinaryOp::Lt, zero, i);
            value = self.chosen(of, is_behind, [&combined, initial], &mut each);
        }
        let used = self.used(of, i, &value);
        let used = match of.is_whole() {
            true => used,
            false => vec![self.when_below(i, of.n, used)],
        };
        each.extend(used);
        result.push(self.shared_out(of, (counter, of.filled), each));
    }

    /// Prefixes by an operator that may be applied in any order. `start` is what all results begin with.
    ///
    /// A thread folds its row, and keeps what it has after each element, or before it. What stands before
    /// the row in its run, and before the run, is combined with those at the end.
    fn scan_of_runs(
        &mut self,
        of: &Rows<'_>,
        [identity, start]: [&[NodeId]; 2],
        result: &mut List,
    ) {
        let combining = of.combining;
        let kept = self.scratch(combining, of.stored(of.row), result);
        let before = self.scratch(combining, of.stored(1), result);
        let totals = self.scratch(combining, of.runs(), result);
        let (counter, i) = self.counted();
        let cells = self.cells(combining);
        let mut each = declared(&cells, identity);
        let (inner, k) = self.counted();
        let first = self.scaled(i, of.row);
        let at = self.sum(first, k);
        let place = self.place(of, i, k);
        let (mut step, element) = self.element(of, at);
        let (get, value) = self.present(of, &cells);
        step.extend(get);
        let combined = self.combined(of, [&value, &element], &mut step);
        step.extend(assigned(&cells, &combined));
        step.extend(combining.put(
            &kept,
            place,
            match of.of.op {
                CollectiveOp::ExclusiveScan => &value,
                _ => &combined,
            },
        ));
        let step = self.if_any(of, at, step);
        each.push(self.in_order((inner, of.row), step));
        let (get, total) = self.present(of, &cells);
        each.extend(get);
        let total = self.prefixes_of_lanes(of, total, i, of.rows, &mut each);
        let carried = self.before(of, &total, (i, identity), &mut each);
        let stored = combining.put(&before, i, &carried);
        each.extend(match of.rows == of.filled {
            true => stored,
            false => vec![self.when_below(i, of.rows, stored)],
        });
        each.push(self.by_one_lane(of, (i, WARP - 1), &totals, &total));
        self.step_of(of, (counter, of.filled), each, result);

        let (counter, i) = self.counted();
        let (mut each, total) = self.run_of(of, &totals, (i, of.runs()));
        let total = self.prefixes_of_lanes(of, total, i, of.runs(), &mut each);
        let taken = self.before(of, &total, (i, identity), &mut each);
        let carried = match of.of.op {
            CollectiveOp::ExclusiveScan => self.combined(of, [start, &taken], &mut each),
            _ => taken,
        };
        let stored = combining.put(&totals, i, &carried);
        each.push(self.when_below(i, of.runs(), stored));
        self.step_of(of, (counter, WARP), each, result);

        let (counter, i) = self.counted();
        let run = self.divided(i, WARP);
        let mut each = List::new();
        let [of_run, of_row] = [(&totals, run), (&before, i)].map(|(arrays, at)| {
            let names = self.names(combining);
            each.extend(combining.read(&names, arrays, at));
            self.variables(&names, &combining.types)
        });
        let carried = self.combined(of, [&of_run, &of_row], &mut each);
        let (inner, k) = self.counted();
        let first = self.scaled(i, of.row);
        let at = self.sum(first, k);
        let place = self.place(of, i, k);
        let names = self.names(combining);
        let mut step = combining.read(&names, &kept, place);
        let value = self.variables(&names, &combining.types);
        let value = self.combined(of, [&carried, &value], &mut step);
        step.extend(self.used(of, at, &value));
        let step = match of.row * of.rows == of.n {
            true => step,
            false => vec![self.when_below(at, of.n, step)],
        };
        each.push(self.in_order((inner, of.row), step));
        result.push(self.shared_out(of, (counter, of.rows), each));
    }

    /// Inclusive prefixes in the order of the language: runs by lanes, and what is left of the network.
    fn scan_in_order(&mut self, of: &Rows<'_>, result: &mut List) {
        let combining = of.combining;
        let totals = self.scratch(combining, of.stored(1), result);
        let kept = match of.row {
            1 => None,
            _ => Some(self.scratch(combining, of.stored(of.row), result)),
        };
        let (counter, i) = self.counted();
        let (mut each, value) = self.folded_row(of, i, kept.as_deref());
        let value = self.prefixes_of_lanes(of, value, i, of.rows, &mut each);
        let stored = combining.put(&totals, i, &value);
        each.extend(match of.rows == of.filled {
            true => stored,
            false => vec![self.when_below(i, of.rows, stored)],
        });
        self.step_of(of, (counter, of.filled), each, result);
        let mut d = WARP;
        while d < of.rows {
            self.sklansky(combining, &totals, (of.rows, d), result);
            d *= 2;
        }
        let (counter, i) = self.counted();
        let each = match kept {
            None => {
                let names = self.names(combining);
                let mut each = combining.read(&names, &totals, i);
                let value = self.variables(&names, &combining.types);
                each.extend(self.used(of, i, &value));
                each
            }
            Some(kept) => self.behind_rows(of, i, [&totals, &kept]),
        };
        result.push(self.shared_out(of, (counter, of.rows), each));
    }

    /// What is done with the results of row `i`: what is folded of it, behind all rows before it.
    fn behind_rows(&mut self, of: &Rows<'_>, i: NodeId, [totals, kept]: [&[ArrayId]; 2]) -> List {
        let combining = of.combining;
        let [zero, one] = [0, 1].map(|n| self.number(n));
        let cells = self.cells(combining);
        let zeros = self.zeros(of);
        let mut each = declared(&cells, &zeros);
        let before = self.tables.nodes.exact(BinaryOp::Sub, i, one);
        let names = self.names(combining);
        let mut then = combining.read(&names, totals, before);
        let value = self.variables(&names, &combining.types);
        then.extend(assigned(&cells, &value));
        let is_behind = self.tables.nodes.binary(BinaryOp::Lt, zero, i);
        each.push(Statement::If {
            condition: is_behind,
            then,
            otherwise: Vec::new(),
        });
        let (get, carried) = self.present(of, &cells);
        each.extend(get);
        let (inner, k) = self.counted();
        let first = self.scaled(i, of.row);
        let at = self.sum(first, k);
        let place = self.place(of, i, k);
        let names = self.names(combining);
        let mut step = combining.read(&names, kept, place);
        let own = self.variables(&names, &combining.types);
        let all = self.combined(of, [&carried, &own], &mut step);
        let value = self.chosen(of, is_behind, [&all, &own], &mut step);
        step.extend(self.used(of, at, &value));
        let step = match of.row * of.rows == of.n {
            true => step,
            false => vec![self.when_below(at, of.n, step)],
        };
        each.push(self.in_order((inner, of.row), step));
        each
    }

    /// A balanced tree over what the lanes of each run have: the first lane of a run has the result.
    ///
    /// In the step of distance `d` the lanes at multiples of `2 d` are looked at afterwards. Such a lane, and
    /// the one `d` further, have the tree over `d` rows, or over what there is of them; lanes between them
    /// have something that nobody uses.
    fn tree(
        &mut self,
        of: &Rows<'_>,
        mut value: Vec<NodeId>,
        (i, rows): (NodeId, u32),
        list: &mut List,
    ) -> Vec<NodeId> {
        let mut d = 1;
        while d < rows.min(WARP) {
            let taken = self.taken(of, &value, Lane::Ahead(d), list);
            let combined = self.combined(of, [&value, &taken], list);
            value = if rows.is_multiple_of(WARP) || rows.is_power_of_two() {
                combined
            } else {
                let distance = self.number(d);
                let other = self.sum(i, distance);
                let number = self.number(rows);
                let has_other = self.tables.nodes.binary(BinaryOp::Lt, other, number);
                self.chosen(of, has_other, [&combined, &value], list)
            };
            d *= 2;
        }
        value
    }

    /// Sklansky's network over what the lanes of each run have, for the lanes that have a row.
    ///
    /// In the step of distance `d` a lane of a later half of `2 d` takes what the last lane of the earlier
    /// half has, which has a row if this one does.
    fn prefixes_of_lanes(
        &mut self,
        of: &Rows<'_>,
        mut value: Vec<NodeId>,
        i: NodeId,
        rows: u32,
        list: &mut List,
    ) -> Vec<NodeId> {
        let mut d = 1;
        while d < rows.min(WARP) {
            let [half, last, distance, zero] =
                [(WARP - 1) & !(2 * d - 1), d - 1, d, 0].map(|n| self.number(n));
            let nodes = &mut self.tables.nodes;
            let start = nodes.binary(BinaryOp::And, i, half);
            let lane = nodes.binary(BinaryOp::Or, start, last);
            let bit = nodes.binary(BinaryOp::And, i, distance);
            let is_later = nodes.binary(BinaryOp::Ne, bit, zero);
            let taken = self.taken(of, &value, Lane::Number(lane), list);
            let combined = self.combined(of, [&taken, &value], list);
            value = self.chosen(of, is_later, [&combined, &value], list);
            d *= 2;
        }
        value
    }

    /// What the lane before has; the first lane of a run has what changes nothing.
    fn before(
        &mut self,
        of: &Rows<'_>,
        value: &[NodeId],
        (i, identity): (NodeId, &[NodeId]),
        list: &mut List,
    ) -> Vec<NodeId> {
        let lane = self.lane_before(i);
        let taken = self.taken(of, value, Lane::Number(lane), list);
        let is_first = self.is_lane(i, 0);
        self.chosen(of, is_first, [identity, &taken], list)
    }

    /// The number of the lane before; of the first lane, the last one.
    fn lane_before(&mut self, i: NodeId) -> NodeId {
        let last = self.number(WARP - 1);
        let nodes = &mut self.tables.nodes;
        let other = nodes.binary(BinaryOp::Add, i, last);
        nodes.binary(BinaryOp::And, other, last)
    }

    fn is_lane(&mut self, i: NodeId, lane: u32) -> NodeId {
        let [last, lane] = [WARP - 1, lane].map(|n| self.number(n));
        let nodes = &mut self.tables.nodes;
        let own = nodes.binary(BinaryOp::And, i, last);
        nodes.binary(BinaryOp::Eq, own, lane)
    }

    /// A lane of each run stores what it has.
    fn by_one_lane(
        &mut self,
        of: &Rows<'_>,
        (i, lane): (NodeId, u32),
        totals: &[ArrayId],
        value: &[NodeId],
    ) -> Statement<Lowered> {
        let run = self.divided(i, WARP);
        Statement::If {
            condition: self.is_lane(i, lane),
            then: of.combining.put(totals, run, value),
            otherwise: Vec::new(),
        }
    }

    /// What each of some runs comes to, in as many lanes.
    fn run_of(
        &mut self,
        of: &Rows<'_>,
        totals: &[ArrayId],
        (i, runs): (NodeId, u32),
    ) -> (List, Vec<NodeId>) {
        let cells = self.cells(of.combining);
        let zeros = self.zeros(of);
        let mut list = declared(&cells, &zeros);
        let names = self.names(of.combining);
        let mut then = of.combining.read(&names, totals, i);
        let value = self.variables(&names, &of.combining.types);
        then.extend(assigned(&cells, &value));
        list.push(self.when_below(i, runs, then));
        let (get, value) = self.present(of, &cells);
        list.extend(get);
        (list, value)
    }

    /// Element `at` of the collective, computed by its list, whose names are new ones each time: it may
    /// stand in one scope more than once.
    fn element(&mut self, of: &Rows<'_>, at: NodeId) -> (List, Vec<NodeId>) {
        let (mut list, element) = self.elements(of.of, of.combining);
        substitute(&mut self.tables.nodes, &mut list, of.of.counter, at);
        for n in 0..of.of.source.len() {
            let (before, behind) = list.split_at_mut(n + 1);
            if let (Some(Statement::Let { variable, .. }), Statement::Let { .. }) =
                (before.last_mut(), &of.of.source[n])
            {
                let ty = self.tables.variable(*variable).ty;
                let name = self.tables.add_variable(ty, VariableKind::Let);
                let value = self.tables.nodes.add(Node::Variable(name), ty);
                substitute(&mut self.tables.nodes, behind, *variable, value);
                *variable = name;
            }
        }
        (list, element)
    }

    /// Two elements combined; the result has names.
    fn combined(
        &mut self,
        of: &Rows<'_>,
        [left, right]: [&[NodeId]; 2],
        list: &mut List,
    ) -> Vec<NodeId> {
        let names = self.names(of.combining);
        let mut own = bound(&names, &of.combining.value);
        let operands = of.of.left.iter().chain(&of.of.right);
        for (variable, value) in operands.zip(left.iter().chain(right)) {
            substitute(&mut self.tables.nodes, &mut own, *variable, *value);
        }
        list.extend(own);
        self.variables(&names, &of.combining.types)
    }

    /// One of two elements; the result has names.
    fn chosen(
        &mut self,
        of: &Rows<'_>,
        condition: NodeId,
        [then, otherwise]: [&[NodeId]; 2],
        list: &mut List,
    ) -> Vec<NodeId> {
        let names = self.names(of.combining);
        let nodes = &mut self.tables.nodes;
        let values: Vec<_> = then
            .iter()
            .zip(otherwise)
            .map(|(then, otherwise)| nodes.select(condition, *then, *otherwise))
            .collect();
        list.extend(bound(&names, &values));
        self.variables(&names, &of.combining.types)
    }

    /// What another lane has.
    fn taken(
        &mut self,
        of: &Rows<'_>,
        value: &[NodeId],
        from: Lane,
        list: &mut List,
    ) -> Vec<NodeId> {
        let names = self.names(of.combining);
        list.extend(names.iter().zip(value).map(|(variable, value)| {
            let shuffle = Shuffle {
                variable: *variable,
                value: *value,
                from,
                origin: of.combining.origin,
            };
            Statement::Shuffle((), shuffle)
        }));
        self.variables(&names, &of.combining.types)
    }

    /// What cells have now.
    fn present(&mut self, of: &Rows<'_>, cells: &[VariableId]) -> (List, Vec<NodeId>) {
        let names = self.names(of.combining);
        let list = of.combining.get(&names, cells);
        (list, self.variables(&names, &of.combining.types))
    }

    fn zeros(&mut self, of: &Rows<'_>) -> Vec<NodeId> {
        let types = of.combining.types.iter();
        types
            .map(|ty| self.tables.nodes.add_literal(Literal::zero(*ty)))
            .collect()
    }

    /// What is done for element `at`, if there is one.
    fn if_any(&mut self, of: &Rows<'_>, at: NodeId, list: List) -> List {
        match of.is_whole() {
            true => list,
            false => vec![self.when_below(at, of.n, list)],
        }
    }

    fn when_below(&mut self, i: NodeId, n: u32, then: List) -> Statement<Lowered> {
        let n = self.number(n);
        Statement::If {
            condition: self.tables.nodes.binary(BinaryOp::Lt, i, n),
            then,
            otherwise: Vec::new(),
        }
    }

    /// Where what belongs to element `k` of row `i` is kept.
    fn place(&mut self, of: &Rows<'_>, i: NodeId, k: NodeId) -> NodeId {
        let start = self.scaled(k, of.stored(1));
        self.sum(start, i)
    }

    fn counted(&mut self) -> (VariableId, NodeId) {
        let counter = self.fresh(VariableKind::Counter, ScalarType::U32);
        (counter, self.variable(counter, ScalarType::U32))
    }

    fn sum(&mut self, x: NodeId, y: NodeId) -> NodeId {
        self.tables.nodes.exact(BinaryOp::Add, x, y)
    }

    fn scaled(&mut self, x: NodeId, n: u32) -> NodeId {
        let n = self.number(n);
        self.tables.nodes.exact(BinaryOp::Mul, x, n)
    }

    fn divided(&mut self, x: NodeId, n: u32) -> NodeId {
        let n = self.number(n);
        self.tables.nodes.exact(BinaryOp::Div, x, n)
    }

    /// A loop of one thread, written out if it is short.
    fn in_order(&mut self, (counter, rounds): (VariableId, u32), body: List) -> Statement<Lowered> {
        Statement::Loop {
            kind: LevelledLoop::Sequential(Level::Thread),
            unroll: match rounds <= WRITTEN_OUT {
                true => Unroll::Always,
                false => Unroll::Free,
            },
            counter,
            bounds: [self.number(rounds)],
            body,
        }
    }

    fn shared_out(
        &mut self,
        of: &Rows<'_>,
        (counter, count): (VariableId, u32),
        body: List,
    ) -> Statement<Lowered> {
        Statement::Loop {
            kind: LevelledLoop::ForAll(of.of.level),
            unroll: Unroll::Free,
            counter,
            bounds: [self.number(count)],
            body,
        }
    }

    /// A loop that the threads share out, and a wait behind it.
    fn step_of(
        &mut self,
        of: &Rows<'_>,
        (counter, count): (VariableId, u32),
        body: List,
        result: &mut List,
    ) {
        let count = self.number(count);
        self.step(of.combining, (counter, count), body, result);
    }
}

/// Does a list nothing but give names to values, and then give what it has?
fn names_only(list: &[Statement<Levelled>]) -> bool {
    let is_name = |statement: &Statement<Levelled>| {
        matches!(statement, Statement::Let { .. } | Statement::Give(..))
    };
    list.iter().all(is_name)
}

/// Are all elements that an iteration loads the ones behind those of the iteration before, or the same?
fn lie_side_by_side(nodes: &Nodes, of: &Collective<Levelled>) -> bool {
    // How much a value grows from one iteration to the next; nothing is known of `None`.
    let mut steps: BTreeMap<NodeId, Option<u32>> = BTreeMap::new();
    let mut names: BTreeMap<VariableId, Option<u32>> = BTreeMap::from([(of.counter, Some(1))]);
    let mut all = true;
    for statement in &of.source {
        let roots = statement.nodes();
        for id in nodes.post_order(&roots, |id| steps.contains_key(&id)) {
            let of = |id: NodeId| steps.get(&id).copied().flatten();
            let literal = |id: NodeId| nodes.literal(id).filter(|n| n.ty() == ScalarType::U32);
            let step = match nodes.node(id) {
                Node::Variable(variable) => names.get(&variable).copied().unwrap_or(Some(0)),
                Node::Literal(_) | Node::Length(_) | Node::Special(_) => Some(0),
                Node::Load { index, .. } => {
                    all &= matches!(of(index), Some(0 | 1));
                    None
                }
                Node::Binary {
                    op: BinaryOp::Add,
                    left,
                    right,
                    ..
                } => of(left).zip(of(right)).and_then(|(x, y)| x.checked_add(y)),
                Node::Binary {
                    op: BinaryOp::Mul,
                    left,
                    right,
                    ..
                } => match (of(left), of(right), literal(left), literal(right)) {
                    (Some(0), Some(0), ..) => Some(0),
                    (Some(step), _, _, Some(n)) | (_, Some(step), Some(n), _) => {
                        step.checked_mul(n.u32())
                    }
                    _ => None,
                },
                node => node
                    .operands()
                    .into_iter()
                    .all(|part| of(part) == Some(0))
                    .then_some(0),
            };
            steps.insert(id, step);
        }
        if let Statement::Let { variable, value } = statement {
            names.insert(*variable, steps.get(value).copied().flatten());
        }
    }
    all
}
