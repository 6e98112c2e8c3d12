//! Loop invariants of cells: bounds that what `seq_until`, `seq_while` and `seq_iterate` carry from
//! round to round keeps.
//!
//! *Claim.* Each bound in [`Cells::kept`] holds whenever its cell is read: in the loop, and behind it
//! until something else is assigned.
//!
//! *Method.* Houdini (C. Flanagan, K. R. M. Leino, *Houdini, an annotation assistant for ESC/Java*,
//! 2001). Candidates are: the cell is not above, or not below, what some cell of the loop holds at
//! the start. Those that hold at the start are assumed where the loop's body reads the cell. Each
//! round drops the candidates for which some assignment in the body is not proved to keep them; the
//! method ends with a round that drops nothing.
//!
//! *Argument.* By induction over the assignments: the bounds hold at the start, and each assignment
//! keeps them if they have held before. Bounds are made of what is known before the loop, which the
//! loop does not change.
//!
//! What a value that was read is bounded by holds where it was read: behind the loops, which have a
//! round then, and the conditions there. Coverage and races look at expressions in front of loops and without
//! conditions too, where nothing is known of such a value.
//!
//! *Not covered.* Cells that a loop inside of the loop assigns; relations between cells.

use super::forms::Forms;
use super::poly::Poly;
use crate::ir::{Levelled, Statement};
use crate::ordered::{Map, Set};
use crate::scalar::{NodeId, ScalarType, VariableId};

/// How often candidates are dropped before all are.
const MOST_ROUNDS: usize = 4;
/// Cells of a loop that are looked at.
const MOST_CELLS: usize = 4;

/// A polynomial that a cell is not above, for a sign of 1, or not below, for -1.
type Bound = (Poly, i128);

/// What is known of cells, and of what was read from them.
#[derive(Default)]
pub(super) struct Cells {
    /// What was assigned last, if no loop or condition stands between.
    last: Map<VariableId, NodeId>,
    kept: Map<VariableId, Vec<Bound>>,
    read: Map<VariableId, Vec<Bound>>,
    /// Cells whose bounds the loops around keep.
    inside: Set<VariableId>,
    /// Are expressions looked at elsewhere than behind all steps of their path?
    elsewhere: bool,
}

/// Bounds of cells.
pub(super) type Bounds = Map<VariableId, Vec<Bound>>;

impl Forms<'_> {
    /// A value is assigned to a cell.
    pub(super) fn assigned(&mut self, cell: VariableId, value: NodeId) {
        self.cells.last.insert(cell, value);
        if !self.cells.inside.contains(&cell) {
            self.cells.kept.remove(&cell);
        }
    }

    /// A cell is read.
    pub(super) fn read_cell(&mut self, variable: VariableId, cell: VariableId) {
        // What was assumed when candidates were tried is forgotten.
        let bounds = self.cells.kept.get(&cell).cloned();
        self.cells.read.insert(variable, bounds.unwrap_or_default());
    }

    /// From here on expressions are looked at elsewhere than where they stand.
    pub(super) fn look_elsewhere(&mut self) {
        self.cells.elsewhere = true;
    }

    /// Learns what is known of a value that was read from a cell, where it was read. Nothing is of
    /// another thread's.
    pub(super) fn bounded(&mut self, variable: VariableId, value: &Poly) {
        let here = self.pair == 0 && !self.cells.elsewhere;
        if !here || !self.cells.read.contains_key(&variable) {
            return;
        }
        if value.as_atom().is_some_and(|atom| self.facts.define(atom)) {
            for (bound, sign) in self.cells.read[&variable].clone() {
                self.facts.add(bound.sub(value).scale(sign));
            }
        }
    }

    /// Forgets the cells that lists assign: what they hold behind them depends on what is executed.
    pub(super) fn forget_cells(&mut self, lists: &[&Vec<Statement<Levelled>>]) {
        for cell in all_assigned(lists.iter().copied().flatten()) {
            self.cells.last.remove(&cell);
            if !self.cells.inside.contains(&cell) {
                self.cells.kept.remove(&cell);
            }
        }
    }

    /// What may be invariant in a loop whose rounds are executed one after another: it holds before
    /// the loop. Nothing is known of a round yet.
    pub(super) fn candidates(&mut self, lists: &[&Vec<Statement<Levelled>>]) -> Bounds {
        let assigned = all_assigned(lists.iter().copied().flatten());
        let known = assigned.iter().filter_map(|cell| {
            let start = *self.cells.last.get(cell)?;
            (self.tables.nodes.ty(start) == ScalarType::U32).then_some((*cell, start))
        });
        let known: Vec<(VariableId, NodeId)> = known.take(MOST_CELLS).collect();
        let starts: Vec<(VariableId, Poly)> = known
            .into_iter()
            .map(|(cell, start)| (cell, self.value(start)))
            .collect();
        let ends: Set<&Poly> = starts.iter().map(|(_, start)| start).collect();
        let mut bounds = Bounds::new();
        for (cell, start) in &starts {
            for end in &ends {
                for sign in [1, -1] {
                    let nothing = sign < 0 && end.as_number() == Some(0);
                    if !nothing && self.prove(&end.sub(start).scale(sign)) {
                        let own = bounds.entry(*cell).or_default();
                        own.push(((*end).clone(), sign));
                    }
                }
            }
        }
        bounds
    }

    /// Finds which candidates the rounds of a loop keep: they are assumed from here on. Gives their
    /// cells.
    pub(super) fn settle(
        &mut self,
        mut bounds: Bounds,
        [head, body]: [&[Statement<Levelled>]; 2],
        condition: Option<NodeId>,
    ) -> Set<VariableId> {
        for _ in 0..MOST_ROUNDS {
            bounds.retain(|_, own| !own.is_empty());
            if bounds.is_empty() {
                break;
            }
            self.cells.kept.extend(bounds.clone());
            let mark = self.enter();
            let mut broken = Set::new();
            self.keep(head, &mut broken);
            if let Some(condition) = condition {
                self.assume(condition, true);
            }
            self.keep(body, &mut broken);
            self.leave(mark);
            if broken.is_empty() {
                self.cells.inside.extend(bounds.keys());
                return bounds.into_keys().collect();
            }
            for (cell, own) in &mut bounds {
                own.retain(|bound| !broken.contains(&(*cell, bound.clone())));
                self.cells.kept.remove(cell);
            }
        }
        Set::new()
    }

    /// A loop ends, which keeps the bounds of some cells.
    pub(super) fn behind_loop(
        &mut self,
        lists: &[&Vec<Statement<Levelled>>],
        kept: &Set<VariableId>,
    ) {
        self.forget_cells(lists);
        self.cells.inside.retain(|cell| !kept.contains(cell));
    }

    /// Looks for assignments that are not proved to keep what is assumed of their cell.
    fn keep(&mut self, list: &[Statement<Levelled>], broken: &mut Set<(VariableId, Bound)>) {
        for statement in list {
            match statement {
                Statement::Let { variable, value } => {
                    std::rc::Rc::make_mut(&mut self.names).insert(*variable, *value);
                }
                Statement::Get { variable, cell } => self.read_cell(*variable, *cell),
                Statement::Assign { cell, value } => {
                    for bound in self.cells.kept.get(cell).cloned().unwrap_or_default() {
                        let value = self.value(*value);
                        if !self.prove(&bound.0.sub(&value).scale(bound.1)) {
                            broken.insert((*cell, bound));
                        }
                    }
                }
                Statement::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    for (arm, holds) in [(then, true), (otherwise, false)] {
                        let mark = self.enter();
                        self.assume(*condition, holds);
                        self.keep(arm, broken);
                        self.leave(mark);
                    }
                }
                Statement::While { .. } | Statement::Loop { .. } | Statement::Collective(..) => {
                    for cell in all_assigned([statement]) {
                        let own = self.cells.kept.get(&cell).cloned().unwrap_or_default();
                        broken.extend(own.into_iter().map(|bound| (cell, bound)));
                    }
                }
                // They assign no cell that is known from before.
                Statement::Store { .. }
                | Statement::Atomic { .. }
                | Statement::Read { .. }
                | Statement::Declare { .. }
                | Statement::Break
                | Statement::Report(_)
                | Statement::Allocate { .. }
                | Statement::Wait { .. }
                | Statement::Give(..) => {}
                Statement::Wide(never, _)
                | Statement::Shuffle(never, _)
                | Statement::Earlier(never, _) => match *never {},
            }
        }
    }
}

/// The cells that statements assign, and those inside of them.
fn all_assigned<'s>(list: impl IntoIterator<Item = &'s Statement<Levelled>>) -> Set<VariableId> {
    let mut found = Set::new();
    for statement in list {
        statement.visit(&mut |inner| {
            if let Statement::Assign { cell, .. } = inner {
                found.insert(*cell);
            }
        });
    }
    found
}
