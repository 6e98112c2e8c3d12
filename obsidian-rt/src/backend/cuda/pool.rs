//! Memory that dropped arrays have left on a stream, kept for the next array.
//!
//! `cuMemAlloc` takes microseconds, and `cuMemFree` waits for all work of the device. So a dropped array goes to the pool of the
//! stream that has used it last, without a call of the driver. The next array on that stream may have it at once, because what is
//! queued later on the stream comes after the last use.
//!
//! *Another stream's memory.* A request that its own pool cannot fill takes memory of another stream's pool, and lets its stream wait
//! for that one. So memory comes back to the stream that uploads where another one uses and drops what was uploaded.
//!
//! *Bounds.* A class of sizes is an eighth of a power of two: at most 12.5 % of a piece is not used. A pool has at most a quarter of
//! the device's memory and [`MOST_ENTRIES`] pieces; beyond that the oldest are freed. A larger array has a piece of its own length,
//! which is freed at once. If the device has no memory left, all pools of this process for it are emptied and it is
//! asked again. `Device::trim_memory` empties them too.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::backend::pool::class_of_request;

/// The most pieces in a pool, which are searched one by one.
const MOST_ENTRIES: usize = 256;

/// The smallest piece: the driver aligns all to this many bytes.
const SMALLEST: usize = 256;

/// The size of the piece that holds `bytes` bytes.
fn class(bytes: usize) -> usize {
    class_of_request(bytes.max(SMALLEST))
}

/// A piece of memory of the device that nobody uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    pub(super) address: u64,
    /// Its bytes: a class, or the exact number where the class is more than a pool keeps.
    pub(super) bytes: usize,
}

/// Pieces that nobody uses.
pub(super) struct Pool {
    idle: Mutex<Idle>,
    /// The most bytes.
    most: usize,
}

#[derive(Default)]
struct Idle {
    /// The oldest first.
    pieces: VecDeque<Piece>,
    bytes: usize,
}

impl Pool {
    /// An empty pool that keeps at most `most` bytes.
    pub(super) fn new(most: usize) -> Pool {
        Pool {
            idle: Mutex::default(),
            most,
        }
    }

    /// The size of the piece that holds `bytes` bytes: more of them than the pool keeps is a piece of that many and no more, as a
    /// larger one might not fit the device.
    pub(super) fn size(&self, bytes: usize) -> usize {
        let class = class(bytes);
        if class > self.most { bytes } else { class }
    }

    /// A piece of a class. The newest is the likeliest to be in a cache.
    pub(super) fn take(&self, class: usize) -> Option<u64> {
        let mut idle = self.idle();
        let position = idle.pieces.iter().rposition(|piece| piece.bytes == class)?;
        let piece = idle.pieces.remove(position)?;
        idle.bytes -= piece.bytes;
        Some(piece.address)
    }

    /// Keeps a piece. Returns those for which there is no room, to be freed.
    #[must_use]
    pub(super) fn give(&self, piece: Piece) -> Vec<Piece> {
        if piece.bytes > self.most {
            return vec![piece];
        }
        let mut idle = self.idle();
        idle.bytes += piece.bytes;
        idle.pieces.push_back(piece);
        idle.down_to(self.most, MOST_ENTRIES)
    }

    /// Takes the oldest out until no more than `keep` bytes are left, to be freed.
    #[must_use]
    pub(super) fn down_to(&self, keep: usize) -> Vec<Piece> {
        self.idle().down_to(keep, MOST_ENTRIES)
    }

    /// The bytes in it.
    pub(super) fn bytes(&self) -> usize {
        self.idle().bytes
    }

    fn idle(&self) -> MutexGuard<'_, Idle> {
        // Nothing in here panics while it holds the lock.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Idle {
    fn down_to(&mut self, bytes: usize, pieces: usize) -> Vec<Piece> {
        let mut gone = Vec::new();
        while self.bytes > bytes || self.pieces.len() > pieces {
            let Some(oldest) = self.pieces.pop_front() else {
                break;
            };
            self.bytes -= oldest.bytes;
            gone.push(oldest);
        }
        gone
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(address: u64, bytes: usize) -> Piece {
        Piece { address, bytes }
    }

    #[test]
    fn a_piece_comes_back_for_its_class() {
        let pool = Pool::new(1 << 20);
        assert_eq!(class(1), SMALLEST);
        let bytes = class(5000);
        assert!((5000..=5000 + 5000 / 8).contains(&bytes));
        assert!(pool.give(piece(16, bytes)).is_empty());
        assert!(pool.give(piece(32, bytes)).is_empty());
        assert_eq!((pool.take(class(100)), pool.bytes()), (None, 2 * bytes));
        assert_eq!(
            (pool.take(bytes), pool.take(bytes), pool.take(bytes)),
            (Some(32), Some(16), None)
        );
        assert_eq!(pool.bytes(), 0);
    }

    #[test]
    fn the_oldest_go_where_there_is_no_room() {
        let pool = Pool::new(1024);
        for address in 1..=4 {
            assert!(pool.give(piece(address, 256)).is_empty());
        }
        assert_eq!(pool.give(piece(5, 512)), [piece(1, 256), piece(2, 256)]);
        assert_eq!(pool.down_to(600), [piece(3, 256), piece(4, 256)]);
        assert_eq!(pool.down_to(0), [piece(5, 512)]);
        let many = Pool::new(usize::MAX);
        let gone: usize = (0..MOST_ENTRIES as u64 + 3)
            .map(|n| many.give(piece(n, 256)).len())
            .sum();
        assert_eq!(gone, 3);
    }

    #[test]
    fn what_no_pool_keeps_is_not_rounded_and_goes_at_once() {
        let pool = Pool::new(1 << 20);
        for bytes in [1, 5000, 1 << 19, 1 << 20] {
            assert_eq!(pool.size(bytes), class(bytes), "{bytes}");
        }
        assert!(pool.give(piece(1, 1 << 19)).is_empty());
        for bytes in [(1 << 20) + 1, 1_500_000] {
            assert_eq!(pool.size(bytes), bytes);
            assert_eq!(pool.give(piece(2, bytes)), [piece(2, bytes)]);
        }
        assert_eq!(pool.bytes(), 1 << 19);
    }
}
