//! Reads of other lanes' elements: a shuffle for each slot that the element may be in, and a choice.

use super::{Lanes, List, Pass, Taken};
use crate::error::Origin;
use crate::ir::{Lane, Layout, Shuffle, Statement, WARP};
use crate::scalar::{ArrayId, BinaryOp, Literal, Node, NodeId, VariableKind};

/// Slots that one read may take an element from.
pub(super) const MOST_SHUFFLES: u32 = 8;

/// A read of a held array: the array, its layout, and the user's place.
type Place = (ArrayId, Layout, Origin);

/// The reads themselves.
impl Pass<'_> {
    /// What a lane takes in place of element `index`; none if that is too many shuffles.
    pub(super) fn read(
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
    pub(super) fn own_or_zero(
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
