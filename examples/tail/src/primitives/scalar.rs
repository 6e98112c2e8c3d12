//! The operators on scalars.

use obsidian_rt::arrays::AnyElement;
use obsidian_rt::language::{EBool, EF64, EI32, EU32, lit, select};

use crate::lower::element::{boolean, code, complex, double, int};
use crate::syntax::Base;
use crate::types::signatures::SIGNATURES;

/// An operator of some scalars.
pub type Scalar = fn(&[AnyElement]) -> AnyElement;

/// The base type of the result of an operator.
pub fn result(name: &str) -> Base {
    let signature = SIGNATURES.get(name);
    let result = signature.and_then(|signature| signature.types(&[], &[]).1.array());
    result.map_or(Base::Open, |(base, _)| base)
}

/// The operator with a name.
pub fn find(name: &str) -> Option<Scalar> {
    ints(name)
        .or_else(|| doubles(name))
        .or_else(|| comparisons(name))
        .or_else(|| booleans(name))
        .or_else(|| complexes(name))
}

fn ints(name: &str) -> Option<Scalar> {
    Some(match name {
        "addi" => |a| int2(a, |x, y| x + y),
        "subi" => |a| int2(a, |x, y| x - y),
        "muli" => |a| int2(a, |x, y| x * y),
        "maxi" => |a| int2(a, |x, y| x.max(y)),
        "mini" => |a| int2(a, |x, y| x.min(y)),
        "andi" => |a| int2(a, |x, y| x & y),
        "ori" => |a| int2(a, |x, y| x | y),
        "xori" => |a| int2(a, |x, y| x ^ y),
        "shli" => |a| int2(a, |x, n| shifted(n, |n| x.cast::<u32>() << n)),
        "shri" => |a| int2(a, |x, n| shifted(n, |n| x.cast::<u32>() >> n)),
        "shari" => |a| int2(a, |x, n| x >> n.cast::<u32>().min(31u32)),
        "resi" => |a| int2(a, residue),
        "absi" => |a| AnyElement::of(first_int(a).abs()),
        "negi" => |a| AnyElement::of(lit(0i32) - first_int(a)),
        "noti" => |a| AnyElement::of(!first_int(a)),
        "signi" => |a| AnyElement::of(sign(first_int(a).gt(0), first_int(a).lt(0))),
        "i2d" => |a| AnyElement::of(first_int(a).cast::<f64>()),
        "b2i" => |a| AnyElement::of(select(first_bool(a), lit(1i32), lit(0))),
        _ => return None,
    })
}

fn doubles(name: &str) -> Option<Scalar> {
    Some(match name {
        "addd" => |a| double2(a, |x, y| x + y),
        "subd" => |a| double2(a, |x, y| x - y),
        "muld" => |a| double2(a, |x, y| x * y),
        "divd" => |a| double2(a, |x, y| x / y),
        "maxd" => |a| double2(a, |x, y| x.max(y)),
        "mind" => |a| double2(a, |x, y| x.min(y)),
        "powd" => |a| double2(a, to_the_power),
        "resd" => |a| double2(a, residue_of_doubles),
        "absd" => |a| AnyElement::of(first_double(a).abs()),
        "negd" => |a| AnyElement::of(-first_double(a)),
        "expd" => |a| AnyElement::of(first_double(a).exp()),
        "ln" => |a| AnyElement::of(first_double(a).ln()),
        "sin" => |a| AnyElement::of(first_double(a).sin()),
        "cos" => |a| AnyElement::of(first_double(a).cos()),
        "tan" => |a| AnyElement::of(first_double(a).tan()),
        "asin" => |a| AnyElement::of(first_double(a).asin()),
        "acos" => |a| AnyElement::of(first_double(a).acos()),
        "atan" => |a| AnyElement::of(first_double(a).atan()),
        "sinh" => |a| AnyElement::of(first_double(a).sinh()),
        "cosh" => |a| AnyElement::of(first_double(a).cosh()),
        "tanh" => |a| AnyElement::of(first_double(a).tanh()),
        "pi" => |_| AnyElement::of(lit(std::f64::consts::PI)),
        "signd" => |a| AnyElement::of(sign(first_double(a).gt(0.0), first_double(a).lt(0.0))),
        "floor" => |a| AnyElement::of(first_double(a).floor().cast::<i32>()),
        "ceil" => |a| AnyElement::of(first_double(a).ceil().cast::<i32>()),
        _ => return None,
    })
}

fn comparisons(name: &str) -> Option<Scalar> {
    Some(match name {
        "lti" => |a| compared(a, int, |x, y| x.lt(y)),
        "ltei" => |a| compared(a, int, |x, y| x.le(y)),
        "gti" => |a| compared(a, int, |x, y| x.gt(y)),
        "gtei" => |a| compared(a, int, |x, y| x.ge(y)),
        "eqi" => |a| compared(a, int, |x, y| x.eq(y)),
        "neqi" => |a| compared(a, int, |x, y| x.ne(y)),
        "ltd" => |a| compared(a, double, |x, y| x.lt(y)),
        "lted" => |a| compared(a, double, |x, y| x.le(y)),
        "gtd" => |a| compared(a, double, |x, y| x.gt(y)),
        "gted" => |a| compared(a, double, |x, y| x.ge(y)),
        "eqd" => |a| compared(a, double, |x, y| x.eq(y)),
        "neqd" => |a| compared(a, double, |x, y| x.ne(y)),
        "ltc" => |a| compared(a, code, |x, y| x.lt(y)),
        "ltec" => |a| compared(a, code, |x, y| x.le(y)),
        "gtc" => |a| compared(a, code, |x, y| x.gt(y)),
        "gtec" => |a| compared(a, code, |x, y| x.ge(y)),
        "eqc" => |a| compared(a, code, |x, y| x.eq(y)),
        "neqc" => |a| compared(a, code, |x, y| x.ne(y)),
        _ => return None,
    })
}

fn booleans(name: &str) -> Option<Scalar> {
    Some(match name {
        "andb" => |a| bool2(a, |x, y| x & y),
        "orb" => |a| bool2(a, |x, y| x | y),
        "xorb" => |a| bool2(a, |x, y| x ^ y),
        "eqb" => |a| bool2(a, |x, y| !(x ^ y)),
        "nandb" => |a| bool2(a, |x, y| !(x & y)),
        "norb" => |a| bool2(a, |x, y| !(x | y)),
        "notb" => |a| AnyElement::of(!first_bool(a)),
        _ => return None,
    })
}

fn complexes(name: &str) -> Option<Scalar> {
    Some(match name {
        "d2x" => |a| AnyElement::of((first_double(a), lit(0.0))),
        "injx" => |a| AnyElement::of((lit(0.0), first_double(a))),
        "rex" => |a| AnyElement::of(first_complex(a).0),
        "imx" => |a| AnyElement::of(first_complex(a).1),
        "magnx" => |a| {
            let (x, y) = first_complex(a);
            AnyElement::of(x.hypot(y))
        },
        "conjx" => |a| {
            let (x, y) = first_complex(a);
            AnyElement::of((x, -y))
        },
        "negx" => |a| {
            let (x, y) = first_complex(a);
            AnyElement::of((-x, -y))
        },
        "expx" => |a| {
            let (x, y) = first_complex(a);
            AnyElement::of((x.exp() * y.cos(), x.exp() * y.sin()))
        },
        "addx" => |a| complex2(a, |a, b| (a.0 + b.0, a.1 + b.1)),
        "subx" => |a| complex2(a, |a, b| (a.0 - b.0, a.1 - b.1)),
        "mulx" => |a| complex2(a, |a, b| (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)),
        _ => return None,
    })
}

/// `b` mod `a`, with the sign of `a`; `b` if `a` is 0. The remainder by -1 is 0, and that of the least number does not fit.
fn residue(a: EI32, b: EI32) -> EI32 {
    if a.as_literal().is_some_and(|a| a > 0) {
        return b.rem_euclid(a);
    }
    let is_small = a.eq(0) | a.eq(-1);
    let rest = b % select(is_small, lit(1), a);
    let rest = select(rest.ne(0) & (rest ^ a).lt(0), rest + a, rest);
    select(a.eq(0), b, rest)
}

/// The same; exact, as the remainder of doubles is, but for the one sum where the signs differ.
fn residue_of_doubles(a: EF64, b: EF64) -> EF64 {
    let rest = b % a;
    let is_other = rest.ne(0.0) & (rest.lt(0.0) ^ a.lt(0.0));
    select(a.eq(0.0), b, select(is_other, rest + a, rest))
}

/// A shift of a word by 32 and more, or by a negative number, moves all of it out.
fn shifted(n: EI32, f: impl Fn(EU32) -> EU32) -> EI32 {
    let n = n.cast::<u32>();
    select(n.lt(32u32), f(n & 31u32), lit(0)).cast()
}

fn sign(is_above: EBool, is_below: EBool) -> EI32 {
    select(is_above, lit(1i32), select(is_below, lit(-1i32), lit(0)))
}

/// The two operands; defaults stand for those that are missing, which the checker of types excludes.
fn two<T>(a: &[AnyElement], of: fn(&AnyElement) -> T) -> (T, T) {
    let nothing = AnyElement::default();
    let at = |n: usize| of(a.get(n).unwrap_or(&nothing));
    (at(0), at(1))
}

fn first<T>(a: &[AnyElement], of: fn(&AnyElement) -> T) -> T {
    of(a.first().unwrap_or(&AnyElement::default()))
}

fn first_int(a: &[AnyElement]) -> EI32 {
    first(a, int)
}

fn first_double(a: &[AnyElement]) -> EF64 {
    first(a, double)
}

fn first_bool(a: &[AnyElement]) -> EBool {
    first(a, boolean)
}

fn first_complex(a: &[AnyElement]) -> (EF64, EF64) {
    first(a, complex)
}

fn int2(a: &[AnyElement], f: impl Fn(EI32, EI32) -> EI32) -> AnyElement {
    let (x, y) = two(a, int);
    AnyElement::of(f(x, y))
}

fn double2(a: &[AnyElement], f: impl Fn(EF64, EF64) -> EF64) -> AnyElement {
    let (x, y) = two(a, double);
    AnyElement::of(f(x, y))
}

/// Exponents for which products are made. Each factor more rounds once more; of exponents below -1 the product may be infinite where the
/// power is not 0.
const FACTORS: std::ops::RangeInclusive<f64> = -1.0..=8.0;

/// Small whole exponents that are known are products, and a half is a root, which take a tenth of the time.
fn to_the_power(x: EF64, y: EF64) -> EF64 {
    match y.as_literal() {
        Some(n) if n.fract() == 0.0 && FACTORS.contains(&n) => x.powi(n as i32),
        // The root of -0 is -0, and that of the least number is none; as powers both are positive.
        Some(0.5) => select(
            x.eq(f64::NEG_INFINITY),
            lit(f64::INFINITY),
            (x + 0.0).sqrt(),
        ),
        _ => x.powf(y),
    }
}

fn bool2(a: &[AnyElement], f: impl Fn(EBool, EBool) -> EBool) -> AnyElement {
    let (x, y) = two(a, boolean);
    AnyElement::of(f(x, y))
}

type Pair = (EF64, EF64);

fn complex2(a: &[AnyElement], f: impl Fn(Pair, Pair) -> Pair) -> AnyElement {
    let (x, y) = two(a, complex);
    AnyElement::of(f(x, y))
}

fn compared<T>(
    a: &[AnyElement],
    of: fn(&AnyElement) -> T,
    f: impl Fn(T, T) -> EBool,
) -> AnyElement {
    let (x, y) = two(a, of);
    AnyElement::of(f(x, y))
}
