//! CUDA C++, one file per kernel, to be read by people.
//!
//! The text needs no header and compiles under nvcc and NVRTC. Its arithmetic is that of
//! [`meaning`](crate::scalar::meaning), bit for bit, if it is compiled with `-fmad=false`;
//! functions such as `sin` are as good as CUDA's. Where C++ has an operator with the right meaning
//! it stands there, else a call of a helper whose text comes before the kernel.

mod addresses;
mod atomics;
mod deep;
mod expression;
mod faults;
mod header;
mod helpers;
mod lines;
mod operators;
mod order;
mod precedence;
mod reports;
mod reserved;
mod shuffles;
mod statements;
pub(super) mod types;
mod used;

pub use atomics::has_atomic;

use super::vouched::Check;
use super::{Names, identifier};
use crate::plan::Plan;
use crate::scalar::NodeId;

/// Where shared arrays lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Layout {
    /// In one buffer, where arrays use memory again that others have left: what runs.
    Packed,
    /// Each on its own, and each warp's copy too: what is run in search of mistakes.
    Debug,
}

/// The CUDA text of a kernel.
pub fn cuda(plan: &Plan) -> String {
    text(plan, Layout::Packed, false)
}

/// The CUDA text of a kernel, with the lines of the user's source that its statements come from, where they are known: `#line` directives, for
/// code that is compiled with `-lineinfo`. All else is the same text.
pub fn cuda_with_lines(plan: &Plan) -> String {
    text(plan, Layout::Packed, true)
}

/// The CUDA text of a kernel in the debug layout: one `__shared__` array for each shared array, and
/// for each warp's copy of it.
///
/// In the packed layout an index outside of an array hits a neighbour, and nobody sees it. Here
/// compute-sanitizer or an address sanitizer finds it. The text has the lines of the user's source, as that of
/// [`cuda_with_lines`]. All else is the same text. It needs more
/// shared memory, perhaps more than a GPU has.
pub fn cuda_debug(plan: &Plan) -> String {
    text(plan, Layout::Debug, true)
}

fn text(plan: &Plan, layout: Layout, with_lines: bool) -> String {
    let symbol = symbol(&plan.kernel().name);
    let mut names = names(plan);
    let signature = header::signature(plan, &names, &symbol);
    let comment = header::comment(plan, &names, &symbol, layout);
    let (body, _) = statements::body(plan, &mut names, layout, with_lines);
    let words = helpers::words(&body);
    let (helpers, preamble) = (
        helpers::text(&words),
        header::preamble(plan, &names, &words),
    );
    format!("{comment}\n{helpers}{signature} {{\n{preamble}{body}}}\n")
}

/// What the text checks, by the numbers.
pub(super) fn printed(plan: &Plan) -> Vec<(Option<NodeId>, Check)> {
    let (_, faults) = statements::body(plan, &mut names(plan), Layout::Packed, false);
    faults.into_checks()
}

/// The name of the CUDA function of a kernel: the kernel's own where C++ allows it.
pub fn symbol(kernel: &str) -> String {
    let mut name = identifier(kernel);
    let known = |words: &[&str]| words.contains(&name.as_str());
    if known(reserved::WORDS) || known(reserved::FUNCTIONS) || known(helpers::NAMES) {
        name.push('_');
    }
    name
}

/// The names of a kernel's parameters and arrays in CUDA.
pub(super) fn names(plan: &Plan) -> Names<'_> {
    let mut own = Vec::new();
    own.extend(plan.faults().then_some(faults::FAULT));
    own.extend((!plan.orders().is_empty()).then_some(order::ORDER));
    Names::of(
        plan.kernel(),
        &[reserved::WORDS, helpers::NAMES, &own].concat(),
    )
}

#[cfg(test)]
mod tests;
