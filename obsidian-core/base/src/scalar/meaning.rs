//! What the operators mean, on literals.
//!
//! Integers are Rust's with wrap-around: shifts mask their distance, `x / 0` is 0 and `x % 0` is
//! `x`, casts from floats saturate and take NaN to 0. Floats are IEEE; nothing is contracted. The
//! simulator computes with these functions, and constant folding with the same ones, so that
//! folding cannot change a result.

use super::elementary::Elementary;
use super::{BinaryOp, Class, Literal, Scalar, ScalarType, UnaryOp};
use crate::by_type;

/// As the macro of this name, with the values of literals.
macro_rules! of_values {
    ($class:ident $value:expr, $x:ident => $body:expr; $rest:expr) => {
        by_type!($class $value.ty(), T => { let $x = T::from_literal($value); Literal::from($body) }; $rest)
    };
    ($class:ident $left:expr, $right:expr, $x:ident $y:ident => $body:expr; $rest:expr) => {
        by_type!($class $left.ty(), T => { let ($x, $y) = (T::from_literal($left), T::from_literal($right)); Literal::from($body) }; $rest)
    };
}

/// The value of an operator of one operand; the operand itself where the operator does not accept
/// its type.
pub fn unary(op: UnaryOp, value: Literal) -> Literal {
    let ty = value.ty();
    match (op, ty.class()) {
        (UnaryOp::Not, Class::Bool) => Literal::from(!value.bool()),
        (UnaryOp::ToBits | UnaryOp::FromBits, _) => Literal::from_bits(op.result(ty), value.bits()),
        (_, Class::Float) => unary_float(op, value),
        (UnaryOp::Neg, _) => of_values!(integers value, x => x.wrapping_neg(); value),
        (UnaryOp::Not, _) => of_values!(integers value, x => !x; value),
        (UnaryOp::CountOnes, _) => Literal::from_bits(ty, value.bits().count_ones().into()),
        (UnaryOp::LeadingZeros, _) => {
            Literal::from_bits(ty, (value.bits().leading_zeros() - (64 - ty.bits())).into())
        }
        (UnaryOp::TrailingZeros, _) => {
            Literal::from_bits(ty, value.bits().trailing_zeros().min(ty.bits()).into())
        }
        (UnaryOp::ReverseBits, _) => {
            Literal::from_bits(ty, value.bits().reverse_bits() >> (64 - ty.bits()))
        }
        (UnaryOp::Abs, _) => signed(value, |x| x.wrapping_abs()),
        (UnaryOp::Signum, _) => signed(value, |x| x.signum()),
        _ => value,
    }
}

/// A function of the value as a signed integer, wrapped to its type.
fn signed(value: Literal, f: impl Fn(i128) -> i128) -> Literal {
    value
        .as_integer()
        .map_or(value, |x| Literal::from_bits(value.ty(), f(x) as u64))
}

fn unary_float(op: UnaryOp, value: Literal) -> Literal {
    use UnaryOp::*;
    of_values!(floats value, x => match op {
        Neg => -x,
        Abs => x.abs(),
        Signum => x.signum(),
        Sqrt => x.sqrt(),
        Rsqrt => x.sqrt().recip(),
        Cbrt => x.cbrt(),
        Exp | FastExp => Elementary::exp(x),
        Exp2 => x.exp2(),
        ExpM1 => x.exp_m1(),
        Ln | FastLn => Elementary::ln(x),
        Ln1p => x.ln_1p(),
        Log2 => x.log2(),
        Log10 => x.log10(),
        Sin | FastSin => Elementary::sin(x),
        Cos | FastCos => Elementary::cos(x),
        Tan => x.tan(),
        Asin => x.asin(),
        Acos => x.acos(),
        Atan => x.atan(),
        Sinh => x.sinh(),
        Cosh => x.cosh(),
        Tanh => Elementary::tanh(x),
        Asinh => InverseHyperbolic::asinh(x),
        Acosh => InverseHyperbolic::acosh(x),
        Atanh => x.atanh(),
        Erf => ErrorFunction::erf(x),
        Floor => x.floor(),
        Ceil => x.ceil(),
        Round => x.round(),
        Trunc => x.trunc(),
        Not | CountOnes | LeadingZeros | TrailingZeros | ReverseBits | Trust | Distinct | ToBits | FromBits => x,
    }; value)
}

/// Functions of which Rust's own leave the range of the type although their values do not.
pub trait InverseHyperbolic: Copy {
    /// The number whose hyperbolic sine this is.
    fn asinh(self) -> Self;
    /// The number whose hyperbolic cosine this is.
    fn acosh(self) -> Self;
}

macro_rules! inverse_hyperbolic {
    ($($ty:ident)*) => {$(
        impl InverseHyperbolic for $ty {
            fn asinh(self) -> Self {
                // From here on, the root of x * x + 1 is x; Rust's function doubles x and may get
                // infinity.
                if self.abs() < 1e18 { self.asinh() } else { (self.abs().ln() + std::$ty::consts::LN_2).copysign(self) }
            }
            fn acosh(self) -> Self {
                if self < 1e18 { self.acosh() } else { self.ln() + std::$ty::consts::LN_2 }
            }
        }
    )*};
}

inverse_hyperbolic! { f32 f64 }

/// The error function, which Rust has not.
pub trait ErrorFunction: Copy {
    /// `2 / sqrt(pi)` times the integral of `exp(-t * t)` from 0 to this.
    fn erf(self) -> Self;
}

impl ErrorFunction for f32 {
    fn erf(self) -> f32 {
        libm::erff(self)
    }
}

impl ErrorFunction for f64 {
    fn erf(self) -> f64 {
        libm::erf(self)
    }
}

/// Is folding this operator at compile time sure to give what every device gives?
///
/// Not so for functions that mathematical libraries round differently.
pub fn is_exact(op: UnaryOp) -> bool {
    use UnaryOp::*;
    matches!(
        op,
        Trust
            | Distinct
            | Neg
            | Not
            | Abs
            | Signum
            | Sqrt
            | Floor
            | Ceil
            | Round
            | Trunc
            | CountOnes
            | LeadingZeros
            | TrailingZeros
            | ReverseBits
            | ToBits
            | FromBits
    )
}

/// Is folding this operator of two operands sure to give what every device gives?
pub fn is_exact_of_two(op: BinaryOp) -> bool {
    use BinaryOp::*;
    !matches!(op, Pow | Atan2 | Hypot | FastDiv)
}

/// The value of an operator of two operands; the left one where the operator does not accept its
/// type.
pub fn binary(op: BinaryOp, left: Literal, right: Literal) -> Literal {
    use BinaryOp::*;
    match op {
        Eq | Ne | Lt | Le | Gt | Ge => Literal::from(compare(op, left, right)),
        Shl => shift(left, right.u32(), |x, n| x << n),
        Shr if left.ty().is_signed() => shift(left, right.u32(), |x, n| ((x as i64) >> n) as u64),
        Shr => shift(left, right.u32(), |x, n| x >> n),
        And => Literal::from_bits(left.ty(), left.bits() & right.bits()),
        Or => Literal::from_bits(left.ty(), left.bits() | right.bits()),
        Xor => Literal::from_bits(left.ty(), left.bits() ^ right.bits()),
        Add => {
            of_values!(integers left, right, x y => x.wrapping_add(y); float_pair(op, left, right))
        }
        Sub => {
            of_values!(integers left, right, x y => x.wrapping_sub(y); float_pair(op, left, right))
        }
        Mul => {
            of_values!(integers left, right, x y => x.wrapping_mul(y); float_pair(op, left, right))
        }
        Div => {
            of_values!(integers left, right, x y => if y == 0 { 0 } else { x.wrapping_div(y) }; float_pair(op, left, right))
        }
        Rem => {
            of_values!(integers left, right, x y => if y == 0 { x } else { x.wrapping_rem(y) }; float_pair(op, left, right))
        }
        Min => of_values!(integers left, right, x y => x.min(y); float_pair(op, left, right)),
        Max => of_values!(integers left, right, x y => x.max(y); float_pair(op, left, right)),
        Pow | Atan2 | Hypot | FastDiv | CopySign => float_pair(op, left, right),
    }
}

fn shift(left: Literal, distance: u32, f: impl Fn(u64, u32) -> u64) -> Literal {
    let ty = left.ty();
    let wide = left.as_integer().map_or(left.bits(), |x| x as u64);
    Literal::from_bits(ty, f(wide, distance % ty.bits().max(1)))
}

fn float_pair(op: BinaryOp, left: Literal, right: Literal) -> Literal {
    use BinaryOp::*;
    of_values!(floats left, right, x y => match op {
        Add => x + y,
        Sub => x - y,
        Mul => x * y,
        Div | FastDiv => x / y,
        Rem => x % y,
        Min => if x < y || y.is_nan() || (x == y && x.is_sign_negative()) { x } else { y },
        Max => if x > y || y.is_nan() || (x == y && x.is_sign_positive()) { x } else { y },
        Pow => Elementary::pow(x, y),
        Atan2 => x.atan2(y),
        Hypot => x.hypot(y),
        CopySign => x.copysign(y),
        _ => x,
    }; left)
}

fn compare(op: BinaryOp, left: Literal, right: Literal) -> bool {
    let order = by_type!(floats left.ty(), T => T::from_literal(left).partial_cmp(&T::from_literal(right)); left.as_integer().partial_cmp(&right.as_integer()));
    match op {
        BinaryOp::Eq => order.is_some_and(|o| o.is_eq()),
        BinaryOp::Ne => !order.is_some_and(|o| o.is_eq()),
        BinaryOp::Lt => order.is_some_and(|o| o.is_lt()),
        BinaryOp::Le => order.is_some_and(|o| o.is_le()),
        BinaryOp::Gt => order.is_some_and(|o| o.is_gt()),
        _ => order.is_some_and(|o| o.is_ge()),
    }
}

/// `left * right + addend` with one rounding; for integers the wrapping product and sum.
pub fn mul_add(left: Literal, right: Literal, addend: Literal) -> Literal {
    of_values!(floats left, right, x y => x.mul_add(y, Scalar::from_literal(addend)); binary(BinaryOp::Add, binary(BinaryOp::Mul, left, right), addend))
}

/// The value as another type, as Rust's `as` does it; numbers become `bool` by being other than
/// zero.
pub fn cast(to: ScalarType, value: Literal) -> Literal {
    if value.ty() == to {
        return value;
    }
    match (value.as_integer(), to.class()) {
        (Some(x), Class::Bool) => Literal::from(x != 0),
        (Some(x), Class::Unsigned | Class::Signed) => Literal::from_bits(to, x as u64),
        (Some(x), Class::Float) => by_type!(floats to, T => Literal::from(x as T); value),
        (None, class) => {
            let wide = value.as_float().unwrap_or(0.0);
            match class {
                Class::Bool => Literal::from(wide != 0.0),
                Class::Float => by_type!(floats to, T => Literal::from(wide as T); value),
                Class::Unsigned | Class::Signed => {
                    let (low, high) = to.range().unwrap_or((0, 0));
                    Literal::from_bits(to, (wide as i128).clamp(low, high) as u64)
                }
            }
        }
    }
}

impl BinaryOp {
    /// What changes no value of the type, from the left and from the right, if the operator is exactly
    /// associative and there is such a value.
    pub fn identity(self, ty: ScalarType) -> Option<Literal> {
        let (least, greatest) = match ty.range() {
            Some((least, greatest)) => (
                Literal::integer(ty, least)?,
                Literal::integer(ty, greatest)?,
            ),
            // The minimum and the maximum of a number and NaN are the number.
            None => (Literal::float(ty, f64::NAN)?, Literal::float(ty, f64::NAN)?),
        };
        match self {
            BinaryOp::Min => Some(greatest),
            BinaryOp::Max => Some(least),
            _ if ty.is_float() => None,
            BinaryOp::Add | BinaryOp::Or | BinaryOp::Xor => Some(Literal::zero(ty)),
            BinaryOp::Mul => Some(Literal::one(ty)),
            BinaryOp::And => Some(Literal::from_bits(ty, u64::MAX)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_by_zero_has_a_value() {
        assert_eq!(
            binary(BinaryOp::Div, Literal::from(7i32), Literal::from(0i32)),
            Literal::from(0i32)
        );
        assert_eq!(
            binary(BinaryOp::Rem, Literal::from(7u8), Literal::from(0u8)),
            Literal::from(7u8)
        );
        assert_eq!(
            binary(BinaryOp::Div, Literal::from(i32::MIN), Literal::from(-1i32)),
            Literal::from(i32::MIN)
        );
    }

    #[test]
    fn shifts_mask_their_distance() {
        assert_eq!(
            binary(BinaryOp::Shl, Literal::from(1u32), Literal::from(33u32)),
            Literal::from(2u32)
        );
        assert_eq!(
            binary(BinaryOp::Shr, Literal::from(-8i16), Literal::from(17u32)),
            Literal::from(-4i16)
        );
        assert_eq!(
            binary(BinaryOp::Shr, Literal::from(0x80u8), Literal::from(7u32)),
            Literal::from(1u8)
        );
    }

    #[test]
    fn casts_are_those_of_rust() {
        for x in [
            0.0,
            -0.0,
            1.9,
            -1.9,
            255.5,
            256.0,
            -1e30,
            1e30,
            f64::NAN,
            f64::INFINITY,
        ] {
            assert_eq!(cast(ScalarType::U8, x.literal()).u8(), x as u8, "{x}");
            assert_eq!(cast(ScalarType::I64, x.literal()).i64(), x as i64, "{x}");
            assert_eq!(cast(ScalarType::U64, x.literal()).u64(), x as u64, "{x}");
            assert_eq!(
                cast(ScalarType::I32, (x as f32).literal()).i32(),
                x as f32 as i32,
                "{x}"
            );
        }
        for x in [0i64, -1, 127, 128, -129, i64::MIN, i64::MAX] {
            assert_eq!(cast(ScalarType::I8, x.literal()).i8(), x as i8);
            assert_eq!(cast(ScalarType::U32, x.literal()).u32(), x as u32);
            assert_eq!(
                cast(ScalarType::F32, x.literal()).f32().to_bits(),
                (x as f32).to_bits()
            );
        }
    }

    #[test]
    fn minimum_prefers_numbers_and_negative_zero() {
        let min = |x: f32, y: f32| {
            binary(BinaryOp::Min, x.literal(), y.literal())
                .f32()
                .to_bits()
        };
        assert_eq!(min(f32::NAN, 1.0), 1f32.to_bits());
        assert_eq!(min(1.0, f32::NAN), 1f32.to_bits());
        assert_eq!(min(0.0, -0.0), (-0f32).to_bits());
        assert_eq!(min(-0.0, 0.0), (-0f32).to_bits());
    }

    #[test]
    fn bits_are_counted_in_the_operands_width() {
        assert_eq!(unary(UnaryOp::LeadingZeros, Literal::from(1u8)).u8(), 7);
        assert_eq!(unary(UnaryOp::TrailingZeros, Literal::from(0u16)).u16(), 16);
        assert_eq!(
            unary(UnaryOp::ReverseBits, Literal::from(1i8)).i8(),
            i8::MIN
        );
        assert_eq!(unary(UnaryOp::CountOnes, Literal::from(-1i32)).i32(), 32);
    }

    use super::super::Scalar;

    #[test]
    fn an_identity_changes_no_value() {
        use BinaryOp::*;
        for ty in ScalarType::ALL {
            let elements = [
                0.0,
                -0.0,
                1.0,
                -7.0,
                f64::INFINITY,
                f64::NEG_INFINITY,
                f64::NAN,
            ];
            let elements = elements.map(|x| match ty.is_float() {
                true => Literal::float(ty, x),
                false => Some(Literal::from_bits(ty, (x as i64) as u64)),
            });
            for op in [Add, Mul, And, Or, Xor, Min, Max] {
                let Some(identity) = op.identity(ty).filter(|_| op.accepts(ty)) else {
                    continue;
                };
                for element in elements.into_iter().flatten() {
                    for (l, r) in [(identity, element), (element, identity)] {
                        let combined = binary(op, l, r);
                        assert_eq!(combined, element, "{op:?} of {ty:?}: {l:?} {r:?}");
                    }
                }
            }
        }
        assert_eq!(Sub.identity(ScalarType::U32), None);
        assert_eq!(Add.identity(ScalarType::F32), None);
    }
}
