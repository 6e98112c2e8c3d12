//! Memory of buffers that are no more, kept for the next buffer.
//!
//! The system hands memory out by the page and clears each page when it is first touched. For 2^24
//! numbers that takes 40 ms of CPU time, several times as long as most kernels take to write them. So large arrays of the host
//! come back to a pool when they are dropped, and the next array of their type and size is made of
//! one of them.
//!
//! *Initialised memory.* An entry is a `Vec` of its element type, and the elements that it counts
//! were written when it was made. So its next user reads old values at worst, never memory that
//! is no value: no array here is cast to another type, and a `bool` stays a `bool`.
//!
//! *Bounds.* Arrays below [`SMALLEST`] bytes go back to the allocator, which keeps them itself. A
//! class of sizes is an eighth of a power of two, so an array has at most 12.5 % of memory that it does
//! not use. A request that finds no entry of its class first frees as many bytes as it is about to
//! ask the system for, oldest first, down to [`SPARE`]. Thus the pool and the buffers together
//! have at most `SPARE` more than the buffers alone had at their largest. The pool alone has at most [`MOST`] bytes;
//! `Device::trim_memory` frees what is in it.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use obsidian_language::scalar::ScalarType;

use crate::element::Element;

/// Bytes from which on an array is kept. Miri takes too long for as many.
pub(super) const SMALLEST: usize = if cfg!(miri) { 1 << 10 } else { 64 << 10 };

/// Bytes that a request which finds nothing leaves in the pool.
const SPARE: usize = SMALLEST << 8;

/// The most bytes in the pool.
const MOST: usize = 1 << 30;

/// The most arrays in the pool, which are searched one by one.
const MOST_ENTRIES: usize = 256;

/// The pool of the process.
pub(super) static POOL: Pool = Pool::new();

/// Arrays that nobody uses.
pub(super) struct Pool {
    idle: Mutex<Idle>,
}

struct Idle {
    /// The oldest first.
    entries: VecDeque<Entry>,
    bytes: usize,
}

struct Entry {
    ty: ScalarType,
    class: usize,
    bytes: usize,
    /// A `Vec` of the Rust type of `ty`, with at least `class` elements.
    elements: Box<dyn Any + Send + Sync>,
}

impl Pool {
    const fn new() -> Self {
        let entries = VecDeque::new();
        Pool {
            idle: Mutex::new(Idle { entries, bytes: 0 }),
        }
    }

    /// An array of at least `length` elements, which are any values.
    pub(super) fn take<T: Element>(&self, length: usize) -> Option<Vec<T>> {
        let class = class_of_request(length);
        let mut idle = self.idle();
        let fits = |entry: &Entry| entry.class == class && entry.ty == T::TYPE;
        // The newest is the likeliest to be in a cache.
        let position = idle.entries.iter().rposition(fits)?;
        let entry = idle.entries.remove(position)?;
        idle.bytes -= entry.bytes;
        entry.elements.downcast().ok().map(|elements| *elements)
    }

    /// Keeps an array, or frees it.
    pub(super) fn give<T: Element>(&self, elements: Vec<T>) {
        let bytes = elements.capacity() * size_of::<T>();
        // A vector of the user's may have much more room than elements.
        let wasteful = elements.len() < elements.capacity() / 8 * 7;
        if wasteful || !(SMALLEST..=MOST).contains(&bytes) {
            return;
        }
        let entry = Entry {
            ty: T::TYPE,
            class: class_within(elements.len()),
            bytes,
            elements: Box::new(elements),
        };
        let mut idle = self.idle();
        idle.bytes += bytes;
        idle.entries.push_back(entry);
        let gone = idle.down_to(MOST, MOST_ENTRIES);
        // Giving pages back takes long: others need not wait for that.
        drop(idle);
        drop(gone);
    }

    /// Frees memory before `bytes` bytes are asked of the system.
    pub(super) fn make_way(&self, bytes: usize) {
        let mut idle = self.idle();
        let keep = idle.bytes.saturating_sub(bytes).max(SPARE);
        let gone = idle.down_to(keep, MOST_ENTRIES);
        drop(idle);
        drop(gone);
    }

    /// Frees all but `keep` bytes, the oldest entries first.
    pub(super) fn trim(&self, keep: usize) {
        let gone = self.idle().down_to(keep, MOST_ENTRIES);
        drop(gone);
    }

    fn idle(&self) -> MutexGuard<'_, Idle> {
        // Nothing in here panics while it holds the lock.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Idle {
    /// Takes the oldest out until no more bytes and entries are left than these.
    fn down_to(&mut self, bytes: usize, entries: usize) -> Vec<Entry> {
        let mut gone = Vec::new();
        while self.bytes > bytes || self.entries.len() > entries {
            let Some(oldest) = self.entries.pop_front() else {
                break;
            };
            self.bytes -= oldest.bytes;
            gone.push(oldest);
        }
        gone
    }
}

/// The largest class of at most `length` elements: the four leading bits of the number.
fn class_within(length: usize) -> usize {
    let low = length.checked_ilog2().unwrap_or(0).saturating_sub(3);
    length >> low << low
}

/// The smallest class of at least `length` elements.
pub(super) fn class_of_request(length: usize) -> usize {
    let low = length.checked_ilog2().unwrap_or(0).saturating_sub(3);
    let below = class_within(length);
    if below == length {
        length
    } else {
        // Without a larger class the array is its own.
        below.checked_add(1 << low).unwrap_or(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(pool: &Pool) -> usize {
        let idle = pool.idle();
        assert_eq!(
            idle.bytes,
            idle.entries.iter().map(|entry| entry.bytes).sum::<usize>()
        );
        idle.bytes
    }

    /// Elements of an array that is kept.
    const LARGE: usize = SMALLEST << 4;

    fn give<T: Element>(pool: &Pool, length: usize) {
        pool.give(vec![T::POISON; length]);
    }

    #[test]
    fn classes_are_close_and_hold_what_is_asked_for() {
        let short = if cfg!(miri) { 1000 } else { 100_000 };
        for length in (0..short).chain((20..32).flat_map(|n| (1 << n) - 2..(1 << n) + 3)) {
            let class = class_of_request(length);
            assert!(class >= length && class - length <= length / 8, "{length}");
            assert_eq!(
                (class_within(class), class_of_request(class)),
                (class, class)
            );
            assert!(class_within(length) <= length && class_within(length) >= length - length / 8);
        }
        assert_eq!(class_of_request(usize::MAX), usize::MAX);
    }

    #[test]
    fn an_array_comes_back_for_its_type_and_size() {
        let pool = Pool::new();
        give::<u32>(&pool, LARGE);
        assert!(pool.take::<f32>(LARGE).is_none());
        assert!(pool.take::<u32>(LARGE / 2).is_none());
        assert!(pool.take::<u32>(LARGE + 1).is_none());
        let array = pool.take::<u32>(LARGE - 5);
        assert!(array.is_some_and(|array| array.len() == LARGE && array[7] == u32::POISON));
        assert_eq!((bytes(&pool), pool.take::<u32>(LARGE).is_none()), (0, true));
    }

    #[test]
    fn small_and_wasteful_arrays_are_not_kept() {
        let pool = Pool::new();
        give::<u8>(&pool, SMALLEST - 1);
        let mut array = Vec::with_capacity(LARGE);
        array.resize(LARGE / 2, 0u8);
        pool.give(array);
        give::<u8>(&pool, 0);
        assert_eq!(bytes(&pool), 0);
    }

    #[test]
    fn a_new_size_takes_the_place_of_old_ones() {
        let pool = Pool::new();
        for n in 1..=8 {
            give::<u8>(&pool, n * SPARE / 4);
        }
        assert_eq!(bytes(&pool), 36 * SPARE / 4);
        pool.make_way(6 * SPARE / 4);
        // 1, 2 and 3 are gone.
        assert_eq!(bytes(&pool), 30 * SPARE / 4);
        pool.make_way(1 << 40);
        assert!(bytes(&pool) <= SPARE);
        give::<u8>(&pool, SPARE);
        pool.make_way(1);
        assert_eq!(bytes(&pool), SPARE);
        pool.trim(0);
        assert_eq!(bytes(&pool), 0);
    }

    #[test]
    fn the_pool_has_so_many_entries_at_most() {
        let pool = Pool::new();
        for _ in 0..MOST_ENTRIES + 10 {
            give::<bool>(&pool, SMALLEST);
        }
        assert_eq!(bytes(&pool), MOST_ENTRIES * SMALLEST);
    }
}
