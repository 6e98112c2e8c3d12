//! The front end: reads Rust tokens, checks that they are kernel language, and evaluates them.
//!
//! It knows Rust's syntax and a table from names to library functions, and no array semantics of
//! its own: it is one more client of the [library](obsidian_language::library), at a level and element type
//! that it learns as it goes. What the tree is made into is the matter of `obsidian-core` and `obsidian-expand`.
#![warn(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr
)]
#![doc(hidden)]

pub mod elements;
pub mod evaluate;
pub mod hash;
pub mod link;
pub mod names;

pub mod infer;
pub mod read;
pub mod syntax;
pub mod visit;

/// The attributes that mean something in a `#[kernels]` module, and are gone behind it.
pub const OWN_ATTRIBUTES: &[&str] = &["arrays", "device", "kernel"];

pub(crate) use obsidian_language::{
    array, arrays, error, ir, library, ordered, program, reify, scalar, variants,
};

pub use read::{Reading, Sources, read_linked, read_module};
