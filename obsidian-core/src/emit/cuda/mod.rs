//! CUDA C++, one file per kernel, to be read by people.
//!
//! The text needs no header and compiles under nvcc and NVRTC. Its arithmetic is that of
//! [`meaning`](crate::scalar::meaning), bit for bit, if it is compiled with `-fmad=false`; functions such as `sin` are
//! as good as CUDA's. Where C++ has an operator with the right meaning it stands there, else a call of a helper whose
//! text comes before the kernel.

mod atomics;
mod deep;
mod expression;
mod header;
mod helpers;
mod operators;
mod precedence;
mod reserved;
mod statements;
pub(super) mod types;
mod used;

pub use atomics::has_atomic;

use super::{Names, identifier};
use crate::ir::Kernel;
use crate::plan::Plan;

/// The CUDA text of a kernel.
pub fn cuda(plan: &Plan) -> String {
    let (kernel, symbol) = (plan.kernel(), symbol(&plan.kernel().name));
    let mut names = names(kernel);
    let signature = header::signature(kernel, &names, &symbol);
    let comment = header::comment(plan, &names, &symbol);
    let body = statements::body(plan, &mut names);
    let words = helpers::words(&body);
    let (helpers, preamble) = (helpers::text(&words), header::preamble(plan, &words));
    format!("{comment}\n{helpers}{signature} {{\n{preamble}{body}}}\n")
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
pub(super) fn names(kernel: &Kernel) -> Names<'_> {
    Names::of(kernel, &[reserved::WORDS, helpers::NAMES].concat())
}

#[cfg(test)]
mod tests;
