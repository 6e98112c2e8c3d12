//! The front end: reads Rust tokens, checks that they are kernel language, and evaluates them.
//!
//! It knows Rust's syntax and a table from names to library functions, and no array semantics of
//! its own: it is one more client of the [library](crate::library), at a level and element type
//! that it learns as it goes.

pub(crate) mod elements;
pub mod evaluate;
pub mod hash;
pub mod link;
pub mod names;

pub mod infer;
pub mod read;
pub mod syntax;
pub(crate) mod visit;

/// The attributes that mean something in a `#[kernels]` module, and are gone behind it.
pub(crate) const OWN_ATTRIBUTES: &[&str] = &["arrays", "device", "kernel"];

pub use read::{Reading, Sources, read_linked, read_module};
