//! Stripping: the tree of actions becomes the statements of a [`Kernel`], with every level made concrete.
//!
//! Before it a `ForAll` says only that iterations are shared out; after it, over whose threads. A `DistrPar` over single
//! threads is a `ForAll` of the warp. Waits of single threads disappear, and arrays of single threads are held by
//! them. Paper, section 5.1.1.

use crate::error::{Diagnostic, Diagnostics, catalogue};
use crate::ir::{Kernel, Level, LoopKind, Statement};
use crate::lower::Reified;
use crate::program::Action;
use crate::scalar::{ArrayPlace, Literal, NodeId, Tables};

/// The kernel of a reified program.
///
/// # Errors
/// A program that does something at a level which cannot do it.
pub fn strip(reified: Reified) -> Result<Kernel, Diagnostics> {
    let Reified { name, parameters, actions, mut tables } = reified;
    let zero = tables.nodes.add_literal(Literal::from(0u32));
    let one = tables.nodes.add_literal(Literal::from(1u32));
    let mut strip = Strip { tables, mistakes: Vec::new(), zero, one };
    let body = strip.list(actions, Level::Grid);
    if strip.mistakes.is_empty() {
        Ok(Kernel { name, tables: strip.tables, parameters, threads: None, body })
    } else {
        Err(Diagnostics::new(strip.mistakes, strip.tables.origins))
    }
}

struct Strip {
    tables: Tables,
    mistakes: Vec<Diagnostic>,
    zero: NodeId,
    one: NodeId,
}

impl Strip {
    fn list(&mut self, actions: Vec<Action>, level: Level) -> Vec<Statement> {
        actions.into_iter().filter_map(|action| self.action(action, level)).collect()
    }

    fn action(&mut self, action: Action, level: Level) -> Option<Statement> {
        Some(match action {
            Action::Assign { array, index, value, origin } => Statement::Store { array, index, value, origin },
            Action::AtomicOp { array, index, op, operands, result, origin } => {
                Statement::Atomic { array, index, op, operands, result, origin }
            }
            Action::Read { variable, array, index, origin } => Statement::Read { variable, array, index, origin },
            Action::Declare { cell, value } => Statement::Declare { cell, value },
            Action::AssignCell { cell, value } => Statement::Assign { cell, value },
            Action::GetCell { variable, cell } => Statement::Get { variable, cell },
            Action::Cond { condition, then, otherwise } => {
                Statement::If { condition, then: self.list(then, level), otherwise: self.list(otherwise, level) }
            }
            Action::SeqWhile { head, condition, body } => {
                Statement::While { head: self.list(head, level), condition, body: self.list(body, level) }
            }
            Action::Break => Statement::Break,
            Action::SeqFor { counter, count, body } => {
                let kind = LoopKind::Sequential(level);
                Statement::For { kind, counter, start: self.zero, end: count, step: self.one, body: self.list(body, level) }
            }
            Action::ForAll { counter, count, body } => {
                if level == Level::Grid {
                    return self.refuse(catalogue::push_at_grid());
                }
                Statement::ForAll { level, counter, count, body: self.list(body, Level::Thread) }
            }
            Action::DistrPar { counter, count, body, origin } => match level {
                Level::Thread => {
                    let refusal = catalogue::wrong_level("distribution over the level below", "Thread", "Warp, Block and Grid");
                    return self.refuse(refusal.at(origin));
                }
                Level::Warp => Statement::ForAll { level, counter, count, body: self.list(body, Level::Thread) },
                Level::Block => Statement::Distribute { unit: Level::Warp, counter, count, body: self.list(body, Level::Warp) },
                Level::Grid => Statement::Distribute { unit: Level::Block, counter, count, body: self.list(body, Level::Block) },
            },
            Action::Allocate { array, origin } => {
                let place = match level {
                    Level::Thread => ArrayPlace::Held,
                    Level::Warp | Level::Block => ArrayPlace::Shared,
                    Level::Grid => return self.refuse(catalogue::no_shared_memory().at(origin)),
                };
                self.tables.arrays[array.0 as usize].place = place;
                Statement::Allocate { array }
            }
            Action::Sync => match level {
                Level::Thread => return None,
                Level::Warp | Level::Block => Statement::Wait { scope: level },
                Level::Grid => return self.refuse(catalogue::wrong_level("waiting for each other", "Grid", "Thread, Warp and Block")),
            },
        })
    }

    fn refuse(&mut self, mistake: Diagnostic) -> Option<Statement> {
        self.mistakes.push(mistake);
        None
    }
}
