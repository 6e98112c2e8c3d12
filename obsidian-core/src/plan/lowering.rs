//! Held arrays of warps and blocks, and collectives, through shared memory.
//!
//! Before: a levelled kernel that is checked. After: a lowered one, whose types have neither:
//!
//! - A held array that is allocated at Warp or Block is a shared one. Each element has one place
//!   whoever owns it, so the layout is dropped. What a thread writes only it reads, unless a warp
//!   reads other lanes: barriers between those come from `barriers`, as for any shared array.
//! - A collective ([`collectives`]) is a `ForAll` that stores its elements into an array of its own,
//!   a network over that array with a barrier behind each step, and a `ForAll` that reads the
//!   results. At Thread the array is held by the thread and there are no barriers.
//!
//! It runs behind `check`, which proves ownership and that a collective is reached by all threads of
//! its level on the levelled kernel, and needs of a collective only that it is two `ForAll`s. It
//! runs in front of `liveness`, `virtualise` and the CPU emitter, which know neither. Shuffles and
//! registers, and loops on the CPU, can replace it without touching what stands before it.

mod collectives;
mod network;

use crate::ir::{Kernel, Level, Levelled, Lowered, Own, Stage, Statement};
use crate::scalar::{ArrayPlace, Tables};

/// Puts what warps and blocks hold into shared memory, and loops in place of collectives.
pub fn lowering(kernel: Kernel<Levelled>) -> Kernel<Lowered> {
    let Kernel {
        name,
        tables,
        parameters,
        threads: (),
        body,
    } = kernel;
    let mut pass = Lowering { tables };
    let body = pass.list(body, Level::Grid);
    Kernel {
        name,
        tables: pass.tables,
        parameters,
        threads: (),
        body,
    }
}

struct Lowering {
    tables: Tables,
}

impl Lowering {
    fn list(&mut self, list: Vec<Statement<Levelled>>, level: Level) -> Vec<Statement<Lowered>> {
        let mut result = Vec::with_capacity(list.len());
        for statement in list {
            let inside = match &statement {
                Statement::Loop { kind, .. } => Levelled::inside(*kind),
                _ => level,
            };
            match statement.into_stage(&mut |list| self.list(list, inside)) {
                Ok(statement) => result.push(statement),
                Err(Own::Loop(counted)) => result.push(Statement::Loop {
                    kind: counted.kind,
                    counter: counted.counter,
                    bounds: counted.bounds,
                    body: counted.body,
                }),
                Err(Own::Allocate(array, _)) => {
                    let place = &mut self.tables.array_mut(array).place;
                    if level > Level::Thread && *place == ArrayPlace::Held {
                        *place = ArrayPlace::Shared;
                    }
                    result.push(Statement::Allocate { array, layout: () });
                }
                Err(Own::Collective((), of)) => self.collective(*of, &mut result),
                // The last statement of a collective's list, which `collective` takes off.
                Err(Own::Give(())) => {}
            }
        }
        result
    }
}

#[cfg(test)]
mod tests;
