//! The paper's listings: array code in the kernel language, by section, and entry points at some sizes.

#![allow(missing_docs)]

pub mod intro;
pub mod mandelbrot;
pub mod reductions;
pub mod scans;
