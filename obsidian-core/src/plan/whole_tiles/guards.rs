//! Comparisons of indices with bounds, and clamps of indices to them, in a loop over threads.

use std::cell::RefCell;

use crate::hashed::HashMap;

use crate::ir::{Lowered, Statement};
use crate::ordered::{Map, Set};
use crate::scalar::{BinaryOp, Literal, Node, NodeId, Nodes, ScalarType, Sum, Taken, VariableId};

/// Nodes of an index that are taken apart.
const MOST_NODES: usize = 64;
/// Quotients and remainders inside of each other.
const DEEPEST: u32 = 16;
/// The widest tile, and the most rounds of a loop in it.
const WIDEST: i64 = 1 << 28;

/// What a loop over threads binds.
#[derive(Default)]
pub(super) struct Scope {
    bound: Set<VariableId>,
    lets: Map<VariableId, NodeId>,
    /// The numbers of rounds that are known, of at least one round.
    counters: Map<VariableId, i64>,
    /// Of some nodes, whether they are the same for all iterations: an operand of a comparison may be
    /// made of other comparisons. Only looked up in, never walked.
    uniform: RefCell<HashMap<NodeId, bool>>,
}

impl Scope {
    pub(super) fn of(nodes: &Nodes, each: &Statement<Lowered>) -> Scope {
        let mut scope = Scope::default();
        each.visit(&mut |statement| {
            if let Statement::Declare { cell, .. } = statement {
                scope.bound.insert(*cell);
            }
            let Some(variable) = statement.binds() else {
                return;
            };
            if !scope.bound.insert(variable) {
                // Two statements bind it: it may be either.
                scope.lets.remove(&variable);
                scope.counters.remove(&variable);
                return;
            }
            match statement {
                Statement::Let { value, .. } => {
                    scope.lets.insert(variable, *value);
                }
                Statement::Loop {
                    bounds: [count], ..
                } => {
                    let count = nodes.literal(*count).map(|n| i64::from(n.u32()));
                    let count = count.filter(|n| (1..=WIDEST).contains(n));
                    scope.counters.extend(count.map(|n| (variable, n)));
                }
                _ => {}
            }
        });
        scope
    }

    /// Is a value the same for all iterations, wherever it is asked for?
    fn is_uniform(&self, nodes: &Nodes, id: NodeId) -> bool {
        let mut known = self.uniform.borrow_mut();
        for part in nodes.post_order(&[id], |part| known.contains_key(&part)) {
            let node = nodes.node(part);
            let alone = match node {
                Node::Variable(variable) => !self.bound.contains(&variable),
                Node::Load { .. } => false,
                _ => true,
            };
            let mut operands = node.operands();
            let uniform = alone && operands.all(|operand| known.get(&operand) == Some(&true));
            known.insert(part, uniform);
        }
        known.get(&id) == Some(&true)
    }

    /// The largest number that a counter is, or a part of one, as the row or the column of a tile;
    /// the smallest is 0.
    fn last(&self, nodes: &Nodes, id: NodeId, depth: u32) -> Option<i64> {
        let depth = depth.checked_sub(1)?;
        match nodes.node(id) {
            Node::Variable(variable) => match self.lets.get(&variable) {
                Some(value) => self.last(nodes, *value, depth),
                None => self.counters.get(&variable).map(|rounds| rounds - 1),
            },
            Node::Binary {
                op, left, right, ..
            } => {
                let by = i64::from(nodes.literal(right)?.u32());
                let last = self.last(nodes, left, depth)?;
                match op {
                    BinaryOp::Div if by > 0 => Some(last / by),
                    BinaryOp::Rem if by > 0 => Some(last.min(by - 1)),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// Where an index begins that a comparison is about: a sum of multiples, modulo 2^32.
type Base = Map<NodeId, u32>;

/// What all comparisons and clamps about a tile have in common.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Tile {
    base: Base,
    bound: NodeId,
    side: Side,
}

/// Where the indices of a whole tile are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Side {
    /// Below the bound.
    Below,
    /// The bound is the last one.
    UpTo,
    /// Above the bound.
    Above,
    /// The bound is the first one.
    From,
}

/// A comparison of an index with a bound, or the smaller or larger one of them.
pub(super) struct Guard {
    tile: Tile,
    /// What is added to the base at least, and at most.
    offsets: (i64, i64),
    /// What it is in a whole tile.
    outcome: Outcome,
}

/// What a guard is where the tile is whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    /// A condition that holds, or does not.
    Decided(bool),
    /// The index, which is its operand of this number.
    Operand(usize),
}

impl Guard {
    /// The comparison or clamp that a node is.
    pub(super) fn of(nodes: &Nodes, scope: &Scope, id: NodeId) -> Option<Guard> {
        match nodes.node(id) {
            Node::Binary {
                op, left, right, ..
            } if matches!(op, BinaryOp::Min | BinaryOp::Max) => {
                let ((index, bound), position) = pair(nodes, scope, left, right)?;
                let side = match op {
                    BinaryOp::Min => Side::UpTo,
                    _ => Side::From,
                };
                Self::about(
                    nodes,
                    scope,
                    (index, bound, side),
                    Outcome::Operand(position),
                )
            }
            _ => Self::comparison(nodes, scope, id),
        }
    }

    fn comparison(nodes: &Nodes, scope: &Scope, id: NodeId) -> Option<Guard> {
        let ((left, right), negated) = nodes.as_below(id)?;
        let ((index, bound), _) = pair(nodes, scope, left, right)?;
        let is_number = nodes.literal(bound).is_some();
        // From a length on, `i >= n`, there is nothing: in a whole tile that does not hold.
        let (side, holds) = match (index == left, negated) {
            (true, true) if !is_number => (Side::Below, false),
            (true, true) => (Side::From, true),
            (true, false) => (Side::Below, true),
            (false, true) => (Side::UpTo, true),
            (false, false) => (Side::Above, true),
        };
        Self::about(nodes, scope, (index, bound, side), Outcome::Decided(holds))
    }

    fn about(
        nodes: &Nodes,
        scope: &Scope,
        (index, mut bound, mut side): (NodeId, NodeId, Side),
        outcome: Outcome,
    ) -> Option<Guard> {
        let sum = sum(nodes, scope, index)?;
        let (base, offsets) = over_all_rounds(&sum, nodes, scope)?;
        // A comparison of a counter with a number says nothing about a tile.
        if base.is_empty() && nodes.literal(bound).is_some() {
            return None;
        }
        // What is below `n` is at most `n - 1`, so one question serves guards and clamps.
        if let (Side::UpTo, Some(length)) = (side, behind(nodes, bound)) {
            (side, bound) = (Side::Below, length);
        }
        let tile = Tile { base, bound, side };
        Some(Guard {
            tile,
            offsets,
            outcome,
        })
    }
}

/// Which of two numbers is an index of an iteration, and which a bound that is the same for all; and the
/// position of the index.
fn pair(
    nodes: &Nodes,
    scope: &Scope,
    left: NodeId,
    right: NodeId,
) -> Option<((NodeId, NodeId), usize)> {
    if nodes.ty(left) != ScalarType::U32 {
        return None;
    }
    match [left, right].map(|side| scope.is_uniform(nodes, side)) {
        [false, true] => Some(((left, right), 0)),
        [true, false] => Some(((right, left), 1)),
        _ => None,
    }
}

/// `n`, if a node is `n - 1`.
fn behind(nodes: &Nodes, id: NodeId) -> Option<NodeId> {
    match nodes.node(id) {
        Node::Binary {
            op: BinaryOp::Sub,
            left,
            right,
            ..
        } if nodes.literal(right) == Some(Literal::from(1u32)) => Some(left),
        _ => None,
    }
}

/// An index as a sum, which is the index modulo 2^32: its arithmetic may wrap.
fn sum(nodes: &Nodes, scope: &Scope, index: NodeId) -> Option<Sum> {
    let taken = |id| match nodes.node(id) {
        Node::Variable(variable) => match scope.lets.get(&variable) {
            Some(value) => Taken::Named(*value),
            None => Taken::Whole,
        },
        Node::Unary { op, value } if op.is_promise() => Taken::Named(value),
        _ => Taken::Apart,
    };
    let (mut sum, _) = Sum::of(nodes, index, MOST_NODES, taken)?;
    sum.terms.retain(|(_, factor)| *factor as u32 != 0);
    Some(sum)
}

/// What is the same in all rounds, and what is added to that at least and at most; `None` if
/// that is not known.
fn over_all_rounds(sum: &Sum, nodes: &Nodes, scope: &Scope) -> Option<(Base, (i64, i64))> {
    // Numbers modulo 2^32, as near to 0 as they can be.
    let signed = |n: i64| i64::from(n as i32);
    let constant = signed(sum.constant);
    let (mut base, mut low, mut high) = (Base::new(), constant, constant);
    for (id, factor) in &sum.terms {
        if scope.is_uniform(nodes, *id) {
            base.insert(*id, *factor as u32);
            continue;
        }
        let most = signed(*factor).checked_mul(scope.last(nodes, *id, DEEPEST)?)?;
        low += most.min(0);
        high += most.max(0);
    }
    let fits = |n: i64| n.abs() < WIDEST;
    (fits(low) && fits(high)).then_some((base, (low, high)))
}

/// The comparisons and clamps of a part of a kernel.
#[derive(Default)]
pub(super) struct Guards {
    /// What each is, if the tile is whole.
    pub(super) outcomes: Map<NodeId, Outcome>,
    /// From where to where the indices of each tile go.
    tiles: Map<Tile, (i64, i64)>,
    /// How many a thread makes.
    pub(super) count: u64,
}

impl Guards {
    pub(super) fn of(nodes: &Nodes, scope: &Scope, statement: &Statement<Lowered>) -> Guards {
        let mut guards = Guards::default();
        guards.add(nodes, scope, statement, 1);
        guards
    }

    fn add(&mut self, nodes: &Nodes, scope: &Scope, statement: &Statement<Lowered>, times: u64) {
        for id in nodes.post_order(&statement.nodes(), |_| false) {
            if let Some(guard) = Guard::of(nodes, scope, id) {
                self.outcomes.insert(id, guard.outcome);
                let (low, high) = guard.offsets;
                let known = self.tiles.entry(guard.tile).or_insert((low, high));
                *known = (known.0.min(low), known.1.max(high));
                self.count = self.count.saturating_add(times);
            }
        }
        let rounds = match statement {
            Statement::Loop { counter, .. } => scope.counters.get(counter).copied(),
            _ => None,
        };
        let times = times.saturating_mul(rounds.map_or(1, i64::unsigned_abs));
        for inner in statement.lists().into_iter().flatten() {
            self.add(nodes, scope, inner, times);
        }
    }

    /// Do all of them hold, as a condition that is the same for all iterations?
    pub(super) fn whole(&self, nodes: &mut Nodes) -> Option<NodeId> {
        let mut whole = None;
        for (tile, (low, high)) in &self.tiles {
            let width = u32::try_from(high - low).ok()?;
            let holds = tile.holds(nodes, *low, width);
            whole = Some(match whole {
                Some(whole) => nodes.binary(BinaryOp::And, whole, holds),
                None => holds,
            });
        }
        whole
    }
}

impl Tile {
    /// Are the indices from `low` to `low + width` from the base on where they have to be?
    fn holds(&self, nodes: &mut Nodes, low: i64, width: u32) -> NodeId {
        use BinaryOp::{And, Le, Lt, Sub};
        let low = self.first(nodes, low);
        let [distance, most] = [width, u32::MAX - width];
        let [distance, most] = [distance, most].map(|n| nodes.add_literal(Literal::from(n)));
        let room = nodes.binary(Sub, self.bound, low);
        let ([x, y], compare, [least, available]) = match self.side {
            Side::Below => ([low, self.bound], Lt, [distance, room]),
            Side::UpTo => ([low, self.bound], Le, [distance, room]),
            Side::Above => ([self.bound, low], Lt, [low, most]),
            Side::From => ([self.bound, low], Le, [low, most]),
        };
        let begins = nodes.binary(compare, x, y);
        let fits = match self.side {
            Side::Below => nodes.binary(Lt, least, available),
            _ => nodes.binary(Le, least, available),
        };
        nodes.binary(And, begins, fits)
    }

    /// The first index, modulo 2^32: what is added, and then what is subtracted.
    fn first(&self, nodes: &mut Nodes, low: i64) -> NodeId {
        let mut parts: Vec<(NodeId, i32)> = Vec::new();
        for (id, factor) in &self.base {
            let by = nodes.add_literal(Literal::from(factor.cast_signed().unsigned_abs()));
            parts.push((nodes.binary(BinaryOp::Mul, *id, by), factor.cast_signed()));
        }
        let number = nodes.add_literal(Literal::from(low.unsigned_abs() as u32));
        parts.push((number, low.signum() as i32));
        parts.sort_by_key(|(_, sign)| *sign < 0);
        let mut sum = nodes.add_literal(Literal::from(0u32));
        for (part, sign) in parts {
            let op = match sign < 0 {
                true => BinaryOp::Sub,
                false => BinaryOp::Add,
            };
            sum = nodes.binary(op, sum, part);
        }
        sum
    }
}

/// Is a tile whole whose base and bound are numbers?
#[cfg(test)]
pub(super) fn is_whole(first: u32, bound: u32, (low, high): (i64, i64), side: Side) -> bool {
    let mut nodes = Nodes::default();
    let [first, bound] = [first, bound].map(|n| nodes.add_literal(Literal::from(n)));
    let tile = Tile {
        base: Base::from([(first, 1)]),
        bound,
        side,
    };
    let width = u32::try_from(high - low).unwrap_or(u32::MAX);
    let holds = tile.holds(&mut nodes, low, width);
    nodes.literal(holds).is_some_and(Literal::bool)
}
