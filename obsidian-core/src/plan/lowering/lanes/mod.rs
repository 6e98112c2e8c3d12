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
//! of a reduction folds all that is its own before the lanes of a warp combine anything.
//!
//! Loops go over rows, filled up to whole warps: every lane takes part in each shuffle. Lanes behind the
//! last row have a zero, which no other lane uses.
//!
//! # Limits
//! - Operators with statements of their own, results that go where elements come from, and sorts are networks.
//! - At Thread, and with threads that are not whole warps, all are networks. They give the same bits.

mod pieces;
mod reduce;
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
pub(super) const MOST_ELEMENTS: u32 = 1 << 24;

/// What a collective combines, and for how many threads.
pub(super) struct Rows<'c> {
    pub(super) of: &'c Collective<Levelled>,
    pub(super) combining: &'c Combining,
    /// Elements, those of a row, rows, and rows filled up to whole warps.
    pub(super) n: u32,
    pub(super) row: u32,
    pub(super) rows: u32,
    pub(super) filled: u32,
    /// Threads that share the rows out.
    width: u32,
    /// For each component what changes no value, if the operator is exactly associative.
    pub(super) identity: Option<Vec<NodeId>>,
}

impl<'c> Rows<'c> {
    /// The rows of a collective, of `row` elements each.
    pub(super) fn of(
        of: &'c Collective<Levelled>,
        combining: &'c Combining,
        [n, row, width]: [u32; 3],
        identity: Option<Vec<NodeId>>,
    ) -> Self {
        let rows = n.div_ceil(row);
        Rows {
            of,
            combining,
            n,
            row,
            rows,
            filled: rows.next_multiple_of(WARP),
            width,
            identity,
        }
    }

    /// Does every lane have a row, and every row all of its elements?
    pub(super) fn is_whole(&self) -> bool {
        self.row * self.filled == self.n
    }

    /// Runs of 32 rows.
    pub(super) fn runs(&self) -> u32 {
        self.filled / WARP
    }

    /// The length of an array that has an element for each row, or `times` of them. The elements of row
    /// `i` are all `i` modulo the threads, so the thread of the row owns them, and `placement` can put them
    /// into its registers; but not where that takes many registers, or more than twice the memory of the
    /// rows.
    pub(super) fn stored(&self, times: u32) -> u32 {
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
        result: &mut List,
    ) -> Option<Collective<Levelled>> {
        let n = self.tables.nodes.literal(of.count).map_or(0, Literal::u32);
        let Some(width) = self
            .width(of.level)
            .filter(|_| combining.is_one_expression())
        else {
            return Some(of);
        };
        let identity = self.identity(combining);
        let of_rows = Rows::of(&of, combining, [n, row(n), width], identity);
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
            (CollectiveOp::Reduce, Some(identity)) if n > width && is_plain => {
                self.fold_of_threads(&of_rows, identity, result);
            }
            (CollectiveOp::Reduce, _) if is_plain || of_rows.row == 1 => {
                self.fold_of_rows(&of_rows, result);
            }
            (CollectiveOp::Reduce, _) => return Some(of),
            // Scans have a file of their own.
            (
                CollectiveOp::InclusiveScan
                | CollectiveOp::ExclusiveScan
                | CollectiveOp::Sort
                | CollectiveOp::Earlier
                | CollectiveOp::Count { .. }
                | CollectiveOp::Rank { .. },
                _,
            ) => return Some(of),
        }
        None
    }

    /// The threads that share out the iterations of a level, if they are whole warps.
    pub(super) fn width(&self, level: Level) -> Option<u32> {
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
    pub(super) fn used(&mut self, of: &Rows<'_>, j: NodeId, value: &[NodeId]) -> List {
        let mut list = bound(&of.of.result, value);
        let mut body = self.list(of.of.body.clone(), Level::Thread);
        substitute(&mut self.tables.nodes, &mut body, of.of.element, j);
        list.extend(body);
        list
    }
}

/// Does a list nothing but give names to values, and then give what it has?
pub(super) fn names_only(list: &[Statement<Levelled>]) -> bool {
    let is_name = |statement: &Statement<Levelled>| {
        matches!(statement, Statement::Let { .. } | Statement::Give(..))
    };
    list.iter().all(is_name)
}
