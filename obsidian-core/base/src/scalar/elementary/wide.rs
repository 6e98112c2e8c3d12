//! Sums and products with what rounding takes from them, and a few steps on the bits of floats.
//!
//! A pair `(high, low)` stands for the exact sum of both. Nothing here is fused: the pairs come from
//! additions, subtractions and products that are rounded one by one, which is the same on every
//! processor. Everything is inlined and without branches, so that a loop that calls it becomes
//! vectors.

/// Added to an `f32` of at most 2^22 it leaves the nearest integer in the low bits; 1.5 * 2^23.
pub(super) const SHIFT32: f32 = 12_582_912.0;

/// The same for an `f64` of at most 2^51; 1.5 * 2^52.
pub(super) const SHIFT64: f64 = 6_755_399_441_055_744.0;

/// One of two values, both of which are there already.
#[inline(always)]
pub(super) fn select<T: Copy>(condition: bool, then: T, otherwise: T) -> T {
    if condition { then } else { otherwise }
}

/// At least `low` and at most `high`; a NaN stays one, because it is neither below nor above.
#[inline(always)]
pub(super) fn clamp<T: Copy + PartialOrd>(x: T, low: T, high: T) -> T {
    let x = select(x > high, high, x);
    select(x < low, low, x)
}

/// The sum and its error, for `|x| >= |y|` or `x == 0`: the two subtractions are exact then.
#[inline(always)]
pub(super) fn quick_sum(x: f64, y: f64) -> (f64, f64) {
    let sum = x + y;
    (sum, y - (sum - x))
}

/// The sum and its error, whichever of both is larger (Knuth).
#[inline(always)]
pub(super) fn sum(x: f64, y: f64) -> (f64, f64) {
    let sum = x + y;
    let of_y = sum - x;
    (sum, (x - (sum - of_y)) + (y - of_y))
}

/// The upper 26 bits of a float and the 27 others; their sum is the float.
#[inline(always)]
fn halves(x: f64) -> (f64, f64) {
    let high = f64::from_bits(x.to_bits() & !0x7ff_ffff);
    (high, x - high)
}

/// The product and its error (Dekker). The products of halves have at most 54 bits, and only that
/// of the low ones can be rounded, by 2^-107 of the product.
#[inline(always)]
pub(super) fn product(x: f64, y: f64) -> (f64, f64) {
    let product = x * y;
    let ((a, b), (c, d)) = (halves(x), halves(y));
    (product, ((a * c - product) + a * d + b * c) + b * d)
}

/// The product of two pairs, with an error of about 2^-104 of it.
#[inline(always)]
pub(super) fn product_of_pairs(x: (f64, f64), y: (f64, f64)) -> (f64, f64) {
    let (high, low) = product(x.0, y.0);
    (high, low + (x.0 * y.1 + x.1 * y.0))
}

/// A larger number plus a pair.
#[inline(always)]
pub(super) fn add_pair(x: (f64, f64), y: (f64, f64)) -> (f64, f64) {
    let (high, low) = quick_sum(x.0, y.0);
    quick_sum(high, low + (x.1 + y.1))
}

/// 2^n, for `n` from -126 to 127.
#[inline(always)]
pub(super) fn power32(n: i32) -> f32 {
    f32::from_bits((n.wrapping_add(127) as u32) << 23)
}

/// 2^n, for `n` from -1022 to 1023.
#[inline(always)]
pub(super) fn power64(n: i64) -> f64 {
    f64::from_bits((n.wrapping_add(1023) as u64) << 52)
}

/// The integer that was added to [`SHIFT64`].
#[inline(always)]
pub(super) fn integer64(shifted: f64) -> i64 {
    shifted.to_bits().wrapping_sub(SHIFT64.to_bits()) as i64
}

/// `x * 2^k` for an integer `k` of at most 2000 and an `x` near 1. Only the second of the two products may be
/// rounded, as the first cannot leave the range of normal numbers; it is where the result is no normal number.
#[inline(always)]
pub(super) fn scale64(x: f64, k: f64) -> f64 {
    let half = integer64(k * 0.5 + SHIFT64);
    let all = integer64(k + SHIFT64);
    x * power64(half) * power64(all.wrapping_sub(half))
}

/// A positive normal number as `m * 2^k` with `m` from the root of 1/2 to the root of 2.
///
/// SSE2 has no conversion of 64-bit integers: the exponent becomes a float by being written into
/// the low bits of 2^52.
#[inline(always)]
pub(super) fn parts64(x: f64) -> (f64, f64) {
    const ROOT: u64 = std::f64::consts::FRAC_1_SQRT_2.to_bits();
    const TWO_52: f64 = 4_503_599_627_370_496.0;
    let bits = x.to_bits().wrapping_add(1f64.to_bits() - ROOT);
    let mantissa = (bits & 0xf_ffff_ffff_ffff) + ROOT;
    let exponent = f64::from_bits((bits >> 52) | TWO_52.to_bits());
    (f64::from_bits(mantissa), exponent - (TWO_52 + 1023.0))
}

/// The polynomial with these coefficients, that of the lowest power first, by Horner's rule.
macro_rules! polynomial {
    ($x:expr; $last:expr) => { $last };
    ($x:expr; $first:expr, $($rest:expr),+) => {
        $first + $x * polynomial!($x; $($rest),+)
    };
}

pub(super) use polynomial;
