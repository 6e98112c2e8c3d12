//! Counts of digits, and places in their order.
//!
//! Some threads, or warps, have neighbouring elements each, and counters of their own, one for each digit:
//!
//! ```text
//! counted   counters[d, t] = how many of the elements of t are d
//! totals    the results of a count: the counters of a digit added up
//! firsts    counters[d, t] = the place of the first element of t that is d      (an exclusive scan)
//! ranked    place = counters[d, t], and then counters[d, t] + 1
//! ```
//!
//! A warp goes over its elements 32 at a time ([`by_votes`]). Elsewhere a thread goes over its own, and one thread that does the
//! work of a block over all of them.
//!
//! A count, and a rank of the same digits that comes later in its list, count once.

mod by_votes;

use super::collectives::{Combining, List, assigned, bound, declared};
use super::lanes::{Rows, names_only};
use super::loops::{apart, is_short};
use super::{Executed, Lowering};
use crate::ir::{
    AtomicOp, Collective, CollectiveOp, Level, Levelled, LevelledLoop, Lowered, Statement, Unroll,
    given,
};
use crate::ordered::Set;
use crate::scalar::{
    ArrayId, BinaryOp, Literal, Node, NodeId, Nodes, ScalarType, VariableId, VariableKind,
};

/// The most counters of a block.
const COUNTERS: u32 = 4096;

/// The most threads that have counters of their own.
const THREADS: u32 = 256;

/// What is counted or ranked.
struct Digits<'c> {
    rows: Rows<'c>,
    /// The count, if it is one.
    count: Option<&'c Collective<Levelled>>,
    bins: u32,
}

impl Digits<'_> {
    /// Elements.
    fn n(&self) -> u32 {
        self.rows.n
    }

    fn level(&self) -> Level {
        self.rows.of.level
    }
}

/// What a rank needs of the counts.
#[derive(Clone, Copy)]
pub(super) struct Counted {
    /// Those of each warp or thread.
    counters: ArrayId,
    /// Those of all warps.
    totals: Option<ArrayId>,
    /// The digits, if they are stored.
    stored: Option<ArrayId>,
}

/// Are a count and a rank of the same elements, and does what is done with the count change none of them?
fn are_alike(nodes: &mut Nodes, count: &Collective<Levelled>, rank: &Collective<Levelled>) -> bool {
    let are_both = matches!(count.op, CollectiveOp::Count { .. })
        && matches!(rank.op, CollectiveOp::Rank { .. });
    if !are_both
        || count.op.bits() != rank.op.bits()
        || (count.level, count.count) != (rank.level, rank.count)
    {
        return false;
    }
    let written = written(&count.body);
    let is_read = |s: &Statement<Levelled>| !s.mentions(nodes).is_disjoint(&written);
    if rank.source.iter().any(is_read) {
        return false;
    }
    let at = nodes.add(Node::Variable(count.counter), ScalarType::U32);
    let [one, other] = [count, rank].map(|of| element_of(nodes, of, at));
    one.is_some() && one == other
}

/// The arrays that a list changes.
fn written(list: &[Statement<Levelled>]) -> Set<ArrayId> {
    let mut written = Set::new();
    for statement in list {
        statement.visit(&mut |inner| written.extend(inner.writes()));
    }
    written
}

/// The element of a number, as one expression. None: the list does more than to give names.
fn element_of(nodes: &mut Nodes, of: &Collective<Levelled>, at: NodeId) -> Option<NodeId> {
    let (last, names) = of.source.split_last()?;
    let Statement::Give(_, values) = last else {
        return None;
    };
    let mut value = *values.first()?;
    let replaced = |nodes: &mut Nodes, value, variable, by| {
        let is_it = |nodes: &Nodes, id| nodes.node(id) == Node::Variable(variable);
        nodes.replaced(value, |nodes, id| is_it(nodes, id).then_some(by))
    };
    for name in names.iter().rev() {
        let (variable, named) = name.named()?;
        value = replaced(nodes, value, variable, named);
    }
    Some(replaced(nodes, value, of.counter, at))
}

impl Lowering<'_> {
    /// Puts the loops of a count at the end of a list. `later` is what follows in its list.
    pub(super) fn count<'l>(
        &mut self,
        count: &Collective<Levelled>,
        later: impl Iterator<Item = &'l Statement<Levelled>> + Clone,
        result: &mut List,
    ) {
        let rank = self.rank_of_same(count, later);
        let combining = Combining::of_digits(count);
        let Some(mut of) = self.digits(count, &combining) else {
            return;
        };
        of.count = Some(count);
        match rank {
            None => self.counted_only(&of, result),
            Some(rank) => {
                let counted = self.counted_for(&of, &rank, result);
                self.for_ranks
                    .extend(rank.result.first().map(|place| (*place, counted)));
            }
        }
    }

    /// Puts the loops of a rank at the end of a list.
    pub(super) fn rank(&mut self, rank: &Collective<Levelled>, result: &mut List) {
        let combining = Combining::of_digits(rank);
        let Some(of) = self.digits(rank, &combining) else {
            return;
        };
        let before = rank
            .result
            .first()
            .and_then(|place| self.for_ranks.remove(place));
        let counted = match before {
            Some(counted) => counted,
            None => self.counted_for(&of, rank, result),
        };
        match self.width(of.level()) {
            Some(width) => self.by_votes(&of, (width, counted), result),
            None => self.by_threads(&of, counted, result),
        }
    }

    /// The rank of the elements that are counted, if nothing changes them until then.
    fn rank_of_same<'l>(
        &mut self,
        count: &Collective<Levelled>,
        later: impl Iterator<Item = &'l Statement<Levelled>> + Clone,
    ) -> Option<Collective<Levelled>> {
        let nodes = &mut self.tables.nodes;
        let mut ranks = later
            .clone()
            .enumerate()
            .filter_map(|(place, s)| Some((place, s.collective()?)));
        let (place, rank) = ranks.find(|(_, rank)| are_alike(nodes, count, rank))?;
        let read: Set<ArrayId> = rank.source.iter().flat_map(|s| s.mentions(nodes)).collect();
        let mut written = written(&count.body);
        later
            .take(place)
            .for_each(|s| s.visit(&mut |inner| written.extend(inner.writes())));
        read.is_disjoint(&written).then(|| rank.clone())
    }

    /// The parts of a count or a rank. None: it has no elements.
    fn digits<'c>(
        &self,
        of: &'c Collective<Levelled>,
        combining: &'c Combining,
    ) -> Option<Digits<'c>> {
        let n = self.tables.nodes.literal(of.count).map_or(0, Literal::u32);
        let width = self.width(of.level).unwrap_or(1);
        let is_some = n > 0 && given(&of.source).is_some();
        is_some.then(|| Digits {
            rows: Rows::of(of, combining, [n, 1, width], None),
            count: None,
            bins: 1 << of.op.bits().unwrap_or_default(),
        })
    }

    /// Counts as a rank needs it.
    fn counted_for(
        &mut self,
        of: &Digits<'_>,
        rank: &Collective<Levelled>,
        result: &mut List,
    ) -> Counted {
        let stored = self.stored_digits(of, rank, result);
        match self.width(of.level()) {
            Some(width) => self.counted_by_warps(of, (width, stored), result),
            None => self.counted_by_threads(of, stored, result),
        }
    }

    /// The digits in an array, if they are long, as they are asked for twice, or if what is done with places changes what they are made of.
    fn stored_digits(
        &mut self,
        of: &Digits<'_>,
        rank: &Collective<Levelled>,
        result: &mut List,
    ) -> Option<ArrayId> {
        let (source, _) = self.elements(of.rows.of, of.rows.combining);
        let body = self.list(rank.body.clone(), Level::Thread);
        let nodes = &self.tables.nodes;
        let is_short = names_only(&of.rows.of.source) && is_short(nodes, &source);
        if is_short && apart(nodes, &source, &body) {
            return None;
        }
        let array = self.array(of.rows.combining, ScalarType::U32, of.n(), result);
        let (counter, at) = self.counted();
        let (mut each, digit) = self.element(&of.rows, at);
        each.extend(of.rows.combining.put(&[array], at, &digit));
        self.step_of(&of.rows, (counter, of.n()), each, result);
        Some(array)
    }

    /// The digit of an element.
    fn digit_at(
        &mut self,
        of: &Digits<'_>,
        (stored, at): (Option<ArrayId>, NodeId),
        list: &mut List,
    ) -> NodeId {
        let value = match stored {
            Some(array) => self.stored(&of.rows, &[array], at, list),
            None => {
                let (own, value) = self.element(&of.rows, at);
                list.extend(own);
                value
            }
        };
        let mask = self.number(of.bins - 1);
        let names = self.names(of.rows.combining);
        let digit = value.first().map_or(mask, |value| {
            self.tables.nodes.binary(BinaryOp::And, *value, mask)
        });
        list.extend(bound(&names, &[digit]));
        self.variables(&names, &of.rows.combining.types)[0]
    }

    /// Counters, all of them 0.
    fn counters(&mut self, of: &Digits<'_>, count: u32, result: &mut List) -> ArrayId {
        let counters = self.array(of.rows.combining, ScalarType::U32, count, result);
        let (counter, i) = self.counted();
        let zero = self.number(0);
        let each = of.rows.combining.put(&[counters], i, &[zero]);
        self.step_of(&of.rows, (counter, count), each, result);
        counters
    }

    /// 1 more in a counter that several threads may change at a time.
    fn one_more(&mut self, of: &Digits<'_>, counters: ArrayId, at: NodeId) -> Statement<Lowered> {
        Statement::Atomic {
            array: counters,
            index: at,
            op: AtomicOp::Add,
            operands: vec![self.number(1)],
            result: None,
            origin: of.rows.combining.origin,
        }
    }

    /// A counter that one thread changes: what it has been, and the statements that make it 1 more.
    fn counted_up(
        &mut self,
        of: &Digits<'_>,
        counters: ArrayId,
        at: NodeId,
        list: &mut List,
    ) -> NodeId {
        let before = self.stored(&of.rows, &[counters], at, list)[0];
        let one = self.number(1);
        let after = self.tables.nodes.binary(BinaryOp::Add, before, one);
        list.extend(of.rows.combining.put(&[counters], at, &[after]));
        before
    }

    /// The results of a count, from counters that all threads have in common.
    fn counted_only(&mut self, of: &Digits<'_>, result: &mut List) {
        let counters = self.counters(of, of.bins, result);
        let is_alone = of.level() == Level::Thread || self.by == Executed::ByOne;
        let (counter, i) = self.counted();
        let mut each = List::new();
        let digit = self.digit_at(of, (None, i), &mut each);
        if is_alone {
            self.counted_up(of, counters, digit, &mut each);
            self.alone_in_order(of, (counter, of.n()), each, result);
        } else {
            each.push(self.one_more(of, counters, digit));
            self.step_of(&of.rows, (counter, of.n()), each, result);
        }
        let (counter, d) = self.counted();
        let mut each = List::new();
        let total = self.stored(&of.rows, &[counters], d, &mut each);
        each.extend(
            of.count
                .map_or_else(List::new, |count| self.done_with(of, count, d, &total)),
        );
        result.push(self.shared_out(&of.rows, (counter, of.bins), each));
    }

    /// A loop of one thread, and the wait behind it.
    fn alone_in_order(
        &mut self,
        of: &Digits<'_>,
        counted: (VariableId, u32),
        each: List,
        result: &mut List,
    ) {
        let body = vec![self.in_order(counted, each)];
        self.by_one_iteration(of.level(), body, result);
        let wait = Statement::Wait { scope: of.level() };
        result.extend((of.level() > Level::Thread).then_some(wait));
    }

    /// What is done with result `j` of one of the two.
    fn done_with(
        &mut self,
        of: &Digits<'_>,
        which: &Collective<Levelled>,
        j: NodeId,
        value: &[NodeId],
    ) -> List {
        let rows = Rows::of(which, of.rows.combining, [of.n(), 1, 1], None);
        self.used(&rows, j, value)
    }

    /// How neighbours are shared out where there are no lanes: the threads that have some, and how many.
    fn runs(&self, of: &Digits<'_>) -> [u32; 2] {
        let is_alone = of.level() == Level::Thread || self.by == Executed::ByOne;
        let most = match is_alone {
            true => 1,
            false => (COUNTERS / of.bins).clamp(1, THREADS),
        };
        let run = of.n().div_ceil(most.min(of.n()));
        [of.n().div_ceil(run), run]
    }

    /// Each thread goes over its run: `each` is told its number and that of an element.
    fn each_run(
        &mut self,
        of: &Digits<'_>,
        result: &mut List,
        each: impl FnOnce(&mut Self, NodeId, NodeId) -> List,
    ) {
        let [threads, run] = self.runs(of);
        let (counter, t) = self.counted();
        let (inner, k) = self.counted();
        let first = self.scaled(t, run);
        let at = self.sum(first, k);
        let body = each(self, t, at);
        let body = self.unless(run * threads == of.n(), (at, of.n()), body);
        let round = vec![Statement::Loop {
            kind: LevelledLoop::Sequential(Level::Thread),
            unroll: Unroll::Free,
            counter: inner,
            bounds: [self.number(run)],
            body,
        }];
        self.step_of(&of.rows, (counter, threads), round, result);
    }

    /// Where a thread has its counter of a digit.
    fn slot_of_thread(&mut self, of: &Digits<'_>, digit: NodeId, t: NodeId) -> NodeId {
        let [threads, _] = self.runs(of);
        let row = self.scaled(digit, threads);
        self.sum(row, t)
    }

    /// Each thread counts for itself.
    fn counted_by_threads(
        &mut self,
        of: &Digits<'_>,
        stored: Option<ArrayId>,
        result: &mut List,
    ) -> Counted {
        let [threads, _] = self.runs(of);
        let counters = self.counters(of, of.bins * threads, result);
        self.each_run(of, result, |pass, t, at| {
            let mut list = List::new();
            let digit = pass.digit_at(of, (stored, at), &mut list);
            let slot = pass.slot_of_thread(of, digit, t);
            pass.counted_up(of, counters, slot, &mut list);
            list
        });
        if let Some(count) = of.count {
            let (counter, d) = self.counted();
            let mut list = List::new();
            let total = self.total(of, (counters, d), threads, &mut list);
            list.extend(self.done_with(of, count, d, &[total]));
            result.push(self.shared_out(&of.rows, (counter, of.bins), list));
        }
        Counted {
            counters,
            totals: None,
            stored,
        }
    }

    /// The places, each thread those of its run.
    fn by_threads(&mut self, of: &Digits<'_>, counted: Counted, result: &mut List) {
        let [threads, _] = self.runs(of);
        let count = of.bins * threads;
        let firsts = self.array(of.rows.combining, ScalarType::U32, count, result);
        self.firsts(of, (counted.counters, count), result, |_, i, first| {
            vec![Statement::Store {
                array: firsts,
                index: i,
                value: first,
                origin: of.rows.combining.origin,
            }]
        });
        self.each_run(of, result, |pass, t, at| {
            let mut list = List::new();
            let digit = pass.digit_at(of, (counted.stored, at), &mut list);
            let slot = pass.slot_of_thread(of, digit, t);
            let place = pass.counted_up(of, firsts, slot, &mut list);
            list.extend(pass.done_with(of, of.rows.of, at, &[place]));
            list
        });
    }

    /// How many elements have a digit: its counters, which lie side by side, added up.
    fn total(
        &mut self,
        of: &Digits<'_>,
        (counters, digit): (ArrayId, NodeId),
        threads: u32,
        list: &mut List,
    ) -> NodeId {
        let cells = self.cells(of.rows.combining);
        let zero = self.number(0);
        list.extend(declared(&cells, &[zero]));
        let (counter, t) = self.counted();
        let at = self.slot_of_thread(of, digit, t);
        let mut each = List::new();
        let sum = self.present(&of.rows, &cells, &mut each)[0];
        let own = self.stored(&of.rows, &[counters], at, &mut each)[0];
        let next = self.tables.nodes.binary(BinaryOp::Add, sum, own);
        each.extend(assigned(&cells, &[next]));
        list.push(self.in_order((counter, threads), each));
        self.present(&of.rows, &cells, list)[0]
    }

    /// An exclusive scan of counters; `then` is told the number and the sum of those before.
    fn firsts(
        &mut self,
        of: &Digits<'_>,
        (counters, count): (ArrayId, u32),
        result: &mut List,
        then: impl FnOnce(&mut Self, NodeId, NodeId) -> Vec<Statement<Levelled>>,
    ) {
        let names = |pass: &mut Self, kind| {
            let variable = pass.fresh(kind, ScalarType::U32);
            (variable, pass.variable(variable, ScalarType::U32))
        };
        let (counter, i) = names(self, VariableKind::Counter);
        let (read, value) = names(self, VariableKind::Let);
        let (left, x) = names(self, VariableKind::Let);
        let (right, y) = names(self, VariableKind::Let);
        let (element, j) = names(self, VariableKind::Counter);
        let (found, first) = names(self, VariableKind::Let);
        let sum = self.tables.nodes.binary(BinaryOp::Add, x, y);
        let [zero, count] = [0, count].map(|n| self.number(n));
        let origin = of.rows.combining.origin;
        let body = then(self, j, first);
        let scan = Collective {
            op: CollectiveOp::ExclusiveScan,
            level: of.level(),
            initial: vec![zero],
            counter,
            count,
            source: vec![
                Statement::Read {
                    variable: read,
                    array: counters,
                    index: i,
                    origin,
                },
                Statement::Give((), vec![value]),
            ],
            left: vec![left],
            right: vec![right],
            combine: vec![Statement::Give((), vec![sum])],
            element,
            results: count,
            result: vec![found],
            body,
            origin,
        };
        self.collective(scan, std::iter::empty(), result);
        let wait = Statement::Wait { scope: of.level() };
        result.extend((of.level() > Level::Thread).then_some(wait));
    }
}

#[cfg(test)]
mod tests;
