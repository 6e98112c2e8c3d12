//! Elements that lanes read of each other's registers: shuffles.
//!
//! Before: a lowered kernel, in which arrays that a warp holds are in shared memory. After: the same, where a lane reads
//! only elements that it owns, and takes others by a [`Shuffle`]:
//!
//! ```text
//! forall Warp i < 32_u32 { store out[i] = (h[i] + h[(i ^ 1_u32)]) }
//! ```
//!
//! becomes
//!
//! ```text
//! forall Warp i < 32_u32 { shuffle x = h[i] lane ((i ^ 1_u32) & 31_u32) store out[i] = (h[i] + x) }
//! ```
//!
//! `placement` then finds that each access is by the owner, and puts the array into registers.
//!
//! *Claim.* Each lane gets the element that it asked for. *Argument.* Element `e` has one owner and one slot
//! ([`Layout::place`]). A shuffle takes the value of one slot, so a read is a shuffle for each slot that the element
//! may be in, and a choice. Nothing writes the array after it is complete, so a read may stand earlier than the
//! user wrote it: outside of conditions, in front of the statement, where all lanes come to it. Lanes that
//! do not execute the loop are filled up, and take a value that nothing uses.
//!
//! # Limits
//! - A read stays in shared memory, with the array, where its index depends on what a condition or a loop of one
//!   lane binds, or where more than [`MOST_SHUFFLES`] slots come into question.
//! - A loop that is not a multiple of 32 and changes mutable arrays or binds what atomic operations
//!   give stays as it is.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::Origin;
use crate::ir::{Kernel, Lane, Layout, Level, LevelledLoop, Lowered, Shuffle, Statement, WARP};
use crate::plan::analysis::Asked;
use crate::scalar::{ArrayId, BinaryOp, Literal, Node, NodeId, Tables, VariableId, VariableKind};

/// Slots that one read may take an element from.
const MOST_SHUFFLES: u32 = 8;

type List = Vec<Statement<Lowered>>;

/// Puts shuffles in place of what lanes read of each other, on blocks of whole warps.
pub(super) fn shuffled(
    mut kernel: Kernel<Lowered>,
    asked: &Asked,
    threads: u32,
) -> Kernel<Lowered> {
    let of_warps = asked.iter().filter(|(_, (level, _))| *level == Level::Warp);
    let layouts: BTreeMap<ArrayId, Layout> =
        of_warps.map(|(id, (_, layout))| (*id, *layout)).collect();
    if layouts.is_empty() || threads < WARP {
        return kernel;
    }
    let names = kernel.lets();
    let body = std::mem::take(&mut kernel.body);
    let mut pass = Pass {
        tables: &mut kernel.tables,
        layouts,
        names,
    };
    kernel.body = pass.list(body);
    kernel
}

struct Pass<'k> {
    tables: &'k mut Tables,
    /// The arrays that warps hold.
    layouts: BTreeMap<ArrayId, Layout>,
    /// What variables of the kernel stand for.
    names: BTreeMap<VariableId, NodeId>,
}

/// A loop over the lanes of a warp.
struct Lanes {
    counter: NodeId,
    /// Iterations, with those that fill up the last warp.
    filled: u32,
    /// Nothing if all lanes of each round have an iteration.
    guard: Option<NodeId>,
    /// What the loop binds, which may differ between lanes.
    bound: BTreeSet<VariableId>,
    /// The rounds of loops of one lane inside of it, by their counters, where that is a number.
    rounds: BTreeMap<VariableId, u32>,
}

/// What the statements so far have taken from other lanes.
type Taken = BTreeMap<NodeId, NodeId>;

/// The variables that are bound inside of a condition, with their values where these are known.
type Inner = BTreeMap<VariableId, Option<NodeId>>;

impl Pass<'_> {
    fn list(&mut self, list: List) -> List {
        list.into_iter().map(|s| self.statement(s)).collect()
    }

    fn statement(&mut self, mut statement: Statement<Lowered>) -> Statement<Lowered> {
        if let Statement::Loop {
            kind: LevelledLoop::ForAll(Level::Warp),
            counter,
            bounds: [count],
            body,
            ..
        } = &mut statement
        {
            if let Some(n) = self.tables.nodes.literal(*count).map(Literal::u32)
                && let Some(filled) = self.of_lanes(*counter, n, body)
            {
                *count = self.tables.nodes.add_literal(filled.into());
            }
            return statement;
        }
        for inner in statement.lists_mut() {
            *inner = self.list(std::mem::take(inner));
        }
        statement
    }

    /// Puts shuffles into a loop of `n` iterations. Returns how many iterations it has then, if there are any.
    fn of_lanes(&mut self, counter: VariableId, n: u32, body: &mut List) -> Option<u32> {
        let filled = n.checked_next_multiple_of(WARP)?;
        let mut bound = BTreeSet::from([counter]);
        let (mut others, mut roots, mut rounds) = (false, Vec::new(), BTreeMap::new());
        for statement in body.iter() {
            statement.visit(&mut |s| {
                bound.extend(s.binds());
                if let Statement::Declare { cell, .. } = s {
                    bound.insert(*cell);
                }
                roots.extend(s.nodes());
                if let Statement::Loop {
                    counter,
                    bounds: [count],
                    ..
                } = s
                    && let Some(count) = self.tables.nodes.literal(*count)
                {
                    rounds.insert(*counter, count.u32());
                }
                others |= matches!(
                    s,
                    Statement::Read { .. }
                        | Statement::Atomic {
                            result: Some(_),
                            ..
                        }
                );
            });
        }
        let nodes = &self.tables.nodes;
        let is_held = |id: &NodeId| matches!(nodes.node(*id), Node::Load { array, .. } if self.layouts.contains_key(&array));
        if n == 0 || !nodes.post_order(&roots, |_| false).iter().any(is_held) {
            return None;
        }
        let is_ragged = filled != n;
        if is_ragged && others {
            return None;
        }
        let i = self.variable(counter);
        let guard = is_ragged.then(|| {
            let n = self.number(n);
            self.tables.nodes.binary(BinaryOp::Lt, i, n)
        });
        let lanes = Lanes {
            counter: i,
            filled,
            guard,
            bound,
            rounds,
        };
        let list = self.lanes(&lanes, body.clone(), &mut Taken::new());
        if !list.iter().any(Statement::has_shuffle) {
            return None;
        }
        *body = list;
        Some(filled)
    }

    /// A list that all lanes come to.
    fn lanes(&mut self, of: &Lanes, list: List, taken: &mut Taken) -> List {
        let mut result = List::new();
        for mut statement in list {
            // As the user wrote it: what is taken from another lane differs between lanes.
            let is_uniform = match &statement {
                Statement::Loop {
                    bounds: [count], ..
                } => self.is_uniform(of, *count),
                _ => false,
            };
            self.in_front(of, &mut statement, taken, &mut result);
            if let Statement::Loop {
                kind: LevelledLoop::Sequential(_) | LevelledLoop::ForAll(Level::Thread),
                body,
                ..
            } = &mut statement
                && is_uniform
                && !body.iter().any(leaves)
            {
                *body = self.lanes(of, std::mem::take(body), &mut taken.clone());
                if body.iter().any(Statement::has_shuffle) {
                    result.push(statement);
                    continue;
                }
            }
            self.guarded(of, statement, &mut result);
        }
        result
    }

    /// A statement, for the lanes that have an iteration.
    fn guarded(&mut self, of: &Lanes, mut statement: Statement<Lowered>, result: &mut List) {
        let Some(condition) = of.guard else {
            return result.push(statement);
        };
        match &mut statement {
            Statement::Let { value, .. } | Statement::Declare { value, .. } => {
                if self.loads(*value) {
                    *value = self.or_zero(condition, *value);
                }
            }
            Statement::Get { .. } | Statement::Allocate { .. } | Statement::Break => {}
            _ => match result.last_mut() {
                Some(Statement::If {
                    condition: c,
                    then,
                    otherwise,
                }) if *c == condition && otherwise.is_empty() => {
                    return then.push(statement);
                }
                _ => {
                    statement = Statement::If {
                        condition,
                        then: vec![statement],
                        otherwise: Vec::new(),
                    };
                }
            },
        }
        result.push(statement);
    }

    /// Takes all that a statement, and the lists of its conditions, read of other lanes, in front of it.
    fn in_front(
        &mut self,
        of: &Lanes,
        statement: &mut Statement<Lowered>,
        taken: &mut Taken,
        result: &mut List,
    ) {
        if matches!(statement, Statement::While { .. }) {
            return;
        }
        for root in statement.nodes_mut() {
            *root = self.replaced(of, *root, None, taken, result);
        }
        if let Statement::If {
            then, otherwise, ..
        } = statement
        {
            for list in [then, otherwise] {
                self.arm(of, list, &mut Inner::new(), taken, result);
            }
        }
    }

    /// The list of a condition: reads whose indices are known outside of it.
    fn arm(
        &mut self,
        of: &Lanes,
        list: &mut List,
        inner: &mut Inner,
        taken: &mut Taken,
        result: &mut List,
    ) {
        for statement in list {
            let is_loop = matches!(statement, Statement::Loop { .. } | Statement::While { .. });
            if !is_loop {
                for root in statement.nodes_mut() {
                    *root = self.replaced(of, *root, Some(inner), taken, result);
                }
            }
            match statement {
                Statement::Let { variable, value } => drop(inner.insert(*variable, Some(*value))),
                Statement::If {
                    then, otherwise, ..
                } => {
                    for list in [then, otherwise] {
                        self.arm(of, list, &mut inner.clone(), taken, result);
                    }
                }
                other => other.visit(&mut |s| {
                    inner.extend(s.binds().map(|variable| (variable, None)));
                }),
            }
        }
    }

    /// An expression with what shuffles give in place of other lanes' elements. `inner` are the variables that are
    /// not bound where the shuffles stand, with their values.
    fn replaced(
        &mut self,
        of: &Lanes,
        root: NodeId,
        inner: Option<&Inner>,
        taken: &mut Taken,
        result: &mut List,
    ) -> NodeId {
        let always = self.always(root);
        let mut made: BTreeMap<NodeId, NodeId> = BTreeMap::new();
        for id in self.tables.nodes.post_order(&[root], |_| false) {
            let old = self.tables.nodes.node(id);
            let mut node = old;
            node.operands_mut(|operand| *operand = made.get(operand).copied().unwrap_or(*operand));
            let mut new = id;
            if node != old {
                let (ty, origin) = (self.tables.nodes.ty(id), self.tables.nodes.origin(id));
                new = self.tables.nodes.add(node, ty);
                self.tables.nodes.place(new, origin);
            }
            if let Node::Load { array, index } = node
                && let Some(layout) = self.layouts.get(&array).copied()
                && !self.is_own(of, layout, index)
                && let Some(index) = self.outside(index, inner)
                && let Some(index) =
                    self.for_all_lanes(of, index, inner.is_none() && always.contains(&id))
            {
                let place = (array, layout, self.tables.nodes.origin(id));
                new = self.read(of, place, index, taken, result).unwrap_or(new);
            }
            made.insert(id, new);
        }
        made.get(&root).copied().unwrap_or(root)
    }

    /// An index by what is bound outside of the condition; none if it depends on more.
    fn outside(&mut self, index: NodeId, inner: Option<&Inner>) -> Option<NodeId> {
        let Some(inner) = inner else {
            return Some(index);
        };
        let nodes = &mut self.tables.nodes;
        let mut index = index;
        // Each step puts in what is bound further outside.
        for _ in 0..=inner.len() {
            let all = nodes.post_order(&[index], |_| false);
            let unknown = all.into_iter().find_map(|id| match nodes.node(id) {
                Node::Variable(variable) => Some((id, *inner.get(&variable)?)),
                _ => None,
            });
            let Some((id, value)) = unknown else {
                return Some(index);
            };
            let value = value?;
            index = nodes.replaced(index, |_, other| (other == id).then_some(value));
        }
        None
    }

    /// The nodes that an expression evaluates whatever its conditions say.
    fn always(&self, root: NodeId) -> BTreeSet<NodeId> {
        let nodes = &self.tables.nodes;
        let (mut stack, mut found) = (vec![root], BTreeSet::new());
        while let Some(id) = stack.pop() {
            if found.insert(id) {
                match nodes.node(id) {
                    Node::Select { condition, .. } => stack.push(condition),
                    node => stack.extend(node.operands()),
                }
            }
        }
        found
    }

    /// An index that every lane can compute, those among them that do not want the element: its arithmetic may
    /// leave its range there. An index that is loaded has to be one that each iteration loads (`is_always`).
    fn for_all_lanes(&mut self, of: &Lanes, index: NodeId, is_always: bool) -> Option<NodeId> {
        if self.loads(index) {
            let index = is_always.then_some(index)?;
            return Some(match of.guard {
                Some(condition) => self.or_zero(condition, index),
                None => index,
            });
        }
        let nodes = &mut self.tables.nodes;
        let mut made: BTreeMap<NodeId, NodeId> = BTreeMap::new();
        for id in nodes.post_order(&[index], |_| false) {
            let mut node = nodes.node(id);
            node.operands_mut(|operand| *operand = made.get(operand).copied().unwrap_or(*operand));
            let new = match node {
                Node::Binary {
                    op, left, right, ..
                } => nodes.binary(op, left, right),
                _ if node == nodes.node(id) => id,
                _ => {
                    let ty = nodes.ty(id);
                    nodes.add(node, ty)
                }
            };
            made.insert(id, new);
        }
        made.get(&index).copied()
    }

    /// Is an element the lane's own, as can be told from the text?
    fn is_own(&self, of: &Lanes, layout: Layout, index: NodeId) -> bool {
        match (layout, self.offset(of, index)) {
            (Layout::Striped | Layout::Blocked(1), Some(offset)) => offset % i64::from(WARP) == 0,
            _ => self.is_in_run(of, layout, index),
        }
    }

    /// Is an index `k * i + j`, with a `j` below `k`?
    fn is_in_run(&self, of: &Lanes, layout: Layout, index: NodeId) -> bool {
        let nodes = &self.tables.nodes;
        let run = layout.run();
        let is_start = |id: NodeId| match nodes.node(self.named(id)) {
            Node::Binary {
                op: BinaryOp::Mul,
                left,
                right,
                ..
            } => {
                let is = |a: NodeId, b: NodeId| {
                    self.named(a) == of.counter
                        && nodes.literal(b).is_some_and(|n| n.bits() == u64::from(run))
                };
                is(left, right) || is(right, left)
            }
            _ => false,
        };
        let is_below = |id: NodeId| match nodes.literal(id) {
            Some(n) => n.bits() < u64::from(run),
            // The counter of a loop of one lane inside of this one.
            None => {
                matches!(nodes.node(id), Node::Variable(v) if of.rounds.get(&v).is_some_and(|n| *n <= run))
            }
        };
        match nodes.node(self.named(index)) {
            Node::Binary {
                op: BinaryOp::Add,
                left,
                right,
                ..
            } => is_start(left) && is_below(right) || is_start(right) && is_below(left),
            // Flipped in the low bits, it is in the same run.
            Node::Binary {
                op: BinaryOp::Xor,
                left,
                right,
                ..
            } if run.is_power_of_two() => {
                let is_low = |id: NodeId| {
                    let bits = nodes.literal(self.named(id));
                    bits.is_some_and(|n| n.bits() < u64::from(run))
                };
                is_low(right) && self.is_in_run(of, layout, left)
                    || is_low(left) && self.is_in_run(of, layout, right)
            }
            _ => is_start(index),
        }
    }

    /// How far an index is from the lane's iteration, if that is a number.
    fn offset(&self, of: &Lanes, index: NodeId) -> Option<i64> {
        let nodes = &self.tables.nodes;
        let index = self.named(index);
        if index == of.counter {
            return Some(0);
        }
        // What is added may be a large number that wraps to a smaller sum.
        let number = |id: NodeId| {
            nodes
                .literal(self.named(id))
                .map(|n| i64::from(n.u32() as i32))
        };
        match nodes.node(index) {
            Node::Binary {
                op: BinaryOp::Add,
                left,
                right,
                ..
            } => {
                let pairs = [(left, right), (right, left)];
                pairs
                    .into_iter()
                    .find_map(|(sum, n)| Some(self.offset(of, sum)? + number(n)?))
            }
            Node::Binary {
                op: BinaryOp::Sub,
                left,
                right,
                ..
            } => Some(self.offset(of, left)? - number(right)?),
            _ => None,
        }
    }

    /// What a name stands for.
    fn named(&self, id: NodeId) -> NodeId {
        let mut id = id;
        while let Node::Variable(variable) = self.tables.nodes.node(id)
            && let Some(value) = self.names.get(&variable)
        {
            id = *value;
        }
        id
    }

    fn is_uniform(&self, of: &Lanes, node: NodeId) -> bool {
        let nodes = &self.tables.nodes;
        let differs =
            |id: NodeId| matches!(nodes.node(id), Node::Variable(v) if of.bound.contains(&v));
        !nodes
            .post_order(&[node], |_| false)
            .into_iter()
            .any(differs)
    }

    fn variable(&mut self, variable: VariableId) -> NodeId {
        let ty = self.tables.variable(variable).ty;
        self.tables.nodes.add(Node::Variable(variable), ty)
    }

    fn number(&mut self, n: u32) -> NodeId {
        self.tables.nodes.add_literal(Literal::from(n))
    }

    fn loads(&self, value: NodeId) -> bool {
        let nodes = &self.tables.nodes;
        let all = nodes.post_order(&[value], |_| false);
        all.into_iter()
            .any(|id| matches!(nodes.node(id), Node::Load { .. }))
    }

    fn or_zero(&mut self, condition: NodeId, value: NodeId) -> NodeId {
        let nodes = &mut self.tables.nodes;
        let zero = nodes.add_literal(Literal::zero(nodes.ty(value)));
        nodes.select(condition, value, zero)
    }
}

/// A read of a held array: the array, its layout, and the user's place.
type Place = (ArrayId, Layout, Origin);

/// The reads themselves.
impl Pass<'_> {
    /// What a lane takes in place of element `index`; none if that is too many shuffles.
    fn read(
        &mut self,
        of: &Lanes,
        place: Place,
        index: NodeId,
        taken: &mut Taken,
        result: &mut List,
    ) -> Option<NodeId> {
        let (array, layout, _) = place;
        let ty = self.tables.array(array).ty;
        let key = self.tables.nodes.add(Node::Load { array, index }, ty);
        if let Some(known) = taken.get(&key) {
            return Some(*known);
        }
        let length = self.tables.stored_length(self.tables.array(array));
        let run = layout.run();
        let slots = length.div_ceil(run).div_ceil(WARP) * run;
        let value = match self.tables.nodes.literal(index).map(Literal::u32) {
            Some(element) => {
                let (lane, slot) = layout.place(element, WARP);
                let lane = self.number(lane);
                let own = self.own(of, layout, slot);
                self.take(of, place, own, lane, result)
            }
            None if slots == 1 => {
                let own = self.own(of, layout, 0);
                let lane = self.lane(index);
                self.take(of, place, own, lane, result)
            }
            None if run == 1 && self.offset(of, index).is_some() => {
                self.ahead(of, place, self.offset(of, index)?, result)
            }
            None if let Some((own, lanes)) = self.flipped(of, layout, index) => {
                let number = self.number(lanes);
                let other = self.tables.nodes.binary(BinaryOp::Xor, of.counter, number);
                let lane = self.lane(other);
                self.take(of, place, own, lane, result)
            }
            None if slots <= MOST_SHUFFLES => self.any(of, place, (index, slots), result),
            None => return None,
        };
        taken.insert(key, value);
        Some(value)
    }

    /// An own index with some bits flipped: the own element of which the other lane has the same slot, and the
    /// bits of the lane that are flipped.
    fn flipped(&mut self, of: &Lanes, layout: Layout, index: NodeId) -> Option<(NodeId, u32)> {
        let Node::Binary {
            op: BinaryOp::Xor,
            left,
            right,
            ..
        } = self.tables.nodes.node(self.named(index))
        else {
            return None;
        };
        let run = layout.run();
        let bits = |id: NodeId| self.tables.nodes.literal(self.named(id)).map(Literal::u32);
        let (own, flipped) = match (bits(left), bits(right)) {
            (_, Some(bits)) => (left, bits),
            (Some(bits), _) => (right, bits),
            _ => return None,
        };
        if !run.is_power_of_two() || !self.is_own(of, layout, own) || flipped / run >= WARP {
            return None;
        }
        let low = self.number(flipped % run);
        let own = self.tables.nodes.binary(BinaryOp::Xor, own, low);
        Some((own, flipped / run))
    }

    /// The element `offset` behind a lane's own: in the same slot of a later lane, or in the next slot.
    fn ahead(&mut self, of: &Lanes, place: Place, offset: i64, result: &mut List) -> NodeId {
        let warp = i64::from(WARP);
        let (base, distance) = (
            offset.div_euclid(warp) * warp,
            offset.rem_euclid(warp) as u32,
        );
        let [distance, last] = [distance, WARP].map(|n| self.number(n));
        let ahead = self
            .tables
            .nodes
            .binary(BinaryOp::Add, of.counter, distance);
        let lane = self.lane(ahead);
        let [same, next] = [base, base + warp].map(|base| {
            let far = self.number(base.unsigned_abs() as u32);
            let nodes = &mut self.tables.nodes;
            let own = match base {
                ..0 => nodes.exact(BinaryOp::Sub, of.counter, far),
                _ => nodes.exact(BinaryOp::Add, of.counter, far),
            };
            let there_is = (base < 0).then(|| nodes.binary(BinaryOp::Le, far, of.counter));
            let value = self.own_or_zero(of, place, (own, there_is));
            self.taken(place, value, lane, result)
        });
        let own = self.lane(of.counter);
        let nodes = &mut self.tables.nodes;
        let at = nodes.binary(BinaryOp::Add, own, distance);
        let is_same = nodes.binary(BinaryOp::Lt, at, last);
        nodes.select(is_same, same, next)
    }

    /// The element of an index that says nothing: of each slot one is taken, and then one of them.
    fn any(
        &mut self,
        of: &Lanes,
        place: Place,
        (index, slots): (NodeId, u32),
        result: &mut List,
    ) -> NodeId {
        let (_, layout, _) = place;
        let run = self.number(layout.run());
        let nodes = &mut self.tables.nodes;
        let iteration = nodes.binary(BinaryOp::Div, index, run);
        let within = nodes.binary(BinaryOp::Rem, index, run);
        let lane = self.lane(iteration);
        let warp = self.number(WARP);
        let nodes = &mut self.tables.nodes;
        let row = nodes.binary(BinaryOp::Div, iteration, warp);
        let start = nodes.binary(BinaryOp::Mul, row, run);
        let slot = nodes.binary(BinaryOp::Add, start, within);
        let mut value = None;
        for number in (0..slots).rev() {
            let own = self.own(of, layout, number);
            let taken = self.take(of, place, own, lane, result);
            let number = self.number(number);
            let nodes = &mut self.tables.nodes;
            let is_it = nodes.binary(BinaryOp::Eq, slot, number);
            value = Some(match value {
                Some(other) => nodes.select(is_it, taken, other),
                None => taken,
            });
        }
        value.unwrap_or(index)
    }

    /// The element that a lane has in a slot.
    fn own(&mut self, of: &Lanes, layout: Layout, slot: u32) -> NodeId {
        let run = layout.run();
        let lane = match of.filled {
            WARP => of.counter,
            _ => self.lane(of.counter),
        };
        let [start, within] = [slot / run * WARP, slot % run].map(|n| self.number(n));
        let run = self.number(run);
        let nodes = &mut self.tables.nodes;
        let iteration = nodes.exact(BinaryOp::Add, start, lane);
        let first = nodes.exact(BinaryOp::Mul, iteration, run);
        nodes.exact(BinaryOp::Add, first, within)
    }

    /// A number below 32: its lane.
    fn lane(&mut self, index: NodeId) -> NodeId {
        let last = self.number(WARP - 1);
        self.tables.nodes.binary(BinaryOp::And, index, last)
    }

    /// A shuffle of the elements `own`, of which each lane takes that of another one.
    fn take(
        &mut self,
        of: &Lanes,
        place: Place,
        own: NodeId,
        lane: NodeId,
        result: &mut List,
    ) -> NodeId {
        let value = self.own_or_zero(of, place, (own, None));
        self.taken(place, value, lane, result)
    }

    /// An element that a lane owns, where it has one; else a zero, which no lane uses.
    fn own_or_zero(
        &mut self,
        of: &Lanes,
        (array, _, origin): Place,
        (own, there_is): (NodeId, Option<NodeId>),
    ) -> NodeId {
        let tables = &mut *self.tables;
        let (ty, length) = (
            tables.array(array).ty,
            tables.stored_length(tables.array(array)),
        );
        let load = tables.nodes.add(Node::Load { array, index: own }, ty);
        tables.nodes.place(load, origin);
        let is_inside = of.filled <= length && (own == of.counter || there_is.is_some());
        let value = match is_inside {
            true => load,
            false => {
                let length = self.number(length);
                let is_element = self.tables.nodes.binary(BinaryOp::Lt, own, length);
                self.or_zero(is_element, load)
            }
        };
        match there_is {
            Some(condition) => self.or_zero(condition, value),
            None => value,
        }
    }

    fn taken(
        &mut self,
        (array, _, origin): Place,
        value: NodeId,
        lane: NodeId,
        result: &mut List,
    ) -> NodeId {
        let ty = self.tables.array(array).ty;
        let variable = self.tables.add_variable(ty, VariableKind::Let);
        let shuffle = Shuffle {
            variable,
            value,
            from: Lane::Number(lane),
            origin,
        };
        result.push(Statement::Shuffle((), shuffle));
        self.variable(variable)
    }
}

/// Does a statement leave a loop around it?
fn leaves(statement: &Statement<Lowered>) -> bool {
    let mut found = false;
    statement.visit(&mut |s| found |= matches!(s, Statement::Break));
    found
}
