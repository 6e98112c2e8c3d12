//! The kernel language of Obsidian for Rust, and programs over whole arrays: what a user's function is written with, and what becomes of it
//! before anything is compiled.
//!
//! | module | what it is |
//! |---|---|
//! | [`scalar`] | device values, and the nodes that they are |
//! | [`mod@array`] | pull and push arrays |
//! | [`program`] | levels as types, the monad of programs, the trace that a running program writes |
//! | [`library`] | the combinators |
//! | [`arrays`] | arrays of whole programs, as a graph |
//! | `ir` | the statements that a kernel consists of |
//!
//! The compiler, `obsidian-core`, is not in it: a program whose kernels were compiled with it needs the language to check the types of its kernels,
//! and no compiler. Programs name these items through `obsidian-rt`; the hidden ones are the compiler's.
#![warn(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr
)]
pub mod array;
pub mod arrays;
pub mod error;
#[doc(hidden)]
pub mod hashed;
#[doc(hidden)]
pub mod ir;
pub mod library;
pub mod program;
#[doc(hidden)]
pub mod reify;
pub mod scalar;

#[doc(hidden)]
pub use obsidian_base::{ordered, source, variants};

/// Is a file, as places name it, one of this crate? What stands there says nothing to its users.
#[doc(hidden)]
pub fn has_file(path: &str) -> bool {
    let own = file!().strip_suffix("lib.rs");
    own.is_some_and(|own| path.starts_with(own))
}
