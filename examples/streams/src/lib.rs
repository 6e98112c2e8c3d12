//! Programs over data that does not fit in memory.
//!
//! | program | source | what a chunk becomes |
//! |---|---|---|
//! | [`dot`] | two files of numbers | products, which are folded: one operator |
//! | [`max_and_sum`] | a file of numbers | two folds in one pass |
//! | [`matrix_vector`] | a file of rows | the products of the rows with a vector |
//! | [`crack`] | a file of words of any length | the text four bytes at a time, and MD5 digests, compared with a table: two operators |
//! | [`rank`] | a file of links | the sum of the ranks that they give, in a state on the device |
//!
//! [`reference`](mod@reference) has the same in plain Rust.

pub mod linear;
pub mod md5;
pub mod pages;
pub mod reference;

pub use linear::{dot, matrix_vector, max_and_sum};
pub use md5::{Found, crack};
pub use pages::rank;
