//! The operators on scalars, as tables that are sorted by name.

use std::cmp::Ordering;

use tail::syntax::Constant::{self, Bool, Char, Complex, Double, Int};

/// An operator of one scalar; `None` if the scalar has another type.
pub type Unary = fn(Constant) -> Option<Constant>;

/// An operator of two scalars; `None` if one of them has another type.
pub type Binary = fn(Constant, Constant) -> Option<Constant>;

/// The operator of one scalar with a name.
pub fn unary(name: &str) -> Option<Unary> {
    let at = UNARY
        .binary_search_by(|(other, _)| (*other).cmp(name))
        .ok()?;
    Some(UNARY[at].1)
}

/// The operator of two scalars with a name.
pub fn binary(name: &str) -> Option<Binary> {
    let at = BINARY
        .binary_search_by(|(other, _)| (*other).cmp(name))
        .ok()?;
    Some(BINARY[at].1)
}

const UNARY: &[(&str, Unary)] = &[
    ("absd", |a| double(a, f64::abs)),
    ("absi", |a| int(a, i32::wrapping_abs)),
    ("acos", |a| double(a, f64::acos)),
    ("asin", |a| double(a, f64::asin)),
    ("atan", |a| double(a, f64::atan)),
    ("b2i", |a| from_bool(a, |b| Int(i32::from(b)))),
    ("ceil", |a| from_double(a, |x| Int(x.ceil() as i32))),
    ("conjx", |a| complex(a, |(x, y)| (x, -y))),
    ("cos", |a| double(a, f64::cos)),
    ("cosh", |a| double(a, f64::cosh)),
    ("d2x", |a| from_double(a, |x| Complex(x, 0.0))),
    ("expd", |a| double(a, f64::exp)),
    ("expx", |a| {
        complex(a, |(x, y)| (x.exp() * y.cos(), x.exp() * y.sin()))
    }),
    ("floor", |a| from_double(a, |x| Int(x.floor() as i32))),
    ("i2d", |a| from_int(a, |n| Double(f64::from(n)))),
    ("imx", |a| from_complex(a, |(_, y)| Double(y))),
    ("injx", |a| from_double(a, |y| Complex(0.0, y))),
    ("ln", |a| double(a, f64::ln)),
    ("magnx", |a| from_complex(a, |(x, y)| Double(x.hypot(y)))),
    ("negd", |a| double(a, |x| -x)),
    ("negi", |a| int(a, i32::wrapping_neg)),
    ("negx", |a| complex(a, |(x, y)| (-x, -y))),
    ("notb", |a| from_bool(a, |b| Bool(!b))),
    ("noti", |a| int(a, |n| !n)),
    ("rex", |a| from_complex(a, |(x, _)| Double(x))),
    ("signd", |a| {
        from_double(a, |x| Int(i32::from(x > 0.0) - i32::from(x < 0.0)))
    }),
    ("signi", |a| int(a, i32::signum)),
    ("sin", |a| double(a, f64::sin)),
    ("sinh", |a| double(a, f64::sinh)),
    ("tan", |a| double(a, f64::tan)),
    ("tanh", |a| double(a, f64::tanh)),
];

const BINARY: &[(&str, Binary)] = &[
    ("addd", |a, b| doubles(a, b, |x, y| x + y)),
    ("addi", |a, b| ints(a, b, i32::wrapping_add)),
    ("addx", |a, b| {
        complexes(a, b, |a, b| (a.0 + b.0, a.1 + b.1))
    }),
    ("andb", |a, b| bools(a, b, |x, y| x && y)),
    ("andi", |a, b| ints(a, b, |x, y| x & y)),
    ("divd", |a, b| doubles(a, b, |x, y| x / y)),
    ("eqb", |a, b| bools(a, b, |x, y| x == y)),
    ("eqc", |a, b| compare_chars(a, b, Ordering::is_eq)),
    ("eqd", |a, b| compare_doubles(a, b, |x, y| x == y)),
    ("eqi", |a, b| compare_ints(a, b, |x, y| x == y)),
    ("gtc", |a, b| compare_chars(a, b, Ordering::is_gt)),
    ("gtd", |a, b| compare_doubles(a, b, |x, y| x > y)),
    ("gtec", |a, b| compare_chars(a, b, Ordering::is_ge)),
    ("gted", |a, b| compare_doubles(a, b, |x, y| x >= y)),
    ("gtei", |a, b| compare_ints(a, b, |x, y| x >= y)),
    ("gti", |a, b| compare_ints(a, b, |x, y| x > y)),
    ("ltc", |a, b| compare_chars(a, b, Ordering::is_lt)),
    ("ltd", |a, b| compare_doubles(a, b, |x, y| x < y)),
    ("ltec", |a, b| compare_chars(a, b, Ordering::is_le)),
    ("lted", |a, b| compare_doubles(a, b, |x, y| x <= y)),
    ("ltei", |a, b| compare_ints(a, b, |x, y| x <= y)),
    ("lti", |a, b| compare_ints(a, b, |x, y| x < y)),
    ("maxd", |a, b| doubles(a, b, f64::max)),
    ("maxi", |a, b| ints(a, b, i32::max)),
    ("mind", |a, b| doubles(a, b, f64::min)),
    ("mini", |a, b| ints(a, b, i32::min)),
    ("muld", |a, b| doubles(a, b, |x, y| x * y)),
    ("muli", |a, b| ints(a, b, i32::wrapping_mul)),
    ("mulx", |a, b| {
        complexes(a, b, |a, b| (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0))
    }),
    ("nandb", |a, b| bools(a, b, |x, y| !(x && y))),
    ("neqc", |a, b| compare_chars(a, b, Ordering::is_ne)),
    ("neqd", |a, b| compare_doubles(a, b, |x, y| x != y)),
    ("neqi", |a, b| compare_ints(a, b, |x, y| x != y)),
    ("norb", |a, b| bools(a, b, |x, y| !(x || y))),
    ("orb", |a, b| bools(a, b, |x, y| x || y)),
    ("ori", |a, b| ints(a, b, |x, y| x | y)),
    ("powd", |a, b| doubles(a, b, f64::powf)),
    ("resd", |a, b| doubles(a, b, residue_of_doubles)),
    ("resi", |a, b| ints(a, b, residue)),
    ("shari", |a, b| {
        ints(a, b, |x, n| x >> u32::try_from(n).map_or(31, |n| n.min(31)))
    }),
    ("shli", |a, b| {
        ints(a, b, |x, n| {
            word(x).checked_shl(word(n)).map_or(0, u32::cast_signed)
        })
    }),
    ("shri", |a, b| {
        ints(a, b, |x, n| {
            word(x).checked_shr(word(n)).map_or(0, u32::cast_signed)
        })
    }),
    ("subd", |a, b| doubles(a, b, |x, y| x - y)),
    ("subi", |a, b| ints(a, b, i32::wrapping_sub)),
    ("subx", |a, b| {
        complexes(a, b, |a, b| (a.0 - b.0, a.1 - b.1))
    }),
    ("xorb", |a, b| bools(a, b, |x, y| x != y)),
    ("xori", |a, b| ints(a, b, |x, y| x ^ y)),
];

/// `b` mod `a`, with the sign of `a`; `b` if `a` is 0.
fn residue(a: i32, b: i32) -> i32 {
    match (a, b.wrapping_rem(if a == 0 { 1 } else { a })) {
        (0, _) => b,
        (_, rest) if rest != 0 && (rest < 0) != (a < 0) => rest + a,
        (_, rest) => rest,
    }
}

/// The same of doubles.
fn residue_of_doubles(a: f64, b: f64) -> f64 {
    match (a, b % a) {
        (0.0, _) => b,
        (_, rest) if rest != 0.0 && (rest < 0.0) != (a < 0.0) => rest + a,
        (_, rest) => rest,
    }
}

/// A 32-bit word. A shift by 32 and more, or by a negative number, moves all of it out, as in SML.
fn word(n: i32) -> u32 {
    n.cast_unsigned()
}

fn int(a: Constant, f: fn(i32) -> i32) -> Option<Constant> {
    match a {
        Int(n) => Some(Int(f(n))),
        _ => None,
    }
}

fn double(a: Constant, f: fn(f64) -> f64) -> Option<Constant> {
    from_double(a, f).map(Double)
}

fn complex(a: Constant, f: fn((f64, f64)) -> (f64, f64)) -> Option<Constant> {
    from_complex(a, f).map(|(x, y)| Complex(x, y))
}

fn from_int<R>(a: Constant, f: fn(i32) -> R) -> Option<R> {
    match a {
        Int(n) => Some(f(n)),
        _ => None,
    }
}

fn from_double<R>(a: Constant, f: fn(f64) -> R) -> Option<R> {
    match a {
        Double(x) => Some(f(x)),
        _ => None,
    }
}

fn from_bool<R>(a: Constant, f: fn(bool) -> R) -> Option<R> {
    match a {
        Bool(b) => Some(f(b)),
        _ => None,
    }
}

fn from_complex<R>(a: Constant, f: fn((f64, f64)) -> R) -> Option<R> {
    match a {
        Complex(x, y) => Some(f((x, y))),
        _ => None,
    }
}

fn ints(a: Constant, b: Constant, f: fn(i32, i32) -> i32) -> Option<Constant> {
    match (a, b) {
        (Int(a), Int(b)) => Some(Int(f(a, b))),
        _ => None,
    }
}

fn doubles(a: Constant, b: Constant, f: fn(f64, f64) -> f64) -> Option<Constant> {
    match (a, b) {
        (Double(a), Double(b)) => Some(Double(f(a, b))),
        _ => None,
    }
}

fn bools(a: Constant, b: Constant, f: fn(bool, bool) -> bool) -> Option<Constant> {
    match (a, b) {
        (Bool(a), Bool(b)) => Some(Bool(f(a, b))),
        _ => None,
    }
}

type Pair = (f64, f64);

fn complexes(a: Constant, b: Constant, f: fn(Pair, Pair) -> Pair) -> Option<Constant> {
    match (a, b) {
        (Complex(a, b), Complex(c, d)) => {
            let (x, y) = f((a, b), (c, d));
            Some(Complex(x, y))
        }
        _ => None,
    }
}

fn compare_ints(a: Constant, b: Constant, f: fn(i32, i32) -> bool) -> Option<Constant> {
    match (a, b) {
        (Int(a), Int(b)) => Some(Bool(f(a, b))),
        _ => None,
    }
}

fn compare_doubles(a: Constant, b: Constant, f: fn(f64, f64) -> bool) -> Option<Constant> {
    match (a, b) {
        (Double(a), Double(b)) => Some(Bool(f(a, b))),
        _ => None,
    }
}

fn compare_chars(a: Constant, b: Constant, f: fn(Ordering) -> bool) -> Option<Constant> {
    match (a, b) {
        (Char(a), Char(b)) => Some(Bool(f(a.cmp(&b)))),
        _ => None,
    }
}

#[test]
fn the_tables_are_sorted() {
    assert!(UNARY.is_sorted_by(|a, b| a.0 < b.0));
    assert!(BINARY.is_sorted_by(|a, b| a.0 < b.0));
}
