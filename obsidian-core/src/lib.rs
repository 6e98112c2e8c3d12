//! The core of Obsidian for Rust: the kernel language, its passes, its simulator and its emitters.
//!
//! A walk along the way that a kernel takes:
//!
//! 1. `obsidian-front` reads the tokens of a `#[kernels]` module into a tree, in which every name is resolved and everything that is not
//!    kernel language has been refused, and runs the functions of the tree while the kernel is built; natively, rustc runs their rewritten
//!    copy (`obsidian-expand`). Both call one [`library`] of combinators over [arrays](mod@array), [`program`]s and [`scalar`]s.
//! 2. `lower` runs the grid program into a tree of actions (`reify`), makes its levels concrete
//!    (`strip`), and binds what is used more than once (`share`). The result is an `ir::Kernel`.
//! 3. `plan` checks it, finds out how long arrays live, fixes the real threads, lays out shared
//!    memory and places waits. The result is a `plan::Plan`; `pipeline` has the order of the
//!    passes on one screen.
//! 4. `emit` prints CUDA, Rust for the CPU and the manifest; `simulate` runs the plan step by
//!    step.
//! 5. `variants` are what a kernel with several values for its parameters becomes; tuned files
//!    choose among them.
//!
//! The crate `obsidian-build` does the same for a build script, and writes files. What runs compilers of this machine, for build scripts and
//! for programs, is the crate `obsidian-toolchain`.
//!
//! Programs with kernels depend on `obsidian-rt`, not on this crate. The pages of this crate show what such programs name through
//! `obsidian-rt`. The other modules are hidden from them, and documented in the source.
#![warn(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr
)]
pub mod arrays;
#[doc(hidden)]
pub mod emit;
#[doc(hidden)]
pub mod lower;
#[doc(hidden)]
pub mod pipeline;
#[doc(hidden)]
pub mod plan;
#[doc(hidden)]
pub mod simulate;

pub use obsidian_language::{array, error, library, program, scalar};
#[doc(hidden)]
pub use obsidian_language::{hashed, ir, ordered, source, variants};
