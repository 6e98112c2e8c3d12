//! The layout of shared memory: what `shared_layout` decides, and what runs and prints a kernel
//! follows.

use std::collections::BTreeMap;

use crate::ir::SHARED_BYTES;
use crate::scalar::ArrayId;

/// Where one shared array lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Bytes from the start of the block's shared memory to the first copy.
    pub offset: u32,
    /// Bytes from one warp's copy to the next warp's; 0 for an array of the block.
    pub stride: u32,
}

/// Where every shared array lies.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SharedMap {
    /// The slot of each shared array.
    pub slots: BTreeMap<ArrayId, Slot>,
    /// Bytes that a block needs.
    pub bytes: u32,
}

impl SharedMap {
    /// Is it more than [`SHARED_BYTES`], so that a launch has to ask for it?
    pub fn is_dynamic(&self) -> bool {
        self.bytes > SHARED_BYTES
    }
}
