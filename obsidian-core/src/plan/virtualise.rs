//! Any number of virtual threads, warps and blocks, on the real ones.
//!
//! Before: a lowered kernel. After: a physical one for this number of threads:
//!
//! - `forall Block i < n` on `T` threads is a loop over the whole rounds, `i = j * T + thread`, and
//!   one guarded rest; the guard is not evaluated in the rounds. One round needs no loop, a
//!   multiple of `T` no rest, so the body is there at most twice. `forall Warp` is the same over
//!   the lanes of a warp, `forall Thread` a plain loop.
//! - `distribute Warp` is a loop from the real warp's number in steps of the number of real warps.
//!   Warps that are not whole take no part, unless there is only one.
//! - `distribute Block` is a loop from the real block's number in steps of the number of real
//!   blocks.
//!
//! The counter of a `ForAll` keeps its variable, which is now bound by a `Let`: pieces that begin
//! with the same one are parts of one `ForAll`, whose iterations are independent;
//! `barriers` relies on it. Where the body stands in place (one round), the rest is put before it, so that the two
//! bindings are not in each other's scope. A body whose bindings would meet others of the same
//! variable gets a loop of one round instead.
//!
//! It runs after `check` and `liveness`, which want one statement per `ForAll`, and before
//! `shared_layout` and `barriers`, which want the number of warps and the waits' surroundings.

use crate::ir::{
    Counted, Kernel, Level, LevelledLoop, Lowered, Own, Physical, PhysicalLoop, Statement, Unroll,
};
use crate::ordered::Map;
use crate::scalar::{
    BinaryOp, Literal, Node, NodeId, Nodes, ScalarType, Special, VariableId, VariableKind,
};

/// Fixes the number of threads, from 1 to 1,024, and makes every statement one that each real
/// thread executes.
pub fn virtualise(kernel: Kernel<Lowered>, threads: u32) -> Kernel<Physical> {
    let (kernel, body) = kernel.without_body(threads);
    let mut binders: Map<VariableId, u32> = Map::new();
    let mut count = |s: &Statement<Lowered>| {
        let cell = if let Statement::Declare { cell, .. } = s {
            Some(*cell)
        } else {
            None
        };
        s.binds()
            .into_iter()
            .chain(cell)
            .for_each(|v| *binders.entry(v).or_default() += 1);
    };
    body.iter().for_each(|s| s.visit(&mut count));
    let mut pass = Pass {
        threads,
        kernel,
        binders,
    };
    pass.kernel.body = pass.list(body);
    pass.kernel
}

struct Pass {
    threads: u32,
    kernel: Kernel<Physical>,
    /// How many statements of the lowered kernel bind each variable.
    binders: Map<VariableId, u32>,
}

/// The iterations of a `ForAll`.
struct Iterations {
    level: Level,
    unroll: Unroll,
    counter: VariableId,
    body: Vec<Statement<Physical>>,
    /// Real threads that share them out, and the number of this one.
    width: NodeId,
    index: NodeId,
}

impl Pass {
    fn nodes(&mut self) -> &mut Nodes {
        &mut self.kernel.tables.nodes
    }

    fn number(&mut self, n: u32) -> NodeId {
        self.nodes().add_literal(Literal::from(n))
    }

    /// A special node; 0 where there is only one of its kind.
    fn special(&mut self, special: Special) -> NodeId {
        let only_one = match special {
            Special::ThreadIndex | Special::LaneIndex => self.threads == 1,
            Special::WarpIndex => self.threads <= crate::ir::WARP,
            Special::BlockIndex | Special::GridSize | Special::Aligned => false,
        };
        if only_one {
            self.number(0)
        } else {
            self.nodes().add(Node::Special(special), ScalarType::U32)
        }
    }

    fn fresh(&mut self, kind: VariableKind) -> VariableId {
        self.kernel.tables.add_variable(ScalarType::U32, kind)
    }

    fn list(&mut self, list: Vec<Statement<Lowered>>) -> Vec<Statement<Physical>> {
        let mut result = Vec::with_capacity(list.len());
        for statement in list {
            match statement.into_stage(&mut |list| self.list(list)) {
                Ok(statement) => result.push(statement),
                Err(Own::Loop(counted)) => self.counted(counted, &mut result),
                Err(Own::Allocate(array, layout)) => {
                    result.push(Statement::Allocate { array, layout });
                }
                Err(Own::Shuffle(has, shuffle)) => result.push(Statement::Shuffle(has, shuffle)),
                Err(Own::Earlier(has, of)) => {
                    let of = of.into_stage(&mut |list| self.list(list));
                    result.push(Statement::Earlier(has, Box::new(of)));
                }
                Err(Own::Collective(never, _) | Own::Give(never) | Own::Wide(never)) => {
                    match never {}
                }
            }
        }
        result
    }

    fn counted(
        &mut self,
        counted: Counted<Lowered, Physical>,
        result: &mut Vec<Statement<Physical>>,
    ) {
        let Counted {
            kind,
            counter,
            bounds: [count],
            unroll,
            body,
        } = counted;
        let (kind, start, step) = match kind {
            LevelledLoop::ForAll(level @ (Level::Block | Level::Warp)) => {
                return self.shared_out((level, unroll), counter, body, count, result);
            }
            LevelledLoop::Distribute(Level::Warp) => {
                return self.warps(counter, count, body, result);
            }
            LevelledLoop::Distribute(_) => (
                PhysicalLoop::Blocks,
                self.special(Special::BlockIndex),
                self.special(Special::GridSize),
            ),
            // The counter is what the block has taken.
            LevelledLoop::Ordered => (PhysicalLoop::Ordered, self.number(0), self.number(1)),
            LevelledLoop::Last => (PhysicalLoop::Last, self.number(0), self.number(1)),
            LevelledLoop::ForAll(_) => (
                PhysicalLoop::Sequential(Level::Thread),
                self.number(0),
                self.number(1),
            ),
            LevelledLoop::Sequential(level) => (
                PhysicalLoop::Sequential(level),
                self.number(0),
                self.number(1),
            ),
        };
        result.push(Statement::Loop {
            kind,
            unroll,
            counter,
            bounds: [start, count, step],
            body,
        });
    }

    /// A loop over the threads of a level.
    fn shared_out(
        &mut self,
        (level, unroll): (Level, Unroll),
        counter: VariableId,
        body: Vec<Statement<Physical>>,
        count: NodeId,
        result: &mut Vec<Statement<Physical>>,
    ) {
        let (width, index) = if level == Level::Warp {
            (self.kernel.lanes(), Special::LaneIndex)
        } else {
            (self.threads, Special::ThreadIndex)
        };
        let each = Iterations {
            level,
            unroll,
            counter,
            body,
            width: self.number(width),
            index: self.special(index),
        };
        self.for_all(each, count, result);
    }

    fn warps(
        &mut self,
        counter: VariableId,
        end: NodeId,
        body: Vec<Statement<Physical>>,
        result: &mut Vec<Statement<Physical>>,
    ) {
        let warps = self.kernel.warps();
        let (start, step) = (self.special(Special::WarpIndex), self.number(warps));
        let each = Statement::Loop {
            kind: PhysicalLoop::Warps,
            unroll: Unroll::Free,
            counter,
            bounds: [start, end, step],
            body,
        };
        if self.threads <= crate::ir::WARP || self.threads.is_multiple_of(crate::ir::WARP) {
            return result.push(each);
        }
        let condition = self.nodes().binary(BinaryOp::Lt, start, step);
        result.push(Statement::If {
            condition,
            then: vec![each],
            otherwise: Vec::new(),
        });
    }

    fn for_all(&mut self, each: Iterations, count: NodeId, result: &mut Vec<Statement<Physical>>) {
        let zero = self.number(0);
        let (Some(n), Some(width)) = (
            self.nodes().literal(count),
            self.nodes().literal(each.width),
        ) else {
            return self.for_all_of_unknown(each, count, result);
        };
        let (n, width) = (n.u32(), width.u32());
        let (rounds, rest) = (n / width, n % width);
        let done = self.number(rounds * width);
        let end = self.number(rounds);
        let in_place = rounds == 1 && self.binds_alone(&each);
        if rounds > 0 && !in_place {
            let rounds = self.rounds(&each, zero, end);
            result.push(rounds);
        }
        if rest > 0 {
            let limit = self.number(rest);
            let rest = self.rest(&each, done, limit);
            result.push(rest);
        }
        if in_place {
            result.push(Statement::Let {
                variable: each.counter,
                value: each.index,
            });
            result.extend(each.body);
        }
    }

    fn for_all_of_unknown(
        &mut self,
        each: Iterations,
        count: NodeId,
        result: &mut Vec<Statement<Physical>>,
    ) {
        let zero = self.number(0);
        let count = self.named(count, result);
        let rounds = self.nodes().exact(BinaryOp::Div, count, each.width);
        let rounds = self.named(rounds, result);
        let rest = self.nodes().exact(BinaryOp::Rem, count, each.width);
        let done = self.nodes().exact(BinaryOp::Mul, rounds, each.width);
        let whole = self.rounds(&each, zero, rounds);
        result.push(whole);
        if self.nodes().literal(rest).map(Literal::u32) != Some(0) {
            let rest = self.rest(&each, done, rest);
            result.push(rest);
        }
    }

    /// A variable for a value that is no leaf.
    fn named(&mut self, value: NodeId, result: &mut Vec<Statement<Physical>>) -> NodeId {
        if self.nodes().node(value).is_leaf() {
            return value;
        }
        let variable = self.fresh(VariableKind::Let);
        result.push(Statement::Let { variable, value });
        self.nodes().add(Node::Variable(variable), ScalarType::U32)
    }

    /// May the body's bindings stand in a list of the level above?
    fn binds_alone(&self, each: &Iterations) -> bool {
        let mut alone = true;
        let mut look = |s: &Statement<Physical>| {
            let cell = if let Statement::Declare { cell, .. } = s {
                Some(*cell)
            } else {
                None
            };
            let mut bound = s.binds().into_iter().chain(cell);
            alone &=
                bound.all(|v| self.binders.get(&v).is_none_or(|&n| n == 1)) && s.begins().is_none();
        };
        each.body.iter().for_each(|s| s.visit(&mut look));
        alone && self.binders.get(&each.counter) == Some(&1)
    }

    fn rounds(&mut self, each: &Iterations, start: NodeId, end: NodeId) -> Statement<Physical> {
        let counter = self.fresh(VariableKind::Counter);
        let step = self.number(1);
        let round = self.nodes().add(Node::Variable(counter), ScalarType::U32);
        let done = self.nodes().exact(BinaryOp::Mul, round, each.width);
        let body = self.iteration(each, done);
        Statement::Loop {
            kind: PhysicalLoop::Rounds(each.level),
            unroll: each.unroll,
            counter,
            bounds: [start, end, step],
            body,
        }
    }

    fn rest(&mut self, each: &Iterations, done: NodeId, limit: NodeId) -> Statement<Physical> {
        let condition = self.nodes().binary(BinaryOp::Lt, each.index, limit);
        let then = self.iteration(each, done);
        Statement::If {
            condition,
            then,
            otherwise: Vec::new(),
        }
    }

    /// The body, for the iteration that follows `done` others.
    fn iteration(&mut self, each: &Iterations, done: NodeId) -> Vec<Statement<Physical>> {
        let value = self.nodes().exact(BinaryOp::Add, done, each.index);
        let mut body = vec![Statement::Let {
            variable: each.counter,
            value,
        }];
        body.extend(each.body.iter().cloned());
        body
    }
}

#[cfg(test)]
mod tests;
