//! How much the checks do, in steps: an expression looked at, a fact learnt, an atom eliminated.
//!
//! They first look at each expression anew wherever other facts hold, which proves most, and takes
//! a time that doubles with every choice that both arms of the next one use. A kernel for which
//! that takes many steps is looked at again, *sparingly*: an expression with several choices, one
//! inside of the other, is looked at once, where its statement stands. What takes too long even so is
//! refused. Steps are counted, and no clock is read, so that a kernel is accepted by all machines or
//! by none.

use std::cell::Cell;

use crate::error::Origin;
use crate::ir::{Kernel, Levelled};

/// Steps of the first way for every kernel.
const FIRST: u64 = 10_000;
/// Steps of the first way for each access.
const FIRST_PER_ACCESS: u64 = 60;
/// Steps of the first way for each expression: all are visited once, whatever is proved of them.
const FIRST_PER_EXPRESSION: u64 = 2;
/// Steps after which a kernel is refused, if it has no more accesses than 16,000.
const MOST: u64 = 1_000_000;
/// Steps for each access, after which a larger kernel is refused.
const MOST_PER_ACCESS: u64 = 60;
/// Parts of the expressions of one statement, in a small kernel: printed, none of them has a name.
const MOST_PARTS: u64 = 50_000;
/// The same for each expression of a larger kernel.
const PARTS_PER_EXPRESSION: u64 = 2;
/// Values of expressions, at points that are gone through, that are one step.
const VALUES: u64 = 64;

/// How much is allowed for a kernel, by its size: all limits are linear in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    /// The accesses in its text, and its other statements.
    accesses: u64,
    expressions: u64,
}

impl Size {
    pub(super) fn of(kernel: &Kernel<Levelled>) -> Self {
        let nodes = &kernel.tables.nodes;
        let mut accesses = nodes.ids().filter(|id| nodes.node(*id).is_load()).count();
        for statement in &kernel.body {
            statement.visit(&mut |_| accesses += 1);
        }
        Size {
            accesses: accesses as u64,
            expressions: nodes.len() as u64,
        }
    }

    fn most(self) -> u64 {
        MOST.max(self.accesses * MOST_PER_ACCESS)
    }
}

/// Steps that were done, and how many may be.
#[derive(Debug)]
pub(super) struct Work {
    done: Cell<u64>,
    most: Cell<u64>,
    /// What `most` may grow to.
    limit: u64,
    parts: Cell<u64>,
    most_parts: u64,
    /// Is each expression looked at once?
    pub(super) sparing: bool,
    /// The access that is looked at.
    pub(super) at: Origin,
}

impl Default for Work {
    fn default() -> Self {
        let nothing = Size {
            accesses: 0,
            expressions: 0,
        };
        Work {
            sparing: false,
            ..Work::sparing(nothing)
        }
    }
}

impl Work {
    /// The first way.
    pub(super) fn first(size: Size) -> Self {
        let each = size.accesses * FIRST_PER_ACCESS + size.expressions * FIRST_PER_EXPRESSION;
        let most = (FIRST + each).min(size.most());
        Work {
            most: Cell::new(most),
            sparing: false,
            ..Work::sparing(size)
        }
    }

    /// The sparing way.
    pub(super) fn sparing(size: Size) -> Self {
        Work {
            done: Cell::new(0),
            most: Cell::new(size.most()),
            limit: size.most(),
            parts: Cell::new(0),
            most_parts: MOST_PARTS.max(size.expressions * PARTS_PER_EXPRESSION),
            sparing: true,
            at: Origin::UNKNOWN,
        }
    }

    /// One step more; false if it is one too many.
    pub(super) fn step(&self) -> bool {
        self.steps(1)
    }

    /// Counts `n` steps more; false if that makes too many.
    pub(super) fn steps(&self, n: u64) -> bool {
        self.done.set(self.done.get() + n);
        !self.is_over()
    }

    /// Another statement.
    pub(super) fn begin(&self) {
        self.parts.set(0);
    }

    /// One part more of the expressions of a statement.
    pub(super) fn visit(&self) -> bool {
        self.parts.set(self.parts.get() + 1);
        if self.parts.get() > self.most_parts {
            self.give_up();
        }
        self.step()
    }

    /// Expressions were worked out at points.
    pub(super) fn values(&self, n: u64) {
        self.done.set(self.done.get() + n / VALUES);
        // That it takes longer symbolically is no reason to look again.
        if !self.sparing {
            self.most
                .set((self.most.get() + n / VALUES).min(self.limit));
        }
    }

    /// There is too much to do.
    pub(super) fn give_up(&self) {
        self.most.set(0);
    }

    /// Have too many steps been done?
    pub(super) fn is_over(&self) -> bool {
        self.done.get() > self.most.get()
    }

    pub(super) fn done(&self) -> u64 {
        self.done.get()
    }
}
