//! Collectives: what the threads of a level compute together out of one value an iteration.
//!
//! # What a collective does
//!
//! ```text
//! inclusive_scan Block i < 100_u32 {
//!   give input[i]
//! } by a b {
//!   give (a + b)
//! } into j < 100_u32 x {
//!   store output[j] = x
//! }
//! ```
//!
//! The first list is executed as by a `ForAll` of the level, and gives the element `i`. The second
//! one combines two elements. The third one is executed as by a `ForAll` of the level again, and has
//! the result `j` in a variable. So an access in the first or the third list is one of a `ForAll`,
//! for the bounds, coverage, races and ownership that `plan::check` proves; what happens between the
//! two accesses nothing that the program can name.
//!
//! # The order of association
//!
//! It is a function of the number of elements `n` alone: not of the level, the threads, or what
//! else is in the kernel. Combining takes the earlier element as its left operand, always, so an
//! operator need neither commute nor be associative.
//!
//! - [`Reduce`](CollectiveOp::Reduce). Elements form rows of [`row`]`(n)` neighbours, the last one
//!   maybe shorter; up to 1,024 elements, a row is one element. A row is folded from the left:
//!   `((x0 . x1) . x2) . x3`. Then a balanced tree over neighbours: in each step the rows `2k` and
//!   `2k + 1` become one, and an odd last one stays as it is. Five rows: `((r0 . r1) . (r2 . r3)) .
//!   r4`.
//! - [`InclusiveScan`](CollectiveOp::InclusiveScan). Result `j` is the reduction of the elements
//!   `0 ..= j`, in the rows of all `n`: where `j` is the `m`-th element of row `k`, it is the tree
//!   over the rows before `k`, combined with the left fold of the first `m` elements of row `k`; in
//!   row 0, that fold alone. Where a row is one element, it is the tree over the `j + 1` elements.
//! - [`ExclusiveScan`](CollectiveOp::ExclusiveScan). Result 0 is the initial value; result `j` is
//!   the initial value combined with the inclusive result `j - 1`.
//! - [`Sort`](CollectiveOp::Sort). The operator says whether its left operand must come before its
//!   right one. Results are what the merge exchange of Batcher (Knuth, *The Art of Computer
//!   Programming* 3, algorithm 5.2.2M) makes of the elements: a network that depends on `n` alone.
//!   Two elements of which neither must come before the other are in the order that it leaves them
//!   in: the sort is not stable.
//!
//! With 0 elements nothing is executed; in particular a reduction has no result then.

use super::{Level, MAX_THREADS, Stage, Statement};
use crate::error::Origin;
use crate::scalar::{NodeId, VariableId};

/// What a collective computes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CollectiveOp {
    /// All elements combined: one result, or none of no elements.
    Reduce,
    /// Each prefix, its last element included.
    InclusiveScan,
    /// Each prefix without its last element, behind an initial value.
    ExclusiveScan,
    /// The elements in order.
    Sort,
}

impl CollectiveOp {
    /// All of them, in declaration order.
    pub const ALL: [CollectiveOp; 4] = [
        CollectiveOp::Reduce,
        CollectiveOp::InclusiveScan,
        CollectiveOp::ExclusiveScan,
        CollectiveOp::Sort,
    ];

    /// The name in dumps, and of the function of the language.
    pub const fn name(self) -> &'static str {
        match self {
            CollectiveOp::Reduce => "reduce",
            CollectiveOp::InclusiveScan => "inclusive_scan",
            CollectiveOp::ExclusiveScan => "exclusive_scan",
            CollectiveOp::Sort => "sort",
        }
    }

    /// The number of results of so many elements.
    pub const fn results(self, elements: u32) -> u32 {
        match (self, elements) {
            (CollectiveOp::Reduce, 1..) => 1,
            _ => elements,
        }
    }
}

/// The number of neighbours in a row of so many elements, at least 1: there are at most 1,024 rows,
/// one a thread of the largest block.
pub const fn row(elements: u32) -> u32 {
    match elements.div_ceil(MAX_THREADS) {
        0 => 1,
        row => row,
    }
}

/// A collective; the documentation of the module `ir::collective` says what it does and in which order.
#[derive(Clone, PartialEq, Debug)]
pub struct Collective<S: Stage> {
    /// What is computed.
    pub op: CollectiveOp,
    /// Who computes it: the level of the list that it stands in, up to Block.
    pub level: Level,
    /// The first element of an exclusive scan; of nothing else.
    pub initial: Option<NodeId>,
    /// The number of the element in `source`, of kind `Counter`.
    pub counter: VariableId,
    /// The number of elements, a literal `u32`.
    pub count: NodeId,
    /// At level Thread; ends with the `Give` of an element.
    pub source: Vec<Statement<S>>,
    /// The earlier of two elements in `combine`, of kind `Let`.
    pub left: VariableId,
    /// The later one, of kind `Let`.
    pub right: VariableId,
    /// At level Thread; ends with the `Give` of the two combined, or of a `bool` for a sort. It
    /// accesses no array, and no cell but its own: who executes it, and how often, is the lowering's
    /// choice.
    pub combine: Vec<Statement<S>>,
    /// The number of the result in `body`, of kind `Counter`.
    pub element: VariableId,
    /// The number of results, a literal `u32`: [`CollectiveOp::results`] of `count`.
    pub results: NodeId,
    /// The result in `body`, of kind `Let`.
    pub result: VariableId,
    /// At level Thread.
    pub body: Vec<Statement<S>>,
    /// The user's place.
    pub origin: Origin,
}

impl<S: Stage> Collective<S> {
    /// The variables that are bound for the whole of each list, in the order of the lists.
    pub fn bound(&self) -> [Vec<VariableId>; 3] {
        [
            vec![self.counter],
            vec![self.left, self.right],
            vec![self.element, self.result],
        ]
    }
}

/// The node that a list ends by giving.
pub(crate) fn given<S: Stage>(list: &[Statement<S>]) -> Option<NodeId> {
    match list.last() {
        Some(Statement::Give(_, value)) => Some(*value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_a_function_of_the_length() {
        for (n, expected) in [(0, 1), (1, 1), (1000, 1), (1024, 1), (1025, 2), (3000, 3)] {
            assert_eq!(row(n), expected, "{n}");
            assert!(n.div_ceil(row(n)) <= MAX_THREADS, "{n}");
        }
        assert_eq!(row(u32::MAX), 1 << 22);
    }

    #[test]
    fn a_reduction_of_nothing_has_no_result() {
        for op in CollectiveOp::ALL {
            assert_eq!(op.results(0), 0);
            assert_eq!(op.results(1), 1);
        }
        assert_eq!(CollectiveOp::Reduce.results(7), 1);
        assert_eq!(CollectiveOp::Sort.results(7), 7);
    }
}
