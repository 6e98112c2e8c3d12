//! Every barrier that a kernel could need, judged by arrays and bytes alone.
//!
//! Before: a physical kernel with the barriers that it asks for, and the layout of its shared
//! arrays. After: the same with more barriers; which of them are needed is decided by [`barriers`],
//! which knows who accesses what. A barrier is added at a scope (block or warp)
//!
//! - in front of a statement whose accesses conflict with what is *pending*, that is, was accessed
//!   since the scope's last wait;
//! - at the end of a loop's body, if what is pending there conflicts with what the next round does
//!   before its first wait.
//!
//! When two accesses conflict is said in [`memory`](crate::plan::analysis::memory). Two accesses in one
//! [phase](crate::plan::analysis::phases) do not.
//!
//! Control must be uniform where a wait stands. What is not uniform at the scope, or belongs to
//! threads, is one phase; nothing is added in it. A loop over warps is a phase for its block, and
//! has waits of its own for each warp:
//!
//! - A warp's wait does not clear what is pending for the block.
//! - Within one loop over warps a byte of a frame belongs to one real warp, so that different warps
//!   do not conflict, and two virtual warps on one real warp are two rounds of a loop of that warp,
//!   also when the loop over warps is entered again.
//! - A byte that passes from one frame layout to another, or between frames and arrays of the
//!   block, is in conflict at the block's scope, and the wait stands before or after the whole
//!   loop.
//!
//! [`barriers`]: super::barriers()

use crate::ir::uniform::Uniformity;
use crate::ir::{Kernel, Level, Physical, PhysicalLoop, Statement};
use crate::ordered::Set;
use crate::plan::analysis::memory::{Accesses, Memory, When};
use crate::plan::analysis::phases::{Part, Phases};
use crate::plan::layout::SharedMap;
use crate::scalar::{ArrayId, Nodes};

/// Adds the barriers that a kernel could need. What threads agree on, and where arrays lie, stays the same with them, and is given too.
pub(in crate::plan) fn candidates(
    mut kernel: Kernel<Physical>,
    shared: &SharedMap,
    changing: &Set<ArrayId>,
) -> (Kernel<Physical>, Uniformity, Memory) {
    let (uniformity, memory) = (Uniformity::new(&kernel), Memory::new(&kernel, shared));
    let body = std::mem::take(&mut kernel.body);
    let pass = Pass {
        phases: Phases::new(&kernel, uniformity),
        memory,
        changing,
        kernel: &kernel,
    };
    let mut ends = Vec::new();
    let mut body = pass.grid(body, &mut ends);
    // One block may go through any loop over blocks after any other.
    let mut next = Accesses::new();
    body.iter().for_each(|s| pass.blocks(s, &mut next));
    pass.end_blocks(&mut body, &mut ends.into_iter(), &next);
    let Pass { phases, memory, .. } = pass;
    let uniformity = phases.uniformity();
    kernel.body = body;
    (kernel, uniformity, memory)
}

struct Pass<'k> {
    kernel: &'k Kernel<Physical>,
    phases: Phases<'k>,
    memory: Memory,
    changing: &'k Set<ArrayId>,
}

impl Pass<'_> {
    fn nodes(&self) -> &Nodes {
        &self.kernel.tables.nodes
    }

    /// The body of the kernel; `ends` gets what is pending at the end of each loop over blocks.
    fn grid(
        &self,
        mut list: Vec<Statement<Physical>>,
        ends: &mut Vec<Accesses>,
    ) -> Vec<Statement<Physical>> {
        for statement in &mut list {
            let is_blocks = statement.counts().is_some_and(PhysicalLoop::is_of_blocks);
            for inner in statement.lists_mut() {
                let taken = std::mem::take(inner);
                *inner = if is_blocks {
                    let mut pending = Accesses::new();
                    let list = self.list(taken, Level::Block, &mut pending);
                    ends.push(pending);
                    list
                } else {
                    self.grid(taken, ends)
                };
            }
        }
        list
    }

    /// Adds what each loop over blocks does before its first wait.
    fn blocks(&self, statement: &Statement<Physical>, next: &mut Accesses) {
        statement.visit(&mut |s| {
            if let Statement::Loop { kind, body, .. } = s
                && kind.is_of_blocks()
            {
                self.until_wait(body, Level::Block, next);
            }
        });
    }

    fn end_blocks(
        &self,
        list: &mut [Statement<Physical>],
        ends: &mut dyn Iterator<Item = Accesses>,
        next: &Accesses,
    ) {
        for statement in list {
            if let Statement::Loop { kind, body, .. } = statement
                && kind.is_of_blocks()
            {
                let mut pending = ends.next().unwrap_or_default();
                self.guard(Level::Block, When::TwoRounds, &mut pending, next, body);
            } else {
                statement
                    .lists_mut()
                    .into_iter()
                    .for_each(|inner| self.end_blocks(inner, ends, next));
            }
        }
    }

    /// Puts a wait here if the accesses that come conflict with those that are pending.
    fn guard(
        &self,
        scope: Level,
        when: When,
        pending: &mut Accesses,
        coming: &Accesses,
        list: &mut Vec<Statement<Physical>>,
    ) {
        let conflict = pending.iter().any(|a| {
            coming
                .iter()
                .any(|b| self.memory.conflict(self.changing, scope, when, *a, *b))
        });
        if conflict {
            list.push(Statement::Wait { scope });
            pending.clear();
        }
    }

    /// A list at the level of a scope.
    fn list(
        &self,
        list: Vec<Statement<Physical>>,
        scope: Level,
        pending: &mut Accesses,
    ) -> Vec<Statement<Physical>> {
        let parts = self.phases.split(&list, scope);
        let mut result = Vec::with_capacity(list.len());
        let mut rest = list.into_iter();
        for (part, length) in parts {
            let mut statements: Vec<Statement<Physical>> = rest.by_ref().take(length).collect();
            match part {
                Part::Structure => statements
                    .into_iter()
                    .for_each(|s| self.structure(s, scope, pending, &mut result)),
                Part::Boundary => {
                    if statements.first().is_some_and(|s| s.waits().is_some()) {
                        pending.clear();
                    }
                    result.append(&mut statements);
                }
                Part::Phase => {
                    let coming = self.memory.accesses(self.nodes(), &statements);
                    self.guard(scope, When::OneLife, pending, &coming, &mut result);
                    pending.extend(coming);
                    result.append(&mut statements);
                }
            }
        }
        result
    }

    /// A statement that contains lists in which waits may stand.
    fn structure(
        &self,
        mut statement: Statement<Physical>,
        scope: Level,
        pending: &mut Accesses,
        result: &mut Vec<Statement<Physical>>,
    ) {
        if !self.phases.is_uniform(&statement, scope)
            || matches!(
                statement,
                Statement::Loop {
                    kind: PhysicalLoop::Warps,
                    ..
                }
            )
        {
            let coming = self
                .memory
                .accesses(self.nodes(), std::slice::from_ref(&statement));
            self.guard(scope, When::OneLife, pending, &coming, result);
            pending.extend(coming);
            self.warp_loops(&mut statement);
            result.push(statement);
            return;
        }
        let is_while = statement.evaluates_behind_its_head();
        if !is_while {
            let read = self.memory.own(self.nodes(), &statement);
            self.guard(scope, When::OneLife, pending, &read, result);
            pending.extend(read);
        }
        let before = pending.clone();
        let has_a_round = statement.has_a_round(self.nodes());
        let own = self.memory.own(self.nodes(), &statement);
        match &mut statement {
            Statement::If {
                then, otherwise, ..
            } => {
                let mut other = before;
                *then = self.list(std::mem::take(then), scope, pending);
                *otherwise = self.list(std::mem::take(otherwise), scope, &mut other);
                pending.extend(other);
            }
            Statement::While { head, body, .. } => {
                *head = self.list(std::mem::take(head), scope, pending);
                self.guard(scope, When::OneLife, pending, &own, head);
                pending.extend(own.iter().copied());
                let leaving = pending.clone();
                *body = self.list(std::mem::take(body), scope, pending);
                let mut next = Accesses::new();
                if !self.until_wait(head, scope, &mut next) {
                    next.extend(own);
                    self.until_wait(body, scope, &mut next);
                }
                self.guard(scope, When::TwoRounds, pending, &next, body);
                pending.extend(leaving);
            }
            Statement::Loop { body, .. } => {
                *body = self.list(std::mem::take(body), scope, pending);
                self.end_round(body, scope, pending);
                if !has_a_round {
                    pending.extend(before);
                }
            }
            _ => {}
        }
        result.push(statement);
    }

    /// Closes the body of a loop against its next round.
    fn end_round(&self, body: &mut Vec<Statement<Physical>>, scope: Level, pending: &mut Accesses) {
        let mut next = Accesses::new();
        self.until_wait(body, scope, &mut next);
        self.guard(scope, When::TwoRounds, pending, &next, body);
    }

    /// The loops over warps in a statement, each with a scope of its own.
    fn warp_loops(&self, statement: &mut Statement<Physical>) {
        if let Statement::Loop {
            kind: PhysicalLoop::Warps,
            body,
            ..
        } = statement
        {
            let mut pending = Accesses::new();
            *body = self.list(std::mem::take(body), Level::Warp, &mut pending);
            self.end_round(body, Level::Warp, &mut pending);
            return;
        }
        statement
            .lists_mut()
            .into_iter()
            .flatten()
            .for_each(|inner| self.warp_loops(inner));
    }

    /// Adds what a list may do before its first wait at the scope; is there such a wait on every
    /// way through?
    fn until_wait(&self, list: &[Statement<Physical>], scope: Level, found: &mut Accesses) -> bool {
        for statement in list {
            if statement.waits() == Some(scope) {
                return true;
            }
            if !self.phases.is_structure(statement, scope)
                || !self.phases.is_uniform(statement, scope)
            {
                found.extend(
                    self.memory
                        .accesses(self.nodes(), std::slice::from_ref(statement)),
                );
                continue;
            }
            let own = self.memory.own(self.nodes(), statement);
            let waits = match statement {
                Statement::While { head, body, .. } => {
                    let waits = self.until_wait(head, scope, found);
                    if !waits {
                        found.extend(own);
                        self.until_wait(body, scope, found);
                    }
                    waits
                }
                Statement::If {
                    then, otherwise, ..
                } => {
                    found.extend(own);
                    let (a, b) = (
                        self.until_wait(then, scope, found),
                        self.until_wait(otherwise, scope, found),
                    );
                    a && b
                }
                Statement::Loop { body, .. } => {
                    found.extend(own);
                    self.until_wait(body, scope, found) && statement.has_a_round(self.nodes())
                }
                _ => false,
            };
            if waits {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests;
