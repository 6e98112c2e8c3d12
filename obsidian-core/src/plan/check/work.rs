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

/// Steps of the first way for every kernel.
const FIRST: u64 = 10_000;
/// Steps of the first way for each access.
const FIRST_PER_ACCESS: u64 = 60;
/// Steps after which a kernel is refused.
const MOST: u64 = 1_000_000;
/// Parts of the expressions of one statement: printed, none of them has a name.
const MOST_PARTS: u64 = 50_000;
/// Values of expressions, at points that are gone through, that are one step.
const VALUES: u64 = 64;

/// Steps that were done, and how many may be.
#[derive(Debug)]
pub(super) struct Work {
    done: Cell<u64>,
    most: Cell<u64>,
    parts: Cell<u64>,
    /// Is each expression looked at once?
    pub(super) sparing: bool,
    /// The access that is looked at.
    pub(super) at: Origin,
}

impl Default for Work {
    fn default() -> Self {
        Work {
            done: Cell::new(0),
            most: Cell::new(MOST),
            parts: Cell::new(0),
            sparing: false,
            at: Origin::UNKNOWN,
        }
    }
}

impl Work {
    /// The limit of the first look at a kernel with `accesses` accesses.
    pub(super) fn first(accesses: usize) -> Self {
        let most = (FIRST + accesses as u64 * FIRST_PER_ACCESS).min(MOST);
        Work {
            most: Cell::new(most),
            ..Work::default()
        }
    }

    /// The sparing way.
    pub(super) fn sparing() -> Self {
        Work {
            sparing: true,
            ..Work::default()
        }
    }

    /// One step more; false if it is one too many.
    pub(super) fn step(&self) -> bool {
        self.done.set(self.done.get() + 1);
        !self.is_over()
    }

    /// Another statement.
    pub(super) fn begin(&self) {
        self.parts.set(0);
    }

    /// One part more of the expressions of a statement.
    pub(super) fn visit(&self) -> bool {
        self.parts.set(self.parts.get() + 1);
        if self.parts.get() > MOST_PARTS {
            self.most.set(0);
        }
        self.step()
    }

    /// Expressions were worked out at points.
    pub(super) fn values(&self, n: u64) {
        self.done.set(self.done.get() + n / VALUES);
        // That it takes longer symbolically is no reason to look again.
        if !self.sparing {
            self.most.set((self.most.get() + n / VALUES).min(MOST));
        }
    }

    /// Have too many steps been done?
    pub(super) fn is_over(&self) -> bool {
        self.done.get() > self.most.get()
    }

    pub(super) fn done(&self) -> u64 {
        self.done.get()
    }
}
