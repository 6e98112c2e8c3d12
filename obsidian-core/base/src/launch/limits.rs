//! What a block of every GPU may use.

/// Threads of a warp.
pub const WARP: u32 = 32;

/// The largest number of threads of a block.
pub const MAX_THREADS: u32 = 1024;

/// The most blocks that a multiprocessor holds at once; some hold 16 or 24.
pub const MAX_RESIDENT_BLOCKS: u32 = 32;

/// The most threads that a multiprocessor holds at once, in whole warps; some hold 1,024 or 1,536.
pub const MAX_RESIDENT_THREADS: u32 = 2048;

/// Bytes of shared memory that a block has on every GPU without asking for more.
pub const SHARED_BYTES: u32 = 48 * 1024;

/// The most bytes of shared memory that a block gets on any GPU, where it asks for them: 227 KiB,
/// with compute capability 9.0 and 10.0. With 7.5 it is 64 KiB, with 8.0 163 KiB, with 8.6 and 8.9
/// 99 KiB.
pub const MAX_SHARED_BYTES: u32 = 227 * 1024;

/// What a block may use.
///
/// ```
/// use obsidian_base::launch::{Limits, SHARED_BYTES};
///
/// let limits = Limits { threads: 64, ..Limits::from(256) };
/// assert_eq!(limits, Limits::from(64));
/// assert_eq!((limits.shared_bytes, limits.min_blocks), (SHARED_BYTES, None));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most bytes of shared memory, up to [`MAX_SHARED_BYTES`](MAX_SHARED_BYTES). A kernel that needs more than
    /// [`SHARED_BYTES`] asks the GPU for them when it is loaded, and is refused on one that has
    /// less.
    pub shared_bytes: u32,
    /// Real threads, 1 to 1,024.
    pub threads: u32,
    /// How many blocks a multiprocessor has to be able to hold at once, 1 to
    /// [`MAX_RESIDENT_BLOCKS`](MAX_RESIDENT_BLOCKS): the compiler of the CUDA text gives a thread no more registers than
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
