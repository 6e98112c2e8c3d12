//! Programs that think in whole arrays.
//!
//! | program | file | kernels | Accelerate's |
//! |---|---|---|---|
//! | [`dot_product()`] | [`linear`] | 1, which reads both arrays once | 1 |
//! | [`matrix_vector()`] | [`linear`] | 1 | 1 |
//! | [`max_and_sum()`] | [`linear`] | 1, in one pass | 2 |
//! | [`prices()`] | [`options`] | 1; a logarithm, a root and three exponentials an option | 1 |
//! | [`escapes()`] | [`mandelbrot`](mod@mandelbrot) | 1, whose elements are loops | 1 |
//! | [`accelerations()`] | [`bodies`] | 1; no array of n^2 forces | 1 |
//! | [`sorted_by_bits()`] | [`radix_sort`] | 4 a pass | 4 |
//! | [`sorted_by_library()`] | [`radix_sort`] | 12: three for each byte of a key | |
//! | [`sparse_times_vector()`] | [`sparse`] | 4 | 2 |
//! | [`sparse_by_rows()`] | [`sparse`] | 1 | |
//!
//! A kernel that folds one long row is two launches: blocks fold pieces of it, and one block folds what they give. A scan of one is three.
//! [`reference`](mod@reference) has the same in plain Rust.

pub mod bodies;
pub mod inputs;
pub mod linear;
pub mod mandelbrot;
pub mod options;
pub mod radix_sort;
pub mod reference;
pub mod sparse;

pub use bodies::accelerations;
pub use linear::{dot_product, matrix_vector, max_and_sum};
pub use mandelbrot::escapes;
pub use options::prices;
pub use radix_sort::{sorted_by_bits, sorted_by_library};
pub use sparse::{sparse_by_rows, sparse_times_vector};
