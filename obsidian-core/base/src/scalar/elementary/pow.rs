//! `pow`: `2^(y * log2 |x|)`, with the sign and the special cases of C's `pow`.
//!
//! For `f32` all of it is computed in `f64`: with `s = (m - 1) / (m + 1)`, `log2 m = s g(s^2)`, off by 2^-44,
//! and `2^r = 1 + r p(r)`, off by 2^-34, for `|r|` up to a half. As `y * log2 |x|` is at most 400 where it
//! is not out of range, the error before the last rounding is below 2^-33 of the result.
//!
//! For `f64` the logarithm is a pair of floats, with an error of about 2^-68 of it: `2 atanh(s)` has its
//! first three terms as pairs, and a polynomial for the tail, which is below 2^-17 of the sum. The product
//! with `y` is a pair too, and what remains beside the nearest integer goes through the `exp` of the
//! neighbouring file with its low part. The coefficients are made as those of [`exp`](super::exp).

use super::exp::near_zero64;
use super::wide::{
    SHIFT64, add_pair, clamp, integer64, parts64, polynomial, power64, product, product_of_pairs,
    quick_sum, scale64, select, sum,
};

/// Is this number an integer, and an odd one? A NaN is no integer.
///
/// From 2^54 on (for `f32`: from 2^25) all floats are even integers; below 2^52 adding 2^52 leaves the
/// integer in the low bits. Between both all are integers, and the lowest bit decides.
#[inline(always)]
fn parity64(y: f64) -> (bool, bool) {
    const TWO_52: f64 = 4_503_599_627_370_496.0;
    let size = y.abs();
    let small = size < TWO_52;
    let shifted = size + TWO_52;
    let whole = (shifted - TWO_52) == size;
    let integer = select(small, whole, size >= TWO_52);
    let bits = select(small, shifted.to_bits(), size.to_bits());
    let odd = integer & (bits & 1 == 1) & (size < 2.0 * TWO_52);
    (integer, odd)
}

/// The result from the power of `|x|`.
macro_rules! signed {
    ($x:expr, $y:expr, $value:expr, $integer:expr, $odd:expr, $ty:ident) => {{
        let (x, y, value): ($ty, $ty, $ty) = ($x, $y, $value);
        let value = select(x.abs() == 1.0, 1.0, value);
        let value = select(x.is_sign_negative() & $odd, -value, value);
        let no_number = (x < 0.0) & (x > $ty::NEG_INFINITY) & !$integer;
        let no_number = no_number | x.is_nan() | y.is_nan();
        let value = select(no_number, $ty::NAN, value);
        select((y == 0.0) | (x == 1.0), 1.0, value)
    }};
}

/// `x` to the power of `y`.
#[inline(always)]
pub(super) fn pow32(x: f32, y: f32) -> f32 {
    let (size, exponent) = (f64::from(x.abs()), f64::from(y));
    let (m, k) = parts64(size);
    let s = (m - 1.0) / (m + 1.0);
    let z = s * s;
    let g = polynomial!(
        z; 2.88539008177785, 0.9617966941132957, 0.5770779423828805, 0.4122092505816506,
        0.3199057640707541, 0.2828993189966228
    );
    let log = select(size < f64::INFINITY, k + s * g, f64::INFINITY);
    let log = select(size > 0.0, log, f64::NEG_INFINITY);
    let t = clamp(exponent * log, -400.0, 400.0);
    let shifted = t + SHIFT64;
    let r = t - (shifted - SHIFT64);
    let p = polynomial!(
        r; 0.6931471807926449, 0.24022651076470808, 0.05550410149389433, 0.009618036790668,
        0.0013334084071201736, 0.00015467170614303692, 1.516547548084382e-5
    );
    let value = ((1.0 + r * p) * power64(integer64(shifted))) as f32;
    let (integer, odd) = parity64(exponent);
    signed!(x, y, value, integer, odd, f32)
}

/// The logarithm to base 2 of a positive number, as a pair.
#[inline(always)]
fn log2_pair(x: f64) -> (f64, f64) {
    const FIFTH: (f64, f64) = (0.2, -1.1102230246251566e-17);
    const THIRD: (f64, f64) = (0.3333333333333333, 1.850371707708594e-17);
    const TWICE_LOG2_E: (f64, f64) = (2.8853900817779268, 4.0710547481862066e-17);
    let small = x < f64::MIN_POSITIVE;
    let (m, k) = parts64(select(small, x * 18_014_398_509_481_984.0, x));
    let k = k - select(small, 54.0, 0.0);
    // `s`: a quotient, and what its product with the divisor leaves.
    let (f, d) = (m - 1.0, sum(m, 1.0));
    let inverse = 1.0 / d.0;
    let quotient = f * inverse;
    let (back, error) = product(quotient, d.0);
    let s = quick_sum(quotient, (((f - back) - error) - quotient * d.1) * inverse);
    let z = product_of_pairs(s, s);
    let tail = polynomial!(
        z.0; 0.14285714285716714, 0.11111111109959522, 0.09090909309211198, 0.0769228598786369,
        0.06667899390029802, 0.05842164364225357, 0.05958381416403647
    );
    let series = add_pair(FIFTH, (z.0 * tail, z.1 * tail));
    let series = add_pair(THIRD, product_of_pairs(z, series));
    let series = add_pair((1.0, 0.0), product_of_pairs(z, series));
    let log = product_of_pairs(product_of_pairs(s, series), TWICE_LOG2_E);
    add_pair((k, 0.0), log)
}

/// 2 to the power of a pair, which may be far out of range.
#[inline(always)]
fn exp2_pair((high, low): (f64, f64)) -> f64 {
    const LN_2: (f64, f64) = (std::f64::consts::LN_2, 2.3190468138462996e-17);
    let far = high.abs() > 1100.0;
    let (high, low) = (clamp(high, -1100.0, 1100.0), select(far, 0.0, low));
    let k = (high + SHIFT64) - SHIFT64;
    let r = quick_sum(high - k, low);
    let (r, c) = product_of_pairs(r, LN_2);
    scale64(near_zero64(r, c), k)
}

/// `x` to the power of `y`.
#[inline(always)]
pub(super) fn pow64(x: f64, y: f64) -> f64 {
    // 2^66: already such a power of the neighbours of 1 is out of range.
    const MOST: f64 = 73_786_976_294_838_206_464.0;
    let size = x.abs();
    let log = log2_pair(size);
    let exponent = clamp(y, -MOST, MOST);
    let (high, low) = product(exponent, log.0);
    let value = exp2_pair((high, low + exponent * log.1));
    // 0 and infinity have no logarithm.
    let (grows, shrinks) = (
        select(y < 0.0, 0.0, f64::INFINITY),
        select(y < 0.0, f64::INFINITY, 0.0),
    );
    let value = select(size == 0.0, shrinks, value);
    let value = select(size == f64::INFINITY, grows, value);
    let (integer, odd) = parity64(y);
    signed!(x, y, value, integer, odd, f64)
}
