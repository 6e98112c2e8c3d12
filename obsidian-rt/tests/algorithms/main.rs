//! Algorithms in one call, beside plain Rust.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod common;
mod reductions;
