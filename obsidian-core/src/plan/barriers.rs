//! Places the barriers of a kernel: where accesses of different threads conflict, at the narrowest
//! scope that orders them.
//!
//! Before: a physical kernel with the barriers that it asks for (one behind each `compute`, and each
//! `sync`), and the layout of its shared arrays. After: the same with the barriers that it needs.
//!
//! 1. [`candidates`] adds a barrier wherever two accesses may conflict, judged by arrays and bytes
//!    alone.
//! 2. Each barrier is looked at, in the order of the text. It is *needed* if there are two accesses
//!    of one byte by different threads, one of them writing, with this barrier between them and no
//!    other one: one access that may come last before it, and one that may come first after it. A
//!    barrier that is not needed is left out, and those behind it are looked at without it.
//! 3. A barrier of the block that only threads of one warp need becomes a barrier of the warp, in
//!    the order of the text as well. The set of barriers is fixed by then, so there are never more
//!    of them for it.
//!
//! So a kernel has no barrier, among others,
//!
//! - directly behind another one, or with no access before it or behind it;
//! - between a store and reads by the same thread, or where memory is used again by the same
//!   threads. Program order is enough there, also if the array has another type by then: no read
//!   sees an element that was stored as another type;
//! - of the block, where one warp stores what the same warp reads, as in the last five steps of a
//!   tree reduction;
//! - at all, with one thread.
//!
//! # Why it is sound
//!
//! Which accesses a barrier stands between is read off a [graph](super::analysis::flow) of the ways
//! through the kernel, so that loops and branches need no rules of their own. Who accesses an
//! element is enumerated: all threads in all iterations of a phase (`analysis::lanes`), noted as the
//! one thread, the one warp, or several (`analysis::owners`); arrays and numbers of threads are
//! known and small. Iterations that differ in nothing [relevant](super::analysis) are one. What
//! depends on an element, a length, or the block counts as any element, and too many iterations
//! count as any. So what is not proved stays.
//!
//! A barrier of the block orders all threads, a barrier of a warp the threads of one warp. So
//! threads of two warps are looked at as if barriers of warps were not there, and threads of one
//! warp with all barriers. A barrier of a warp in a list of the block is reached by every warp, as
//! the control of such a list is uniform. It needs whole warps, or one warp alone, as the mask names
//! all lanes: with any other number of threads, step 3 is left out.
//!
//! Two more rules:
//!
//! - Two atomics on one array do not race, but a barrier between them is kept: it says which ones
//!   come first, which those notice whose old values are used.
//! - Two iterations of a loop over blocks have only shared memory in common. In buffers, the blocks
//!   of one loop are independent of each other. Two loops over blocks are looked at like any others,
//!   and so are two iterations of a loop of the grid around one.
//!
//! It runs last: it looks at exactly the statements that are printed.

pub(super) mod candidates;

use super::analysis::flow::Graph;
use super::layout::SharedMap;
use crate::ir::{Kernel, Level, Physical, Statement, WARP};
use crate::ordered::Set;
use crate::scalar::ArrayId;
use candidates::candidates;

/// Places the barriers that a kernel needs. `changing` are the arrays that are read while they
/// change, dead reads included: the order of two stores in them may matter.
pub fn barriers(
    kernel: Kernel<Physical>,
    shared: &SharedMap,
    changing: &Set<ArrayId>,
) -> Kernel<Physical> {
    let (mut kernel, uniformity, memory) = candidates(kernel, shared, changing);
    if !kernel.body.iter().any(has_barrier) {
        return kernel;
    }
    let scopes = scopes(Graph::new(&kernel, shared, uniformity, memory), &kernel);
    kernel.body = decided(std::mem::take(&mut kernel.body), &mut scopes.into_iter());
    kernel
}

/// For each barrier, in the order of the text, the scope that it needs; `None` if it needs none.
fn scopes(mut graph: Graph, kernel: &Kernel<Physical>) -> Vec<Option<Level>> {
    let mut of_one_warp = Vec::new();
    for barrier in graph.barriers() {
        match graph.need(barrier) {
            None => graph.set(barrier, None),
            Some(Level::Warp) => of_one_warp.push(barrier),
            Some(_) => {}
        }
    }
    // With fewer barriers, others have more to order: what was needed by threads of two warps stays
    // so, what was needed by those of one warp has to be looked at again.
    let whole_warps = kernel.threads <= WARP || kernel.threads.is_multiple_of(WARP);
    for barrier in of_one_warp.into_iter().filter(|_| whole_warps) {
        let need = graph.need(barrier);
        graph.set(barrier, need);
    }
    graph
        .barriers()
        .map(|barrier| graph.scope(barrier))
        .collect()
}

fn has_barrier(statement: &Statement<Physical>) -> bool {
    statement.has(&|inner| inner.waits().is_some())
}

/// The list with its barriers at these scopes, which are in the order of the text.
fn decided(
    list: Vec<Statement<Physical>>,
    scopes: &mut dyn Iterator<Item = Option<Level>>,
) -> Vec<Statement<Physical>> {
    let mut result = Vec::with_capacity(list.len());
    for mut statement in list {
        if let Statement::Wait { scope } = &mut statement {
            let Some(needed) = scopes.next().flatten() else {
                continue;
            };
            *scope = needed;
        }
        for inner in statement.lists_mut() {
            *inner = decided(std::mem::take(inner), scopes);
        }
        result.push(statement);
    }
    result
}

#[cfg(test)]
mod tests;
