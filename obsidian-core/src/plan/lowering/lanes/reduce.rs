//! Reductions by lanes.

use super::super::Lowering;
use super::super::collectives::{List, assigned, bound, declared};
use super::{Rows, names_only};
use crate::ir::{Collective, Levelled, Lowered, Statement, WARP, WIDEST};
use crate::ordered::Map;
use crate::scalar::{BinaryOp, Node, NodeId, Nodes, ScalarType, VariableId};

impl Lowering<'_> {
    /// A reduction whose threads each fold all elements that they have, in any order.
    pub(super) fn fold_of_threads(
        &mut self,
        of: &Rows<'_>,
        identity: &[NodeId],
        result: &mut List,
    ) {
        let threads = of.width.min(of.n.next_multiple_of(WARP));
        let (counter, t) = self.counted();
        let cells = self.cells(of.combining);
        let mut each = declared(&cells, identity);
        let group = self.group(of, threads);
        let rounds = of.n / (threads * group);
        // Element `(q * threads + t) * group + k`.
        let (round, q) = self.counted();
        let (inner, k) = self.counted();
        let step = self.fold(of, &cells, |pass| {
            let start = pass.scaled(q, threads);
            let place = pass.sum(start, t);
            let first = pass.scaled(place, group);
            match group {
                1 => first,
                _ => pass.sum(first, k),
            }
        });
        let step = match group {
            1 => step,
            _ => vec![self.in_order((inner, group), step)],
        };
        each.push(self.in_order((round, rounds), step));
        let rest = of.n % (threads * group);
        if rest > 0 {
            let done = self.number(of.n - rest);
            let then = self.fold(of, &cells, |pass| pass.sum(done, t));
            each.push(self.when_below(t, rest, then));
        }
        let folded = self.present(of, &cells, &mut each);
        self.folded_runs(of, (counter, t), (each, folded), [threads, threads], result);
    }

    /// Neighbours that a thread takes at once, for one access of 16 bytes; 1 if elements do not lie side by
    /// side in memory, or are not as many.
    fn group(&self, of: &Rows<'_>, threads: u32) -> u32 {
        let widest = of.combining.types.iter().map(|ty| ty.bytes()).max();
        let group = WIDEST / widest.unwrap_or(WIDEST).max(4);
        let fits = names_only(&of.of.source) && of.n.is_multiple_of(threads * group);
        match fits && lie_side_by_side(&self.tables.nodes, of.of) {
            true => group,
            false => 1,
        }
    }

    /// One element, which `index` finds, combined into cells.
    fn fold(
        &mut self,
        of: &Rows<'_>,
        cells: &[VariableId],
        index: impl FnOnce(&mut Self) -> NodeId,
    ) -> List {
        let index = index(self);
        let (mut list, element) = self.element(of, index);
        let value = self.present(of, cells, &mut list);
        let combined = self.combined(of, [&value, &element], &mut list);
        list.extend(assigned(cells, &combined));
        list
    }

    /// A reduction that folds rows from the left, and the rows in a tree.
    pub(super) fn fold_of_rows(&mut self, of: &Rows<'_>, result: &mut List) {
        let (counter, i) = self.counted();
        let (mut each, folded) = self.folded_row(of, i);
        let names = self.names(of.combining);
        each.extend(bound(&names, &folded));
        let folded = self.variables(&names, &of.combining.types);
        self.folded_runs(
            of,
            (counter, i),
            (each, folded),
            [of.rows, of.filled],
            result,
        );
    }

    /// The fold of row `i` from the left; where no row is, a zero.
    pub(in super::super) fn folded_row(&mut self, of: &Rows<'_>, i: NodeId) -> (List, Vec<NodeId>) {
        let first = self.scaled(i, of.row);
        if of.row == 1 && of.is_whole() {
            return self.element(of, first);
        }
        let cells = self.cells(of.combining);
        let zeros = self.zeros(of);
        let mut list = declared(&cells, &zeros);
        let (mut then, element) = self.element(of, first);
        then.extend(assigned(&cells, &element));
        if of.row > 1 {
            let (counter, k) = self.counted();
            let one = self.number(1);
            let k = self.sum(k, one);
            let at = self.sum(first, k);
            let step = self.fold(of, &cells, |_| at);
            let step = self.unless(of.is_whole(), (at, of.n), step);
            then.push(self.in_order((counter, of.row - 1), step));
        }
        list.extend(self.unless(of.is_whole(), (first, of.n), then));
        let value = self.present(of, &cells, &mut list);
        (list, value)
    }

    /// The tree over what the lanes of each run have, and over the runs; then the result. `rows` lanes have
    /// something, of `filled`.
    fn folded_runs(
        &mut self,
        of: &Rows<'_>,
        (counter, i): (VariableId, NodeId),
        (mut each, folded): (List, Vec<NodeId>),
        [rows, filled]: [u32; 2],
        result: &mut List,
    ) {
        let folded = self.tree(of, folded, (i, rows), &mut each);
        if filled == WARP {
            each.push(self.result(of, i, &folded));
            result.push(self.shared_out(of, (counter, filled), each));
            return;
        }
        let runs = filled / WARP;
        let totals = self.scratch(of.combining, runs, result);
        each.push(self.by_one_lane(of, (i, 0), &totals, &folded));
        self.step_of(of, (counter, filled), each, result);
        let (counter, i) = self.counted();
        let (mut each, total) = self.run_of(of, &totals, (i, runs));
        let total = self.tree(of, total, (i, runs), &mut each);
        each.push(self.result(of, i, &total));
        result.push(self.shared_out(of, (counter, WARP), each));
    }

    /// What is done with the result of a reduction, by the first lane.
    fn result(&mut self, of: &Rows<'_>, i: NodeId, value: &[NodeId]) -> Statement<Lowered> {
        let zero = self.number(0);
        let is_first = self.tables.nodes.binary(BinaryOp::Eq, i, zero);
        Statement::If {
            condition: is_first,
            then: self.used(of, zero, value),
            otherwise: Vec::new(),
        }
    }
}

/// Are all elements that an iteration loads the ones behind those of the iteration before, or the same?
fn lie_side_by_side(nodes: &Nodes, of: &Collective<Levelled>) -> bool {
    // How much a value grows from one iteration to the next; nothing is known of `None`.
    let mut steps: Map<NodeId, Option<u32>> = Map::new();
    let mut names: Map<VariableId, Option<u32>> = Map::from([(of.counter, Some(1))]);
    let mut all = true;
    for statement in &of.source {
        let roots = statement.nodes();
        for id in nodes.post_order(&roots, |id| steps.contains_key(&id)) {
            let of = |id: NodeId| steps.get(&id).copied().flatten();
            let literal = |id: NodeId| nodes.literal(id).filter(|n| n.ty() == ScalarType::U32);
            let step = match nodes.node(id) {
                Node::Variable(variable) => names.get(&variable).copied().unwrap_or(Some(0)),
                Node::Literal(_) | Node::Length(_) | Node::Special(_) => Some(0),
                Node::Load { index, .. } => {
                    all &= matches!(of(index), Some(0 | 1));
                    None
                }
                Node::Binary {
                    op: BinaryOp::Add,
                    left,
                    right,
                    ..
                } => of(left).zip(of(right)).and_then(|(x, y)| x.checked_add(y)),
                Node::Binary {
                    op: BinaryOp::Mul,
                    left,
                    right,
                    ..
                } => match (of(left), of(right), literal(left), literal(right)) {
                    (Some(0), Some(0), ..) => Some(0),
                    (Some(step), _, _, Some(n)) | (_, Some(step), Some(n), _) => {
                        step.checked_mul(n.u32())
                    }
                    _ => None,
                },
                node => node
                    .operands()
                    .into_iter()
                    .all(|part| of(part) == Some(0))
                    .then_some(0),
            };
            steps.insert(id, step);
        }
        if let Statement::Let { variable, value } = statement {
            names.insert(*variable, steps.get(value).copied().flatten());
        }
    }
    all
}
