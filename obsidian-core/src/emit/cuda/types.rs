//! Types and literals in CUDA C++.

use super::precedence::{ADD, ATOM, UNARY};
use crate::scalar::{Literal, ScalarType};

/// The C++ type of an element.
pub(in crate::emit) const fn name(ty: ScalarType) -> &'static str {
    match ty {
        ScalarType::Bool => "bool",
        ScalarType::U8 => "unsigned char",
        ScalarType::U16 => "unsigned short",
        ScalarType::U32 => "unsigned int",
        ScalarType::U64 => "unsigned long long",
        ScalarType::I8 => "signed char",
        ScalarType::I16 => "short",
        ScalarType::I32 => "int",
        ScalarType::I64 => "long long",
        ScalarType::F32 => "float",
        ScalarType::F64 => "double",
    }
}

/// Must the text of a literal have the literal's own type?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Typing {
    /// The place gives the type: an `int` with the same value is as good.
    Loose,
    /// Overloads or templates look at the type.
    Exact,
}

/// A literal, and how tightly its text binds.
pub(super) fn literal(literal: Literal, typing: Typing) -> (String, u8) {
    match literal.as_integer() {
        None => float(literal),
        Some(value) if literal.ty() == ScalarType::Bool => ((value != 0).to_string(), ATOM),
        Some(value) => integer(value, literal.ty(), typing),
    }
}

fn integer(value: i128, ty: ScalarType, typing: Typing) -> (String, u8) {
    let fits_int = i32::try_from(value).is_ok();
    let suffix = match (ty.bits(), ty.is_signed()) {
        _ if typing == Typing::Loose && fits_int => "",
        (32, false) => "u",
        (64, false) => "ull",
        (64, true) => "ll",
        _ => "",
    };
    let wide = ty.is_signed() && ty.bits() >= 32;
    let smallest = wide && ty.range().is_some_and(|(low, _)| low == value);
    let (digits, precedence) = match value {
        // The digits of the smallest value do not fit the type without their sign.
        _ if smallest => (format!("{}{suffix} - 1", value + 1), ADD),
        0.. => (format!("{value}{suffix}"), ATOM),
        _ => (format!("{value}{suffix}"), UNARY),
    };
    if typing == Typing::Exact && ty.bits() < 32 {
        return (format!("({}){digits}", name(ty)), UNARY);
    }
    (digits, precedence)
}

fn float(literal: Literal) -> (String, u8) {
    let (bits, single) = (literal.bits(), literal.ty() == ScalarType::F32);
    let (text, exact) = if single {
        // Compilers may read a `float` by way of `double`.
        let text = format!("{:?}", literal.f32());
        let read = text.parse::<f64>().map(|x| x as f32);
        (
            format!("{text}f"),
            read.is_ok_and(|x| u64::from(x.to_bits()) == bits),
        )
    } else {
        let text = format!("{:?}", literal.f64());
        let read = text.parse::<f64>();
        (text, read.is_ok_and(|x| x.to_bits() == bits))
    };
    let finite = if single {
        literal.f32().is_finite()
    } else {
        literal.f64().is_finite()
    };
    match (finite && exact, single) {
        (true, _) => {
            let precedence = if text.starts_with('-') { UNARY } else { ATOM };
            (text, precedence)
        }
        (false, true) => (format!("__int_as_float({bits:#010x})"), ATOM),
        (false, false) => (format!("__longlong_as_double({bits:#018x}ll)"), ATOM),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(l: impl Into<Literal>) -> String {
        literal(l.into(), Typing::Exact).0
    }

    #[test]
    fn a_literal_has_its_own_type_where_it_matters() {
        assert_eq!(exact(7u32), "7u");
        assert_eq!(literal(7u32.into(), Typing::Loose).0, "7");
        assert_eq!(literal(u32::MAX.into(), Typing::Loose).0, "4294967295u");
        assert_eq!(exact(-7i8), "(signed char)-7");
        assert_eq!(exact(i32::MIN), "-2147483647 - 1");
        assert_eq!(exact(i64::MIN), "-9223372036854775807ll - 1");
        assert_eq!(exact(u64::MAX), "18446744073709551615ull");
    }

    #[test]
    fn a_float_is_printed_with_the_fewest_digits_that_give_it_back() {
        assert_eq!(exact(0.1f32), "0.1f");
        assert_eq!(exact(-0.0f64), "-0.0");
        assert_eq!(exact(1e30f32), "1e30f");
        assert_eq!(exact(f32::NEG_INFINITY), "__int_as_float(0xff800000)");
        assert_eq!(
            exact(f64::NAN),
            "__longlong_as_double(0x7ff8000000000000ll)"
        );
    }
}
