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
//! | [`sorted_by_library()`] | [`radix_sort`] | 6: one for each byte of a key, and two before | |
//! | [`sparse_times_vector()`] | [`sparse`] | 4 | 2 |
//! | [`sparse_by_rows()`] | [`sparse`] | 1 | |
//! | [`blurred()`] | [`canny`] | 3: a map, two stencils, a map | 3 |
//! | [`edges()`] | [`canny`] | 7, and 2 in each iteration of the hysteresis | |
//! | [`flowed()`] | [`fluid`] | 9 a step, of which 5 are rounds of Jacobi's method | |
//! | [`diffused()`] | [`fluid`] | 1, launched in each round | |
//! | [`pressed()`] | [`fluid`] | 1, launched in each round, and the pressure to begin with | |
//!
//! A fold or a scan of one long row is one launch.
//! [`reference`](mod@reference) has the same in plain Rust.

pub mod bodies;
pub mod canny;
pub mod fluid;
pub mod inputs;
pub mod linear;
pub mod mandelbrot;
pub mod options;
pub mod picture;
pub mod radix_sort;
pub mod reference;
pub mod sparse;

pub use bodies::accelerations;
pub use canny::{blurred, edges};
pub use fluid::{diffused, flowed, pressed};
pub use linear::{dot_product, matrix_vector, max_and_sum};
pub use mandelbrot::escapes;
pub use options::prices;
pub use radix_sort::{sorted_by_bits, sorted_by_library};
pub use sparse::{sparse_by_rows, sparse_times_vector};
