//! The library: what users call, one file per family.
//!
//! Every combinator is written once, generically. Native programs use it at their own types, and
//! the front end at [`AnyLevel`](crate::program::AnyLevel) and a dynamic element type. Operations
//! on one array are methods, on several arrays functions.

mod carry;
mod chunks;
mod collectives;
mod compute;
pub mod device;
mod exec;
mod generate;
mod hierarchy;
mod hold;
mod interleave;
pub mod late;
mod layouts;
mod mutable;
mod patterns;
mod programs;
mod rearrange;
mod sequential;
mod staged;
mod tiles;
mod two;
mod zip;

pub(crate) use carry::map_accum_to;
pub use carry::s_map_accum;
#[cfg(feature = "front")]
pub(crate) use collectives::matches;
pub use collectives::{all, any, ballot, exclusive_scan, inclusive_scan, match_any, reduce, sort};
pub use compute::compute;
pub use exec::{
    exec, exec_block, exec_block_value, exec_thread, exec_thread_value, exec_value, exec_warp,
    exec_warp_value,
};
pub use generate::{generate, iota, replicate, singleton};
pub use hierarchy::{Gather, gather, lift_in, lift_par, lift_seq};
pub use hold::{exchange, hold, hold_as};
pub use interleave::{Interleave, flatten, interleave};
pub use layouts::{Layout, Pitch, compute_as};
pub use mutable::{Mutable, atomic, new_shared_mutable, to_mutable};
pub use patterns::{bin_split, fold1, mk_pull, mk_push, singleton_push, unsafe_bin_split};
pub use programs::{compose, rep};
pub use rearrange::{Append, append};
pub use sequential::{
    map_accum_l, map_accum_r, seq_iterate, seq_reduce, seq_scan, seq_scan_cin, seq_until,
};
pub use staged::{
    Asserted, At, Callable, CastTo, Combine, Compare, Fun, Host, asserted, cast, compare, delayed,
    fun, host, index_of, select,
};
pub use tiles::tiles_fold;
pub use two::{
    accumulate, accumulate2, compute2, compute2_pitch, exec_block2, exec_thread2, exec_warp2,
    exec2, gather2, generate2, zip_with2, zip_with2_shortest,
};
pub use zip::{
    unzip, unzip3, unzip4, zip, zip_shortest, zip_with, zip_with_shortest, zip_with3,
    zip_with3_shortest, zip_with4, zip_with4_shortest, zip3, zip3_shortest, zip4, zip4_shortest,
};
