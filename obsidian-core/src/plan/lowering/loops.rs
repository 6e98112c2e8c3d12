//! Collectives as one thread computes them: what the CPU runs, where one thread does the work of a block.
//!
//! An operator that is exactly associative gives the same bits in every order (those of NaNs aside), so a
//! reduction or a scan by it is one loop, with what has been combined so far in a cell. Elements come
//! straight from where they are computed, and results go straight to where they are used, if the two do
//! not touch the same arrays and are short; else there is an array between them, so that what can be
//! done for several elements together stays a loop of its own.
//!
//! Any other operator keeps the order of the language, that of the network.
//!
//! # Limits
//! - An operator is known by its text: one that has an [`identity`](crate::scalar::BinaryOp::identity),
//!   applied to both operands. One that a user writes with a condition takes the network.
//! - A minimum or maximum of floats is reduced by chains of comparisons side by side, and then by the
//!   network, or, if it is short, by the network alone: one chain would wait for each of them. Scans have such a chain in any case.
//! - Sorts are networks, but for those [by digits](super::digits).

use super::collectives::{Combining, List, bound, declared};
use super::{Executed, Lowering};
use crate::ir::{
    CellUse, Collective, CollectiveOp, Level, Levelled, LevelledLoop, Lowered, Statement, Unroll,
    given, substitute,
};
use crate::ordered::Set;
use crate::scalar::{
    ArrayId, BinaryOp, Literal, Node, NodeId, Nodes, ScalarType, VariableId, VariableKind,
};

/// The most comparisons of a chain: a loop of as many is written out, so that chains side by side become
/// vectors.
const CHAIN: u32 = 16;

/// The least number of chains.
const CHAINS: u32 = 64;

/// The expressions of elements, or of what happens to results, that one loop may take on: with more of
/// them, a loop of their own in vectors gains more than a pass over an array costs.
const SHORT: usize = 24;

impl Lowering<'_> {
    /// The collective as a loop of one thread, if it need not be a network. `start` is what
    /// [`start`](Self::start) gave.
    pub(super) fn as_loop(
        &mut self,
        of: Collective<Levelled>,
        combining: &Combining,
        start: &[NodeId],
        result: &mut List,
    ) {
        match of.op {
            CollectiveOp::Reduce if waits(combining) => {
                let n = self.tables.nodes.literal(of.count).map_or(0, Literal::u32);
                self.reduction_in_lanes(of, combining, (start, n), result);
            }
            CollectiveOp::Reduce => self.reduction(of, combining, start, result),
            _ => self.prefixes(of, combining, start, result),
        }
    }

    /// What a loop would begin with, one value for each component; `None` if there has to be a
    /// network.
    pub(super) fn start(
        &mut self,
        (op, n): (CollectiveOp, u32),
        of: &Combining,
        initial: &[NodeId],
    ) -> Option<Vec<NodeId>> {
        let is_short_chain = op == CollectiveOp::Reduce && waits(of) && n < 2 * CHAINS;
        if self.by != Executed::ByOne || op == CollectiveOp::Sort || is_short_chain {
            return None;
        }
        let identity = self.identity(of)?;
        Some(match initial {
            [] => identity,
            initial => initial.to_vec(),
        })
    }

    /// What changes no element, one value for each component, if the operator is known to be exactly
    /// associative.
    pub(super) fn identity(&mut self, of: &Combining) -> Option<Vec<NodeId>> {
        if !of.is_one_expression() {
            return None;
        }
        let [lefts, rights] = of.operands(self);
        let mut values = Vec::new();
        for (part, ty) in of.types.iter().enumerate() {
            let Node::Binary {
                op: operator,
                left,
                right,
                ..
            } = self.tables.nodes.node(of.value[part])
            else {
                return None;
            };
            let operands = [lefts[part], rights[part]];
            if ![[left, right], [right, left]].contains(&operands) {
                return None;
            }
            let identity = operator.identity(*ty)?;
            values.push(self.tables.nodes.add_literal(identity));
        }
        Some(values)
    }

    /// All elements combined, in the one round of a loop over results.
    fn reduction(
        &mut self,
        of: Collective<Levelled>,
        combining: &Combining,
        start: &[NodeId],
        result: &mut List,
    ) {
        let cells = self.cells(combining);
        let elements = self.elements(&of, combining);
        let (mut each, element) = self.computed_first(&of, combining, elements, result);
        each.extend(combining.combined_into(&cells, &element));
        let mut body = declared(&cells, start);
        body.push(counted(&of, LevelledLoop::Sequential(Level::Thread), each));
        body.extend(combining.get(&of.result, &cells));
        body.extend(self.list(of.body.clone(), Level::Thread));
        result.push(over_results(&of, body));
    }

    /// All elements combined: chains of [`CHAIN`] elements that are far apart, and what they come to.
    fn reduction_in_lanes(
        &mut self,
        of: Collective<Levelled>,
        combining: &Combining,
        (start, n): (&[NodeId], u32),
        result: &mut List,
    ) {
        let chains = n.div_ceil(CHAIN).max(CHAINS);
        let partials = self.scratch(combining, chains, result);
        let [counter, round] = [(); 2].map(|()| self.fresh(VariableKind::Counter, ScalarType::U32));
        let [lane, q] = [counter, round].map(|counter| self.variable(counter, ScalarType::U32));
        let [lanes, rounds, rest, done] =
            [chains, n / chains, n % chains, n / chains * chains].map(|n| self.number(n));
        let nodes = &mut self.tables.nodes;
        let first = nodes.exact(BinaryOp::Mul, q, lanes);
        let at = nodes.exact(BinaryOp::Add, first, lane);
        let behind = nodes.exact(BinaryOp::Add, done, lane);
        let has_more = nodes.binary(BinaryOp::Lt, lane, rest);
        let cells = self.cells(combining);
        let [each, last] = [at, behind].map(|index| {
            let (mut list, element) = self.elements(&of, combining);
            list.extend(combining.combined_into(&cells, &element));
            substitute(&mut self.tables.nodes, &mut list, of.counter, index);
            list
        });
        let mut body = declared(&cells, start);
        body.push(Statement::Loop {
            kind: LevelledLoop::Sequential(Level::Thread),
            unroll: Unroll::Free,
            counter: round,
            bounds: [rounds],
            body: each,
        });
        body.extend((n % chains > 0).then_some(Statement::If {
            condition: has_more,
            then: last,
            otherwise: Vec::new(),
        }));
        let names = self.names(combining);
        body.extend(combining.get(&names, &cells));
        let values = self.variables(&names, &combining.types);
        body.extend(combining.put(&partials, lane, &values));
        self.step(combining, (counter, lanes), body, result);
        let totals = self.reduce(combining, &partials, chains, result);
        let at = self.variable(of.element, ScalarType::U32);
        let mut body = combining.read(&of.result, &totals, at);
        body.extend(self.list(of.body.clone(), Level::Thread));
        result.push(over_results(&of, body));
    }

    /// What is combined up to each element, or up to the one before it.
    fn prefixes(
        &mut self,
        of: Collective<Levelled>,
        combining: &Combining,
        start: &[NodeId],
        result: &mut List,
    ) {
        let n = self.tables.nodes.literal(of.count).map_or(0, Literal::u32);
        let at = self.variable(of.counter, ScalarType::U32);
        let mut body = self.list(of.body.clone(), Level::Thread);
        let (each, element) = self.elements(&of, combining);
        let goes_on =
            is_short(&self.tables.nodes, &body) && apart(&self.tables.nodes, &each, &body);
        let (mut each, element) = self.computed_first(&of, combining, (each, element), result);
        let cells = self.cells(combining);
        let get = combining.get(&of.result, &cells);
        let combine = combining.combined_into(&cells, &element);
        each.extend(match of.op {
            CollectiveOp::ExclusiveScan => [get, combine].concat(),
            _ => [combine, get].concat(),
        });
        if goes_on {
            substitute(&mut self.tables.nodes, &mut body, of.element, at);
            each.extend(body);
            self.alone(&of, (&cells, start), each, result);
        } else {
            let arrays = self.scratch(combining, n, result);
            let values = self.variables(&of.result, &combining.types);
            each.extend(combining.put(&arrays, at, &values));
            self.alone(&of, (&cells, start), each, result);
            let number = self.variable(of.element, ScalarType::U32);
            let mut list = combining.read(&of.result, &arrays, number);
            list.extend(body);
            result.push(over_results(&of, list));
        }
    }

    /// What takes an element: from where it is computed, or from arrays, if that is long and has a
    /// loop of its own.
    fn computed_first(
        &mut self,
        of: &Collective<Levelled>,
        combining: &Combining,
        (mut each, element): (List, Vec<NodeId>),
        result: &mut List,
    ) -> (List, Vec<NodeId>) {
        if is_short(&self.tables.nodes, &each) {
            return (each, element);
        }
        let n = self.tables.nodes.literal(of.count).map_or(0, Literal::u32);
        let at = self.variable(of.counter, ScalarType::U32);
        let arrays = self.scratch(combining, n, result);
        each.extend(combining.put(&arrays, at, &element));
        result.push(counted(of, LevelledLoop::ForAll(of.level), each));
        let names = self.names(combining);
        let taken = combining.read(&names, &arrays, at);
        (taken, self.variables(&names, &combining.types))
    }

    /// The statements that compute an element, the last of which name its components, and the names.
    pub(super) fn elements(
        &mut self,
        of: &Collective<Levelled>,
        combining: &Combining,
    ) -> (List, Vec<NodeId>) {
        let values = given(&of.source).unwrap_or_default().to_vec();
        let mut list = self.list(of.source.clone(), Level::Thread);
        let names = self.names(combining);
        list.extend(bound(&names, &values));
        (list, self.variables(&names, &combining.types))
    }

    /// A loop over the elements in one iteration of a loop over threads.
    fn alone(
        &mut self,
        of: &Collective<Levelled>,
        (cells, values): (&[VariableId], &[NodeId]),
        each: List,
        result: &mut List,
    ) {
        let mut body = declared(cells, values);
        body.push(counted(of, LevelledLoop::Sequential(Level::Thread), each));
        self.by_one_iteration(of.level, body, result);
    }

    /// A loop over threads of one iteration.
    pub(super) fn by_one_iteration(&mut self, level: Level, body: List, result: &mut List) {
        let one = self.number(1);
        result.push(Statement::Loop {
            kind: LevelledLoop::ForAll(level),
            unroll: Unroll::Free,
            counter: self.fresh(VariableKind::Counter, ScalarType::U32),
            bounds: [one],
            body,
        });
    }
}

/// Does a chain of the operator wait for each of its steps, which take several instructions?
pub(super) fn waits(of: &Combining) -> bool {
    of.types.iter().any(|ty| ty.is_float())
}

/// A loop over the elements.
fn counted(of: &Collective<Levelled>, kind: LevelledLoop, body: List) -> Statement<Lowered> {
    Statement::Loop {
        kind,
        unroll: Unroll::Free,
        counter: of.counter,
        bounds: [of.count],
        body,
    }
}

/// A loop over the results, each of them by itself.
fn over_results(of: &Collective<Levelled>, body: List) -> Statement<Lowered> {
    Statement::Loop {
        kind: LevelledLoop::ForAll(of.level),
        unroll: Unroll::Free,
        counter: of.element,
        bounds: [of.results],
        body,
    }
}

/// Returns `true` if neither of two lists accesses an array or a cell that the other one changes.
pub(super) fn apart(nodes: &Nodes, one: &List, other: &List) -> bool {
    let [(one, by_one), (other, by_other)] = [one, other].map(|list| {
        let (mut accessed, mut changed) = (Set::new(), Set::new());
        for statement in list {
            statement.visit(&mut |inner| {
                accessed.extend(inner.mentions(nodes).into_iter().map(Place::Array));
                changed.extend(inner.writes().map(Place::Array));
                match inner.cell() {
                    Some((cell, CellUse::Names(_))) => accessed.extend([Place::Cell(cell)]),
                    Some((cell, CellUse::Changes(_))) => changed.extend([Place::Cell(cell)]),
                    Some((_, CellUse::Begins(_))) | None => {}
                }
            });
        }
        accessed.extend(&changed);
        (accessed, changed)
    });
    one.is_disjoint(&by_other) && other.is_disjoint(&by_one)
}

/// What statements read and change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Array(ArrayId),
    Cell(VariableId),
}

/// Returns `true` if a list is a few expressions, under conditions or not.
pub(super) fn is_short(nodes: &Nodes, list: &[Statement<Lowered>]) -> bool {
    let (mut roots, mut plain) = (Vec::new(), true);
    for statement in list {
        statement.visit(&mut |inner| {
            roots.extend(inner.nodes());
            plain &= inner.lists().is_empty() || matches!(inner, Statement::If { .. });
        });
    }
    plain && nodes.post_order(&roots, |_| false).len() <= SHORT
}
