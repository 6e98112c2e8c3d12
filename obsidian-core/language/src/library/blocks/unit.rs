//! Blocks and warps, as those that compute something together.

/// Whose threads work together.
#[derive(Clone, Copy)]
pub enum Unit {
    /// Those of a block.
    Block,
    /// Those of a warp.
    Warp,
}

impl Unit {
    /// The threads that share a reduction out among them. The unit may have more or fewer.
    pub(super) fn threads(self) -> u32 {
        match self {
            Unit::Block => 256,
            Unit::Warp => 32,
        }
    }

    /// The elements that are scanned at once.
    pub(super) fn tile(self) -> u32 {
        4 * self.threads()
    }
}
