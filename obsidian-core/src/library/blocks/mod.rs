//! Building blocks: what a block, a warp or a thread computes together over arrays of any length.
//!
//! `obsidian_rt::algorithms::blocks` describes them.

mod histogram;
mod merge;
mod radix;
mod reduce;
mod scan;
mod stencil;

pub use super::exchange;
pub use histogram::block_histogram;
pub use merge::{block_merge, warp_merge};
pub use radix::{block_radix_rank, block_radix_sort};
pub use reduce::{
    block_reduce, block_reduce_commutative, thread_reduce, warp_reduce, warp_reduce_commutative,
};
pub use scan::{
    block_exclusive_scan, block_inclusive_scan, thread_exclusive_scan, thread_inclusive_scan,
    warp_exclusive_scan, warp_inclusive_scan,
};
pub use stencil::{clamped, mirrored, padded, stencil_tiles, wrapped};

#[cfg(feature = "front")]
pub(crate) use histogram::counts;
#[cfg(feature = "front")]
pub(crate) use merge::merged;
#[cfg(feature = "front")]
pub(crate) use radix::{ranks, sorted};
#[cfg(feature = "front")]
pub(crate) use reduce::{in_any_order, in_order};
#[cfg(feature = "front")]
pub(crate) use scan::{exclusive, inclusive};
#[cfg(feature = "front")]
pub(crate) use stencil::tiled;

/// Whose threads work together.
#[derive(Clone, Copy)]
pub(crate) enum Unit {
    Block,
    Warp,
}

impl Unit {
    /// The threads that share a reduction out among them. The unit may have more or fewer.
    fn threads(self) -> u32 {
        match self {
            Unit::Block => 256,
            Unit::Warp => 32,
        }
    }

    /// The elements that are scanned at once.
    fn tile(self) -> u32 {
        4 * self.threads()
    }
}
