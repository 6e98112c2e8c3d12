//! How each operator is printed: one table by operator and class of type.
//!
//! A form is text in which `$a`, `$b` and `$c` stand for the operands, and `$T` for the type, `$U`
//! for the unsigned type of its width, `$f` for `f` at `float`, `$l` for `ll` at 64 bits, `$m` for
//! the mask of shift distances, `$n` for the unused bits of an `int`, and `$w` for the bit above
//! the type, and `$v` for the function that makes a
//! float of the bits. Where C computes in `int` for want of narrow arithmetic, the result is cast back.

use super::precedence::{ADD, AND, ATOM, EQUAL, LESS, MUL, OR, SHIFT, TERNARY, UNARY, XOR};
use crate::scalar::{BinaryOp, ScalarType, UnaryOp};

/// Classes of types, as a set of bits.
type Classes = u8;
const BOOL: Classes = 1;
/// `u8`, `u16`
const NARROW_U: Classes = 2;
/// `i8`, `i16`
const NARROW_S: Classes = 4;
/// `u32`, `u64`
const WIDE_U: Classes = 8;
/// `i32`, `i64`
const WIDE_S: Classes = 16;
const FLOAT: Classes = 32;
const DOUBLE: Classes = 64;
const FLOATS: Classes = FLOAT | DOUBLE;
const NARROW: Classes = NARROW_U | NARROW_S;
const WIDE: Classes = WIDE_U | WIDE_S;
const INTEGERS: Classes = NARROW | WIDE;
const ALL: Classes = 127;

fn class(ty: ScalarType) -> Classes {
    match (ty, ty.bits() < 32, ty.is_signed()) {
        (ScalarType::Bool, ..) => BOOL,
        (ScalarType::F32, ..) => FLOAT,
        (ScalarType::F64, ..) => DOUBLE,
        (_, true, false) => NARROW_U,
        (_, true, true) => NARROW_S,
        (_, false, false) => WIDE_U,
        (_, false, true) => WIDE_S,
    }
}

/// How an operator is printed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    /// The text, see the [module](self).
    pub(super) text: &'static str,
    /// How tightly it binds.
    pub(super) precedence: u8,
    /// How tightly the operands have to bind, at least.
    pub(super) operands: [u8; 3],
    /// Does C give it another type than the operator has?
    pub(super) cast: bool,
    /// May literals among the operands be of type `int`?
    pub(super) loose: bool,
}

const fn call(text: &'static str) -> Form {
    Form {
        text,
        precedence: ATOM,
        operands: [TERNARY; 3],
        cast: false,
        loose: false,
    }
}

/// Sums and products: to the right of equals they need parentheses.
const fn chain(text: &'static str, precedence: u8) -> Form {
    Form {
        text,
        precedence,
        operands: [precedence, precedence + 1, ATOM],
        cast: false,
        loose: true,
    }
}

/// Bits: other operators inside are set apart, as few people know which binds tighter.
const fn bits(text: &'static str, precedence: u8) -> Form {
    Form {
        text,
        precedence,
        operands: [UNARY; 3],
        cast: false,
        loose: true,
    }
}

const fn compare(text: &'static str, precedence: u8) -> Form {
    Form {
        text,
        precedence,
        operands: [ADD; 3],
        cast: false,
        loose: true,
    }
}

const fn prefix(text: &'static str) -> Form {
    Form {
        text,
        precedence: UNARY,
        operands: [ATOM; 3],
        cast: false,
        loose: false,
    }
}

/// A function that gives an `int` or `unsigned int`, whatever its operand is.
const fn foreign(text: &'static str) -> Form {
    Form {
        cast: true,
        ..call(text)
    }
}

/// An expression over such functions.
const fn foreign_part(text: &'static str, precedence: u8) -> Form {
    Form {
        text,
        precedence,
        operands: [UNARY; 3],
        cast: true,
        loose: false,
    }
}

/// When a row holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Case {
    /// Nothing is known.
    Any,
    /// The result fits the type, or the divisor is neither 0 nor -1, or the shift distance is a
    /// literal.
    Plain,
}

type Row<Op> = (Op, Classes, Case, Form);

const UNARY_FORMS: &[Row<UnaryOp>] = {
    use Case::Any;
    use UnaryOp::*;
    &[
        (Neg, WIDE_S, Any, call("neg_wrap($a)")),
        (Neg, NARROW_S | FLOATS, Any, prefix("-$a")),
        (Not, BOOL, Any, prefix("!$a")),
        (Not, INTEGERS, Any, prefix("~$a")),
        (Abs, NARROW_S | WIDE_S, Any, call("abs_wrap($a)")),
        (Abs, FLOATS, Any, call("fabs$f($a)")),
        (Signum, NARROW_S | WIDE_S, Any, call("sign($a)")),
        (Signum, FLOATS, Any, call("signum$f($a)")),
        (Sqrt, FLOATS, Any, call("sqrt$f($a)")),
        (Rsqrt, FLOATS, Any, call("rsqrt$f($a)")),
        (Cbrt, FLOATS, Any, call("cbrt$f($a)")),
        (Exp, FLOATS, Any, call("exp$f($a)")),
        (Exp2, FLOATS, Any, call("exp2$f($a)")),
        (ExpM1, FLOATS, Any, call("expm1$f($a)")),
        (Ln, FLOATS, Any, call("log$f($a)")),
        (Ln1p, FLOATS, Any, call("log1p$f($a)")),
        (Log2, FLOATS, Any, call("log2$f($a)")),
        (Log10, FLOATS, Any, call("log10$f($a)")),
        (Sin, FLOATS, Any, call("sin$f($a)")),
        (Cos, FLOATS, Any, call("cos$f($a)")),
        (Tan, FLOATS, Any, call("tan$f($a)")),
        (Asin, FLOATS, Any, call("asin$f($a)")),
        (Acos, FLOATS, Any, call("acos$f($a)")),
        (Atan, FLOATS, Any, call("atan$f($a)")),
        (Sinh, FLOATS, Any, call("sinh$f($a)")),
        (Cosh, FLOATS, Any, call("cosh$f($a)")),
        (Tanh, FLOATS, Any, call("tanh$f($a)")),
        (Asinh, FLOATS, Any, call("asinh$f($a)")),
        (Acosh, FLOATS, Any, call("acosh$f($a)")),
        (Atanh, FLOATS, Any, call("atanh$f($a)")),
        (Erf, FLOATS, Any, call("erf$f($a)")),
        (FastExp, FLOAT, Any, call("__expf($a)")),
        (FastLn, FLOAT, Any, call("__logf($a)")),
        (FastSin, FLOAT, Any, call("__sinf($a)")),
        (FastCos, FLOAT, Any, call("__cosf($a)")),
        (ToBits, FLOAT, Any, call("__float_as_uint($a)")),
        (
            ToBits,
            DOUBLE,
            Any,
            Form {
                precedence: UNARY,
                ..call("(unsigned long long)__double_as_longlong($a)")
            },
        ),
        (FromBits, WIDE_U, Any, call("$v($a)")),
        (Floor, FLOATS, Any, call("floor$f($a)")),
        (Ceil, FLOATS, Any, call("ceil$f($a)")),
        (Round, FLOATS, Any, call("round$f($a)")),
        (Trunc, FLOATS, Any, call("trunc$f($a)")),
        (
            CountOnes,
            NARROW_S,
            Any,
            foreign_part("__popc(($U)$a)", ATOM),
        ),
        (CountOnes, NARROW_U | WIDE, Any, foreign("__popc$l($a)")),
        (
            LeadingZeros,
            NARROW,
            Any,
            foreign_part("__clz(($U)$a) - $n", ADD),
        ),
        (LeadingZeros, WIDE, Any, foreign("__clz$l($a)")),
        (
            TrailingZeros,
            NARROW,
            Any,
            foreign_part("__clz(__brev($a | $w))", ATOM),
        ),
        (TrailingZeros, WIDE, Any, foreign("__clz$l(__brev$l($a))")),
        (
            ReverseBits,
            NARROW,
            Any,
            foreign_part("__brev($a) >> $n", SHIFT),
        ),
        (ReverseBits, WIDE, Any, foreign("__brev$l($a)")),
    ]
};

const BINARY_FORMS: &[Row<BinaryOp>] = {
    use BinaryOp::*;
    use Case::{Any, Plain};
    &[
        (Add, WIDE_S, Any, call("add_wrap($a, $b)")),
        (Add, ALL, Plain, chain("$a + $b", ADD)),
        (Sub, WIDE_S, Any, call("sub_wrap($a, $b)")),
        (Sub, ALL, Plain, chain("$a - $b", ADD)),
        (Mul, WIDE_S, Any, call("mul_wrap($a, $b)")),
        // In `int` the product of two `unsigned short` overflows.
        (
            Mul,
            NARROW_U,
            Any,
            Form {
                operands: [UNARY; 3],
                ..chain("(unsigned int)$a * $b", MUL)
            },
        ),
        (Mul, ALL, Plain, chain("$a * $b", MUL)),
        (Div, NARROW_U | WIDE_U, Any, call("quotient($a, $b)")),
        (Div, NARROW_S | WIDE_S, Any, call("quotient_wrap($a, $b)")),
        (Div, ALL, Plain, chain("$a / $b", MUL)),
        (Rem, NARROW_U | WIDE_U, Any, call("remnant($a, $b)")),
        (Rem, NARROW_S | WIDE_S, Any, call("remnant_wrap($a, $b)")),
        (Rem, FLOATS, Plain, call("fmod$f($a, $b)")),
        (Rem, ALL, Plain, chain("$a % $b", MUL)),
        (And, ALL, Plain, bits("$a & $b", AND)),
        (Or, ALL, Plain, bits("$a | $b", OR)),
        (Xor, ALL, Plain, bits("$a ^ $b", XOR)),
        (Shl, NARROW_S | WIDE_S, Plain, call("shl_wrap($a, $b)")),
        (Shl, NARROW_U | WIDE_U, Any, bits("$a << ($b & $m)", SHIFT)),
        (Shl, NARROW_U | WIDE_U, Plain, bits("$a << $b", SHIFT)),
        (Shr, INTEGERS, Any, bits("$a >> ($b & $m)", SHIFT)),
        (Shr, INTEGERS, Plain, bits("$a >> $b", SHIFT)),
        (Min, FLOATS, Plain, call("fmin$f($a, $b)")),
        (
            Min,
            NARROW,
            Plain,
            Form {
                cast: true,
                ..call("min($a, $b)")
            },
        ),
        (Min, ALL, Plain, call("min($a, $b)")),
        (Max, FLOATS, Plain, call("fmax$f($a, $b)")),
        (
            Max,
            NARROW,
            Plain,
            Form {
                cast: true,
                ..call("max($a, $b)")
            },
        ),
        (Max, ALL, Plain, call("max($a, $b)")),
        (Pow, FLOATS, Plain, call("pow$f($a, $b)")),
        (Atan2, FLOATS, Plain, call("atan2$f($a, $b)")),
        (Hypot, FLOATS, Plain, call("hypot$f($a, $b)")),
        (FastDiv, FLOAT, Plain, call("__fdividef($a, $b)")),
        (CopySign, FLOATS, Plain, call("copysign$f($a, $b)")),
        (Eq, ALL, Plain, compare("$a == $b", EQUAL)),
        (Ne, ALL, Plain, compare("$a != $b", EQUAL)),
        (Lt, ALL, Plain, compare("$a < $b", LESS)),
        (Le, ALL, Plain, compare("$a <= $b", LESS)),
        (Gt, ALL, Plain, compare("$a > $b", LESS)),
        (Ge, ALL, Plain, compare("$a >= $b", LESS)),
    ]
};

/// `left * right + addend`; of floats with one rounding.
const MUL_ADD_FORMS: &[Row<()>] = &[
    ((), FLOATS, Case::Any, call("fma$f($a, $b, $c)")),
    (
        (),
        WIDE_S,
        Case::Any,
        call("add_wrap(mul_wrap($a, $b), $c)"),
    ),
    (
        (),
        NARROW_U,
        Case::Any,
        Form {
            operands: [UNARY, UNARY, UNARY],
            ..chain("(unsigned int)$a * $b + $c", ADD)
        },
    ),
    (
        (),
        ALL,
        Case::Any,
        Form {
            operands: [MUL, UNARY, MUL],
            loose: false,
            ..chain("$a * $b + $c", ADD)
        },
    ),
];

/// The form of an operator for operands of a type.
pub(super) fn unary(op: UnaryOp, ty: ScalarType) -> Form {
    find(UNARY_FORMS, op, ty, Case::Any, false)
}

/// The form of an operator for left operands of a type.
pub(super) fn binary(op: BinaryOp, ty: ScalarType, case: Case) -> Form {
    find(BINARY_FORMS, op, ty, case, op.is_comparison())
}

/// The form of the fused operation.
pub(super) fn mul_add(ty: ScalarType) -> Form {
    find(MUL_ADD_FORMS, (), ty, Case::Any, false)
}

/// The first row that holds. Rows for `Plain` also serve as the last resort of operators that need
/// no care.
fn find<Op: Copy + PartialEq>(
    rows: &[Row<Op>],
    op: Op,
    ty: ScalarType,
    case: Case,
    gives_bool: bool,
) -> Form {
    let of_type = || {
        rows.iter()
            .filter(|row| row.0 == op && row.1 & class(ty) != 0)
    };
    let row = of_type()
        .find(|row| row.2 == case)
        .or_else(|| of_type().next());
    // An operator that the type does not have is refused long before; its operand stands for it.
    let mut form = row.map_or(call("($a)"), |row| row.3);
    let native = form.precedence == ATOM && !form.cast;
    form.cast |= !native && !gives_bool && class(ty) & NARROW != 0;
    form
}

/// The text with what depends on the type filled in; operands stay.
pub(super) fn of_type(text: &str, ty: ScalarType) -> String {
    let unused = 32u32.saturating_sub(ty.bits());
    text.replace("$T", super::types::name(ty))
        .replace("$U", super::types::name(ty.unsigned()))
        .replace("$f", if ty == ScalarType::F32 { "f" } else { "" })
        .replace(
            "$v",
            match ty.bits() == 64 {
                true => "__longlong_as_double",
                false => "__uint_as_float",
            },
        )
        .replace("$l", if ty.bits() == 64 { "ll" } else { "" })
        .replace("$m", &(ty.bits() - 1).to_string())
        .replace("$n", &unused.to_string())
        .replace("$w", &(1u64 << (ty.bits() % 64)).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operator_has_a_form_for_every_type_that_has_it() {
        for ty in ScalarType::ALL {
            // What the user vouches for is printed as it is.
            for op in UnaryOp::ALL
                .iter()
                .filter(|op| op.accepts(ty) && !op.is_promise())
            {
                assert_ne!(unary(*op, ty).text, "($a)", "{op:?} {ty:?}");
            }
            for op in BinaryOp::ALL.iter().filter(|op| op.accepts(ty)) {
                assert_ne!(binary(*op, ty, Case::Any).text, "($a)", "{op:?} {ty:?}");
            }
        }
    }
}
