//! Random device functions: `build.rs` writes them from seeds, as plain Rust of the grammar of device
//! functions, and `tests/random.rs` holds each to what rustc makes of the same text.
//!
//! Each is the element of a range: it takes its numbers from three slices, and gives a `u32` and an `f32`.
//! The crate is compiled without overflow checks, so that the host's integers wrap as the device's do.

#![allow(missing_docs, arithmetic_overflow, clippy::all)]

include!(concat!(env!("OUT_DIR"), "/functions.rs"));
