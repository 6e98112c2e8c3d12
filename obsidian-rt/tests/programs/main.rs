//! Programs over whole arrays: which kernels they become, and what these give.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod any_rank;
mod chains;
mod changing;
mod control;
mod each;
mod fold_order;
mod fusion;
mod in_order;
mod known;
mod literals;
mod matrices;
mod module;
mod module_order;
mod natural;
mod nested;
mod nested_module;
mod operators;
mod places;
mod random;
mod results;
mod rows;
mod scans;
mod sorts;
mod stencils;
mod ten;
mod three_axes;
mod untyped;

/// Are the long suites asked for? A test has a sample otherwise.
fn is_long() -> bool {
    std::env::var_os("OBSIDIAN_LONG").is_some()
}
