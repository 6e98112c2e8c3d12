//! The library: what users call, one file per family.
//!
//! Every combinator is written once, generically. Native programs use it at their own types, and
//! the front end at [`AnyLevel`](crate::program::AnyLevel) and a dynamic element type. Operations
//! on one array are methods, on several arrays functions.

mod accumulate;
mod axes;
pub mod blocks;
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
mod ordered;
mod patterns;
mod programs;
mod rearrange;
mod sequential;
mod staged;
mod tiles;
mod zip;

pub use language::*;
pub use staged::{
    Asserted, At, Callable, CastTo, Compare, Host, asserted, cast, compare, delayed, host, index_of,
};

/// What users name.
pub mod language {
    pub use super::staged::{Combine, Fun, fun, select};
    pub use super::{
        accumulate::*, axes::*, compute::*, exec::*, generate::*, hold::*, layouts::*, patterns::*,
        programs::*, rearrange::*, sequential::*, tiles::*, zip::*,
    };
    // These files have functions that are in `parts`, too.
    pub use super::carry::s_map_accum;
    pub use super::collectives::{
        all, any, ballot, exclusive_scan, inclusive_scan, match_any, rank_by_digit, reduce, sort,
    };
    pub use super::hierarchy::{lift_in, lift_par, lift_seq};
    pub use super::interleave::{Interleave, interleave};
    pub use super::mutable::{Mutable, new_shared_mutable, to_mutable};
    pub use super::ordered::earlier;
}

/// What functions of the language are made of, for the compiler, where levels and types are values.
#[doc(hidden)]
pub mod parts {
    pub use super::blocks::histogram::counts;
    pub use super::blocks::merge::merged;
    pub use super::blocks::radix::{ranks, sorted};
    pub use super::blocks::reduce::{in_any_order, in_order};
    pub use super::blocks::scan::{exclusive, inclusive};
    pub use super::blocks::stencil::tiled;
    pub use super::blocks::unit::Unit;
    pub use super::carry::map_accum_to;
    pub use super::collectives::{counts_of_digits, matches, places_by_digit};
    pub use super::compute::with_one;
    pub use super::hierarchy::{Gather, gather};
    pub use super::interleave::flatten;
    pub use super::mutable::atomic;
    pub use super::ordered::earlier_at;
}
