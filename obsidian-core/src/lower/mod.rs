//! From the user's program to a kernel.

mod share;

pub use share::share;
