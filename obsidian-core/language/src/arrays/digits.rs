//! The digits of sorts.

use super::graph::stored_bytes;
use crate::ir::WARP;
use crate::scalar::ScalarType;

/// The bits of a digit.
pub const BITS: u32 = 8;
/// How many digits there are.
pub const BINS: u32 = 1 << BITS;
/// The threads of a block that sorts.
pub const THREADS: u32 = 512;
/// The bytes of the elements that one block sorts alone.
const FEW_BYTES: u32 = 32 * 1024;

/// How many elements one block sorts alone: each of its threads has as many. Of very long elements not each thread has one.
pub fn few(types: &[ScalarType]) -> u32 {
    let few = FEW_BYTES / stored_bytes(types);
    match few / THREADS {
        0 => (few / WARP).max(1) * WARP,
        own => own * THREADS,
    }
}
