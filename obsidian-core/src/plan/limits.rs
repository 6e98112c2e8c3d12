//! What a block may use, and why a kernel is refused.

use crate::error::Diagnostic;
use crate::ir::SHARED_BYTES;

/// What a block may use.
///
/// ```
/// use obsidian_core::plan::{Limits, SHARED_BYTES};
///
/// assert_eq!(Limits::from(64), Limits { threads: 64, shared_bytes: SHARED_BYTES });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most bytes of shared memory, up to [`MAX_SHARED_BYTES`](crate::ir::MAX_SHARED_BYTES). A kernel that needs more than
    /// [`SHARED_BYTES`] asks the GPU for them when it is loaded, and is refused on one that has
    /// less.
    pub shared_bytes: u32,
    /// Real threads, 1 to 1,024.
    pub threads: u32,
}

impl From<u32> for Limits {
    /// The given number of threads, and the shared memory that every GPU has.
    fn from(threads: u32) -> Self {
        Limits {
            shared_bytes: SHARED_BYTES,
            threads,
        }
    }
}

/// Why no plan could be made: every reason that was found.
pub type Refusal = Vec<Diagnostic>;
