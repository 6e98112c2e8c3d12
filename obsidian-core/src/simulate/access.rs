//! Accesses of memory: what one of them was, and what the accesses of a warp cost together.
//!
//! The lanes of a warp that do one access at once make a *request*.
//!
//! - A request to a buffer moves *sectors* of 32 bytes: as many as there are different ones among
//!   its addresses. Every buffer begins at the start of a sector. 32 neighbouring `f32` are 4
//!   sectors; 32 elements that lie 32 bytes apart are 32. The same is counted in *lines* of 128
//!   bytes, which is how caches are filled on older GPUs and how requests are split on all.
//! - Shared memory has 32 banks of 4 bytes; neighbouring words lie in neighbouring banks. A request
//!   takes one *pass* for each of the different words that it wants of the bank where it wants
//!   most; every pass after the first is a *bank conflict*. Lanes that want one word, or parts of
//!   one word, share a pass. Accesses of 8 bytes are done for one half of the warp after the
//!   other, 16 lanes of two words each, and those of 16 bytes for one quarter after the other; each
//!   part has its passes, and only those after its first are conflicts.
//! - Lanes of an atomic request that hit one element do it one after another: each after the first
//!   is a *collision*.

use obsidian_base::counts::AccessKind;

use crate::error::Origin;

/// One of the two accesses of a race.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Access {
    /// What was done.
    pub kind: AccessKind,
    /// The name of the array.
    pub array: String,
    /// The element.
    pub index: u64,
    /// The thread in its block.
    pub thread: u32,
    /// The virtual block, which is the number that the program gives it; the real one outside of
    /// loops over blocks.
    pub block: u32,
    /// The user's place, as far as it is known: of a store, or of the array for what is read as
    /// part of a value.
    pub origin: Origin,
}

/// Bytes of a sector.
const SECTOR: u64 = 32;
/// Bytes of a line of the cache.
const LINE: u64 = 128;
/// Bytes of a bank's word.
const WORD: u64 = 4;
/// Banks of shared memory.
const BANKS: usize = 32;

/// How many of up to 32 numbers are different.
fn different(numbers: impl Iterator<Item = u64> + Clone) -> u64 {
    let (mut last, mut count, mut rises) = (None, 0, true);
    for number in numbers.clone() {
        count += u64::from(last != Some(number));
        rises &= last.is_none_or(|last| last <= number);
        last = Some(number);
    }
    if rises {
        return count;
    }
    let mut sorted: Vec<u64> = numbers.collect();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len() as u64
}

/// Sectors of a request: the bytes at which its elements begin, which are never wider than a
/// sector.
pub(super) fn sectors(addresses: &[u64]) -> u64 {
    different(addresses.iter().map(|address| address / SECTOR))
}

/// Lines of a request.
pub(super) fn lines(addresses: &[u64]) -> u64 {
    different(addresses.iter().map(|address| address / LINE))
}

/// Lanes that have to wait because another one changes the same element.
pub(super) fn collisions(addresses: &[u64]) -> u64 {
    addresses.len() as u64 - different(addresses.iter().copied())
}

/// Bank conflicts of a request in which each of these threads accesses `width` bytes.
pub(super) fn conflicts(addresses: &[u64], threads: &[u32], width: u64) -> u64 {
    if width <= WORD {
        return passes(addresses, width).saturating_sub(1);
    }
    let lanes = (u64::from(crate::ir::WARP) * WORD / width).max(1);
    let part = |thread: &u32| u64::from(thread % crate::ir::WARP) / lanes;
    let (mut first, mut conflicts) = (0, 0);
    for run in threads.chunk_by(|one, other| part(one) == part(other)) {
        let of_part = &addresses[first..first + run.len()];
        conflicts += passes(of_part, width).saturating_sub(1);
        first += run.len();
    }
    conflicts
}

fn passes(addresses: &[u64], width: u64) -> u64 {
    let (Some(least), Some(most)) = (addresses.iter().min(), addresses.iter().max()) else {
        return 0;
    };
    if (most + width - 1) / WORD - least / WORD < BANKS as u64 {
        return 1;
    }
    let each = width.div_ceil(WORD);
    let mut words: Vec<u64> = addresses
        .iter()
        .flat_map(|address| (0..each).map(move |n| address / WORD + n))
        .collect();
    words.sort_unstable();
    words.dedup();
    let mut banks = [0; BANKS];
    words
        .iter()
        .for_each(|word| banks[(word % BANKS as u64) as usize] += 1);
    banks.into_iter().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The addresses of 32 lanes.
    fn lanes(f: impl Fn(u64) -> u64) -> Vec<u64> {
        (0..32).map(f).collect()
    }

    fn conflicts_of(addresses: &[u64], width: u64) -> u64 {
        conflicts(
            addresses,
            &(0..addresses.len() as u32).collect::<Vec<_>>(),
            width,
        )
    }

    #[test]
    fn a_request_for_neighbours_moves_its_bytes() {
        assert_eq!(sectors(&lanes(|n| 4 * n)), 4);
        assert_eq!(sectors(&lanes(|n| 4 * (31 - n))), 4, "in any order");
        assert_eq!(sectors(&lanes(|n| n)), 1);
        assert_eq!(sectors(&lanes(|n| 8 * n)), 8);
        assert_eq!(
            sectors(&lanes(|n| 4 * n + 4)),
            5,
            "one element beside the sectors"
        );
    }

    #[test]
    fn strides_move_a_sector_a_lane() {
        assert_eq!(sectors(&lanes(|n| 32 * n)), 32);
        assert_eq!(sectors(&lanes(|n| 8 * n * 17 % 512)), 16);
        assert_eq!(sectors(&lanes(|_| 64)), 1, "one element for all");
    }

    #[test]
    fn lines_are_four_sectors() {
        assert_eq!(lines(&lanes(|n| 4 * n)), 1);
        assert_eq!(
            lines(&lanes(|n| 4 * n + 4)),
            2,
            "one element in the next line"
        );
        assert_eq!(lines(&lanes(|n| 32 * n)), 8);
        assert_eq!(lines(&lanes(|n| 4096 * (n % 3))), 3);
    }

    #[test]
    fn words_of_one_bank_conflict() {
        assert_eq!(conflicts_of(&lanes(|n| 4 * n), 4), 0);
        assert_eq!(conflicts_of(&lanes(|n| 8 * n), 4), 1);
        assert_eq!(
            conflicts_of(&lanes(|n| 128 * n), 4),
            31,
            "a column of a matrix with rows of 32"
        );
        assert_eq!(conflicts_of(&lanes(|n| 132 * n), 4), 0, "with rows of 33");
        assert_eq!(
            conflicts_of(&lanes(|n| 4 * (n * 7 % 32)), 4),
            0,
            "in any order"
        );
    }

    #[test]
    fn one_word_for_all_is_no_conflict() {
        assert_eq!(conflicts_of(&lanes(|_| 12), 4), 0);
        assert_eq!(conflicts_of(&lanes(|n| n), 1), 0, "four bytes of one word");
        assert_eq!(
            conflicts_of(&lanes(|n| 128 * (n % 2)), 4),
            1,
            "two words of one bank"
        );
    }

    #[test]
    fn wide_elements_are_fetched_by_halves() {
        assert_eq!(conflicts_of(&lanes(|n| 8 * n), 8), 0);
        assert_eq!(conflicts_of(&lanes(|n| 128 * n), 8), 30, "15 in each half");
        assert_eq!(
            conflicts_of(&lanes(|n| 8 * n)[..5], 8),
            0,
            "lanes of one half only"
        );
        assert_eq!(
            conflicts(&[0, 128], &[3, 17], 8),
            0,
            "one lane of each half"
        );
    }

    #[test]
    fn lanes_that_change_one_element_collide() {
        assert_eq!(collisions(&lanes(|_| 0)), 31);
        assert_eq!(collisions(&lanes(|n| 4 * (n % 8))), 24);
    }
}
