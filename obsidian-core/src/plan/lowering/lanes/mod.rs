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

mod pieces;
mod reduce;
mod scan;
mod warps;

use super::collectives::{Combining, List, bound};
use super::loops::apart;
use super::{Executed, Lowering};
use crate::ir::{Collective, CollectiveOp, Level, Levelled, Statement, WARP, row, substitute};
use crate::scalar::{Literal, NodeId};

/// Rows of at most as many elements are written out.
const WRITTEN_OUT: u32 = 32;

/// Words that a thread keeps of a row in registers.
const ROW_WORDS: u32 = 24;

/// More elements than in any memory of a block; the arithmetic below stays in 32 bits.
const MOST_ELEMENTS: u32 = 1 << 24;

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
            && words.saturating_mul(self.row) <= ROW_WORDS;
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
        if n > MOST_ELEMENTS || !is_apart {
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

    /// What is done with result `j`.
    fn used(&mut self, of: &Rows<'_>, j: NodeId, value: &[NodeId]) -> List {
        let mut list = bound(&of.of.result, value);
        let mut body = self.list(of.of.body.clone(), Level::Thread);
        substitute(&mut self.tables.nodes, &mut body, of.of.element, j);
        list.extend(body);
        list
    }
}

/// Does a list nothing but give names to values, and then give what it has?
fn names_only(list: &[Statement<Levelled>]) -> bool {
    let is_name = |statement: &Statement<Levelled>| {
        matches!(statement, Statement::Let { .. } | Statement::Give(..))
    };
    list.iter().all(is_name)
}
