//! The digits of sorts.

/// The bits of a digit.
pub const BITS: u32 = 8;
/// How many digits there are.
pub const BINS: u32 = 1 << BITS;
