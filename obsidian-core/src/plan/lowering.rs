//! Held arrays of warps and blocks, and collectives, through shared memory.
//!
//! Before: a levelled kernel that is checked. After: a lowered one, whose types have neither:
//!
//! - A held array that is allocated at Warp or Block becomes a shared array. Shared memory has one
//!   place for each element, no matter which thread owns it, so the layout is dropped. In a block
//!   each thread reads only what it has written. A lane of a warp may read what another lane has
//!   written: by a shuffle where there are whole warps ([`held`]), else `barriers` puts a barrier in
//!   between, as for any shared array.
//! - A collective ([`collectives`]) becomes a `ForAll` that stores the elements into an array of
//!   its own, a network over that array with a barrier after each step, and a `ForAll` that reads
//!   the results. At Thread the thread holds that array, and there are no barriers. Digits are counted and
//!   [ranked](ranks) by counters.
//!
//! The CPU, where one thread does the work of a block, has [`loops`] for operators that are exactly
//! associative, and sorts integers by their [`digits`].
//!
//! It runs after `check`, which sees the levelled kernel: there it proves ownership, and that all
//! threads of its level reach a collective. For all else a collective is two `ForAll`s to it. It
//! runs before `liveness`, `virtualise` and the CPU emitter, which know neither of the two.
//! Shuffles and registers can replace this pass without a change to the passes before it.

mod collectives;
mod digits;
mod earlier;
mod flat;
mod held;
mod lanes;
mod loops;
mod network;
mod ranks;
mod scans;

use std::collections::VecDeque;

use crate::ir::{Kernel, Level, Levelled, LevelledLoop, Lowered, Own, Statement};
use crate::ordered::Map;
use crate::plan::analysis::asked;
use crate::scalar::{ArrayPlace, Tables, VariableId};

/// Puts what warps and blocks hold into shared memory, and loops in place of collectives.
pub fn lowering(kernel: Kernel<Levelled>, by: Executed) -> Kernel<Lowered> {
    let asked = asked(&kernel);
    let (mut lowered, body) = kernel.without_body(());
    let mut pass = Lowering {
        tables: &mut lowered.tables,
        by,
        for_ranks: Map::new(),
    };
    lowered.body = pass.list(body, Level::Grid);
    match by {
        Executed::ByThreads(threads) => held::shuffled(lowered, &asked, threads),
        Executed::Together | Executed::ByOne => lowered,
    }
}

/// A loop over blocks of which none asks for what earlier ones have needs no order.
fn kind_of(kind: LevelledLoop, body: &[Statement<Lowered>]) -> LevelledLoop {
    let follows = |s: &Statement<Lowered>| s.follows().is_some();
    if kind == LevelledLoop::Ordered && !body.iter().any(|s| s.has(&follows)) {
        return LevelledLoop::Distribute(Level::Block);
    }
    kind
}

/// Who executes what a collective becomes. The results are the same, bit for bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Executed {
    /// The threads of its level, together, of a block of as many: shuffles, and networks.
    ByThreads(u32),
    /// Some who do the iterations of a loop together, and have no lanes: networks.
    Together,
    /// One thread for all of them: straight through, where the operator allows it.
    ByOne,
}

struct Lowering<'k> {
    tables: &'k mut Tables,
    by: Executed,
    /// What has been counted for ranks that come later, by the variables of their places.
    for_ranks: Map<VariableId, ranks::Counted>,
}

impl Lowering<'_> {
    fn list(&mut self, list: Vec<Statement<Levelled>>, level: Level) -> Vec<Statement<Lowered>> {
        let mut result = Vec::with_capacity(list.len());
        let mut list = VecDeque::from(list);
        while let Some(statement) = list.pop_front() {
            let inside = statement.level_inside(level);
            match statement.into_stage(&mut |list| self.list(list, inside)) {
                Ok(statement) => result.push(statement),
                Err(Own::Loop(counted)) => {
                    let counted = Statement::Loop {
                        kind: kind_of(counted.kind, &counted.body),
                        unroll: counted.unroll,
                        counter: counted.counter,
                        bounds: counted.bounds,
                        body: counted.body,
                    };
                    result.push(match self.by {
                        Executed::ByOne => self.flattened(counted),
                        Executed::ByThreads(_) | Executed::Together => counted,
                    });
                }
                Err(Own::Allocate(array, _)) => {
                    let place = &mut self.tables.array_mut(array).place;
                    if level > Level::Thread && *place == ArrayPlace::Held {
                        *place = ArrayPlace::Shared;
                    }
                    result.push(Statement::Allocate { array, layout: () });
                }
                Err(Own::Collective((), of)) => self.collective(*of, list.iter(), &mut result),
                // The last statement of a collective's list, which `collective` takes off.
                Err(Own::Give(())) => {}
                Err(Own::Wide(never) | Own::Shuffle(never, _) | Own::Earlier(never, _)) => {
                    match never {}
                }
            }
        }
        result
    }
}

#[cfg(test)]
mod tests;
