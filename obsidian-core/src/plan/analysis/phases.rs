//! A list of statements as phases: what the threads of a scope do between two places where they
//! could wait.
//!
//! Before: a list of a physical kernel, at the level of a scope (block or warp). After: its parts,
//! each one or more statements:
//!
//! - A *phase* is one `ForAll`: all its pieces (whole rounds, rest, body in place, known by the one
//!   counter that they bind) and everything in them; or a statement that belongs to threads. That
//!   the iterations of a `ForAll` are independent is `check`'s to show, so no wait is looked for
//!   inside of a phase.
//! - A *structure* is a branch or a loop that has lists of the scope's level inside.
//! - A *boundary* is a wait, or the beginning of a shared array.

use crate::ir::uniform::Uniformity;
use crate::ir::{Kernel, Level, Physical, PhysicalLoop, Statement};
use crate::scalar::{ArrayPlace, VariableId, VariableKind};

/// What the next statements of a list are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::plan) enum Part {
    /// What threads do between two places for waits.
    Phase,
    /// One statement with lists of the scope's level inside.
    Structure,
    /// One wait, or the beginning of a shared array.
    Boundary,
}

/// What a statement is by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    /// A piece of the `ForAll` with this counter; in place, what follows belongs to it as far as it
    /// is a thread's.
    Piece { counter: VariableId, in_place: bool },
    /// It contains statements of the scope's level.
    Structure,
    /// A wait, or the beginning of a shared array: it belongs to no phase.
    Boundary,
    /// A thread's own statement, or a name.
    Leaf,
}

/// Tells phases of a physical kernel.
pub(in crate::plan) struct Phases<'k> {
    kernel: &'k Kernel<Physical>,
    uniformity: Uniformity,
}

impl<'k> Phases<'k> {
    /// For a kernel whose statements may have been taken out; its tables and `uniformity` are
    /// complete.
    pub(in crate::plan) fn new(kernel: &'k Kernel<Physical>, uniformity: Uniformity) -> Self {
        Phases { kernel, uniformity }
    }

    /// What it was told of the kernel.
    pub(in crate::plan) fn uniformity(self) -> Uniformity {
        self.uniformity
    }

    /// The parts of a list, with their numbers of statements.
    pub(in crate::plan) fn split(
        &self,
        list: &[Statement<Physical>],
        scope: Level,
    ) -> Vec<(Part, usize)> {
        let (mut parts, mut at) = (Vec::new(), 0);
        while let Some(statement) = list.get(at) {
            let (part, length) = match self.shape(statement, scope) {
                Shape::Structure => (Part::Structure, 1),
                Shape::Boundary => (Part::Boundary, 1),
                Shape::Leaf => (Part::Phase, 1),
                Shape::Piece { counter, in_place } => (
                    Part::Phase,
                    1 + self.same_forall(&list[at + 1..], scope, counter, in_place),
                ),
            };
            parts.push((part, length));
            at += length;
        }
        parts
    }

    /// How many of the statements after a piece of a `ForAll` belong to it as well.
    fn same_forall(
        &self,
        rest: &[Statement<Physical>],
        scope: Level,
        counter: VariableId,
        mut in_place: bool,
    ) -> usize {
        let mut belong = 0;
        for statement in rest {
            match self.shape(statement, scope) {
                Shape::Leaf if in_place => {}
                Shape::Piece {
                    counter: other,
                    in_place: here,
                } if other == counter => in_place |= here,
                _ => break,
            }
            belong += 1;
        }
        belong
    }

    /// Has the statement lists of the scope's level inside?
    pub(in crate::plan) fn is_structure(
        &self,
        statement: &Statement<Physical>,
        scope: Level,
    ) -> bool {
        self.shape(statement, scope) == Shape::Structure
    }

    fn shape(&self, statement: &Statement<Physical>, scope: Level) -> Shape {
        if let Some(counter) = self.named_counter(statement) {
            return Shape::Piece {
                counter,
                in_place: true,
            };
        }
        let piece = match statement {
            Statement::Loop {
                kind: PhysicalLoop::Rounds(_),
                body,
                ..
            } => body.first(),
            Statement::If {
                then, otherwise, ..
            } if otherwise.is_empty() && !self.is_uniform(statement, scope) => then.first(),
            _ => None,
        };
        if let Some(counter) = piece.and_then(|first| self.named_counter(first)) {
            return Shape::Piece {
                counter,
                in_place: false,
            };
        }
        if matches!(
            statement,
            Statement::Loop {
                kind: PhysicalLoop::Rounds(_),
                ..
            }
        ) {
            return Shape::Leaf;
        }
        if statement.lists().is_empty() {
            return if self.is_above_thread(statement) {
                Shape::Boundary
            } else {
                Shape::Leaf
            };
        }
        let mut structure = self.is_above_thread(statement);
        statement
            .lists()
            .into_iter()
            .flatten()
            .for_each(|inner| inner.visit(&mut |s| structure |= self.is_above_thread(s)));
        if structure {
            Shape::Structure
        } else {
            Shape::Leaf
        }
    }

    /// The counter of a `ForAll` that the statement gives a value.
    fn named_counter(&self, statement: &Statement<Physical>) -> Option<VariableId> {
        let Statement::Let { variable, .. } = statement else {
            return None;
        };
        let known = self.kernel.tables.variable(*variable);
        (known.kind == VariableKind::Counter).then_some(*variable)
    }

    /// Can the statement only stand in lists above the level of threads?
    fn is_above_thread(&self, statement: &Statement<Physical>) -> bool {
        match statement {
            Statement::Wait { .. } => true,
            Statement::Loop { kind, .. } => *kind != PhysicalLoop::Sequential(Level::Thread),
            Statement::Allocate { array, .. } => {
                self.kernel.tables.array(*array).place == ArrayPlace::Shared
            }
            Statement::Let { .. } => self.named_counter(statement).is_some(),
            _ => false,
        }
    }

    /// Do all threads of the scope that reach the statement agree on its conditions and bounds?
    pub(in crate::plan) fn is_uniform(
        &self,
        statement: &Statement<Physical>,
        scope: Level,
    ) -> bool {
        statement
            .nodes()
            .into_iter()
            .all(|node| self.uniformity.of(node) >= scope)
    }
}
