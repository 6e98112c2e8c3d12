//! `sin` and `cos`: the nearest multiple of half of pi is taken from `|x|`, and its number says which of
//! two polynomials of the rest `r` gives the result, and with which sign.
//!
//! `f32` has one path for all arguments. `|x|` times 2/pi is three products in `f64`, with 29, 29 and 53
//! bits of 2/pi, of which the first two are exact. A large `x` takes the bits further down: those
//! above only add multiples of 4, which are whole turns. Four ranges of `x` have three parts each, and
//! they are chosen by comparisons, not looked up: loads from a table would keep loops from becoming vectors.
//! Nothing is rounded before the integers are subtracted, and the error of `r` is below 2^-60, which is
//! little beside the least `r` that an `f32` has. `r` is split in two `f32`, and the polynomials are computed
//! in `f32`.
//!
//! `f64` subtracts a multiple of half of pi in four parts below 2^20 (Cody and Waite); the products with the
//! first three are exact. Larger arguments go through a function that is not inlined, with integers of
//! 192 bits (Payne and Hanek). Both give `r` as a pair.
//!
//! `sin r = r + r^3 p(r^2)`, `cos r = 1 - r^2/2 + r^4 q(r^2)`. The coefficients are made as those of
//! [`exp`](super::exp); they are off by 2^-28 (`f32`) and 2^-57 (`f64`).

use super::wide::{SHIFT64, integer64, polynomial, product_of_pairs, quick_sum, select, sum};

/// Three parts of 2/pi for `f32` arguments below 2^51, 2^77, 2^103, and all others: 29 bits, 29 bits and
/// a float. The first begins where its product with the lowest bit of the smallest argument is below 4.
const PARTS: [[f64; 3]; 4] = [
    [
        0.636619770899415,
        1.4681663246252086e-09,
        2.276010073078396e-18,
    ],
    [
        1.0781392056902206e-08,
        1.6153797855624593e-17,
        2.52682603558315e-26,
    ],
    [
        7.166494882838848e-17,
        2.8376220161182397e-25,
        1.668286766860824e-34,
    ],
    [
        2.765304035419047e-24,
        4.018688561039878e-33,
        4.420676015940119e-42,
    ],
];

/// The number of the multiple, of which the two lowest bits are right, and the rest, from a positive
/// number.
#[inline(always)]
fn reduce32(size: f32) -> (u32, f64) {
    // 2^51, 2^77 and 2^103.
    const LIMITS: [f32; 3] = [2.2517998e15, 1.5111573e23, 1.0141205e31];
    let part = |n: usize| {
        let upper = select(size < LIMITS[2], PARTS[2][n], PARTS[3][n]);
        let middle = select(size < LIMITS[1], PARTS[1][n], upper);
        select(size < LIMITS[0], PARTS[0][n], middle)
    };
    // A product of 24 and 29 bits is exact. `a` is below 2^51, and `b` below 2^22: each may have an integer.
    let x = f64::from(size);
    let (a, b, c) = (x * part(0), x * part(1), x * part(2));
    let first = a + SHIFT64;
    let rest = (a - (first - SHIFT64)) + b;
    let second = rest + SHIFT64;
    let rest = (rest - (second - SHIFT64)) + c;
    let number = (first.to_bits() as u32).wrapping_add(second.to_bits() as u32);
    (number, rest * std::f64::consts::FRAC_PI_2)
}

/// The sine or, where `quarter` is odd, the cosine; with the other sign where its second bit is set.
#[inline(always)]
fn wave32(quarter: u32, rest: f64) -> f32 {
    let r = rest as f32;
    let low = (rest - f64::from(r)) as f32;
    let z = r * r;
    let p = polynomial!(z; -1.6666655e-1, 8.332192e-3, -1.9518781e-4);
    let q = polynomial!(z; 4.1666646e-2, -1.3887313e-3, 2.4432966e-5);
    let half = 0.5 * z;
    let near = 1.0 - half;
    let sine = r + (low * near + r * z * p);
    let cosine = near + (((1.0 - near) - half) + (z * z * q - r * low));
    let value = select(quarter & 1 == 0, sine, cosine);
    f32::from_bits(value.to_bits() ^ ((quarter & 2) << 30))
}

/// The sine of radians.
#[inline(always)]
pub(super) fn sin32(x: f32) -> f32 {
    let (quarter, rest) = reduce32(x.abs());
    let value = wave32(quarter, rest);
    f32::from_bits(value.to_bits() ^ (x.to_bits() & 1 << 31))
}

/// The cosine of radians.
#[inline(always)]
pub(super) fn cos32(x: f32) -> f32 {
    let (quarter, rest) = reduce32(x.abs());
    wave32(quarter.wrapping_add(1), rest)
}

/// As [`reduce32`], with the rest as a pair.
#[inline(always)]
fn reduce64(size: f64) -> (u32, (f64, f64)) {
    // Below this the number of the multiple has 20 bits, and each of the first three parts has 33.
    if size < 1_048_576.0 {
        near64(size)
    } else {
        far64(size)
    }
}

/// [`reduce64`] below 2^20.
#[inline(always)]
fn near64(size: f64) -> (u32, (f64, f64)) {
    const PARTS: [f64; 4] = [
        1.5707963267341256,
        6.077100506303966e-11,
        2.0222662487111665e-21,
        8.4784276603689e-32,
    ];
    let shifted = size * std::f64::consts::FRAC_2_PI + SHIFT64;
    let k = shifted - SHIFT64;
    // Exact: both are multiples of 2^-53 of which the difference is below 1.
    let first = size - k * PARTS[0];
    let second = sum(first, -(k * PARTS[1]));
    let third = sum(second.0, -(k * PARTS[2]));
    let low = (second.1 + third.1) - k * PARTS[3];
    (integer64(shifted) as u32, quick_sum(third.0, low))
}

/// A word of zeros, and the first 1280 bits of 2/pi.
static BITS: [u64; 21] = [
    0,
    0xa2f9836e4e441529,
    0xfc2757d1f534ddc0,
    0xdb6295993c439041,
    0xfe5163abdebbc561,
    0xb7246e3a424dd2e0,
    0x06492eea09d1921c,
    0xfe1deb1cb129a73e,
    0xe88235f52ebb4484,
    0xe99c7026b45f7e41,
    0x3991d639835339f4,
    0x9c845f8bbdf9283b,
    0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f,
    0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea,
    0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab,
    0xf0cfbc209af4361d,
];

/// 64 bits of 2/pi from a place on.
fn window(place: usize) -> u64 {
    let (word, shift) = (place / 64, place % 64);
    let next = |n: usize| u128::from(BITS.get(n).copied().unwrap_or(0));
    (((next(word) << 64) | next(word + 1)) << shift >> 64) as u64
}

/// [`reduce64`] from 2^20 on: `x` is an integer of 53 bits times 2^e. Of 2/pi the 192 bits are taken of
/// which the product with 2^e is below 4; those above add multiples of 4, and those below less than 2^-136.
#[cold]
#[inline(never)]
fn far64(size: f64) -> (u32, (f64, f64)) {
    let bits = size.to_bits();
    let mantissa = u128::from((bits & 0xf_ffff_ffff_ffff) | 0x10_0000_0000_0000);
    // `e` is `exponent - 1075`; the bit of weight 2^(1 - e) is at `e - 2`, behind the word of zeros.
    let place = (bits >> 52) as usize - (1075 + 2 - 64);
    let [high, middle, low] = [0, 64, 128].map(|n| u128::from(window(place + n)) * mantissa);
    // The lowest 192 bits of the product, of which two are in front of the point: the lower 64 are
    // needed for what they carry, and for the two bits that the shift brings up.
    let low = (low, low >> 64);
    let upper = (high << 64).wrapping_add(middle).wrapping_add(low.1);
    let fraction = ((upper << 2) | (low.0 << 64 >> 126)) as i128;
    // From a half on the next integer is nearer, and the rest is negative.
    let quarter = (upper >> 126) as u32 + u32::from(fraction < 0);
    let first = fraction as f64;
    let second = fraction.wrapping_sub(first as i128) as f64;
    let scale = f64::from_bits((1023 - 128) << 52);
    let rest = quick_sum(first * scale, second * scale);
    let half_pi = (std::f64::consts::FRAC_PI_2, 6.123233995736766e-17);
    let (r, low) = product_of_pairs(rest, half_pi);
    let no_number = select(size < f64::INFINITY, 0.0, f64::NAN);
    (quarter, (r + no_number, low))
}

/// As [`wave32`].
#[inline(always)]
fn wave64(quarter: u32, (r, low): (f64, f64)) -> f64 {
    let z = r * r;
    let p = polynomial!(
        z; -0.1666666666666663, 0.00833333333332197, -0.00019841269829518114, 2.755731360582739e-6,
        -2.5050746213161627e-8, 1.589617353457229e-10
    );
    let q = polynomial!(
        z; 0.041666666666666595, -0.0013888888888873455, 2.480158728911283e-5,
        -2.7557314256010603e-7, 2.0875711271648247e-9, -1.1359071590188814e-11
    );
    let half = 0.5 * z;
    let near = 1.0 - half;
    let sine = r + (low * near + r * z * p);
    let cosine = near + (((1.0 - near) - half) + (z * z * q - r * low));
    let value = select(quarter & 1 == 0, sine, cosine);
    f64::from_bits(value.to_bits() ^ (u64::from(quarter & 2) << 62))
}

/// The sine of radians.
#[inline(always)]
pub(super) fn sin64(x: f64) -> f64 {
    let (quarter, rest) = reduce64(x.abs());
    let value = wave64(quarter, rest);
    f64::from_bits(value.to_bits() ^ (x.to_bits() & 1 << 63))
}

/// The cosine of radians.
#[inline(always)]
pub(super) fn cos64(x: f64) -> f64 {
    let (quarter, rest) = reduce64(x.abs());
    wave64(quarter.wrapping_add(1), rest)
}
