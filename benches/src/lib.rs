//! The CPU device against what a Rust programmer would write instead. `README.md` has the table.

pub mod algorithms;
pub mod cases;
pub mod harness;
pub mod kernels;
pub mod peers;
pub mod whole;
