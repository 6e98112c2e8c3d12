//! The functions that a printed module has for itself, where it calls them.

/// Names, what each function calls, and its text.
const HELPERS: &[(&str, &[&str], &str)] = &[
    ("root", &[], "/// `x` to the power of 1/2: that of -0 is 0, and that of the least number is infinite.
fn root(x: EF64) -> EF64 {
    select(x == f64::NEG_INFINITY, lit(f64::INFINITY), (x + 0.0).sqrt())
}"),
    ("resi", &[], "/// `b` mod `a`, with the sign of `a`; `b` if `a` is 0.
fn resi(a: EI32, b: EI32) -> EI32 {
    let is_small = (a == 0) | (a == -1);
    let rest = b % select(is_small, lit(1i32), a);
    let rest = select((rest != 0) & ((rest ^ a) < 0), rest + a, rest);
    select(a == 0, b, rest)
}"),
    ("resd", &[], "/// `b` mod `a`, with the sign of `a`; `b` if `a` is 0.
fn resd(a: EF64, b: EF64) -> EF64 {
    let rest = b % a;
    let rest = select((rest != 0.0) & ((rest < 0.0) ^ (a < 0.0)), rest + a, rest);
    select(a == 0.0, b, rest)
}"),
    ("shli", &[], "/// A shift to the left; by 32 and more, or by a negative number, it moves all out.
fn shli(x: EI32, n: EI32) -> EI32 {
    let n = n as u32;
    select(n < 32, (x as u32) << (n & 31), lit(0u32)) as i32
}"),
    ("shri", &[], "/// A shift to the right that fills with zeros; by 32 and more, or by a negative number, it moves all out.
fn shri(x: EI32, n: EI32) -> EI32 {
    let n = n as u32;
    select(n < 32, (x as u32) >> (n & 31), lit(0u32)) as i32
}"),
    ("shari", &[], "/// A shift to the right that keeps the sign.
fn shari(x: EI32, n: EI32) -> EI32 {
    x >> (n as u32).min(31)
}"),
    ("signi", &[], "/// -1, 0 or 1.
fn signi(x: EI32) -> EI32 {
    select(x > 0, lit(1i32), select(x < 0, lit(-1i32), lit(0i32)))
}"),
    ("signd", &[], "/// -1, 0 or 1.
fn signd(x: EF64) -> EI32 {
    select(x > 0.0, lit(1i32), select(x < 0.0, lit(-1i32), lit(0i32)))
}"),
    ("magnx", &[], "/// The magnitude of a complex number.
fn magnx(a: (EF64, EF64)) -> EF64 {
    a.0.hypot(a.1)
}"),
    ("conjx", &[], "/// The conjugate of a complex number.
fn conjx(a: (EF64, EF64)) -> (EF64, EF64) {
    (a.0, -a.1)
}"),
    ("negx", &[], "/// A complex number with the other sign.
fn negx(a: (EF64, EF64)) -> (EF64, EF64) {
    (-a.0, -a.1)
}"),
    ("expx", &[], "/// e to the power of a complex number.
fn expx(a: (EF64, EF64)) -> (EF64, EF64) {
    (a.0.exp() * a.1.cos(), a.0.exp() * a.1.sin())
}"),
    ("addx", &[], "/// The sum of complex numbers.
fn addx(a: (EF64, EF64), b: (EF64, EF64)) -> (EF64, EF64) {
    (a.0 + b.0, a.1 + b.1)
}"),
    ("subx", &[], "/// The difference of complex numbers.
fn subx(a: (EF64, EF64), b: (EF64, EF64)) -> (EF64, EF64) {
    (a.0 - b.0, a.1 - b.1)
}"),
    ("mulx", &[], "/// The product of complex numbers.
fn mulx(a: (EF64, EF64), b: (EF64, EF64)) -> (EF64, EF64) {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}"),
    ("random", &[], "/// A random number: in 0 to 1, or a whole one below `n`. It is the output function of SplitMix64 (Steele, Lea and Flood, 2014).
fn random(stream: EU64, number: EU32, n: EI32) -> EF64 {
    let x = stream + (number as u64) * 0x9e37_79b9_7f4a_7c15;
    let x = (x ^ (x >> 30)) * 0xbf58_476d_1ce4_e5b9;
    let x = (x ^ (x >> 27)) * 0x94d0_49bb_1331_11eb;
    let x = x ^ (x >> 31);
    let fraction = (x >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0);
    select(n == 0, fraction, (fraction * n as f64).floor())
}"),
];

/// A function, and those that it calls.
pub fn named(name: &str) -> Vec<&'static str> {
    let found = HELPERS.iter().find(|(own, _, _)| *own == name);
    found.map_or_else(Vec::new, |(own, others, _)| {
        std::iter::once(*own)
            .chain(others.iter().copied())
            .collect()
    })
}

/// The text of a function.
pub fn text(name: &str) -> &'static str {
    let found = HELPERS.iter().find(|(own, _, _)| *own == name);
    found.map_or("", |(_, _, text)| text)
}
