//! What the lanes of a warp do together: trees, prefixes, and what each run comes to.

use super::super::Lowering;
use super::super::collectives::{List, assigned, declared};
use super::Rows;
use crate::ir::{Lane, Lowered, Shuffle, Statement, WARP, is_voted};
use crate::scalar::{ArrayId, BinaryOp, Node, NodeId};

impl Lowering<'_> {
    /// A balanced tree over what the lanes of each run have: the first lane of a run has the result.
    ///
    /// Before the step of distance `d`, each lane whose number is a multiple of `d` has the tree over the `d`
    /// rows from its own, or over as many as there are. The step combines every second one of these lanes
    /// with the next. What other lanes compute is not used.
    ///
    /// Where hardware combines what all lanes have, and the order does not matter, that is one step.
    pub(in super::super) fn tree(
        &mut self,
        of: &Rows<'_>,
        mut value: Vec<NodeId>,
        (i, rows): (NodeId, u32),
        list: &mut List,
    ) -> Vec<NodeId> {
        if rows > 1
            && let Some(op) = self.voted(of)
        {
            if !rows.is_multiple_of(WARP)
                && let Some(identity) = &of.identity
            {
                let number = self.number(rows);
                let has_row = self.tables.nodes.binary(BinaryOp::Lt, i, number);
                value = self.chosen(of, has_row, [&value, identity], list);
            }
            return self.taken(of, &value, Lane::All(op), list);
        }
        let mut d = 1;
        while d < rows.min(WARP) {
            let taken = self.taken(of, &value, Lane::Ahead(d), list);
            let combined = self.combined(of, [&value, &taken], list);
            value = if rows.is_multiple_of(WARP) || rows.is_power_of_two() {
                combined
            } else {
                let distance = self.number(d);
                let other = self.sum(i, distance);
                let number = self.number(rows);
                let has_other = self.tables.nodes.binary(BinaryOp::Lt, other, number);
                self.chosen(of, has_other, [&combined, &value], list)
            };
            d *= 2;
        }
        value
    }

    /// The operator, if hardware combines by it what all lanes have, and any order will do.
    fn voted(&self, of: &Rows<'_>) -> Option<BinaryOp> {
        let ([ty], [value]) = (&of.combining.types[..], &of.combining.value[..]) else {
            return None;
        };
        match self.tables.nodes.node(*value) {
            Node::Binary { op, .. } if of.identity.is_some() && is_voted(op, *ty) => Some(op),
            _ => None,
        }
    }

    /// Sklansky's network over what the lanes of each run have, for the lanes that have a row.
    ///
    /// In the step of distance `d` a lane of a later half of `2 d` takes what the last lane of the earlier
    /// half has, which has a row if this one does.
    pub(in super::super) fn prefixes_of_lanes(
        &mut self,
        of: &Rows<'_>,
        mut value: Vec<NodeId>,
        i: NodeId,
        rows: u32,
        list: &mut List,
    ) -> Vec<NodeId> {
        let mut d = 1;
        while d < rows.min(WARP) {
            let [half, last, distance, zero] =
                [(WARP - 1) & !(2 * d - 1), d - 1, d, 0].map(|n| self.number(n));
            let nodes = &mut self.tables.nodes;
            let start = nodes.binary(BinaryOp::And, i, half);
            let lane = nodes.binary(BinaryOp::Or, start, last);
            let bit = nodes.binary(BinaryOp::And, i, distance);
            let is_later = nodes.binary(BinaryOp::Ne, bit, zero);
            let taken = self.taken(of, &value, Lane::Number(lane), list);
            let combined = self.combined(of, [&taken, &value], list);
            value = self.chosen(of, is_later, [&combined, &value], list);
            d *= 2;
        }
        value
    }

    /// The number of the lane before; of the first lane, the last one.
    pub(in super::super) fn lane_before(&mut self, i: NodeId) -> NodeId {
        let last = self.number(WARP - 1);
        let nodes = &mut self.tables.nodes;
        let other = nodes.binary(BinaryOp::Add, i, last);
        nodes.binary(BinaryOp::And, other, last)
    }

    pub(in super::super) fn is_lane(&mut self, i: NodeId, lane: u32) -> NodeId {
        let [last, lane] = [WARP - 1, lane].map(|n| self.number(n));
        let nodes = &mut self.tables.nodes;
        let own = nodes.binary(BinaryOp::And, i, last);
        nodes.binary(BinaryOp::Eq, own, lane)
    }

    /// A lane of each run stores what it has.
    pub(in super::super) fn by_one_lane(
        &mut self,
        of: &Rows<'_>,
        (i, lane): (NodeId, u32),
        totals: &[ArrayId],
        value: &[NodeId],
    ) -> Statement<Lowered> {
        let run = self.divided(i, WARP);
        Statement::If {
            condition: self.is_lane(i, lane),
            then: of.combining.put(totals, run, value),
            otherwise: Vec::new(),
        }
    }

    /// What each of some runs comes to, in as many lanes.
    pub(in super::super) fn run_of(
        &mut self,
        of: &Rows<'_>,
        totals: &[ArrayId],
        (i, runs): (NodeId, u32),
    ) -> (List, Vec<NodeId>) {
        let cells = self.cells(of.combining);
        let zeros = self.zeros(of);
        let mut list = declared(&cells, &zeros);
        let mut then = List::new();
        let value = self.stored(of, totals, i, &mut then);
        then.extend(assigned(&cells, &value));
        list.push(self.when_below(i, runs, then));
        let value = self.present(of, &cells, &mut list);
        (list, value)
    }

    /// What another lane has.
    pub(in super::super) fn taken(
        &mut self,
        of: &Rows<'_>,
        value: &[NodeId],
        from: Lane,
        list: &mut List,
    ) -> Vec<NodeId> {
        let names = self.names(of.combining);
        list.extend(names.iter().zip(value).map(|(variable, value)| {
            let shuffle = Shuffle {
                variable: *variable,
                value: *value,
                from,
                origin: of.combining.origin,
            };
            Statement::Shuffle((), shuffle)
        }));
        self.variables(&names, &of.combining.types)
    }
}
