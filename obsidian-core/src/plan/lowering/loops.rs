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
//! - A minimum or maximum of floats is reduced by the network: one chain of comparisons would wait for
//!   each of them, where the network's steps have many at a time. Scans have such a chain in any case.
//! - Sorts are networks.

use std::collections::BTreeSet;

use super::collectives::Combining;
use super::{Executed, Lowering};
use crate::ir::{
    Collective, CollectiveOp, Level, Levelled, LevelledLoop, Lowered, Statement, Unroll, given,
    substitute,
};
use crate::scalar::{ArrayId, Literal, Node, NodeId, Nodes, ScalarType, VariableId, VariableKind};

/// Statements at the level of a thread.
type List = Vec<Statement<Lowered>>;

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
        start: NodeId,
        result: &mut List,
    ) {
        match of.op {
            CollectiveOp::Reduce => self.reduction(of, combining, start, result),
            _ => self.prefixes(of, combining, start, result),
        }
    }

    /// What a loop would begin with; `None` if there has to be a network.
    pub(super) fn start(
        &mut self,
        op: CollectiveOp,
        of: &Combining,
        initial: Option<NodeId>,
    ) -> Option<NodeId> {
        if self.by == Executed::ByThreads {
            return None;
        }
        let Node::Binary {
            op: operator,
            left,
            right,
            ..
        } = self.tables.nodes.node(of.value)
        else {
            return None;
        };
        let operands = of.operands(self);
        let takes_both = [[left, right], [right, left]].contains(&operands);
        let waits = op == CollectiveOp::Reduce && of.ty.is_float();
        if !of.is_one_expression() || !takes_both || waits || op == CollectiveOp::Sort {
            return None;
        }
        let identity = operator.identity(of.ty)?;
        Some(initial.unwrap_or_else(|| self.tables.nodes.add_literal(identity)))
    }

    /// All elements combined, in the one round of a loop over results.
    fn reduction(
        &mut self,
        of: Collective<Levelled>,
        combining: &Combining,
        start: NodeId,
        result: &mut List,
    ) {
        let cell = self.fresh(VariableKind::Cell, combining.ty);
        let (each, element) = self.elements(&of, combining.ty);
        let (mut each, element) = self.computed_first(&of, combining, (each, element), result);
        each.extend(combining.combined_into(cell, element));
        let get = Statement::Get {
            variable: of.result,
            cell,
        };
        let all = counted(&of, LevelledLoop::Sequential(Level::Thread), each);
        let mut body = vec![Statement::Declare { cell, value: start }, all, get];
        body.extend(self.list(of.body.clone(), Level::Thread));
        result.push(over_results(&of, body));
    }

    /// What is combined up to each element, or up to the one before it.
    fn prefixes(
        &mut self,
        of: Collective<Levelled>,
        combining: &Combining,
        start: NodeId,
        result: &mut List,
    ) {
        let n = self.tables.nodes.literal(of.count).map_or(0, Literal::u32);
        let at = self.variable(of.counter, ScalarType::U32);
        let mut body = self.list(of.body.clone(), Level::Thread);
        let (each, element) = self.elements(&of, combining.ty);
        let goes_on =
            is_short(&self.tables.nodes, &body) && apart(&self.tables.nodes, &each, &body);
        let (mut each, element) = self.computed_first(&of, combining, (each, element), result);
        let cell = self.fresh(VariableKind::Cell, combining.ty);
        let get = Statement::Get {
            variable: of.result,
            cell,
        };
        let before = (of.op == CollectiveOp::ExclusiveScan).then(|| get.clone());
        let behind = before.is_none().then_some(get);
        each.extend(before);
        each.extend(combining.combined_into(cell, element));
        each.extend(behind);
        if goes_on {
            substitute(&mut self.tables.nodes, &mut body, of.element, at);
            each.extend(body);
            self.alone(&of, (cell, start), each, result);
        } else {
            let array = self.scratch(combining, n, result);
            let value = self.variable(of.result, combining.ty);
            each.push(combining.put(array, at, value));
            self.alone(&of, (cell, start), each, result);
            let number = self.variable(of.element, ScalarType::U32);
            body.insert(0, combining.read(of.result, array, number));
            result.push(over_results(&of, body));
        }
    }

    /// What takes an element: from where it is computed, or from an array, if that is long and has a loop of
    /// its own.
    fn computed_first(
        &mut self,
        of: &Collective<Levelled>,
        combining: &Combining,
        (mut each, element): (List, NodeId),
        result: &mut List,
    ) -> (List, NodeId) {
        if is_short(&self.tables.nodes, &each) {
            return (each, element);
        }
        let n = self.tables.nodes.literal(of.count).map_or(0, Literal::u32);
        let at = self.variable(of.counter, ScalarType::U32);
        let array = self.scratch(combining, n, result);
        each.push(combining.put(array, at, element));
        result.push(counted(of, LevelledLoop::ForAll(of.level), each));
        let variable = self.fresh(VariableKind::Let, combining.ty);
        let taken = combining.read(variable, array, at);
        (vec![taken], self.variable(variable, combining.ty))
    }

    /// The statements that compute an element, the last of which names it, and the name.
    fn elements(&mut self, of: &Collective<Levelled>, ty: ScalarType) -> (List, NodeId) {
        let value = given(&of.source).unwrap_or(of.count);
        let mut list = self.list(of.source.clone(), Level::Thread);
        let variable = self.fresh(VariableKind::Let, ty);
        list.push(Statement::Let { variable, value });
        (list, self.variable(variable, ty))
    }

    /// A loop over the elements in one iteration of a loop over threads.
    fn alone(
        &mut self,
        of: &Collective<Levelled>,
        (cell, value): (VariableId, NodeId),
        each: List,
        result: &mut List,
    ) {
        let each = counted(of, LevelledLoop::Sequential(Level::Thread), each);
        let one = self.number(1);
        result.push(Statement::Loop {
            kind: LevelledLoop::ForAll(of.level),
            unroll: Unroll::Free,
            counter: self.fresh(VariableKind::Counter, ScalarType::U32),
            bounds: [one],
            body: vec![Statement::Declare { cell, value }, each],
        });
    }
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
fn apart(nodes: &Nodes, one: &List, other: &List) -> bool {
    let [(one, by_one), (other, by_other)] = [one, other].map(|list| {
        let (mut accessed, mut changed) = (BTreeSet::new(), BTreeSet::new());
        for statement in list {
            statement.visit(&mut |inner| {
                accessed.extend(inner.mentions(nodes).into_iter().map(Place::Array));
                changed.extend(inner.writes().map(Place::Array));
                match inner {
                    Statement::Get { cell, .. } => accessed.extend([Place::Cell(*cell)]),
                    Statement::Assign { cell, .. } => changed.extend([Place::Cell(*cell)]),
                    _ => {}
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

/// Returns `true` if a list is a few expressions.
fn is_short(nodes: &Nodes, list: &[Statement<Lowered>]) -> bool {
    let roots = list.iter().flat_map(Statement::nodes).collect::<Vec<_>>();
    let plain = list.iter().all(|statement| statement.lists().is_empty());
    plain && nodes.post_order(&roots, |_| false).len() <= SHORT
}
