//! Operators that Rust has not, or has with another meaning, and elementary functions, for the CPU functions of kernels.
//!
//! The meaning is that of `obsidian_core::scalar::meaning`; a test compares every operator with it
//! on edge values.

use obsidian_language::scalar::elementary::Elementary;
use obsidian_language::scalar::meaning::{ErrorFunction, InverseHyperbolic};

/// Integers: division that has a value everywhere.
pub trait Integer: Copy {
    /// The quotient, wrapped; 0 if the divisor is 0.
    fn div(self, by: Self) -> Self;
    /// The remainder; the dividend if the divisor is 0.
    fn rem(self, by: Self) -> Self;
}

/// Numbers: the smaller and the larger of two.
pub trait Number: Copy {
    /// The smaller one; a number rather than a NaN; `-0` below `0`.
    fn min(self, other: Self) -> Self;
    /// The larger one; a number rather than a NaN; `0` above `-0`.
    fn max(self, other: Self) -> Self;
}

/// Values whose bits can be compared.
pub trait Bits: Copy {
    /// Are all bits the same?
    fn same(self, other: Self) -> bool;
}

macro_rules! integers {
    ($($ty:ident)*) => {$(
        impl Integer for $ty {
            #[inline(always)]
            fn div(self, by: Self) -> Self {
                if by == 0 { 0 } else { self.wrapping_div(by) }
            }
            #[inline(always)]
            fn rem(self, by: Self) -> Self {
                if by == 0 { self } else { self.wrapping_rem(by) }
            }
        }
        impl Number for $ty {
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                Ord::min(self, other)
            }
            #[inline(always)]
            fn max(self, other: Self) -> Self {
                Ord::max(self, other)
            }
        }
        impl Bits for $ty {
            #[inline(always)]
            fn same(self, other: Self) -> bool {
                self == other
            }
        }
    )*};
}

integers! { u8 u16 u32 u64 i8 i16 i32 i64 }

macro_rules! floats {
    ($($ty:ident)*) => {$(
        impl Number for $ty {
            // Each line is an instruction or two for a vector, and no branch. The bits of equal numbers
            // differ if one of them is -0 and the other one +0, and nowhere else.
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                let smaller = if self < other { self } else { other };
                let zero = Self::from_bits(self.to_bits() | other.to_bits());
                let least = if self == other { zero } else { smaller };
                if other.is_nan() { self } else { least }
            }
            #[inline(always)]
            fn max(self, other: Self) -> Self {
                let larger = if self > other { self } else { other };
                let zero = Self::from_bits(self.to_bits() & other.to_bits());
                let most = if self == other { zero } else { larger };
                if other.is_nan() { self } else { most }
            }
        }
        impl Bits for $ty {
            #[inline(always)]
            fn same(self, other: Self) -> bool {
                self.to_bits() == other.to_bits()
            }
        }
    )*};
}

floats! { f32 f64 }

impl Bits for bool {
    #[inline(always)]
    fn same(self, other: Self) -> bool {
        self == other
    }
}

/// The quotient, wrapped; 0 if the divisor is 0.
#[inline(always)]
pub fn div<T: Integer>(x: T, y: T) -> T {
    x.div(y)
}

/// The remainder; the dividend if the divisor is 0.
#[inline(always)]
pub fn rem<T: Integer>(x: T, y: T) -> T {
    x.rem(y)
}

/// The smaller one; a number rather than a NaN; `-0` below `0`.
#[inline(always)]
pub fn min<T: Number>(x: T, y: T) -> T {
    Number::min(x, y)
}

/// The larger one; a number rather than a NaN; `0` above `-0`.
#[inline(always)]
pub fn max<T: Number>(x: T, y: T) -> T {
    Number::max(x, y)
}

/// `e` to the power of `x`.
#[inline(always)]
pub fn exp<T: Elementary>(x: T) -> T {
    x.exp()
}

/// The natural logarithm.
#[inline(always)]
pub fn ln<T: Elementary>(x: T) -> T {
    x.ln()
}

/// The sine of radians.
#[inline(always)]
pub fn sin<T: Elementary>(x: T) -> T {
    x.sin()
}

/// The cosine of radians.
#[inline(always)]
pub fn cos<T: Elementary>(x: T) -> T {
    x.cos()
}

/// The hyperbolic tangent.
#[inline(always)]
pub fn tanh<T: Elementary>(x: T) -> T {
    x.tanh()
}

/// `x` to the power of `y`.
#[inline(always)]
pub fn pow<T: Elementary>(x: T, y: T) -> T {
    x.pow(y)
}

/// The number whose hyperbolic sine this is.
pub fn asinh<T: InverseHyperbolic>(x: T) -> T {
    x.asinh()
}

/// The number whose hyperbolic cosine this is.
pub fn acosh<T: InverseHyperbolic>(x: T) -> T {
    x.acosh()
}

/// The error function.
pub fn erf<T: ErrorFunction>(x: T) -> T {
    x.erf()
}

/// One more, or 0 once the limit is reached.
#[inline(always)]
pub fn inc(old: u32, limit: u32) -> u32 {
    if old >= limit { 0 } else { old + 1 }
}

/// One less, or the limit from 0 and from above it.
#[inline(always)]
pub fn dec(old: u32, limit: u32) -> u32 {
    if old == 0 || old > limit {
        limit
    } else {
        old - 1
    }
}

/// The new value where the old one is, bit for bit, the one that was expected; else the old one.
#[inline(always)]
pub fn compare_exchange<T: Bits>(old: T, expected: T, new: T) -> T {
    if old.same(expected) { new } else { old }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_wrap_at_their_limit() {
        assert_eq!([0, 1, 2, 3, 9].map(|old| inc(old, 2)), [1, 2, 0, 0, 0]);
        assert_eq!([0, 1, 2, 3, 9].map(|old| dec(old, 2)), [2, 0, 1, 2, 2]);
        assert_eq!(inc(u32::MAX, u32::MAX), 0);
    }

    #[test]
    fn an_exchange_compares_bits() {
        assert_eq!(compare_exchange(0.0f32, -0.0, 1.0), 0.0);
        assert_eq!(compare_exchange(f64::NAN, f64::NAN, 1.0), 1.0);
    }
}
