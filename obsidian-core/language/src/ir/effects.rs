//! What a statement itself does, told in one place: analyses ask here, so that a new statement is told to them by the compiler.

use super::{AtomicOp, Collective, Earlier, Level, Report, Shuffle, Stage, Statement, Wide};
use crate::error::Origin;
use crate::scalar::{ArrayId, NodeId, VariableId};

/// What a statement itself does, beside evaluating its [nodes](Statement::nodes) and executing its [lists](Statement::lists).
#[derive(Clone, Copy, Debug)]
pub enum Effect<'s, S: Stage> {
    /// It names a value.
    Names(VariableId, NodeId),
    /// It accesses an element.
    Accesses(Accessed<'s>),
    /// It accesses several elements at once.
    AccessesWide(&'s Wide),
    /// It begins, changes or names a cell.
    Cell(VariableId, CellUse),
    /// It executes one of its lists.
    Chooses,
    /// It executes its lists as long as a condition holds, which is evaluated behind the first of them.
    Repeats,
    /// It executes its list for each value of a counter.
    Counts(&'s S::Loop),
    /// It leaves the innermost loop.
    Leaves,
    /// It tells the user something.
    Tells(&'s Report),
    /// It begins an array.
    Begins(ArrayId),
    /// Threads of a level wait for each other.
    Waits(Level),
    /// Threads combine what they have.
    Combines(&'s Collective<S>),
    /// The lanes of a warp take values from each other.
    Exchanges(&'s Shuffle),
    /// It combines what earlier blocks have: its list is executed an unknown number of times.
    Follows(&'s Earlier<S>),
    /// It is the value of a list.
    Gives(&'s [NodeId]),
}

/// One element that a statement reads, writes or changes. What its nodes load is not among these.
#[derive(Clone, Copy, Debug)]
pub struct Accessed<'s> {
    /// The array.
    pub array: ArrayId,
    /// Which element.
    pub index: NodeId,
    /// What is done.
    pub how: How<'s>,
    /// The user's place.
    pub origin: Origin,
}

/// What is done with an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How<'s> {
    /// It is read, and bound to a variable.
    Read(VariableId),
    /// A value is written.
    Write(NodeId),
    /// It is changed in one step; the old value may be bound.
    Change(AtomicOp, &'s [NodeId], Option<VariableId>),
}

impl How<'_> {
    /// Does it leave the element as it is?
    pub fn is_read(self) -> bool {
        match self {
            How::Read(_) => true,
            How::Write(_) | How::Change(..) => false,
        }
    }
}

/// What is done with a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CellUse {
    /// It begins with a value.
    Begins(NodeId),
    /// It gets another value.
    Changes(NodeId),
    /// A variable is bound to its value.
    Names(VariableId),
}

impl<S: Stage> Statement<S> {
    /// What the statement itself does.
    pub fn effect(&self) -> Effect<'_, S> {
        match self {
            Statement::Let { variable, value } => Effect::Names(*variable, *value),
            Statement::Store {
                array,
                index,
                value,
                origin,
            } => Effect::Accesses(Accessed {
                array: *array,
                index: *index,
                how: How::Write(*value),
                origin: *origin,
            }),
            Statement::Atomic {
                array,
                index,
                op,
                operands,
                result,
                origin,
            } => Effect::Accesses(Accessed {
                array: *array,
                index: *index,
                how: How::Change(*op, operands, *result),
                origin: *origin,
            }),
            Statement::Read {
                variable,
                array,
                index,
                origin,
            } => Effect::Accesses(Accessed {
                array: *array,
                index: *index,
                how: How::Read(*variable),
                origin: *origin,
            }),
            Statement::Declare { cell, value } => Effect::Cell(*cell, CellUse::Begins(*value)),
            Statement::Assign { cell, value } => Effect::Cell(*cell, CellUse::Changes(*value)),
            Statement::Get { variable, cell } => Effect::Cell(*cell, CellUse::Names(*variable)),
            Statement::If { .. } => Effect::Chooses,
            Statement::While { .. } => Effect::Repeats,
            Statement::Break => Effect::Leaves,
            Statement::Loop { kind, .. } => Effect::Counts(kind),
            Statement::Allocate { array, .. } => Effect::Begins(*array),
            Statement::Wait { scope } => Effect::Waits(*scope),
            Statement::Report(report) => Effect::Tells(report),
            Statement::Collective(_, of) => Effect::Combines(of),
            Statement::Shuffle(_, shuffle) => Effect::Exchanges(shuffle),
            Statement::Wide(_, wide) => Effect::AccessesWide(wide),
            Statement::Earlier(_, of) => Effect::Follows(of),
            Statement::Give(_, values) => Effect::Gives(values),
        }
    }

    /// What its threads combine.
    pub fn collective(&self) -> Option<&Collective<S>> {
        let Effect::Combines(of) = self.effect() else {
            return None;
        };
        Some(of)
    }

    /// The level that executes its lists, of a statement in a list of a level.
    pub fn level_inside(&self, level: Level) -> Level {
        match self.effect() {
            Effect::Counts(kind) => S::inside(*kind),
            Effect::Combines(_) => Level::Thread,
            // They have no lists, or lists of the same level.
            Effect::Names(..)
            | Effect::Accesses(_)
            | Effect::AccessesWide(_)
            | Effect::Cell(..)
            | Effect::Chooses
            | Effect::Repeats
            | Effect::Leaves
            | Effect::Tells(_)
            | Effect::Begins(_)
            | Effect::Waits(_)
            | Effect::Exchanges(_)
            | Effect::Follows(_)
            | Effect::Gives(_) => level,
        }
    }

    /// The variable and the value that it names.
    pub fn named(&self) -> Option<(VariableId, NodeId)> {
        let Effect::Names(variable, value) = self.effect() else {
            return None;
        };
        Some((variable, value))
    }

    /// The element that it reads, writes or changes by itself.
    pub fn accessed(&self) -> Option<Accessed<'_>> {
        let Effect::Accesses(accessed) = self.effect() else {
            return None;
        };
        Some(accessed)
    }

    /// The cell that it begins, changes or names.
    pub fn cell(&self) -> Option<(VariableId, CellUse)> {
        let Effect::Cell(cell, how) = self.effect() else {
            return None;
        };
        Some((cell, how))
    }

    /// The cell that it begins.
    pub fn begun_cell(&self) -> Option<VariableId> {
        let begun = |(cell, how)| matches!(how, CellUse::Begins(_)).then_some(cell);
        self.cell().and_then(begun)
    }

    /// The array that it begins.
    pub fn begins(&self) -> Option<ArrayId> {
        let Effect::Begins(array) = self.effect() else {
            return None;
        };
        Some(array)
    }

    /// The level whose threads it makes wait for each other.
    pub fn waits(&self) -> Option<Level> {
        let Effect::Waits(level) = self.effect() else {
            return None;
        };
        Some(level)
    }

    /// What it tells the user.
    pub fn told(&self) -> Option<&Report> {
        let Effect::Tells(report) = self.effect() else {
            return None;
        };
        Some(report)
    }

    /// What the loop stands for, of a loop that counts.
    pub fn counts(&self) -> Option<S::Loop> {
        let Effect::Counts(kind) = self.effect() else {
            return None;
        };
        Some(*kind)
    }

    /// What it asks for of earlier blocks.
    pub fn follows(&self) -> Option<&Earlier<S>> {
        let Effect::Follows(of) = self.effect() else {
            return None;
        };
        Some(of)
    }

    /// Is it a loop?
    pub fn is_loop(&self) -> bool {
        matches!(self.effect(), Effect::Repeats | Effect::Counts(_))
    }

    /// Does it leave the loop around it?
    pub fn leaves(&self) -> bool {
        matches!(self.effect(), Effect::Leaves)
    }

    /// Are its nodes evaluated behind its first list, whose names stand in them? Those of others are evaluated before their lists.
    pub fn evaluates_behind_its_head(&self) -> bool {
        matches!(self.effect(), Effect::Repeats)
    }

    /// Does this hold of the statement or of one inside it?
    pub fn has(&self, holds: &dyn Fn(&Statement<S>) -> bool) -> bool {
        holds(self)
            || self
                .lists()
                .into_iter()
                .flatten()
                .any(|inner| inner.has(holds))
    }

    /// The array and the index of the element that it reads, writes or changes, to be replaced.
    pub fn accessed_mut(&mut self) -> Option<(&mut ArrayId, &mut NodeId)> {
        match self {
            Statement::Store { array, index, .. }
            | Statement::Atomic { array, index, .. }
            | Statement::Read { array, index, .. } => Some((array, index)),
            Statement::Let { .. }
            | Statement::Declare { .. }
            | Statement::Assign { .. }
            | Statement::Get { .. }
            | Statement::If { .. }
            | Statement::While { .. }
            | Statement::Break
            | Statement::Loop { .. }
            | Statement::Allocate { .. }
            | Statement::Wait { .. }
            | Statement::Report(_)
            | Statement::Collective(..)
            | Statement::Shuffle(..)
            | Statement::Wide(..)
            | Statement::Earlier(..)
            | Statement::Give(..) => None,
        }
    }
}
