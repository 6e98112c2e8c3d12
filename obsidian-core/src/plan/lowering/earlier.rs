//! What earlier blocks have, as the threads of a block find it out.
//!
//! Before: the collective in an ordered loop over blocks. After: a `ForAll` that stores what the block has into an array of
//! its own, threads that follow it, each result into another such array, and a `ForAll` that reads the results.
//!
//! Who follows: the lanes of the first warp together, one element after the other, or from [`WARP`] elements on, and where
//! there are no whole warps, a thread for each element.

use super::collectives::{Combining, List, assigned, declared};
use super::{Executed, Lowering};
use crate::ir::{
    Collective, Earlier, Level, Levelled, LevelledLoop, Lowered, Statement, Unroll, WARP,
};
use crate::scalar::{BinaryOp, Literal, NodeId, ScalarType, VariableId, VariableKind};

impl Lowering<'_> {
    pub(super) fn earlier(
        &mut self,
        of: Collective<Levelled>,
        combining: &Combining,
        element: &[NodeId],
        result: &mut List,
    ) {
        let n = self.tables.nodes.literal(of.count).map_or(0, Literal::u32);
        let own = self.scratch(combining, n, result);
        let before = self.scratch(combining, n, result);
        let at = self.variable(of.counter, ScalarType::U32);
        let mut source = self.list(of.source, Level::Thread);
        source.extend(combining.put(&own, at, element));
        self.step(combining, (of.counter, of.count), source, result);
        let thread = self.fresh(VariableKind::Counter, ScalarType::U32);
        let number = self.variable(thread, ScalarType::U32);
        if self.has_whole_warps() && n < WARP {
            let counter = self.fresh(VariableKind::Counter, ScalarType::U32);
            let round = self.variable(counter, ScalarType::U32);
            let (mut each, found) = self.followed(combining, &own, (round, of.count, &of.initial));
            let zero = self.number(0);
            each.push(Statement::If {
                condition: self.tables.nodes.binary(BinaryOp::Eq, number, zero),
                then: combining.put(&before, round, &found),
                otherwise: Vec::new(),
            });
            let rounds = Statement::Loop {
                kind: LevelledLoop::Sequential(Level::Thread),
                unroll: Unroll::Never,
                counter,
                bounds: [of.count],
                body: each,
            };
            let lanes = self.number(WARP);
            self.step(combining, (thread, lanes), vec![rounds], result);
        } else {
            let (mut each, found) = self.followed(combining, &own, (number, of.count, &of.initial));
            each.extend(combining.put(&before, number, &found));
            // Copies of it would cost registers, and gain nothing: it waits.
            result.push(Statement::Loop {
                kind: LevelledLoop::ForAll(Level::Block),
                unroll: Unroll::Never,
                counter: thread,
                bounds: [of.count],
                body: each,
            });
            result.push(Statement::Wait {
                scope: Level::Block,
            });
        }
        let at = self.variable(of.element, ScalarType::U32);
        let mut body = combining.read(&of.result, &before, at);
        body.extend(self.list(of.body, Level::Thread));
        result.push(Statement::Loop {
            kind: LevelledLoop::ForAll(Level::Block),
            unroll: Unroll::Free,
            counter: of.element,
            bounds: [of.results],
            body,
        });
    }

    fn has_whole_warps(&self) -> bool {
        matches!(self.by, Executed::ByThreads(threads) if threads.is_multiple_of(WARP))
    }

    /// What one thread does for an element, and the names of what it finds.
    fn followed(
        &mut self,
        combining: &Combining,
        own: &[crate::scalar::ArrayId],
        (element, count, initial): (NodeId, NodeId, &[NodeId]),
    ) -> (List, Vec<NodeId>) {
        let n = self.tables.nodes.literal(count).map_or(0, Literal::u32);
        let names = self.names(combining);
        let cells = self.cells(combining);
        let mut list = combining.read(&names, own, element);
        list.extend(declared(&cells, initial));
        list.push(Statement::Earlier(
            (),
            Box::new(Earlier {
                by_lanes: self.has_whole_warps() && n < WARP,
                element,
                count,
                own: self.variables(&names, &combining.types),
                cells: cells.clone(),
                right: combining.right.clone(),
                combine: onto(combining, &cells),
                origin: combining.origin,
            }),
        ));
        let found = self.names(combining);
        list.extend(combining.get(&found, &cells));
        (list, self.variables(&found, &combining.types))
    }
}

/// What cells have, combined with the right operand, into the cells.
fn onto(combining: &Combining, cells: &[VariableId]) -> Vec<Statement<Lowered>> {
    let mut list = combining.left_of_cells(cells);
    list.extend(combining.list.iter().cloned());
    list.extend(assigned(cells, &combining.value));
    list
}

#[cfg(test)]
mod tests;
