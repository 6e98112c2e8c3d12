//! Work that all threads of a level do together, under a branch or in a loop that they do not agree
//! on.
//!
//! At levels Warp and Block a list is executed by all threads of the warp or block: they share out
//! loops, begin arrays and wait for each other. What decides whether and how often such a list is
//! executed must be one value for all of them.

use crate::error::{Diagnostic, Origin, catalogue};
use crate::ir::uniform::Uniformity;
use crate::ir::{Kernel, Level, Levelled, LevelledLoop, Statement};

/// Every branch and loop that keeps threads from what they have to do together.
pub(super) fn control(kernel: &Kernel<Levelled>) -> Vec<Diagnostic> {
    let mut look = Look {
        kernel,
        uniformity: Uniformity::new(kernel),
        found: Vec::new(),
    };
    look.list(&kernel.body, Level::Grid);
    look.found
}

struct Look<'k> {
    kernel: &'k Kernel<Levelled>,
    uniformity: Uniformity,
    found: Vec<Diagnostic>,
}

impl Look<'_> {
    fn list(&mut self, list: &[Statement<Levelled>], level: Level) {
        for statement in list {
            let inside = statement.level_inside(level);
            self.agrees(statement, level);
            statement
                .lists()
                .into_iter()
                .for_each(|list| self.list(list, inside));
        }
    }

    fn agrees(&mut self, statement: &Statement<Levelled>, level: Level) {
        let what = match statement {
            Statement::If { .. } => "this condition",
            Statement::While { .. } => "the condition of this loop",
            Statement::Loop {
                kind: LevelledLoop::Sequential(_),
                ..
            } => "the number of rounds of this loop",
            Statement::Loop { .. } => "the number of rounds of this loop over threads",
            _ => return,
        };
        let uniform = statement
            .nodes()
            .into_iter()
            .map(|node| self.uniformity.of(node))
            .fold(Level::Grid, Level::min);
        if level == Level::Thread || uniform >= level {
            return;
        }
        let together = if is_shared_out(statement) {
            Some(statement)
        } else {
            statement.lists().into_iter().flatten().find_map(together)
        };
        if let Some(together) = together {
            let (text, origin) = self.words(together);
            self.found
                .push(catalogue::divergent(what, &level.name().to_lowercase(), &text).at(origin));
        }
    }

    /// What a statement is to the user, and where.
    fn words(&self, statement: &Statement<Levelled>) -> (String, Origin) {
        match statement {
            Statement::Allocate { array, .. } => {
                let array = &self.kernel.tables.arrays[array.0 as usize];
                (format!("the `compute` of `{}`", array.name), array.origin)
            }
            Statement::Wait { .. } => ("the `sync`".to_owned(), Origin::UNKNOWN),
            Statement::Collective(_, of) => (format!("the `{}`", of.op.name()), of.origin),
            _ => ("the loop over threads".to_owned(), statement.first_origin()),
        }
    }
}

/// Is it a loop that the threads of a level share out?
fn is_shared_out(statement: &Statement<Levelled>) -> bool {
    matches!(statement, Statement::Loop { kind, .. } if !matches!(kind, LevelledLoop::Sequential(_)))
}

/// The first statement that all threads of a level do together.
fn together(statement: &Statement<Levelled>) -> Option<&Statement<Levelled>> {
    match statement {
        Statement::Wait { .. } | Statement::Allocate { .. } | Statement::Collective(..) => {
            Some(statement)
        }
        _ if is_shared_out(statement) => Some(statement),
        _ => statement.lists().into_iter().flatten().find_map(together),
    }
}
