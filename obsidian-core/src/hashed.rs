//! Tables that are only looked up in, by a fast hash: the standard one took 8 % of building a kernel.
//!
//! The hash is ours because a crate that macros and programs both use is compiled again by the first `cargo check` after a build, and
//! everything above it. Keys are numbers and nodes of a program that the compiler itself has made, so nobody chooses them to collide.

use std::hash::{BuildHasherDefault, Hasher};

/// A map in no order.
pub type HashMap<K, V> = std::collections::HashMap<K, V, BuildHasherDefault<Fold>>;
/// A set in no order.
pub type HashSet<K> = std::collections::HashSet<K, BuildHasherDefault<Fold>>;

/// An odd number without a pattern: the first 64 bits of the fraction of the golden ratio.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// Multiplies what it has by each word, and folds the 128 bits of the product.
#[derive(Clone, Copy)]
pub struct Fold(u64);

impl Default for Fold {
    fn default() -> Self {
        Fold(FACTOR)
    }
}

impl Hasher for Fold {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
        self.write_usize(bytes.len());
    }

    fn write_u8(&mut self, n: u8) {
        self.write_u64(n.into());
    }

    fn write_u16(&mut self, n: u16) {
        self.write_u64(n.into());
    }

    fn write_u32(&mut self, n: u32) {
        self.write_u64(n.into());
    }

    fn write_u64(&mut self, n: u64) {
        let product = u128::from(self.0 ^ n) * u128::from(FACTOR);
        // Without the sum, all that follows would be 0 once the product is.
        self.0 = (product as u64 ^ (product >> 64) as u64).wrapping_add(FACTOR);
    }

    fn write_u128(&mut self, n: u128) {
        self.write_u64(n as u64);
        self.write_u64((n >> 64) as u64);
    }

    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{BuildHasher, BuildHasherDefault};

    use super::Fold;

    #[test]
    fn small_numbers_fill_the_lowest_and_the_highest_bits() {
        let hash = BuildHasherDefault::<Fold>::default();
        let hashes: Vec<u64> = (0..1024_u32).map(|n| hash.hash_one(n)).collect();
        for shift in [0, 57] {
            let mut counts = [0; 128];
            for hash in &hashes {
                counts[(hash >> shift) as usize % 128] += 1;
            }
            assert!(
                counts.iter().all(|n| (1..=24).contains(n)),
                "{shift}: {counts:?}"
            );
        }
    }

    #[test]
    fn what_differs_in_one_place_differs() {
        let hash = BuildHasherDefault::<Fold>::default();
        let words = ["", "a", "b", "xy", "yx", "a\0", "12345678", "123456789"];
        let hashes: std::collections::BTreeSet<u64> =
            words.iter().map(|word| hash.hash_one(word)).collect();
        assert_eq!(hashes.len(), words.len());
        assert_ne!(hash.hash_one((1, 2)), hash.hash_one((2, 1)));
    }
}
