//! `exp`: `x = k * ln 2 + r`, and `exp(x) = 2^k * exp(r)` with `|r|` at most half of `ln 2`.
//!
//! `ln 2` is taken in two parts, of which the first has so few bits that its product with `k` is
//! exact (Cody and Waite). `exp(r) = 1 + r + r^2 p(r)`. The coefficients of `p` are the least
//! squares of the error relative to `exp(r)` on Chebyshev's points, in 220 bits; each was rounded, the
//! first one first, and the others were fitted again. `p` is off by 2^-28 (`f32`) and 2^-57 (`f64`)
//! of `exp(r)`. `.ci/elementary` makes all numbers in this folder.

use super::wide::{SHIFT32, SHIFT64, clamp, polynomial, power32, scale64};

/// `exp(r + c)` for `|r|` up to 0.35 and a `c` that is as small as the error of `r`.
///
/// `1 + r` keeps its error, so that only small terms are rounded before the last sum.
#[inline(always)]
fn near_zero32(r: f32, c: f32) -> f32 {
    let p = polynomial!(r; 4.9999988e-1, 1.6666517e-1, 4.1669633e-2, 8.369115e-3, 1.3747055e-3);
    let sum = 1.0 + r;
    sum + (((1.0 - sum) + r) + (c + r * r * p))
}

/// As [`near_zero32`].
#[inline(always)]
pub(super) fn near_zero64(r: f64, c: f64) -> f64 {
    let p = polynomial!(
        r; 0.5000000000000013, 0.16666666666666485, 0.041666666666511636, 0.008333333333448958,
        0.0013888888947879597, 0.00019841269603845463, 2.4801489110158403e-5, 2.755750005033544e-6,
        2.7631567772592245e-7, 2.5027323383195078e-8
    );
    let sum = 1.0 + r;
    sum + (((1.0 - sum) + r) + (c + r * r * p))
}

/// `e` to the power of `x`.
#[inline(always)]
pub(super) fn exp32(x: f32) -> f32 {
    // 15 bits, and the rest.
    const HIGH: f32 = 0.693_145_75;
    const LOW: f32 = 1.428_606_8e-6;
    // Beyond these the result is infinity or 0, also by the path below; `k` is from -150 to 128.
    let x = clamp(x, -104.0, 89.0);
    let shifted = x * std::f32::consts::LOG2_E + SHIFT32;
    let k = shifted - SHIFT32;
    let (near, low) = (x - k * HIGH, k * LOW);
    let r = near - low;
    let y = near_zero32(r, (near - r) - low);
    // Two factors: 2^128 and 2^-150 are no normal numbers. Only the second product is rounded.
    let n = (shifted.to_bits() as i32).wrapping_sub(SHIFT32.to_bits() as i32);
    let half = n >> 1;
    y * power32(half) * power32(n.wrapping_sub(half))
}

/// `e` to the power of `x`.
#[inline(always)]
pub(super) fn exp64(x: f64) -> f64 {
    // 40 bits, and the rest.
    const HIGH: f64 = 0.6931471805592082;
    const LOW: f64 = 7.371002565167799e-13;
    let x = clamp(x, -746.0, 710.0);
    let k = (x * std::f64::consts::LOG2_E + SHIFT64) - SHIFT64;
    let (near, low) = (x - k * HIGH, k * LOW);
    let r = near - low;
    scale64(near_zero64(r, (near - r) - low), k)
}
