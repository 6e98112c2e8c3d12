//! Algorithms in one call, beside plain Rust.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod by_key;
mod common;
mod element_wise;
mod extremes;
mod faults;
mod histograms;
mod large;
mod mistakes;
mod natural;
mod orders;
mod places;
mod programs;
mod reductions;
mod scans;
mod search;
mod selection;
mod sorts;
