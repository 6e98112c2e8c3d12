//! `ln`: `x = 2^k * m` with `m` from the root of 1/2 to the root of 2, and `ln x = k ln 2 + ln m`.
//!
//! With `f = m - 1`, which is exact, `ln m = f - f^2/2 + f^3 p(f)` in `f32`. In `f64` that would need
//! too many terms: there `s = f / (2 + f)`, and `ln m = 2 atanh(s) = f - f^2/2 + s (f^2/2 + z q(z))`
//! with `z = s^2`. The coefficients are made as those of [`exp`](super::exp); they are off by 2^-27
//! (`f32`) and 2^-58 (`f64`) of `ln m`. `k ln 2 + f` keeps its error: the two may have opposite signs.

use super::wide::{parts64, polynomial, select};

/// The parts of the `f32` function: `k` and `f`.
#[inline(always)]
fn parts32(x: f32) -> (f32, f32) {
    const ROOT: u32 = std::f32::consts::FRAC_1_SQRT_2.to_bits();
    let bits = x.to_bits().wrapping_add(1f32.to_bits() - ROOT);
    let m = f32::from_bits((bits & 0x7f_ffff) + ROOT);
    (((bits >> 23) as i32 - 127) as f32, m - 1.0)
}

/// The natural logarithm.
#[inline(always)]
pub(super) fn ln32(x: f32) -> f32 {
    // 15 bits, and the rest.
    const HIGH: f32 = 0.693_145_75;
    const LOW: f32 = 1.428_606_8e-6;
    // Subnormal numbers become normal ones.
    let small = x < f32::MIN_POSITIVE;
    let (k, f) = parts32(select(small, x * 8_388_608.0, x));
    let k = k - select(small, 23.0, 0.0);
    let p = polynomial!(
        f; 3.3333355e-1, -2.5000852e-1, 1.9999766e-1, -1.6621315e-1, 1.42281e-1, -1.3203458e-1,
        1.2615189e-1, -7.3538065e-2
    );
    let square = f * f;
    let rest = k * LOW + (square * f * p - 0.5 * square);
    let whole = k * HIGH;
    // If `k` is not 0, `whole` is larger than `f`; if it is, the sum is `f`. Either way the error is exact.
    let sum = whole + f;
    edges(
        x,
        sum + ((f - (sum - whole)) + rest),
        f32::INFINITY,
        f32::NAN,
    )
}

/// The natural logarithm.
#[inline(always)]
pub(super) fn ln64(x: f64) -> f64 {
    // 40 bits, and the rest.
    const HIGH: f64 = 0.6931471805592082;
    const LOW: f64 = 7.371002565167799e-13;
    let small = x < f64::MIN_POSITIVE;
    let (m, k) = parts64(select(small, x * 18_014_398_509_481_984.0, x));
    let (f, k) = (m - 1.0, k - select(small, 54.0, 0.0));
    let s = f / (2.0 + f);
    let z = s * s;
    let q = polynomial!(
        z; 0.6666666666666736, 0.39999999999405383, 0.2857142874409988, 0.2222219842096405,
        0.181835713839169, 0.15313886090294743, 0.14797471593402337
    );
    let half = 0.5 * f * f;
    let rest = k * LOW - (half - s * (half + z * q));
    let whole = k * HIGH;
    let sum = whole + f;
    edges(
        x,
        sum + ((f - (sum - whole)) + rest),
        f64::INFINITY,
        f64::NAN,
    )
}

/// The value where `x` is positive and finite; infinity stays, 0 has minus infinity, and negative
/// numbers and NaN have none.
#[inline(always)]
fn edges<T>(x: T, value: T, infinity: T, nan: T) -> T
where
    T: Copy + PartialOrd + Default + std::ops::Neg<Output = T>,
{
    let value = select(x < infinity, value, infinity);
    let other = select(x == T::default(), -infinity, nan);
    select(x > T::default(), value, other)
}
