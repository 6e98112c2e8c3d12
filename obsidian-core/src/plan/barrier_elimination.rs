//! Barrier elimination: takes away the waits that are proved unneeded.
//!
//! Before: a physical kernel with all waits that it asks for and that
//! [`barrier_placement`](super::barrier_placement()) has added. After: the same with fewer. A wait is needed if there
//! are two accesses of one byte by different threads, one of them writing, with the wait between
//! them and no other one: one access that may come last before the wait, and one that may come
//! first after it. So what goes is, among others:
//!
//! - the second one of two waits in a row, and a wait with nothing before it or nothing after it;
//! - a wait between a store and reads by the same thread, and one before memory is used again by
//!   the same threads. Program order is enough there, also if the array has another type by then:
//!   no read sees an element that was stored as another type;
//! - with one thread, every wait.
//!
//! Waits are looked at in the order of the text, each with those gone that were taken away before
//! it. Which accesses meet at a wait is read off a [graph](super::analysis::flow) of the ways through the kernel, so
//! that loops and branches need no rules of their own. Who accesses an element is found by going
//! through all threads and rounds of a phase (`analysis::lanes`) and noting the one thread or the one warp,
//! or that there are several (`analysis::owners`); arrays and numbers of threads are known and small.
//! Rounds that differ in nothing [relevant](super::analysis) are one. What depends on an element, a length, or
//! the block counts as any element, and too many rounds count as any round. So what is not proved
//! stays.
//!
//! A wait of the block keeps all threads apart, a wait of a warp the threads of one warp. So
//! threads of two warps are looked at as if waits of warps were not there, and threads of one warp
//! with all waits. Two more rules:
//!
//! - Two atomics on one array do not race, but a wait between them is kept: it says which ones come
//!   first.
//! - Two rounds of a loop over blocks have only shared memory in common. In buffers, the blocks of
//!   one loop are independent of each other. Two loops over blocks are looked at like any others,
//!   and so are two rounds of a loop of the grid around one.
//!
//! It runs last: it looks at exactly the statements that are printed.

use std::collections::BTreeSet;

use super::analysis::flow::Graph;
use super::layout::SharedMap;
use crate::ir::{Kernel, Physical, Statement};

/// Takes away the waits that are not needed.
pub fn barrier_elimination(mut kernel: Kernel<Physical>, shared: &SharedMap) -> Kernel<Physical> {
    if !kernel.body.iter().any(has_wait) {
        return kernel;
    }
    let mut graph = Graph::new(&kernel, shared);
    let mut gone = BTreeSet::new();
    for wait in graph.waits() {
        if !graph.is_needed(wait) {
            graph.remove(wait);
            gone.insert(wait);
        }
    }
    let mut number = 0;
    kernel.body = without(std::mem::take(&mut kernel.body), &gone, &mut number);
    kernel
}

fn has_wait(statement: &Statement<Physical>) -> bool {
    matches!(statement, Statement::Wait { .. })
        || statement.lists().into_iter().flatten().any(has_wait)
}

/// The list without the waits of these numbers, which count them in the order of the text.
fn without(
    list: Vec<Statement<Physical>>,
    gone: &BTreeSet<usize>,
    number: &mut usize,
) -> Vec<Statement<Physical>> {
    let mut result = Vec::with_capacity(list.len());
    for mut statement in list {
        if matches!(statement, Statement::Wait { .. }) {
            *number += 1;
            if gone.contains(&(*number - 1)) {
                continue;
            }
        }
        for inner in statement.lists_mut() {
            *inner = without(std::mem::take(inner), gone, number);
        }
        result.push(statement);
    }
    result
}

#[cfg(test)]
mod tests;
