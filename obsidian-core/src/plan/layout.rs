//! The layout of shared memory: what `shared_layout` decides, and what runs and prints a kernel
//! follows.

use crate::ir::SHARED_BYTES;
use crate::ordered::Map;
use crate::scalar::ArrayId;

/// Where one shared array lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Bytes from the start of the block's shared memory to the first copy.
    pub offset: u32,
    /// Bytes from one warp's copy to the next warp's; 0 for an array of the block.
    pub stride: u32,
}

/// A stored array that has no shared memory of its own in the physical kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placement {
    /// The array.
    pub array: ArrayId,
    /// Where its elements are.
    pub home: Home,
}

/// Where the elements of such an array are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    /// In the place of another array: a stage stores it over its input, so that it is one array with
    /// that.
    Over {
        /// The array whose place it has.
        array: ArrayId,
        /// Does the stage leave out stores of elements that are there already?
        leaves_copies_out: bool,
    },
    /// In registers of the threads.
    Registers {
        /// Elements in each thread.
        elements: u32,
    },
    /// In shared memory after all, although the user asked for registers.
    Shared,
}

/// The bytes by which the threads of a block learn which virtual block it has taken, in turns of two words of 64 bits; for each ordered loop, they
/// are the last ones of shared memory.
pub(crate) const TICKETS: u32 = 16;

/// Where every shared array lies.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SharedMap {
    /// The slot of each shared array.
    pub slots: Map<ArrayId, Slot>,
    /// Bytes that a block needs.
    pub bytes: u32,
}

impl SharedMap {
    /// Is it more than [`SHARED_BYTES`], so that a launch has to ask for it?
    pub fn is_dynamic(&self) -> bool {
        self.bytes > SHARED_BYTES
    }
}
