//! What a statement is for the placing of waits: part of a `ForAll`, something with waits inside, or one simple step.

use super::Pass;
use crate::ir::{Level, LoopKind, Statement};
use crate::scalar::{ArrayPlace, VariableId, VariableKind};

/// What a statement in a list of a scope's level is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// A piece of the `ForAll` with this counter; in place, what follows belongs to it as far as it is a thread's.
    Piece { counter: VariableId, in_place: bool },
    /// It contains statements of the scope's level.
    Structure,
    /// A wait, or the beginning of a shared array: it belongs to no phase.
    Boundary,
    /// A thread's own statement, or a name.
    Leaf,
}

impl Pass<'_> {
    pub(super) fn shape(&self, statement: &Statement, scope: Level) -> Shape {
        if let Some(counter) = self.named_counter(statement) {
            return Shape::Piece { counter, in_place: true };
        }
        let piece = match statement {
            Statement::For { kind: LoopKind::Rounds(_), body, .. } => body.first(),
            Statement::If { then, otherwise, .. } if otherwise.is_empty() && !self.is_uniform(statement, scope) => then.first(),
            _ => None,
        };
        if let Some(counter) = piece.and_then(|first| self.named_counter(first)) {
            return Shape::Piece { counter, in_place: false };
        }
        if matches!(statement, Statement::For { kind: LoopKind::Rounds(_), .. }) {
            return Shape::Leaf;
        }
        if statement.lists().is_empty() {
            return if self.is_above_thread(statement) { Shape::Boundary } else { Shape::Leaf };
        }
        let mut structure = self.is_above_thread(statement);
        statement.lists().into_iter().flatten().for_each(|inner| inner.visit(&mut |s| structure |= self.is_above_thread(s)));
        if structure { Shape::Structure } else { Shape::Leaf }
    }

    /// The counter of a `ForAll` that the statement gives a value.
    fn named_counter(&self, statement: &Statement) -> Option<VariableId> {
        let Statement::Let { variable, .. } = statement else { return None };
        let known = self.kernel.tables.variables.get(variable.0 as usize)?;
        (known.kind == VariableKind::Counter).then_some(*variable)
    }

    /// Can the statement only stand in lists above the level of threads?
    fn is_above_thread(&self, statement: &Statement) -> bool {
        match statement {
            Statement::Wait { .. } => true,
            Statement::For { kind, .. } => *kind != LoopKind::Sequential(Level::Thread),
            Statement::Allocate { array } => self.kernel.tables.arrays.get(array.0 as usize).is_some_and(|a| a.place == ArrayPlace::Shared),
            Statement::Let { .. } => self.named_counter(statement).is_some(),
            _ => false,
        }
    }

    /// Do all threads of the scope that reach the statement agree on its conditions and bounds?
    pub(super) fn is_uniform(&self, statement: &Statement, scope: Level) -> bool {
        statement.nodes().into_iter().all(|node| self.uniformity.of(node) >= scope)
    }
}
