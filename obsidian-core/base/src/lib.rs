//! What a program with compiled kernels needs while it runs, and the compiler too: the element types and what their operators mean, what a
//! launch has to know of a kernel, the order in which an array program launches its kernels, tuned files, counts, and diagnostics.
//!
//! It has no part of the compiler, so that it costs little to compile. Programs name its items through `obsidian-rt`.
#![warn(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr
)]

pub mod counts;
pub mod error;
pub mod launch;
#[doc(hidden)]
pub mod ordered;
pub mod scalar;
pub mod schedule;
#[doc(hidden)]
pub mod source;
#[doc(hidden)]
pub mod variants;
