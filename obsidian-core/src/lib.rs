//! The core of Obsidian for Rust.
#![warn(missing_docs)]
pub mod emit;
pub mod error;
pub mod ir;
pub mod lower;
pub mod pipeline;
pub mod plan;
pub mod scalar;
pub mod simulate;
