//! Scans by lanes.

use super::super::Lowering;
use super::super::collectives::{List, assigned, declared};
use super::super::lanes::Rows;
use super::Found;
use crate::ir::{CollectiveOp, Lane, RUN, WARP, series};
use crate::scalar::{ArrayId, BinaryOp, NodeId};

// A run is a row for each lane.
const _: () = assert!(RUN == WARP);

impl Lowering<'_> {
    /// Prefixes of at most 32 elements, which never leave their lanes.
    pub(super) fn run_of_lanes(&mut self, of: &Rows<'_>, initial: &[NodeId], result: &mut List) {
        let (counter, i) = self.counted();
        let (mut each, value) = self.folded_row(of, i);
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

    /// The first two loops.
    pub(super) fn found_by_lanes(
        &mut self,
        of: &Rows<'_>,
        initial: &[NodeId],
        result: &mut List,
    ) -> Found {
        let kept = match of.row {
            1 => Vec::new(),
            _ => self.scratch(of.combining, of.stored(of.row), result),
        };
        let in_run = self.scratch(of.combining, of.stored(1), result);
        let before = self.scratch(of.combining, of.runs(), result);
        self.in_runs(of, [&kept, &in_run, &before], result);
        self.between_runs(of, initial, &before, result);
        Found {
            kept,
            is_numbered: false,
            in_run,
            is_of_row: true,
            before: Some(before),
        }
    }

    /// What each element has in its row, each row in its run, and what each run comes to.
    fn in_runs(
        &mut self,
        of: &Rows<'_>,
        [kept, in_run, totals]: [&[ArrayId]; 3],
        result: &mut List,
    ) {
        let (counter, i) = self.counted();
        let (mut each, total) = match of.row {
            1 => self.folded_row(of, i),
            _ => self.kept_row(of, i, kept),
        };
        let total = self.prefixes_of_lanes(of, total, i, of.rows, &mut each);
        let is_included = of.row == 1 && of.of.op == CollectiveOp::InclusiveScan;
        let in_front = match is_included {
            true => total.clone(),
            false => self.before(of, &total, i, &mut each),
        };
        let stored = of.combining.put(in_run, i, &in_front);
        each.extend(self.unless(of.rows == of.filled, (i, of.rows), stored));
        each.push(self.by_one_lane(of, (i, WARP - 1), totals, &total));
        self.step_of(of, (counter, of.filled), each, result);
    }

    /// The fold of row `i` from the left, and what it is up to each element; where no row is, something.
    fn kept_row(&mut self, of: &Rows<'_>, i: NodeId, kept: &[ArrayId]) -> (List, Vec<NodeId>) {
        let cells = self.cells(of.combining);
        let begun = match &of.identity {
            Some(identity) => identity.clone(),
            None => self.zeros(of),
        };
        let mut each = declared(&cells, &begun);
        let (inner, k) = self.counted();
        let first = self.scaled(i, of.row);
        let at = self.sum(first, k);
        let place = self.place(of, i, k);
        let (mut step, element) = self.element(of, at);
        let value = self.present(of, &cells, &mut step);
        let mut combined = self.combined(of, [&value, &element], &mut step);
        if of.identity.is_none() {
            let is_behind = self.at_least(k, 1);
            combined = self.chosen(of, is_behind, [&combined, &element], &mut step);
        }
        step.extend(assigned(&cells, &combined));
        step.extend(of.combining.put(kept, place, &combined));
        let step = self.unless(of.is_whole(), (at, of.n), step);
        each.push(self.in_order((inner, of.row), step));
        let total = self.present(of, &cells, &mut each);
        (each, total)
    }

    /// What the lane before has; the first lane of a run has what changes nothing, if there is such a thing.
    fn before(
        &mut self,
        of: &Rows<'_>,
        value: &[NodeId],
        i: NodeId,
        list: &mut List,
    ) -> Vec<NodeId> {
        let lane = self.lane_before(i);
        let taken = self.taken(of, value, Lane::Number(lane), list);
        match &of.identity {
            Some(identity) => {
                let is_behind = self.lane_of(i);
                self.chosen(of, is_behind, [&taken, identity], list)
            }
            None => taken,
        }
    }

    /// What stands before each run, in place of what it comes to: a lane of the first warp has a series.
    fn between_runs(
        &mut self,
        of: &Rows<'_>,
        initial: &[NodeId],
        totals: &[ArrayId],
        result: &mut List,
    ) {
        let length = series(of.runs());
        let (counter, i) = self.counted();
        let first = self.scaled(i, length);
        let cells = self.cells(of.combining);
        let zeros = self.zeros(of);
        let mut each = declared(&cells, &zeros);
        each.extend(self.of_series(of, (first, length), |pass, k, at| {
            let mut step = List::new();
            let mut value = pass.stored(of, totals, at, &mut step);
            if length > 1 {
                let before = pass.present(of, &cells, &mut step);
                let combined = pass.combined(of, [&before, &value], &mut step);
                let is_behind = pass.at_least(k, 1);
                value = pass.chosen(of, is_behind, [&combined, &value], &mut step);
            }
            step.extend(assigned(&cells, &value));
            step
        }));
        let value = self.present(of, &cells, &mut each);
        // The last series comes before nothing.
        let lanes = of.runs().div_ceil(length) - 1;
        let value = self.prefixes_of_lanes(of, value, i, lanes, &mut each);
        let mut in_front = self.before(of, &value, i, &mut each);
        if !initial.is_empty() {
            let combined = self.combined(of, [initial, &in_front], &mut each);
            let is_behind = self.at_least(i, 1);
            in_front = self.chosen(of, is_behind, [&combined, initial], &mut each);
        }
        let cells = self.cells(of.combining);
        if length > 1 {
            each.extend(declared(&cells, &in_front));
        }
        let may_be_first = of.identity.is_none() && initial.is_empty();
        each.extend(self.of_series(of, (first, length), |pass, _, at| {
            if length == 1 {
                return of.combining.put(totals, at, &in_front);
            }
            let mut step = List::new();
            let total = pass.stored(of, totals, at, &mut step);
            let value = pass.present(of, &cells, &mut step);
            step.extend(of.combining.put(totals, at, &value));
            let mut combined = pass.combined(of, [&value, &total], &mut step);
            if may_be_first {
                let is_behind = pass.at_least(at, 1);
                combined = pass.chosen(of, is_behind, [&combined, &total], &mut step);
            }
            step.extend(assigned(&cells, &combined));
            step
        }));
        self.step_of(of, (counter, WARP), each, result);
    }

    /// Something for each run of a series, as far as there are runs. `step` is told its place in the series and its number.
    fn of_series(
        &mut self,
        of: &Rows<'_>,
        (first, length): (NodeId, u32),
        step: impl FnOnce(&mut Self, NodeId, NodeId) -> List,
    ) -> List {
        if length == 1 {
            let step = step(self, first, first);
            return self.unless(of.runs() == WARP, (first, of.runs()), step);
        }
        let (counter, k) = self.counted();
        let at = self.sum(first, k);
        let step = step(self, k, at);
        let step = self.unless(of.runs() == WARP * length, (at, of.runs()), step);
        vec![self.in_order((counter, length), step)]
    }
}
