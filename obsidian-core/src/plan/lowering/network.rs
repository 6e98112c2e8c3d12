//! The networks: which elements are combined in which step.
//!
//! Each works in place, on one array, but for the tree of one thread. That is sound because in one step no
//! element that an iteration writes is read or written by another iteration; each function says why.

use super::collectives::{Combining, List};
use super::{Executed, Lowering};
use crate::ir::{Statement, row};
use crate::scalar::{ArrayId, BinaryOp, NodeId, ScalarType, VariableId, VariableKind};

impl Lowering<'_> {
    /// A balanced tree over neighbours, in the order that [`Collective`](crate::ir::Collective)
    /// documents. Returns the array whose element 0 is the result.
    ///
    /// In the step of distance `d`, a power of two, what is left are the elements at multiples of
    /// `d`. Iteration `j` touches those at `2 d j` and `2 d j + d`, and no other does.
    pub(super) fn reduce(
        &mut self,
        of: &Combining,
        elements: &[ArrayId],
        n: u32,
        result: &mut List,
    ) -> Vec<ArrayId> {
        let (rows, n) = self.rows(of, elements, (n, row(n)), false, result);
        if self.by == Executed::ByOne {
            return self.reduce_side_by_side(of, rows, n, result);
        }
        let mut d = 1;
        while d < n {
            // All `j` with `2 d j + d < n`; an odd last element stays.
            let pairs = (n - d).div_ceil(2 * d);
            let (counter, j) = self.counter();
            let [apart, distance, count] = [2 * d, d, pairs].map(|n| self.number(n));
            let first = self.tables.nodes.exact(BinaryOp::Mul, j, apart);
            let second = self.tables.nodes.exact(BinaryOp::Add, first, distance);
            let body = of.store(&rows, [first, second], first);
            self.step(of, (counter, count), body, result);
            d *= 2;
        }
        rows
    }

    /// The same tree by one thread, in which what is left lies side by side: rustc makes instructions for several lanes of such a step, and of none that skips
    /// elements. Each step writes an array of its own.
    fn reduce_side_by_side(
        &mut self,
        of: &Combining,
        mut rows: Vec<ArrayId>,
        mut n: u32,
        result: &mut List,
    ) -> Vec<ArrayId> {
        while n > 1 {
            let next = self.scratch(of, n.div_ceil(2), result);
            let (counter, j) = self.counter();
            let [two, one, pairs] = [2, 1, n / 2].map(|n| self.number(n));
            let first = self.tables.nodes.exact(BinaryOp::Mul, j, two);
            let second = self.tables.nodes.exact(BinaryOp::Add, first, one);
            let operands = [of.left(&rows, first), of.right(&rows, second)];
            let body = of.apply(operands, of.put(&next, j, &of.value));
            self.step(of, (counter, pairs), body, result);
            if n % 2 == 1 {
                let (counter, _) = self.counter();
                let [last, to, once] = [n - 1, n / 2, 1].map(|n| self.number(n));
                let names = self.names(of);
                let values = self.variables(&names, &of.types);
                let mut body = of.read(&names, &rows, last);
                body.extend(of.put(&next, to, &values));
                self.step(of, (counter, once), body, result);
            }
            (rows, n) = (next, n.div_ceil(2));
        }
        rows
    }

    /// Inclusive prefixes in place, of each `run` elements, a power of two or all of them: Sklansky's network.
    ///
    /// In the step of distance `d`, runs of `2 d` elements are made of two of `d`: the later half is
    /// combined with the last of the earlier one. Elements of later halves are written, each by the
    /// iteration of its own number; the one that all of them read is in an earlier half, and not
    /// written. The last element of the first `2 d` is the balanced tree over them, and what is
    /// combined with a later half is that of a whole run: so the order is that of `reduce`.
    pub(super) fn prefixes_of(
        &mut self,
        of: &Combining,
        elements: &[ArrayId],
        (n, run): (u32, u32),
        result: &mut List,
    ) {
        let mut d = 1;
        while d < n.min(run) {
            self.sklansky(of, elements, (n, d), result);
            d *= 2;
        }
    }

    /// One step: by threads, each of which has the element of its own number in every step and lets
    /// earlier halves be; or by one thread, over later halves alone.
    fn sklansky(
        &mut self,
        of: &Combining,
        rows: &[ArrayId],
        (n, d): (u32, u32),
        result: &mut List,
    ) {
        let (counter, i) = self.counter();
        let [distance, both, zero, one] = [d, 2 * d, 0, 1].map(|n| self.number(n));
        let nodes = &mut self.tables.nodes;
        let (count, body) = match self.by {
            Executed::ByThreads(_) | Executed::Together => {
                let half = nodes.binary(BinaryOp::And, i, distance);
                let is_later = nodes.binary(BinaryOp::Ne, half, zero);
                let run = nodes.exact(BinaryOp::Div, i, distance);
                let start = nodes.exact(BinaryOp::Mul, run, distance);
                let before = nodes.exact(BinaryOp::Sub, start, one);
                let body = Statement::If {
                    condition: is_later,
                    then: of.store(rows, [before, i], i),
                    otherwise: Vec::new(),
                };
                (n, vec![body])
            }
            Executed::ByOne => {
                // In each whole run, and in what there is of the last one.
                let count = n / (2 * d) * d + (n % (2 * d)).saturating_sub(d);
                let run = nodes.exact(BinaryOp::Div, i, distance);
                let place = nodes.exact(BinaryOp::Rem, i, distance);
                let start = nodes.exact(BinaryOp::Mul, run, both);
                let middle = nodes.exact(BinaryOp::Add, start, distance);
                let before = nodes.exact(BinaryOp::Sub, middle, one);
                let element = nodes.exact(BinaryOp::Add, middle, place);
                (count, of.store(rows, [before, element], element))
            }
        };
        let count = self.number(count);
        self.step(of, (counter, count), body, result);
    }

    /// Batcher's merge exchange, as in Knuth's algorithm 5.2.2M, whose letters these are.
    ///
    /// A step compares the elements `i` and `i + d` for all `i < n - d` with `i & p == r`. Its pairs
    /// have no element in common: `d` is `p`, and `i & p` is 0 in the earlier element of a pair and
    /// `p` in the later one; or `d` is an odd multiple of `p` and `r` is `p`, so that adding `d`
    /// takes the bit away.
    pub(super) fn sort(&mut self, of: &Combining, elements: &[ArrayId], n: u32, result: &mut List) {
        if n < 2 {
            return;
        }
        let top = 1 << (31 - (n - 1).leading_zeros());
        let mut p: u32 = top;
        while p > 0 {
            let (mut q, mut r, mut d) = (top, 0, p);
            loop {
                self.exchange(of, elements, (n, p, r, d), result);
                if q == p {
                    break;
                }
                (d, q, r) = (q - p, q / 2, p);
            }
            p /= 2;
        }
    }

    fn exchange(
        &mut self,
        of: &Combining,
        elements: &[ArrayId],
        (n, p, r, d): (u32, u32, u32, u32),
        result: &mut List,
    ) {
        let (counter, i) = self.counter();
        let [count, p, r, d] = [n - d, p, r, d].map(|n| self.number(n));
        let nodes = &mut self.tables.nodes;
        let bit = nodes.binary(BinaryOp::And, i, p);
        let is_first = nodes.binary(BinaryOp::Eq, bit, r);
        let other = nodes.exact(BinaryOp::Add, i, d);
        // Does the later element come before the earlier one? Then they change places. Both are stored in any
        // case: threads that go different ways cost more.
        let [later, earlier] = of.operands(self);
        let name = self.fresh(VariableKind::Let, ScalarType::Bool);
        let is_before = self.variable(name, ScalarType::Bool);
        let mut swap: List = of
            .value
            .iter()
            .map(|value| Statement::Let {
                variable: name,
                value: *value,
            })
            .collect();
        for (to, first, second) in [(i, &later, &earlier), (other, &earlier, &later)] {
            let nodes = &mut self.tables.nodes;
            let values: Vec<_> = first
                .iter()
                .zip(second)
                .map(|(first, second)| nodes.select(is_before, *first, *second))
                .collect();
            swap.extend(of.put(elements, to, &values));
        }
        let operands = [of.left(elements, other), of.right(elements, i)];
        let body = vec![Statement::If {
            condition: is_first,
            then: of.apply(operands, swap),
            otherwise: Vec::new(),
        }];
        self.step(of, (counter, count), body, result);
    }

    fn counter(&mut self) -> (VariableId, NodeId) {
        let counter = self.fresh(VariableKind::Counter, ScalarType::U32);
        (counter, self.variable(counter, ScalarType::U32))
    }
}
