//! Scans in steps through memory.
//!
//! Each step works in place. That is sound because no element that an iteration writes is read or written by another iteration of the
//! step; the functions say why.

use super::super::Lowering;
use super::super::collectives::{List, assigned, declared};
use super::super::lanes::Rows;
use super::{Found, Has};
use crate::ir::{RUN, Statement, series};
use crate::scalar::{ArrayId, BinaryOp, NodeId, ScalarType};

impl Lowering<'_> {
    /// The first two loops.
    pub(super) fn found_by_steps(
        &mut self,
        of: &Rows<'_>,
        initial: &[NodeId],
        result: &mut List,
    ) -> Found {
        let combining = of.combining;
        let elements = self.scratch(combining, of.n, result);
        let (mut source, element) = self.elements(of.of, combining);
        let at = self.variable(of.of.counter, ScalarType::U32);
        source.extend(combining.put(&elements, at, &element));
        self.step(combining, (of.of.counter, of.of.count), source, result);
        let (in_run, rows) = self.rows(combining, &elements, (of.n, of.row), true, result);
        self.prefixes_of(combining, &in_run, (rows, RUN), result);
        let before = (of.runs() > 1).then(|| self.before_runs(of, initial, &in_run, result));
        Found {
            kept: elements,
            is_numbered: true,
            in_run,
            is_of_row: false,
            before,
        }
    }

    /// What stands before each run. The first run has the initial values, or nothing that is used.
    fn before_runs(
        &mut self,
        of: &Rows<'_>,
        initial: &[NodeId],
        in_run: &[ArrayId],
        result: &mut List,
    ) -> Vec<ArrayId> {
        let combining = of.combining;
        let (runs, length) = (of.runs(), series(of.runs()));
        let all = runs.div_ceil(length);
        let folded = (all > 1).then(|| {
            // The last one stands before nothing. An iteration writes the element of its number.
            let folded = self.scratch(combining, all - 1, result);
            let (counter, s) = self.counted();
            let first = self.scaled(s, length);
            let cells = self.cells(combining);
            let zeros = self.zeros(of);
            let mut each = declared(&cells, &zeros);
            let (inner, k) = self.counted();
            let run = self.sum(first, k);
            let last = self.last_of(run);
            let mut step = List::new();
            let value = self.present(of, &cells, &mut step);
            let both = self.behind(of, (&value, k, Has::From(1)), (in_run, last), &mut step);
            step.extend(assigned(&cells, &both));
            each.push(self.in_order((inner, length), step));
            let value = self.present(of, &cells, &mut each);
            each.extend(combining.put(&folded, s, &value));
            self.step_of(of, (counter, all - 1), each, result);
            self.prefixes_of(combining, &folded, (all - 1, all - 1), result);
            folded
        });
        // An iteration writes the elements of its series.
        let before = self.scratch(combining, runs, result);
        let (counter, s) = self.counted();
        let cells = self.cells(combining);
        let begun = match initial {
            [] => self.zeros(of),
            initial => initial.to_vec(),
        };
        let mut each = declared(&cells, &begun);
        if let Some(folded) = folded {
            let at = self.one_before(s);
            let mut then = List::new();
            let has = if initial.is_empty() {
                Has::Never
            } else {
                Has::Always
            };
            let value = self.behind(of, (initial, s, has), (&folded, at), &mut then);
            then.extend(assigned(&cells, &value));
            each.push(Statement::If {
                condition: self.at_least(s, 1),
                then,
                otherwise: Vec::new(),
            });
        }
        let first = self.scaled(s, length);
        let (inner, k) = self.counted();
        let run = self.sum(first, k);
        let mut step = List::new();
        let value = self.present(of, &cells, &mut step);
        step.extend(combining.put(&before, run, &value));
        let last = self.last_of(run);
        let has = if initial.is_empty() {
            Has::From(1)
        } else {
            Has::Always
        };
        let mut next = List::new();
        let both = self.behind(of, (&value, run, has), (in_run, last), &mut next);
        next.extend(assigned(&cells, &both));
        step.push(self.when_below(run, runs - 1, next));
        let step = self.when_below(run, runs, step);
        each.push(self.in_order((inner, length), vec![step]));
        self.step_of(of, (counter, all), each, result);
        before
    }

    /// The last row of a run that has all of its rows.
    fn last_of(&mut self, run: NodeId) -> NodeId {
        let first = self.scaled(run, RUN);
        let last = self.number(RUN - 1);
        self.tables.nodes.exact(BinaryOp::Add, first, last)
    }
}
