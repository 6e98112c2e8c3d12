//! How many blocks run at once.

use super::{MAX_RESIDENT_BLOCKS, MAX_RESIDENT_THREADS, WARP};
use crate::error::{Diagnostic, catalogue};

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
