//! Arithmetic of random programs, in plain Rust: what the operators mean by the language's own
//! promise, written down a second time.
//!
//! It shares no code with the library's tables: each type computes with its own operators of Rust.

use obsidian_core::scalar::{Literal, Scalar, ScalarType};

macro_rules! with_type {
    (all $ty:expr, $name:ident => $body:expr) => {
        with_type!($ty, $name => $body, [Bool bool U8 u8 U16 u16 U32 u32 U64 u64 I8 i8 I16 i16 I32 i32 I64 i64 F32 f32 F64 f64])
    };
    (integers $ty:expr, $name:ident => $body:expr) => {
        with_type!($ty, $name => $body, [U8 u8 U16 u16 U32 u32 U64 u64 I8 i8 I16 i16 I32 i32 I64 i64])
    };
    (signed $ty:expr, $name:ident => $body:expr) => {
        with_type!($ty, $name => $body, [I8 i8 I16 i16 I32 i32 I64 i64])
    };
    (floats $ty:expr, $name:ident => $body:expr) => {
        with_type!($ty, $name => $body, [F32 f32 F64 f64])
    };
    ($ty:expr, $name:ident => $body:expr, [$($variant:ident $rust:ident)*]) => {
        match $ty {
            $(ScalarType::$variant => {
                type $name = $rust;
                Some($body)
            })*
            #[allow(unreachable_patterns)]
            _ => None,
        }
    };
}

macro_rules! float_unary {
    ($name:expr, $x:expr) => {{
        let x = $x;
        match $name {
            "-" => -x,
            "abs" => x.abs(),
            "signum" => x.signum(),
            "sqrt" => x.sqrt(),
            "rsqrt" => 1.0 / x.sqrt(),
            "recip" => 1.0 / x,
            "fract" => x.fract(),
            "cbrt" => x.cbrt(),
            "exp" | "fast::exp" => x.exp(),
            "exp_m1" => x.exp_m1(),
            "ln_1p" => x.ln_1p(),
            "exp2" => x.exp2(),
            "ln" | "fast::ln" => x.ln(),
            "log2" => x.log2(),
            "log10" => x.log10(),
            "sin" | "fast::sin" => x.sin(),
            "cos" | "fast::cos" => x.cos(),
            "tan" => x.tan(),
            "asin" => x.asin(),
            "acos" => x.acos(),
            "atan" => x.atan(),
            "sinh" => x.sinh(),
            "cosh" => x.cosh(),
            "tanh" => x.tanh(),
            "asinh" => x.asinh(),
            "acosh" => x.acosh(),
            "atanh" => x.atanh(),
            "floor" => x.floor(),
            "ceil" => x.ceil(),
            "round" => x.round(),
            "trunc" => x.trunc(),
            other => panic!("`{other}` of a float"),
        }
    }};
}
macro_rules! float_binary {
    ($name:expr, $x:expr, $y:expr) => {{
        let (x, y) = ($x, $y);
        match $name {
            "+" => x + y,
            "-" => x - y,
            "*" => x * y,
            "/" | "fast::div" => x / y,
            "%" => x % y,
            "hypot" => x.hypot(y),
            "powf" => x.powf(y),
            "atan2" => x.atan2(y),
            "copysign" => x.copysign(y),
            // A number rather than a NaN; of two zeros, the negative one is the smaller.
            "min" if x.is_nan() => y,
            "max" if x.is_nan() => y,
            "min" if y.is_nan() => x,
            "max" if y.is_nan() => x,
            "min" if x < y || (x == y && x.is_sign_negative()) => x,
            "max" if x > y || (x == y && x.is_sign_positive()) => x,
            "min" | "max" => y,
            other => panic!("`{other}` of floats"),
        }
    }};
}

/// A value of a Rust type.
fn of<T: Scalar>(x: Literal) -> T {
    T::from_literal(x)
}

/// `true` as a value.
fn truth(x: bool) -> Literal {
    x.literal()
}

/// An operator of one operand.
pub fn unary(name: &str, x: Literal) -> Literal {
    let ty = x.ty();
    let found = match (name, ty) {
        ("unchecked" | "distinct", _) => Some(x),
        ("is_nan", _) => with_type!(floats ty, T => truth(of::<T>(x).is_nan())),
        ("to_bits", ScalarType::F32) => Some(of::<f32>(x).to_bits().literal()),
        ("to_bits", ScalarType::F64) => Some(of::<f64>(x).to_bits().literal()),
        ("EF32::from_bits", _) => Some(f32::from_bits(of(x)).literal()),
        ("EF64::from_bits", _) => Some(f64::from_bits(of(x)).literal()),
        ("erf", ScalarType::F32) => Some(libm::erff(of(x)).literal()),
        ("erf", ScalarType::F64) => Some(libm::erf(of(x)).literal()),
        ("!", ScalarType::Bool) => Some(truth(!of::<bool>(x))),
        ("!", _) => with_type!(integers ty, T => (!of::<T>(x)).literal()),
        ("-" | "abs" | "signum", _) if ty.is_integer() => with_type!(signed ty, T => {
            let x = of::<T>(x);
            match name {
                "-" => x.wrapping_neg().literal(),
                "abs" => x.wrapping_abs().literal(),
                _ => x.signum().literal(),
            }
        }),
        ("count_ones" | "leading_zeros" | "trailing_zeros" | "reverse_bits", _) => {
            with_type!(integers ty, T => {
                let x = of::<T>(x);
                match name {
                    "count_ones" => (x.count_ones() as T).literal(),
                    "leading_zeros" => (x.leading_zeros() as T).literal(),
                    "trailing_zeros" => (x.trailing_zeros() as T).literal(),
                    _ => x.reverse_bits().literal(),
                }
            })
        }
        _ => with_type!(floats ty, T => float_unary!(name, of::<T>(x)).literal()),
    };
    found.unwrap_or_else(|| panic!("`{name}` of {}", ty.name()))
}

/// An operator of two operands.
pub fn binary(name: &str, x: Literal, y: Literal) -> Literal {
    let ty = x.ty();
    if matches!(name, "==" | "!=" | "<" | "<=" | ">" | ">=") {
        return compare(name, x, y);
    }
    let found = match ty {
        ScalarType::Bool => {
            let (x, y) = (of::<bool>(x), of::<bool>(y));
            Some(truth(match name {
                "&" => x & y,
                "|" => x | y,
                "^" => x ^ y,
                _ => panic!("`{name}` of bool"),
            }))
        }
        _ if ty.is_float() => {
            with_type!(floats ty, T => float_binary!(name, of::<T>(x), of::<T>(y)).literal())
        }
        _ if matches!(name, "rotate_left" | "rotate_right") => with_type!(integers ty, T => {
            let (x, n) = (of::<T>(x), of::<u32>(y));
            let n = n % T::BITS;
            if name == "rotate_left" { x.rotate_left(n).literal() } else { x.rotate_right(n).literal() }
        }),
        _ if name == "abs_diff" => {
            with_type!(integers ty, T => of::<T>(x).abs_diff(of::<T>(y)).literal())
        }
        _ if matches!(name, "<<" | ">>") => with_type!(integers ty, T => {
            let (x, n) = (of::<T>(x), of::<u32>(y));
            if name == "<<" { x.wrapping_shl(n).literal() } else { x.wrapping_shr(n).literal() }
        }),
        _ => with_type!(integers ty, T => {
            let (x, y) = (of::<T>(x), of::<T>(y));
            match name {
                "+" => x.wrapping_add(y),
                "-" => x.wrapping_sub(y),
                "*" => x.wrapping_mul(y),
                "/" if y == 0 => 0,
                "/" => x.wrapping_div(y),
                "%" if y == 0 => x,
                "%" => x.wrapping_rem(y),
                "&" => x & y,
                "|" => x | y,
                "^" => x ^ y,
                "min" => x.min(y),
                "max" => x.max(y),
                "div_euclid" | "rem_euclid" if y == 0 => if name == "div_euclid" { 0 } else { x },
                "div_euclid" => x.wrapping_div_euclid(y),
                "rem_euclid" => x.wrapping_rem_euclid(y),
                "saturating_add" => x.saturating_add(y),
                "saturating_sub" => x.saturating_sub(y),
                "saturating_mul" => x.saturating_mul(y),
                _ => panic!("`{name}` of integers"),
            }
            .literal()
        }),
    };
    found.unwrap_or_else(|| panic!("`{name}` of {}", ty.name()))
}

#[allow(clippy::bool_comparison)] // Of booleans too: the types are all of them.
fn compare(name: &str, x: Literal, y: Literal) -> Literal {
    let found = with_type!(all x.ty(), T => {
        let (x, y) = (of::<T>(x), of::<T>(y));
        match name {
            "==" => x == y,
            "!=" => x != y,
            "<" => x < y,
            "<=" => x <= y,
            ">" => x > y,
            _ => x >= y,
        }
    });
    truth(found.unwrap_or(false))
}

/// `x * y + z`, for floats rounded once.
pub fn mul_add(x: Literal, y: Literal, z: Literal) -> Literal {
    if x.ty().is_integer() {
        return binary("+", binary("*", x, y), z);
    }
    with_type!(floats x.ty(), T => of::<T>(x).mul_add(of::<T>(y), of::<T>(z)).literal())
        .unwrap_or(x)
}

/// `x` to the power of a number of the host: the squares of squares that make up the exponent,
/// multiplied from the lowest.
pub fn powi(x: Literal, exponent: u32) -> Literal {
    let squares = (0..32).scan(x, |square, n| {
        let now = *square;
        *square = binary("*", now, now);
        Some((n, now))
    });
    let chosen = squares.filter(|(n, _)| exponent >> n & 1 == 1);
    let product = chosen.map(|(_, x)| x).reduce(|x, y| binary("*", x, y));
    product.unwrap_or(cast(1u8.literal(), x.ty()))
}

/// `x as ty`
pub fn cast(x: Literal, ty: ScalarType) -> Literal {
    if x.ty() == ScalarType::Bool {
        return with_type!(integers ty, U => (of::<bool>(x) as U).literal()).unwrap_or(x);
    }
    let outer = with_type!(ty, U => with_type!(x.ty(), T => (of::<T>(x) as U).literal(),
            [U8 u8 U16 u16 U32 u32 U64 u64 I8 i8 I16 i16 I32 i32 I64 i64 F32 f32 F64 f64]),
        [U8 u8 U16 u16 U32 u32 U64 u64 I8 i8 I16 i16 I32 i32 I64 i64 F32 f32 F64 f64]);
    outer.flatten().unwrap_or(x)
}

/// Are two results one value? Every NaN is like every other, and `approximate` ones may be two
/// units in the last place apart.
pub fn same(x: Literal, y: Literal, approximate: bool) -> bool {
    let is_nan = |x: Literal| with_type!(floats x.ty(), T => of::<T>(x).is_nan()).unwrap_or(false);
    if x == y || (is_nan(x) && is_nan(y)) {
        return true;
    }
    let near = |x: u64, y: u64| x.abs_diff(y) <= 2;
    approximate && x.ty().is_float() && !is_nan(x) && !is_nan(y) && near(x.bits(), y.bits())
}
