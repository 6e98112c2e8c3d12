//! A value that is used more than once is computed once.
//!
//! Before: a levelled kernel whose expressions are one graph; written out, a node is computed at
//! each of its uses. After: a node without a name of its own is used once, or its value is bound by
//! a `Let`:
//!
//! - in the lowest list that contains all its uses, right before the first of them;
//! - further out, in front of the outermost loop in which it does not change, even if it is used
//!   only once;
//! - never above the binder of a variable that it depends on.
//!
//! What may not be computed unless the program asks for it is *guarded*: a load (its index may be
//! wild, and the array's contents are defined only where the program loads), an exact difference
//! (below 0 unless a condition excludes it), an exact division by what may be 0, and all that
//! contains them. A guarded node is bound only in front of a statement that computes it in any
//! case, and then serves the uses after it in the same list and below. So it is not moved out of a
//! loop, a branch or an arm of `select`.
//!
//! Exact arithmetic that contains several choices, one inside of the other, is guarded no more,
//! unless there is a load in it: nothing happens when it leaves its range before it is used, and
//! made once in each arm, the text would double with every choice.
//!
//! Leaves are never bound. Statements are neither moved nor merged, so reads in order, atomics and
//! waits stay as they are.
//!
//! An arm of `select` that computes something with a load twice has no place where it could be
//! bound: such a choice becomes statements first (see `arms`).
//!
//! Limits: a node that depends on a variable with two binders is not shared.
//!
//! It runs first of all passes, since all that follow, and all printers, are linear in the text and
//! not in the graph. The order of the new statements comes from the text, not from the numbers of
//! nodes.

mod arms;
mod facts;
mod place;
mod rewrite;

use crate::ir::{Kernel, Levelled};

/// The most nodes that are looked at in search of choices that become statements: a number for every
/// kernel, and one for each node that it has. Where there would be more, all choices stay expressions,
/// and `check` refuses what would have to be made at too many places.
const MOST_NODES: usize = 600_000;
const MOST_NODES_EACH: usize = 50;

/// What becomes of a chain of choices of which both arms of another choice have uses, though not in any
/// case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chains {
    /// It is made once, in front, under the condition that one of the arms needs it.
    Once,
    /// It is made for each use, under the conditions of that use alone.
    ForEachUse,
}

/// Binds what is used more than once, and hoists what a loop does not change. Also returns `true` if a chain
/// of choices is made [`Once`](Chains::Once).
pub fn share(mut kernel: Kernel<Levelled>, chains: Chains) -> (Kernel<Levelled>, bool) {
    bind(&mut kernel);
    let most = MOST_NODES + kernel.tables.nodes.len() * MOST_NODES_EACH;
    let (expressions, mut left, mut once) = (kernel.clone(), most, false);
    while arms::arms(&mut kernel, chains, &mut left, &mut once) {
        if left == 0 {
            return (expressions, false);
        }
        bind(&mut kernel);
    }
    (kernel, once)
}

/// Binds until nothing is left: once a load has a name, what is computed from it is guarded no
/// more.
fn bind(kernel: &mut Kernel<Levelled>) {
    loop {
        let bindings = {
            let facts = facts::Facts::new(kernel);
            place::place(kernel, &facts)
        };
        if bindings.is_empty() {
            return;
        }
        rewrite::rewrite(kernel, bindings);
    }
}

#[cfg(test)]
mod tests;
