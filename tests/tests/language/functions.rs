//! Functions of device values, held against Rust's own, on all devices and for all types that have
//! them: by samples through a kernel, and by values that are easy to get wrong through folding.

#![allow(missing_docs)]

use obsidian_core::scalar::elementary::Elementary;
use obsidian_core::scalar::{Scalar, build};
use obsidian_rt::language::{Exp, lit};
use obsidian_rt::prelude::*;
use obsidian_tests::fact;
use obsidian_tests::fuzz::verdict::{Answer, judge};

#[kernels]
mod m {
    #[kernel]
    pub fn parts(x: DPull<EF32>) -> DPush<Grid, (EF32, EF32, EBool)> {
        x.split_up(8).as_grid_map(|c| {
            c.map(|x| (x.recip(), x.fract(), (x / x.abs().floor()).is_nan()))
                .push()
        })
    }

    #[kernel]
    pub fn powers(x: DPull<EF64>) -> DPush<Grid, (EF64, EF64, EF64)> {
        x.split_up(8)
            .as_grid_map(|c| c.map(|x| (x.powi(0), x.powi(5), x.powi(-3))).push())
    }

    #[kernel]
    pub fn bits(x: DPull<EF32>, y: DPull<EF64>) -> DPush<Grid, (EF32, EF64)> {
        zip(x.split_up(8), y.split_up(8)).as_grid_map(|(c, d)| {
            zip(c, d)
                .map(|(x, y)| {
                    let next = EF32::from_bits(x.to_bits() + 1);
                    (next, EF64::from_bits(y.to_bits() ^ (lit(1u64) << 63)))
                })
                .push()
        })
    }

    #[kernel]
    pub fn integers(x: DPull<EI16>, y: DPull<EI16>) -> DPush<Grid, (EU16, EI16, EI16)> {
        zip(x.split_up(8), y.split_up(8)).as_grid_map(|(c, d)| {
            zip(c.map(|x| x * 300), d.map(|y| y * 700))
                .map(|(x, y)| (x.abs_diff(y), x.saturating_add(y), x.saturating_sub(y)))
                .push()
        })
    }

    #[kernel]
    pub fn products(x: DPull<EI16>, y: DPull<EU64>) -> DPush<Grid, (EI16, EU64)> {
        zip(x.split_up(8), y.split_up(8)).as_grid_map(|(c, d)| {
            zip(c, d)
                .map(|(x, y)| (x.saturating_mul(x - 70), y.saturating_mul(y << 50)))
                .push()
        })
    }

    #[kernel]
    pub fn turned(x: DPull<EU32>) -> DPush<Grid, (EU32, EU32)> {
        x.split_up(8)
            .as_grid_map(|c| c.map(|x| (x.rotate_left(x % 40), x.rotate_right(7))).push())
    }

    #[kernel]
    pub fn library(x: DPull<EF64>) -> DPush<Grid, (EF64, EF64)> {
        x.split_up(8).as_grid_map(|c| {
            c.map(|x| {
                let x = x / 64.0;
                let small = x.cbrt() + (x * 0.001).exp_m1() + x.abs().ln_1p();
                (small, x.hypot(3.0) + x.erf() + (x * x + 1.0).rsqrt())
            })
            .push()
        })
    }

    #[kernel]
    pub fn first_f32(x: DPull<EF32>) -> DPush<Grid, (EF32, EF32, EF32)> {
        x.split_up(8)
            .as_grid_map(|c| c.map(|x| (x.exp(), x.ln(), x.sin())).push())
    }

    #[kernel]
    pub fn second_f32(x: DPull<EF32>, y: DPull<EF32>) -> DPush<Grid, (EF32, EF32, EF32)> {
        zip(x.split_up(8), y.split_up(8)).as_grid_map(|(c, d)| {
            zip(c, d)
                .map(|(x, y)| (x.cos(), x.tanh(), x.powf(y)))
                .push()
        })
    }

    #[kernel]
    pub fn first_f64(x: DPull<EF64>) -> DPush<Grid, (EF64, EF64, EF64)> {
        x.split_up(8)
            .as_grid_map(|c| c.map(|x| (x.exp(), x.ln(), x.sin())).push())
    }

    #[kernel]
    pub fn second_f64(x: DPull<EF64>, y: DPull<EF64>) -> DPush<Grid, (EF64, EF64, EF64)> {
        zip(x.split_up(8), y.split_up(8)).as_grid_map(|(c, d)| {
            zip(c, d)
                .map(|(x, y)| (x.cos(), x.tanh(), x.powf(y)))
                .push()
        })
    }

    #[kernel(contract)]
    pub fn contracted(x: DPull<EF32>, y: DPull<EF32>) -> DPush<Grid, (EF32, EF32, EF32)> {
        zip(x.split_up(8), y.split_up(8)).as_grid_map(|(c, d)| {
            zip(c, d)
                .map(|(x, y)| (x * y + x, x * x - y * 0.1, 0.3 - x * y))
                .push()
        })
    }

    #[kernel(contract)]
    pub fn dots(x: DPull<EF64>, y: DPull<EF64>) -> DPush<Grid, EF64> {
        zip_with(|x, y| (x * 0.1, y * 0.7), x, y)
            .split_up(8)
            .as_grid_map(|c| {
                c.split_up(4).as_block_map(|p| {
                    exec_thread_value(seq_iterate(4, |i, s| s + p[i].0 * p[i].1, 0.0))
                })
            })
    }

    #[kernel]
    pub fn quick(x: DPull<EF32>) -> DPush<Grid, EF32> {
        x.split_up(8).as_grid_map(|c| {
            c.map(|x| {
                let x = x / 64.0;
                let waves = fast::sin(x) + fast::cos(x);
                waves + fast::exp(x) + fast::div(fast::ln(x * x + 1.0), 3.0)
            })
            .push()
        })
    }
}

/// In the order of the language: the power by squares.
fn cube_and_fifth(x: f64) -> (f64, f64, f64) {
    let square = x * x;
    (1.0, x * (square * square), 1.0 / (x * square))
}

fn three<A, B, C>(list: impl Iterator<Item = (A, B, C)>) -> (Vec<A>, Vec<B>, Vec<C>) {
    let (mut a, mut b, mut c) = (Vec::new(), Vec::new(), Vec::new());
    list.for_each(|(x, y, z)| {
        a.push(x);
        b.push(y);
        c.push(z);
    });
    (a, b, c)
}

fn sums(x: &[i16], y: &[i16]) -> (Vec<u16>, Vec<i16>, Vec<i16>) {
    let x = x.iter().map(|x| x.wrapping_mul(300));
    let y = y.iter().map(|y| y.wrapping_mul(700));
    three(
        x.zip(y)
            .map(|(x, y)| (x.abs_diff(y), x.saturating_add(y), x.saturating_sub(y))),
    )
}

fn products(x: &[i16], y: &[u64]) -> (Vec<i16>, Vec<u64>) {
    let x = x.iter().map(|x| x.saturating_mul(x - 70));
    (
        x.collect(),
        y.iter().map(|y| y.saturating_mul(y << 50)).collect(),
    )
}

fact!(parts_of_floats: m::parts[8](x: f32) == three(x.iter().map(|x| (1.0 / x, x.fract(), (x / x.abs().floor()).is_nan()))));
fact!(powers_are_squares_of_squares: m::powers[8](x: f64) == three(x.iter().map(|x| cube_and_fifth(*x))));
fact!(floats_have_bits: m::bits[8](x: f32, y: f64) == (x.iter().map(|x| f32::from_bits(x.to_bits() + 1)).collect::<Vec<f32>>(), y.iter().map(|y| -y).collect::<Vec<f64>>()));
fact!(sums_saturate: m::integers[8](x: i16, y: i16) == sums(&x, &y));
fact!(products_saturate: m::products[8](x: i16, y: u64) == products(&x, &y));
fact!(a_sum_with_a_product_is_rounded_once: m::contracted[8](x: f32, y: f32) == three(x.iter().zip(&y).map(|(x, y)| (x.mul_add(*y, *x), x.mul_add(*x, -(y * 0.1)), (-x).mul_add(*y, 0.3)))));
fact!(a_fold_rounds_once_an_element: m::dots[8](x: f64, y: f64) == x.chunks(4).zip(y.chunks(4)).map(|(x, y)| x.iter().zip(y).fold(0.0, |s, (x, y)| (x * 0.1f64).mul_add(y * 0.7, s))).collect::<Vec<f64>>());
fact!(bits_rotate: m::turned[8](x: u32) == x.iter().map(|x| (x.rotate_left(x % 40 % 32), x.rotate_right(7))).unzip::<u32, u32, Vec<u32>, Vec<u32>>());

/// The value of an expression of literals, which is folded.
fn folded<T: Scalar>(make: impl FnOnce() -> Exp<T>) -> T {
    build(|| make().as_literal()).result.expect("a known value")
}

macro_rules! of_integers {
    ($($test:ident $ty:ident;)*) => {$(
        #[test]
        fn $test() {
            let edges = [$ty::MIN, $ty::MIN + 1, $ty::MIN / 2, 0, 1, 2, 3, 7, 11, 100, $ty::MAX / 2, $ty::MAX / 2 + 1, $ty::MAX - 1, $ty::MAX];
            let edges: Vec<$ty> = edges.into_iter().chain([0 as $ty, 1, 2, 5].map(|x| x.wrapping_neg())).collect();
            for x in &edges {
                for y in &edges {
                    let (x, y) = (*x, *y);
                    assert_eq!(folded(|| lit(x).abs_diff(y)), x.abs_diff(y), "{x} {y}");
                    let by_zero = y == 0;
                    let rest = if by_zero { x } else { x.wrapping_rem_euclid(y) };
                    let quotient = if by_zero { 0 } else { x.wrapping_div_euclid(y) };
                    assert_eq!(folded(|| lit(x).rem_euclid(y)), rest, "{x} mod {y}");
                    assert_eq!(folded(|| lit(x).div_euclid(y)), quotient, "{x} div {y}");
                    assert_eq!(folded(|| lit(x).saturating_add(y)), x.saturating_add(y), "{x} + {y}");
                    assert_eq!(folded(|| lit(x).saturating_sub(y)), x.saturating_sub(y), "{x} - {y}");
                    assert_eq!(folded(|| lit(x).saturating_mul(y)), x.saturating_mul(y), "{x} * {y}");
                }
                for n in [0, 1, 7, 8, 15, 31, 32, 33, 63, 64, u32::MAX] {
                    assert_eq!(folded(|| lit(*x).rotate_left(n)), x.rotate_left(n % $ty::BITS), "{x} {n}");
                    assert_eq!(folded(|| lit(*x).rotate_right(n)), x.rotate_right(n % $ty::BITS), "{x} {n}");
                }
            }
        }
    )*};
}

of_integers! {
    of_u8 u8; of_u16 u16; of_u32 u32; of_u64 u64; of_i8 i8; of_i16 i16; of_i32 i32; of_i64 i64;
}

/// The distance of two floats, relative to the second.
fn apart(x: f64, y: f64) -> f64 {
    (x - y).abs() / y.abs().max(1.0)
}

#[test]
fn library_functions_are_as_near_as_they_say() -> obsidian_rt::Result<()> {
    let x = obsidian_tests::samples::<f64>(64);
    let y = obsidian_tests::samples::<f32>(64);
    for (words, device) in obsidian_tests::devices() {
        let (small, large) = m::library::launch(&device, &device.upload(&x)?)?;
        let (small, large) = (small.to_vec()?, large.to_vec()?);
        for (n, x) in x.iter().map(|x| x / 64.0).enumerate() {
            let first = x.cbrt() + (x * 0.001).exp_m1() + x.abs().ln_1p();
            let second = x.hypot(3.0) + by_series(x) + 1.0 / (x * x + 1.0).sqrt();
            assert!(apart(small[n], first) < 1e-14, "{words}: {x}");
            assert!(apart(large[n], second) < 1e-14, "{words}: {x}");
        }
        let quick = m::quick::launch(&device, &device.upload(&y)?)?.to_vec()?;
        for (n, y) in y.iter().map(|y| f64::from(*y / 64.0)).enumerate() {
            let expected = y.sin() + y.cos() + y.exp() + (y * y + 1.0).ln() / 3.0;
            assert!(apart(quick[n].into(), expected) < 1e-4, "{words}: {y}");
        }
    }
    Ok(())
}

macro_rules! elementary_bits {
    ($test:ident $first:ident $second:ident $ty:ident $bits:ident) => {
        /// The CPU and the simulator compute elementary functions by the same code: their bits are those
        /// of that code, called by itself.
        #[test]
        fn $test() -> obsidian_rt::Result<()> {
            // Any bits: all exponents and both signs, and small numbers.
            let any = |n: $bits| $ty::from_bits(n.wrapping_mul($bits::MAX / 7 * 5 + 2));
            let x: Vec<$ty> = (0..4096)
                .map(|n| {
                    if n % 2 == 0 {
                        any(n)
                    } else {
                        n as $ty / 256.0 - 8.0
                    }
                })
                .collect();
            let y: Vec<$ty> = (0..4096).map(|n| n as $ty / 512.0 - 4.0).collect();
            let devices = [Device::cpu(), Device::simulator()];
            for device in devices {
                let (left, right) = (device.upload(&x)?, device.upload(&y)?);
                let (a, b, c) = m::$first::launch(&device, &left)?;
                let (d, e, f) = m::$second::launch(&device, &left, &right)?;
                let found = [a, b, c, d, e, f].map(|list| list.to_vec());
                for (n, (x, y)) in x.iter().zip(&y).enumerate() {
                    let expected = [
                        Elementary::exp(*x),
                        Elementary::ln(*x),
                        Elementary::sin(*x),
                        Elementary::cos(*x),
                        Elementary::tanh(*x),
                        x.pow(*y),
                    ];
                    for (found, expected) in found.iter().zip(expected) {
                        let found = found.as_ref().expect("a copy")[n];
                        let same = found.to_bits() == expected.to_bits();
                        let nan = found.is_nan() && expected.is_nan();
                        assert!(same || nan, "{x:e} {y}: {found:e}, not {expected:e}");
                    }
                }
            }
            Ok(())
        }
    };
}

elementary_bits! { elementary_functions_of_f32_have_one_value first_f32 second_f32 f32 u32 }
elementary_bits! { elementary_functions_of_f64_have_one_value first_f64 second_f64 f64 u64 }

/// The error function by its series, `2 / sqrt(pi) * sum((-1)^n x^(2n+1) / (n! (2n+1)))`, which is
/// exact enough for small numbers.
fn by_series(x: f64) -> f64 {
    assert!(x.abs() < 3.0);
    let (mut term, mut sum) = (x, x);
    for n in 1..80 {
        term *= -x * x / f64::from(n);
        sum += term / f64::from(2 * n + 1);
    }
    sum * 2.0 / std::f64::consts::PI.sqrt()
}

/// What is no function of the type, and what the message says.
const WRONG: &[(&str, &str, &str)] = &[
    ("EF32", "x.powi(x as i32)", "an i32 of the host"),
    ("EF32", "x.powi(2147483648)", "not an i32"),
    ("EU32", "x.powi(2)", "powi"),
    ("EF32", "x.saturating_add(x)", "saturating_add"),
    ("EU32", "x.recip()", "recip"),
    ("EF32", "x.rotate_left(1)", "rotate_left"),
    ("EF64", "fast::exp(x)", "EF32"),
    ("EU64", "EF32::from_bits(x)", "EU32"),
    ("EU32", "x.from_bits()", "from_bits"),
    ("EF32", "x.fast_exp()", "fast_exp"),
    ("EU32", "x.to_bits()", "to_bits"),
    ("EU32", "x.saturating_add(1.5)", "`1.5` is a float"),
];

#[test]
fn what_a_type_has_not_is_an_error() {
    for (ty, code, words) in WRONG {
        let text = format!(
            "pub mod m {{ #[kernel] pub fn k(x: DPull<{ty}>) -> DPush<Grid, {ty}> {{ \
             x.split_up(64).as_grid_map(|c| c.map(|x| {code}).push()) }} }}"
        );
        match judge(&text) {
            Ok(Answer::Errors(list)) => {
                assert!(
                    list.len() == 1 && list[0].contains(words),
                    "{code}: {list:?}"
                );
            }
            other => panic!("{code}: {other:?}"),
        }
    }
}

#[test]
fn contract_is_said_once_and_has_no_value() {
    for (attribute, words) in [
        ("contract = true", "has no value"),
        ("contract, contract", "said twice"),
        ("contracts", "not an option"),
    ] {
        let text = format!(
            "pub mod m {{ #[kernel({attribute})] pub fn k(x: DPull<EF32>) -> DPush<Grid, EF32> {{ \
             x.split_up(64).as_grid_map(|c| c.push()) }} }}"
        );
        match judge(&text) {
            Ok(Answer::Errors(list)) => {
                assert!(
                    list.len() == 1 && list[0].contains(words),
                    "{attribute}: {list:?}"
                );
            }
            other => panic!("{attribute}: {other:?}"),
        }
    }
}
