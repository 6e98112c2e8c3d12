//! The examples' kernels and programs on every device, and what the judge finds in broken ones.

#![allow(missing_docs)]

mod judge;
mod programs;
mod quickstart;
