//! Scans, in three loops over rows, of which the second one is short.
//!
//! ```text
//! runs      what each element has in its row, each row in its run, and what runs come to
//! between   what stands before each run
//! results   what each element has, behind all of that
//! ```
//!
//! The first two are done by the lanes of warps, which take from each other's registers what they combine, or in steps through
//! memory where there are no whole warps, the operator has statements of its own, or results go where elements come from. The
//! order of association is that of [`Collective`](crate::ir::Collective), and so both give the same bits.

mod by_lanes;
mod by_steps;
mod only;

use super::Lowering;
use super::collectives::{Combining, List, assigned, bound, declared};
use super::lanes::{MOST_ELEMENTS, Rows};
use super::loops::apart;
use crate::ir::{Collective, CollectiveOp, Level, Levelled, RUN, Statement, scanned_row};
use crate::scalar::{ArrayId, BinaryOp, Literal, NodeId, VariableId};

/// What the first two loops have found.
struct Found {
    /// The fold of each row up to each element.
    kept: Vec<ArrayId>,
    /// Is element `k` of row `i` the kept one of that number, or where a thread has it in registers?
    is_numbered: bool,
    /// What stands before each row in its run; of an inclusive scan of rows of one element, the element included.
    in_run: Vec<ArrayId>,
    /// Is that of row `i` at `i`, or at `i - 1`, as what the row before goes up to?
    is_of_row: bool,
    /// What stands before each run. None: there is one run.
    before: Option<Vec<ArrayId>>,
}

/// Which rows, or runs, or elements of a series, have something in front.
#[derive(Clone, Copy)]
enum Has {
    Always,
    Never,
    /// Those from this number on.
    From(u32),
}

impl Lowering<'_> {
    /// Puts the loops of a scan at the end of a list.
    pub(super) fn scan(
        &mut self,
        of: Collective<Levelled>,
        combining: &Combining,
        (initial, only): (&[NodeId], Option<NodeId>),
        result: &mut List,
    ) {
        let n = self.tables.nodes.literal(of.count).map_or(0, Literal::u32);
        let (source, _) = self.elements(&of, combining);
        let body = self.list(of.body.clone(), Level::Thread);
        // In one loop no barrier can stand between what elements are made of and what is done with results.
        let fits = combining.is_one_expression()
            && n <= MOST_ELEMENTS
            && apart(&self.tables.nodes, &source, &body);
        let width = self.width(of.level).filter(|_| fits);
        let identity = self.identity(combining).filter(|_| width.is_some());
        let sizes = [n, scanned_row(n), width.unwrap_or(1)];
        let rows = Rows::of(&of, combining, sizes, identity);
        if width.is_some() && n <= RUN {
            return self.run_of_lanes(&rows, initial, result);
        }
        let found = match width {
            Some(_) => self.found_by_lanes(&rows, initial, result),
            None => self.found_by_steps(&rows, initial, result),
        };
        self.results(&rows, (initial, only), &found, result);
    }

    /// What is done with the results, row by row.
    fn results(
        &mut self,
        of: &Rows<'_>,
        (initial, only): (&[NodeId], Option<NodeId>),
        found: &Found,
        result: &mut List,
    ) {
        let (counter, number) = self.counted();
        let i = only.map_or(number, |only| self.divided(only, of.row));
        let is_exclusive = of.of.op == CollectiveOp::ExclusiveScan;
        // Only of an inclusive scan, and only where nothing changes no value, may nothing stand in front.
        let is_certain = is_exclusive || of.identity.is_some();
        let mut each = List::new();
        let mut in_front = initial.to_vec();
        if let Some(before) = &found.before {
            let run = self.divided(i, RUN);
            in_front = self.stored(of, before, run, &mut each);
        }
        let has_run = match (is_certain, &found.before) {
            (true, _) => Has::Always,
            (false, Some(_)) => Has::From(RUN),
            (false, None) => Has::Never,
        };
        if of.row == 1 && !is_exclusive {
            let value = self.behind(of, (&in_front, i, has_run), (&found.in_run, i), &mut each);
            each.extend(self.used(of, i, &value));
            return self.of_rows(of, (counter, only), each, result);
        }
        let at = match found.is_of_row {
            true => i,
            false => self.one_before(i),
        };
        if of.identity.is_some() {
            let operands = (&in_front[..], i, has_run);
            in_front = self.behind(of, operands, (&found.in_run, at), &mut each);
        } else {
            let cells = self.cells(of.combining);
            let begun = if in_front.is_empty() {
                self.zeros(of)
            } else {
                in_front.clone()
            };
            each.extend(declared(&cells, &begun));
            let mut then = List::new();
            let value = self.behind(of, (&in_front, i, has_run), (&found.in_run, at), &mut then);
            then.extend(assigned(&cells, &value));
            each.push(Statement::If {
                condition: self.lane_of(i),
                then,
                otherwise: Vec::new(),
            });
            in_front = self.present(of, &cells, &mut each);
        }
        if of.row == 1 {
            each.extend(self.used(of, i, &in_front));
            return self.of_rows(of, (counter, only), each, result);
        }
        let (inner, k) = self.counted();
        let first = self.scaled(i, of.row);
        let at = self.sum(first, k);
        let place = match found.is_numbered {
            true => at,
            false => self.place(of, i, k),
        };
        let mut step = List::new();
        if is_exclusive {
            let cells = self.cells(of.combining);
            each.extend(declared(&cells, &in_front));
            let value = self.present(of, &cells, &mut step);
            step.extend(self.used(of, at, &value));
            let combined = self.onto(of, &in_front, (&found.kept, place), &mut step);
            step.extend(assigned(&cells, &combined));
        } else {
            let has_more = if is_certain {
                Has::Always
            } else {
                Has::From(1)
            };
            let value = self.behind(
                of,
                (&in_front, i, has_more),
                (&found.kept, place),
                &mut step,
            );
            step.extend(self.used(of, at, &value));
        }
        let step = self.unless(of.row * of.rows == of.n, (at, of.n), step);
        each.push(self.in_order((inner, of.row), step));
        self.of_rows(of, (counter, only), each, result);
    }

    /// Something for each row, or for the row that has the one result that is used.
    fn of_rows(
        &mut self,
        of: &Rows<'_>,
        (counter, only): (VariableId, Option<NodeId>),
        each: List,
        result: &mut List,
    ) {
        let Some(only) = only else {
            return result.push(self.shared_out(of, (counter, of.rows), each));
        };
        let each = self.when_below(only, of.n, each);
        result.push(self.shared_out(of, (counter, 1), vec![each]));
    }

    /// What row `i` has in front, combined with an element of arrays; the element alone where it has nothing.
    fn behind(
        &mut self,
        of: &Rows<'_>,
        (in_front, i, has): (&[NodeId], NodeId, Has),
        (arrays, at): (&[ArrayId], NodeId),
        list: &mut List,
    ) -> Vec<NodeId> {
        let first = match has {
            Has::Always => return self.onto(of, in_front, (arrays, at), list),
            Has::Never => return self.stored(of, arrays, at, list),
            Has::From(first) => first,
        };
        let cells = self.cells(of.combining);
        let value = self.stored(of, arrays, at, list);
        list.extend(declared(&cells, &value));
        let mut then = List::new();
        let combined = self.onto(of, in_front, (arrays, at), &mut then);
        then.extend(assigned(&cells, &combined));
        list.push(Statement::If {
            condition: self.at_least(i, first),
            then,
            otherwise: Vec::new(),
        });
        self.present(of, &cells, list)
    }

    /// A value combined with an element of arrays that stands behind it.
    fn onto(
        &mut self,
        of: &Rows<'_>,
        left: &[NodeId],
        (arrays, at): (&[ArrayId], NodeId),
        list: &mut List,
    ) -> Vec<NodeId> {
        if of.combining.is_one_expression() {
            let right = self.stored(of, arrays, at, list);
            return self.combined(of, [left, &right], list);
        }
        let operands = [bound(&of.of.left, left), of.combining.right(arrays, at)];
        list.extend(of.combining.apply(operands, List::new()));
        of.combining.value.clone()
    }

    /// Is there a row before row `i` in its run?
    fn lane_of(&mut self, i: NodeId) -> NodeId {
        let [last, zero] = [RUN - 1, 0].map(|n| self.number(n));
        let nodes = &mut self.tables.nodes;
        let lane = nodes.binary(BinaryOp::And, i, last);
        nodes.binary(BinaryOp::Ne, lane, zero)
    }

    fn at_least(&mut self, i: NodeId, n: u32) -> NodeId {
        let last = self.number(n - 1);
        self.tables.nodes.binary(BinaryOp::Lt, last, i)
    }

    /// The number before `i`, which is not 0.
    fn one_before(&mut self, i: NodeId) -> NodeId {
        let one = self.number(1);
        self.tables.nodes.exact(BinaryOp::Sub, i, one)
    }
}
