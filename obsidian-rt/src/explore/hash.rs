//! Hashes of what was measured: against mix-ups, not against malice.

use crate::backend::{Elements as _, HostArray};

/// A hash that grows. Its value is the same in every run and on every machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hash(u64);

const PRIME: u64 = 0x0100_0000_01b3;

impl Hash {
    /// The hash of something of a kind.
    pub(super) fn new(kind: &str) -> Self {
        let mut hash = Hash(0xcbf2_9ce4_8422_2325);
        hash.text(kind);
        hash
    }

    pub(super) fn word(&mut self, word: u64) {
        // Multiplying carries differences upwards only; the shift brings them down.
        let mixed = (self.0 ^ word).wrapping_mul(PRIME);
        self.0 = mixed ^ (mixed >> 29);
        self.0 = self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    pub(super) fn words(&mut self, words: &[u64]) {
        self.word(words.len() as u64);
        words.iter().for_each(|word| self.word(*word));
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            let mut eight = [0; 8];
            eight.copy_from_slice(word);
            self.word(u64::from_le_bytes(eight));
        }
        let mut rest = [0; 8];
        rest[..words.remainder().len()].copy_from_slice(words.remainder());
        self.word(u64::from_le_bytes(rest));
    }

    pub(super) fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// The elements of an array, with their type.
    pub(super) fn array(&mut self, array: &HostArray) {
        self.text(array.ty().name());
        self.bytes(array.bytes());
    }

    pub(super) fn end(self) -> u64 {
        self.0
    }
}
