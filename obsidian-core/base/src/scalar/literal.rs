//! Values of element types, known bit for bit.

use std::fmt;

use super::{Class, Scalar, ScalarType};
use crate::by_type;

/// A value of an element type, as its bits.
///
/// Literals are equal when their bits are: `0.0` and `-0.0` differ, and a NaN equals itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal {
    ty: ScalarType,
    bits: u64,
}

impl Literal {
    /// The value of a type whose bits are these; bits beyond its width are dropped.
    pub fn from_bits(ty: ScalarType, bits: u64) -> Self {
        let mask = if ty.bits() == 64 {
            u64::MAX
        } else {
            (1 << ty.bits()) - 1
        };
        Literal {
            ty,
            bits: bits & mask,
        }
    }

    /// An integer (or 0 and 1 as `bool`) if the type can hold it.
    pub fn integer(ty: ScalarType, value: i128) -> Option<Self> {
        let (low, high) = ty.range()?;
        (low..=high)
            .contains(&value)
            .then(|| Self::from_bits(ty, value as u64))
    }

    /// A floating-point value, rounded to the type; `None` if the type is not one.
    pub fn float(ty: ScalarType, value: f64) -> Option<Self> {
        by_type!(floats ty, T => Some(Literal::from(value as T)); None)
    }

    /// Zero, or `false`.
    pub fn zero(ty: ScalarType) -> Self {
        Literal { ty, bits: 0 }
    }

    /// One, or `true`.
    pub fn one(ty: ScalarType) -> Self {
        by_type!(floats ty, T => Literal::from(1.0 as T); Literal { ty, bits: 1 })
    }

    /// The type.
    pub fn ty(self) -> ScalarType {
        self.ty
    }

    /// The value as Rust prints it, without its type.
    pub fn plain(self) -> String {
        by_type!(self.ty, T => T::from_literal(self).to_string())
    }

    /// The value of a float; `None` for other types.
    pub fn as_float(self) -> Option<f64> {
        fn wide(value: impl Into<f64>) -> f64 {
            value.into()
        }
        by_type!(floats self.ty, T => Some(wide(T::from_literal(self))); None)
    }

    /// Is it NaN?
    pub fn is_nan(self) -> bool {
        by_type!(floats self.ty, T => T::from_literal(self).is_nan(); false)
    }

    /// The bits, in the low end.
    pub fn bits(self) -> u64 {
        self.bits
    }

    /// The value of an integer or `bool`.
    pub fn as_integer(self) -> Option<i128> {
        let unused = 64 - self.ty.bits();
        match self.ty.class() {
            Class::Float => None,
            Class::Signed => Some((((self.bits << unused) as i64) >> unused).into()),
            Class::Bool | Class::Unsigned => Some(self.bits.into()),
        }
    }
}

macro_rules! conversions {
    ($($ty:ident $variant:ident |$value:ident| $to:expr, |$bits:ident| $from:expr;)*) => {$(
        impl From<$ty> for Literal {
            fn from($value: $ty) -> Self {
                Literal { ty: ScalarType::$variant, bits: $to }
            }
        }
        impl Literal {
            #[doc = concat!("The bits, read as `", stringify!($ty), "`.")]
            pub fn $ty(self) -> $ty {
                let $bits = self.bits;
                $from
            }
        }
    )*};
}

conversions! {
    bool Bool |v| v.into(), |b| b & 1 == 1;
    u8 U8 |v| v.into(), |b| b as u8;
    u16 U16 |v| v.into(), |b| b as u16;
    u32 U32 |v| v.into(), |b| b as u32;
    u64 U64 |v| v, |b| b;
    i8 I8 |v| (v as u8).into(), |b| b as i8;
    i16 I16 |v| (v as u16).into(), |b| b as i16;
    i32 I32 |v| (v as u32).into(), |b| b as i32;
    i64 I64 |v| v as u64, |b| b as i64;
    f32 F32 |v| v.to_bits().into(), |b| f32::from_bits(b as u32);
    f64 F64 |v| v.to_bits(), |b| f64::from_bits(b);
}

impl fmt::Debug for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ty.is(ScalarType::Bool) {
            return write!(f, "{}", self.bool());
        }
        match self.is_nan() {
            true => write!(f, "nan:{:#x}", self.bits)?,
            false => by_type!(self.ty, T => write!(f, "{:?}", T::from_literal(*self)))?,
        }
        write!(f, "_{}", self.ty.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ScalarType::*;

    #[test]
    fn integers_come_back_with_their_sign() {
        assert_eq!(Literal::integer(I8, -128).unwrap().as_integer(), Some(-128));
        assert_eq!(Literal::from(-1i64).as_integer(), Some(-1));
        assert_eq!(Literal::from(u64::MAX).as_integer(), Some(u64::MAX.into()));
        assert_eq!(Literal::integer(U8, 256), None);
        assert_eq!(Literal::integer(U32, -1), None);
    }

    #[test]
    fn signed_zeros_differ_and_a_nan_equals_itself() {
        assert_ne!(Literal::from(0f32), Literal::from(-0f32));
        assert_eq!(Literal::from(f32::NAN), Literal::from(f32::NAN));
    }

    #[test]
    fn values_are_plain_as_rust_prints_them() {
        let values = [
            (Literal::from(true), "true"),
            (Literal::from(200u8), "200"),
            (Literal::from(-5i64), "-5"),
            (Literal::from(u64::MAX), "18446744073709551615"),
            (Literal::from(2.5f32), "2.5"),
            (Literal::from(f64::NAN), "NaN"),
        ];
        for (value, text) in values {
            assert_eq!(value.plain(), text);
        }
    }
}
