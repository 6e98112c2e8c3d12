//! What a block may use, how many of them run at once, and why a kernel is refused.

use crate::error::{Diagnostic, catalogue};
use crate::ir::{MAX_RESIDENT_BLOCKS, MAX_RESIDENT_THREADS, SHARED_BYTES, WARP};

/// What a block may use.
///
/// ```
/// use obsidian_core::plan::{Limits, SHARED_BYTES};
///
/// let limits = Limits { threads: 64, ..Limits::from(256) };
/// assert_eq!(limits, Limits::from(64));
/// assert_eq!((limits.shared_bytes, limits.min_blocks), (SHARED_BYTES, None));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most bytes of shared memory, up to [`MAX_SHARED_BYTES`](crate::ir::MAX_SHARED_BYTES). A kernel that needs more than
    /// [`SHARED_BYTES`] asks the GPU for them when it is loaded, and is refused on one that has
    /// less.
    pub shared_bytes: u32,
    /// Real threads, 1 to 1,024.
    pub threads: u32,
    /// How many blocks a multiprocessor has to be able to hold at once, 1 to
    /// [`MAX_RESIDENT_BLOCKS`](crate::ir::MAX_RESIDENT_BLOCKS): the compiler of the CUDA text gives a thread no more registers than
    /// that allows. Nothing is asked for by default.
    pub min_blocks: Option<u32>,
    /// Does a launch start only as many real blocks as the device holds at once? Each goes on with
    /// the next virtual block then. By default there is a real block for each virtual one.
    pub resident: bool,
    /// Does the CUDA text check each index that `unchecked()` vouches for? An access that is outside of its array is skipped then, and the
    /// first of them is an error of the launch. By default such accesses are bare.
    pub faults: bool,
    /// Is each stored array in shared memory of its own, and each element loaded and stored by itself?
    /// So it is in the paper's compiler, with which such a kernel can be compared. By default arrays may
    /// be in registers or take each other's place, and neighbours are accessed together.
    pub apart: bool,
}

impl From<u32> for Limits {
    /// The given number of threads, and the shared memory that every GPU has.
    fn from(threads: u32) -> Self {
        Limits {
            shared_bytes: SHARED_BYTES,
            threads,
            min_blocks: None,
            resident: false,
            faults: false,
            apart: false,
        }
    }
}

/// Can a multiprocessor hold `blocks` blocks of `threads` threads at once?
///
/// A block takes whole warps of what a multiprocessor has. `blocks` is any number that was written.
///
/// # Errors
/// The number that it can hold.
pub fn min_blocks_fit(blocks: i128, threads: u32) -> Result<(), Diagnostic> {
    let whole = threads.next_multiple_of(WARP);
    if !(1..=i128::from(MAX_RESIDENT_BLOCKS)).contains(&blocks) {
        return Err(catalogue::bad_min_blocks(
            &blocks.to_string(),
            MAX_RESIDENT_BLOCKS,
        ));
    }
    if i128::from(whole) * blocks <= i128::from(MAX_RESIDENT_THREADS) {
        return Ok(());
    }
    let most = MAX_RESIDENT_THREADS;
    Err(catalogue::min_blocks_too_large(
        blocks, threads, whole, most,
    ))
}

/// Why no plan could be made: every reason that was found.
pub type Refusal = Vec<Diagnostic>;
