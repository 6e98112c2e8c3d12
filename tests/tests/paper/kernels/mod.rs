//! The paper's listings: array code in the kernel language, by section, and entry points at some
//! sizes. Sections 6.2 to 7.2 are the examples `reduction` and `scan`.

#![allow(missing_docs)]

pub mod intro;
pub mod mandelbrot;
pub mod others;
