//! Collectives: the threads of a level combine, or put in order, one value of each iteration. [`Collective`]
//! documents what each computes, and in which order.

use super::{Level, Stage, Statement};
use crate::error::Origin;
use crate::scalar::{NodeId, VariableId};

/// What a collective computes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CollectiveOp {
    /// All elements combined: one result, or no result of 0 elements.
    Reduce,
    /// Each prefix, its last element included.
    InclusiveScan,
    /// Each prefix without its last element, after an initial value.
    ExclusiveScan,
    /// The elements in order.
    Sort,
    /// Element by element, those of all earlier blocks, behind an initial value. Directly in an
    /// [ordered](super::LevelledLoop::Ordered) loop over blocks, once.
    Earlier,
    /// How many elements there are of each digit.
    Count {
        /// The digit of an element is as many of its lowest bits.
        bits: u32,
    },
    /// The place of each element in the order of the digits, in which equal ones keep their order.
    Rank {
        /// The digit of an element is as many of its lowest bits.
        bits: u32,
    },
}

impl CollectiveOp {
    /// All operations, in declaration order.
    pub const ALL: [CollectiveOp; 7] = [
        CollectiveOp::Reduce,
        CollectiveOp::InclusiveScan,
        CollectiveOp::ExclusiveScan,
        CollectiveOp::Sort,
        CollectiveOp::Earlier,
        CollectiveOp::Count { bits: 0 },
        CollectiveOp::Rank { bits: 0 },
    ];

    /// Those by an operator, which the threads of one warp or block do by themselves, in declaration order.
    pub const WITHIN: [CollectiveOp; 4] = [
        CollectiveOp::Reduce,
        CollectiveOp::InclusiveScan,
        CollectiveOp::ExclusiveScan,
        CollectiveOp::Sort,
    ];

    /// The name in a kernel's text.
    pub const fn name(self) -> &'static str {
        match self {
            CollectiveOp::Reduce => "reduce",
            CollectiveOp::InclusiveScan => "inclusive_scan",
            CollectiveOp::ExclusiveScan => "exclusive_scan",
            CollectiveOp::Sort => "sort",
            CollectiveOp::Earlier => "earlier",
            CollectiveOp::Count { .. } => "count",
            CollectiveOp::Rank { .. } => "rank",
        }
    }

    /// The bits of a digit; `None` of what is combined by an operator.
    pub const fn bits(self) -> Option<u32> {
        match self {
            CollectiveOp::Count { bits } | CollectiveOp::Rank { bits } => Some(bits),
            CollectiveOp::Reduce
            | CollectiveOp::InclusiveScan
            | CollectiveOp::ExclusiveScan
            | CollectiveOp::Sort
            | CollectiveOp::Earlier => None,
        }
    }

    /// The same by a digit of as many bits.
    #[must_use]
    pub const fn by_bits(self, bits: u32) -> CollectiveOp {
        match self {
            CollectiveOp::Count { .. } => CollectiveOp::Count { bits },
            CollectiveOp::Rank { .. } => CollectiveOp::Rank { bits },
            other => other,
        }
    }

    /// Returns the number of results of a collective of `elements` elements.
    pub const fn results(self, elements: u32) -> u32 {
        match (self, elements) {
            (CollectiveOp::Reduce, 1..) => 1,
            (CollectiveOp::Count { bits }, 1..) => match 1u32.checked_shl(bits) {
                Some(digits) => digits,
                None => 0,
            },
            (CollectiveOp::Reduce | CollectiveOp::Count { .. }, 0)
            | (
                CollectiveOp::InclusiveScan
                | CollectiveOp::ExclusiveScan
                | CollectiveOp::Sort
                | CollectiveOp::Earlier
                | CollectiveOp::Rank { .. },
                _,
            ) => elements,
        }
    }
}

pub use obsidian_base::launch::GROUP;

/// The most rows of a collective.
const ROWS: u32 = 256;

/// Returns the number of neighbouring elements in one row, where a reduction has `elements`
/// elements. It is the smallest number, at least 1, that makes at most 256 rows: one for each
/// thread of a block of the usual size.
pub const fn row(elements: u32) -> u32 {
    match elements.div_ceil(ROWS) {
        0 => 1,
        row => row,
    }
}

/// The most neighbours that a thread of a scan takes at once: as many numbers of 32 bits as one
/// access of memory has, so that the lanes of a warp load elements that lie side by side.
const NEIGHBOURS: u32 = 4;

/// Returns the number of neighbouring elements in one row, where a scan has `elements` elements: 1
/// where each thread of a block of the usual size has one, and otherwise 4.
pub const fn scanned_row(elements: u32) -> u32 {
    if elements <= ROWS { 1 } else { NEIGHBOURS }
}

/// The rows of a run of a scan: one for each lane of a warp.
pub const RUN: u32 = 32;

/// Returns the number of neighbouring runs in one series, where a scan has `runs` runs. It is the
/// smallest number, at least 1, that makes at most 32 series: one for each lane of a warp.
pub const fn series(runs: u32) -> u32 {
    match runs.div_ceil(RUN) {
        0 => 1,
        series => series,
    }
}

/// The most bits of a digit: 256 counters for each warp are as many as shared memory has room for beside the elements.
pub const MOST_BITS: u32 = 8;

/// The threads of a level compute something together from one value of each iteration. A value has one
/// or several components: `give x, y` gives an element of two, which the operator combines with
/// another as `by lx ly, rx ry`.
///
/// ```text
/// inclusive_scan Block i < 100_u32 {
///   give input[i]
/// } by a b {
///   give (a + b)
/// } into j < 100_u32 x {
///   store output[j] = x
/// }
/// ```
///
/// The threads execute the first list as they execute a `ForAll` of the level; iteration `i` gives
/// element `i`. The second list, the operator, combines two elements. The third list is executed as
/// a `ForAll` again; iteration `j` has result `j` in a variable. So `plan::check` proves bounds,
/// coverage, races and ownership of the accesses in the first and the third list as it proves them
/// of a `ForAll`. Between the two, the threads access no array that the program names.
///
/// # The order of association
///
/// The order is a function of the number of elements `n` alone. It depends neither on the level,
/// nor on the number of threads, nor on the rest of the kernel. In a reduction or a scan the left
/// operand always has the earlier elements, so the operator need neither commute nor be associative.
/// A reduction and the last result of a scan are combined in different orders.
///
/// - [`Reduce`](CollectiveOp::Reduce). Each [`row`]`(n)` neighbouring elements form a row; the last
///   row may be shorter. Up to 256 elements, a row is one element. Each row is folded from the
///   left: `((x0 . x1) . x2) . x3`. The rows are then combined in a balanced tree: each step
///   combines the rows `2k` and `2k + 1`, and leaves an odd last one as it is. Five rows give
///   `((r0 . r1) . (r2 . r3)) . r4`.
/// - [`InclusiveScan`](CollectiveOp::InclusiveScan). Each [`scanned_row`]`(n)` neighbouring elements form a row, each 32
///   rows a run, and each [`series`] of the number of runs form a series; the last ones may be shorter. Rows are folded
///   from the left, a run is the balanced tree over its rows. Result `j` is `(W . T) . x`: `x` is the left fold of its row
///   up to element `j`, `T` the tree over the rows of its run before its row, and `W` what stands before its run, the tree
///   over the series before its own, and then run by run from the left, `((s . r0) . r1) . r2`. A series is folded from the
///   left, too. What is empty is left out. Where a row is one element, the result is `W . T`, and the tree `T` goes up to
///   element `j` itself.
/// - [`ExclusiveScan`](CollectiveOp::ExclusiveScan). Result `j` is the same of the elements before `j`, behind the initial
///   value: `((initial . W) . T) . x`, where `x` is what its row has before element `j`, and `initial . W` is
///   `((initial . s) . r0) . r1`.
/// - [`Sort`](CollectiveOp::Sort). The operator tells whether its left operand must come before its
///   right one. The results are the elements after Batcher's merge exchange (Knuth, *The Art of
///   Computer Programming* 3, algorithm 5.2.2M), a network that depends on `n` alone. The sort is
///   not stable: two elements of which neither must come before the other may change places.
/// - [`Earlier`](CollectiveOp::Earlier). Element `i` of a block is combined with element `i` of other blocks, never with
///   its neighbours. [`GROUP`] blocks that follow each other are a group. Let `E(t)` be the tree, as in a reduction of at
///   most 256 elements, over the blocks before block `t` in its group, and `G(g) = E(t) . x(t)` for the last block `t` of
///   group `g`. The result of a block of group `g` is `(((initial . G(0)) . G(1)) . .. . G(g - 1)) . E(t)`, without the
///   part that is empty: in group 0 it begins with the initial value, and the first block of a group has no `E`.
/// - [`Count`](CollectiveOp::Count) and [`Rank`](CollectiveOp::Rank). An element is one `u32`, its
///   digit is its lowest bits, at most [`MOST_BITS`], and nothing is combined: there is no operator. Result `d` of a count is the number of
///   elements whose digit is `d`. Result `j` of a rank is the number of elements whose digit is less than that of element `j`, or is equal
///   to it, and which stand before it. So the results of a rank are the numbers below the number of elements, each once.
///
/// ```text
/// rank Block i < 100_u32 bits 8_u32 {
///   give input[i]
/// } into j < 100_u32 x {
///   store output[x] = input[j]
/// }
/// ```
///
/// With 0 elements nothing is executed; in particular, a reduction of 0 elements has no result.
#[derive(Clone, PartialEq, Debug)]
pub struct Collective<S: Stage> {
    /// What is computed.
    pub op: CollectiveOp,
    /// The level whose threads compute it, up to Block: that of the list that it stands in.
    pub level: Level,
    /// The initial value of an exclusive scan or of an [`Earlier`](CollectiveOp::Earlier), one node for each component;
    /// empty for the other operations.
    pub initial: Vec<NodeId>,
    /// The number of the element in `source`, of kind `Counter`.
    pub counter: VariableId,
    /// The number of elements, a literal `u32`.
    pub count: NodeId,
    /// At level Thread; ends with the `Give` of an element.
    pub source: Vec<Statement<S>>,
    /// The left operand in `combine`: one variable of kind `Let` for each component; none where there is no operator.
    pub left: Vec<VariableId>,
    /// The right operand in `combine`: one variable of kind `Let` for each component; none where there is no operator.
    pub right: Vec<VariableId>,
    /// At level Thread; ends with the `Give` of the two combined, or of a `bool` for a sort. It
    /// accesses no array and no cell but its own, because the lowering chooses which threads
    /// execute it, and how often. Empty where there is no operator.
    pub combine: Vec<Statement<S>>,
    /// The number of the result in `body`, of kind `Counter`.
    pub element: VariableId,
    /// The number of results, a literal `u32`: [`CollectiveOp::results`] of `count`.
    pub results: NodeId,
    /// The result in `body`: one variable of kind `Let` for each component.
    pub result: Vec<VariableId>,
    /// At level Thread.
    pub body: Vec<Statement<S>>,
    /// The user's place.
    pub origin: Origin,
}

impl<S: Stage> Collective<S> {
    /// The variables that the collective binds for each of its lists: `source`, `combine`, `body`.
    pub fn bound(&self) -> [Vec<VariableId>; 3] {
        [
            vec![self.counter],
            [&self.left[..], &self.right].concat(),
            [&[self.element], &self.result[..]].concat(),
        ]
    }
}

/// The nodes of the `Give` that a list ends with.
#[doc(hidden)]
pub fn given<S: Stage>(list: &[Statement<S>]) -> Option<&[NodeId]> {
    match list.last() {
        Some(Statement::Give(_, values)) => Some(values),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_a_function_of_the_length() {
        for (n, expected) in [
            (0, 1),
            (1, 1),
            (250, 1),
            (256, 1),
            (257, 2),
            (1000, 4),
            (3000, 12),
        ] {
            assert_eq!(row(n), expected, "{n}");
            assert!(n.div_ceil(row(n)) <= ROWS, "{n}");
        }
        assert_eq!(row(u32::MAX), 1 << 24);
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
