//! The operators as expressions of Rust, for operands that are given as text.
//!
//! Most are Rust's own wrapping methods. What Rust has not, or has with another meaning (division
//! by zero, the smaller of two floats), is in `rt::ops`, and so are the elementary functions, which are
//! our own. The meaning is that of
//! [`meaning`](crate::scalar::meaning), bit for bit.

use crate::ir::AtomicOp;
use crate::scalar::{BinaryOp, Literal, Scalar, ScalarType, UnaryOp};

/// A literal; what starts with a sign is in parentheses.
pub(super) fn literal(literal: Literal) -> String {
    let ty = literal.ty();
    if ty == ScalarType::Bool {
        return literal.bool().to_string();
    }
    let (name, width, bits) = (ty.name(), ty.bits(), literal.bits());
    let number =
        obsidian_base::by_type!(floats ty, T => T::from_literal(literal).is_finite(); true);
    let text = match number {
        true => obsidian_base::by_type!(ty, T => format!("{:?}{name}", T::from_literal(literal))),
        false => format!("{name}::from_bits({bits:#x}u{width})"),
    };
    if text.starts_with('-') {
        format!("({text})")
    } else {
        text
    }
}

/// An operator of one operand.
pub(super) fn unary(op: UnaryOp, ty: ScalarType, x: &str) -> String {
    let method = match op {
        UnaryOp::Neg if ty.is_float() => return format!("(-{x})"),
        UnaryOp::Not => return format!("(!{x})"),
        UnaryOp::Rsqrt => return format!("{x}.sqrt().recip()"),
        UnaryOp::CountOnes | UnaryOp::LeadingZeros | UnaryOp::TrailingZeros => {
            return format!("({x}.{}() as {})", op.name(), ty.name());
        }
        UnaryOp::Trust | UnaryOp::Distinct => return x.to_owned(),
        UnaryOp::FromBits => return format!("{}::from_bits({x})", op.result(ty).name()),
        UnaryOp::Exp | UnaryOp::FastExp => return format!("rt::ops::exp({x})"),
        UnaryOp::Ln | UnaryOp::FastLn => return format!("rt::ops::ln({x})"),
        UnaryOp::Sin | UnaryOp::FastSin => return format!("rt::ops::sin({x})"),
        UnaryOp::Cos | UnaryOp::FastCos => return format!("rt::ops::cos({x})"),
        UnaryOp::Tanh | UnaryOp::Asinh | UnaryOp::Acosh | UnaryOp::Erf => {
            return format!("rt::ops::{}({x})", op.name());
        }
        UnaryOp::Neg => "wrapping_neg",
        UnaryOp::Abs if !ty.is_float() => "wrapping_abs",
        _ => op.name(),
    };
    format!("{x}.{method}()")
}

/// An operator of two operands of type `ty` (the right one of a shift is a `u32`).
pub(super) fn binary(op: BinaryOp, ty: ScalarType, x: &str, y: &str) -> String {
    use BinaryOp::*;
    let wraps = ty.is_integer();
    match op {
        Add if wraps => format!("{x}.wrapping_add({y})"),
        Sub if wraps => format!("{x}.wrapping_sub({y})"),
        Mul if wraps => format!("{x}.wrapping_mul({y})"),
        Div if wraps => format!("rt::ops::div({x}, {y})"),
        Rem if wraps => format!("rt::ops::rem({x}, {y})"),
        Shl => format!("{x}.wrapping_shl({y})"),
        Shr => format!("{x}.wrapping_shr({y})"),
        Min => format!("rt::ops::min({x}, {y})"),
        Max => format!("rt::ops::max({x}, {y})"),
        Pow => format!("rt::ops::pow({x}, {y})"),
        Atan2 | Hypot | CopySign => format!("{x}.{}({y})", op.name()),
        FastDiv => format!("({x} / {y})"),
        Add | Sub | Mul | Div | Rem | And | Or | Xor | Eq | Ne | Lt | Le | Gt | Ge => {
            format!("({x} {} {y})", op.name())
        }
    }
}

/// `x * y + z`: rounded once for floats, wrapping for integers.
pub(super) fn mul_add(ty: ScalarType, x: &str, y: &str, z: &str) -> String {
    if ty.is_float() {
        format!("{x}.mul_add({y}, {z})")
    } else {
        format!("{x}.wrapping_mul({y}).wrapping_add({z})")
    }
}

/// A value of type `from` as one of type `to`.
pub(super) fn cast(from: ScalarType, to: ScalarType, x: &str) -> String {
    let name = to.name();
    if from == to {
        x.to_owned()
    } else if to == ScalarType::Bool {
        format!("({x} != {})", literal(Literal::zero(from)))
    } else if from == ScalarType::Bool && to.is_float() {
        format!("({x} as u8 as {name})")
    } else {
        format!("({x} as {name})")
    }
}

/// What an atomic operation makes of the old value.
pub(super) fn atomic(op: AtomicOp, ty: ScalarType, old: &str, operands: &[String]) -> String {
    let x = operands.first().map_or(old, String::as_str);
    let y = operands.get(1).map_or(x, String::as_str);
    match op {
        AtomicOp::Add => binary(BinaryOp::Add, ty, old, x),
        AtomicOp::Sub => binary(BinaryOp::Sub, ty, old, x),
        AtomicOp::Min => binary(BinaryOp::Min, ty, old, x),
        AtomicOp::Max => binary(BinaryOp::Max, ty, old, x),
        AtomicOp::And => binary(BinaryOp::And, ty, old, x),
        AtomicOp::Or => binary(BinaryOp::Or, ty, old, x),
        AtomicOp::Xor => binary(BinaryOp::Xor, ty, old, x),
        AtomicOp::Inc => format!("rt::ops::inc({old}, {x})"),
        AtomicOp::Dec => format!("rt::ops::dec({old}, {x})"),
        AtomicOp::Exchange => x.to_owned(),
        AtomicOp::CompareExchange => format!("rt::ops::compare_exchange({old}, {x}, {y})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_keep_their_bits() {
        assert_eq!(literal(Literal::from(-0f32)), "(-0.0f32)");
        assert_eq!(literal(Literal::from(1e30f64)), "1e30f64");
        assert_eq!(
            literal(Literal::from(i64::MIN)),
            "(-9223372036854775808i64)"
        );
        assert_eq!(
            literal(Literal::from(f32::INFINITY)),
            "f32::from_bits(0x7f800000u32)"
        );
        assert_eq!(literal(Literal::from(true)), "true");
    }

    #[test]
    fn a_function_is_called_by_its_name() {
        for (op, name) in [
            (UnaryOp::FastExp, "exp"),
            (UnaryOp::FastLn, "ln"),
            (UnaryOp::FastSin, "sin"),
            (UnaryOp::FastCos, "cos"),
            (UnaryOp::Sin, "sin"),
            (UnaryOp::Cos, "cos"),
        ] {
            assert_eq!(
                unary(op, ScalarType::F32, "x"),
                format!("rt::ops::{name}(x)")
            );
        }
    }
}
