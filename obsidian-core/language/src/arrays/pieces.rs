//! How a sort by digits is cut into pieces: its program scans the counts of all pieces.

use crate::scalar::{Exp, index};

/// The bits of a digit.
pub const BITS: u32 = 8;
/// How many digits there are.
pub const BINS: u32 = 1 << BITS;
/// The threads of a piece.
pub const THREADS: u32 = 32;
/// The elements of a thread.
pub const OWN: u32 = 256;
/// The elements of a piece.
pub const PIECE: u32 = THREADS * OWN;

/// The number of pieces that `n` elements have.
pub fn pieces_of_digits(n: Exp<u32>) -> Exp<u32> {
    let rest = index::rem(n, PIECE).min(1u32);
    index::add(index::div(n, PIECE), rest)
}
