//! The core of Obsidian for Rust.
#![warn(missing_docs)]
pub mod array;
#[cfg(feature = "front")]
pub mod build;
pub mod emit;
pub mod error;
#[cfg(feature = "front")]
pub mod expand;
#[cfg(feature = "front")]
pub mod front;
pub mod ir;
pub mod library;
pub mod lower;
pub mod pipeline;
pub mod plan;
pub mod program;
pub mod scalar;
pub mod simulate;
