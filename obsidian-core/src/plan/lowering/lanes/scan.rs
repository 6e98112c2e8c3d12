//! Scans by lanes.

use super::super::Lowering;
use super::super::collectives::{List, assigned, declared};
use super::Rows;
use crate::ir::{CollectiveOp, Lane, Statement, WARP};
use crate::scalar::{ArrayId, BinaryOp, NodeId};

impl Lowering<'_> {
    /// Prefixes of at most 32 elements, which never leave their lanes.
    pub(super) fn scan_of_a_run(&mut self, of: &Rows<'_>, initial: &[NodeId], result: &mut List) {
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
        each.extend(self.unless(of.is_whole(), (i, of.n), used));
        result.push(self.shared_out(of, (counter, of.filled), each));
    }

    /// Prefixes by an operator that may be applied in any order. `start` is what all results begin with.
    ///
    /// A thread folds its row, and keeps what it has after each element, or before it. What stands before
    /// the row in its run, and before the run, is combined with those at the end.
    pub(super) fn scan_of_runs(
        &mut self,
        of: &Rows<'_>,
        [identity, start]: [&[NodeId]; 2],
        result: &mut List,
    ) {
        let [kept, before, totals] = [of.stored(of.row), of.stored(1), of.runs()]
            .map(|length| self.scratch(of.combining, length, result));
        self.prefixes_in_runs(of, identity, [&kept, &before, &totals], result);
        self.prefixes_of_runs(of, [identity, start], &totals, result);
        self.behind_runs(of, [&kept, &before, &totals], result);
    }

    /// What each element has in its row, each row in its run, and what each run comes to.
    fn prefixes_in_runs(
        &mut self,
        of: &Rows<'_>,
        identity: &[NodeId],
        [kept, before, totals]: [&[ArrayId]; 3],
        result: &mut List,
    ) {
        let (counter, i) = self.counted();
        let cells = self.cells(of.combining);
        let mut each = declared(&cells, identity);
        let (inner, k) = self.counted();
        let first = self.scaled(i, of.row);
        let at = self.sum(first, k);
        let place = self.place(of, i, k);
        let (mut step, element) = self.element(of, at);
        let value = self.present(of, &cells, &mut step);
        let combined = self.combined(of, [&value, &element], &mut step);
        step.extend(assigned(&cells, &combined));
        let prefix = match of.of.op {
            CollectiveOp::ExclusiveScan => &value,
            _ => &combined,
        };
        step.extend(of.combining.put(kept, place, prefix));
        let step = self.unless(of.is_whole(), (at, of.n), step);
        each.push(self.in_order((inner, of.row), step));
        let total = self.present(of, &cells, &mut each);
        let total = self.prefixes_of_lanes(of, total, i, of.rows, &mut each);
        let carried = self.before(of, &total, (i, identity), &mut each);
        let stored = of.combining.put(before, i, &carried);
        each.extend(self.unless(of.rows == of.filled, (i, of.rows), stored));
        each.push(self.by_one_lane(of, (i, WARP - 1), totals, &total));
        self.step_of(of, (counter, of.filled), each, result);
    }

    /// What stands before each run, in place of what it comes to.
    fn prefixes_of_runs(
        &mut self,
        of: &Rows<'_>,
        [identity, start]: [&[NodeId]; 2],
        totals: &[ArrayId],
        result: &mut List,
    ) {
        let (counter, i) = self.counted();
        let (mut each, total) = self.run_of(of, totals, (i, of.runs()));
        let total = self.prefixes_of_lanes(of, total, i, of.runs(), &mut each);
        let taken = self.before(of, &total, (i, identity), &mut each);
        let carried = match of.of.op {
            CollectiveOp::ExclusiveScan => self.combined(of, [start, &taken], &mut each),
            _ => taken,
        };
        let stored = of.combining.put(totals, i, &carried);
        each.push(self.when_below(i, of.runs(), stored));
        self.step_of(of, (counter, WARP), each, result);
    }

    /// What is done with the results: what each element has in its row, behind what stands before the row.
    fn behind_runs(
        &mut self,
        of: &Rows<'_>,
        [kept, before, totals]: [&[ArrayId]; 3],
        result: &mut List,
    ) {
        let (counter, i) = self.counted();
        let run = self.divided(i, WARP);
        let mut each = List::new();
        let of_run = self.stored(of, totals, run, &mut each);
        let of_row = self.stored(of, before, i, &mut each);
        let carried = self.combined(of, [&of_run, &of_row], &mut each);
        let (inner, k) = self.counted();
        let first = self.scaled(i, of.row);
        let at = self.sum(first, k);
        let place = self.place(of, i, k);
        let mut step = List::new();
        let value = self.stored(of, kept, place, &mut step);
        let value = self.combined(of, [&carried, &value], &mut step);
        step.extend(self.used(of, at, &value));
        let step = self.unless(of.row * of.rows == of.n, (at, of.n), step);
        each.push(self.in_order((inner, of.row), step));
        result.push(self.shared_out(of, (counter, of.rows), each));
    }

    /// Inclusive prefixes in the order of the language: runs by lanes, and what is left of the network.
    pub(super) fn scan_in_order(&mut self, of: &Rows<'_>, result: &mut List) {
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
        each.extend(self.unless(of.rows == of.filled, (i, of.rows), stored));
        self.step_of(of, (counter, of.filled), each, result);
        let mut d = WARP;
        while d < of.rows {
            self.sklansky(combining, &totals, (of.rows, d), result);
            d *= 2;
        }
        let (counter, i) = self.counted();
        let each = match kept {
            None => {
                let mut each = List::new();
                let value = self.stored(of, &totals, i, &mut each);
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
        let mut then = List::new();
        let value = self.stored(of, totals, before, &mut then);
        then.extend(assigned(&cells, &value));
        let is_behind = self.tables.nodes.binary(BinaryOp::Lt, zero, i);
        each.push(Statement::If {
            condition: is_behind,
            then,
            otherwise: Vec::new(),
        });
        let carried = self.present(of, &cells, &mut each);
        let (inner, k) = self.counted();
        let first = self.scaled(i, of.row);
        let at = self.sum(first, k);
        let place = self.place(of, i, k);
        let mut step = List::new();
        let own = self.stored(of, kept, place, &mut step);
        let all = self.combined(of, [&carried, &own], &mut step);
        let value = self.chosen(of, is_behind, [&all, &own], &mut step);
        step.extend(self.used(of, at, &value));
        let step = self.unless(of.row * of.rows == of.n, (at, of.n), step);
        each.push(self.in_order((inner, of.row), step));
        each
    }
}
