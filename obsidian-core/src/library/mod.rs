//! The library: what users call, one file per family.
//!
//! Every combinator is written once, generically. Native programs use it at their own types, and the front end at
//! [`AnyLevel`](crate::program::AnyLevel) and a dynamic element type. Operations on one array are methods, on several
//! arrays functions.

mod compute;
mod exec;
mod generate;
mod hierarchy;
mod rearrange;
mod staged;
mod zip;

pub use compute::compute;
pub use exec::{exec, exec_block, exec_thread, exec_warp};
pub use generate::{generate, iota, replicate, singleton};
pub use hierarchy::{Gather, gather, lift_in, lift_par, lift_seq};
pub use rearrange::{Append, append};
pub use staged::{At, Callable, CastTo, Combine, Compare, Fun, Host, cast, compare, delayed, fun, host, index_of, select};
pub use zip::{unzip, unzip3, zip, zip_with, zip_with3, zip3, zip4};
