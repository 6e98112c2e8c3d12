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

/// What users name: all that the files of the library make public.
pub mod language {
    pub use super::staged::{Combine, Fun, fun, select};
    pub use super::{
        accumulate::*, axes::*, carry::*, collectives::*, compute::*, exec::*, generate::*,
        hierarchy::*, hold::*, interleave::*, layouts::*, mutable::*, patterns::*, programs::*,
        rearrange::*, sequential::*, tiles::*, zip::*,
    };
}
