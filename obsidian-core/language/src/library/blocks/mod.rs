//! Building blocks: what a block, a warp or a thread computes together over arrays of any length.
//!
//! `obsidian_rt::algorithms::blocks` describes them.

pub(super) mod histogram;
pub(super) mod merge;
pub(super) mod radix;
pub(super) mod reduce;
pub(super) mod scan;
pub(super) mod stencil;
pub(super) mod unit;

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
