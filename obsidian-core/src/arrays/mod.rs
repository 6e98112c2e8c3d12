//! Whole-array programs: arrays that become as few kernels as they can.
//!
//! ```text
//! |xs, ys| zip_with(|x, y| x * y, xs, ys).fold(|a, b| a + b, 0.0)
//!    graph       0 input   1 input   2 zip_with   3 fold
//!    plan        one fold over the products, which nothing stores
//!    kernels     dotp: a block folds 4,096 products, and the last one what these give;
//!                dotp_short: one block folds a row that is short
//!    schedule    launch dotp(0, 1, 2, its own) -> 3; free 2; or launch dotp_short(0, 1) -> 3
//! ```
//!
//! The user's function describes [`Arr`]s. Each is a node of a graph, and a function from an index to an element, so that
//! operations on elements and indices fuse by being composed. `fuse` decides which nodes are stored, and which are
//! computed together in one kernel. A skeleton makes each kernel, as a program of the kernel language. The [`Schedule`] is plain
//! data: what is launched with what, in which order.

mod alike;
mod by_rows;
mod freeing;
mod fuse;
mod making;
mod numbers;
mod program;
mod skeleton;
mod weight;

#[doc(hidden)]
pub use alike::Likeness;
#[doc(hidden)]
pub use by_rows::{ByRows, FoldedBy, by_rows};
pub use obsidian_language::arrays::*;
#[doc(hidden)]
pub use program::build_described;
pub use program::{Compiled, build, build_kernel};

#[cfg(test)]
mod tests;
