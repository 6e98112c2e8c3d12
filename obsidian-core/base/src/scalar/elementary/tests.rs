//! The functions beside better ones: `f32` beside the `f64` functions of Rust, `f64` beside a table that
//! was made with 1400 bits (`points.txt`, by `.ci/elementary --points`: function, argument, exponent, result and its error, as bits).
//!
//! An ordinary run takes one of 997 values of `f32`. All of them:
//! `OBSIDIAN_FULL=1 cargo test --release -p obsidian-core --lib elementary`

use super::Elementary;

/// The distance from the exact result, in units of the last place that it has as an `f32`.
fn error32(found: f32, exact: f64) -> f64 {
    if exact.is_nan() || exact.is_infinite() || exact == 0.0 {
        let same = found.is_nan() && exact.is_nan()
            || f64::from(found) == exact && found.is_sign_negative() == exact.is_sign_negative();
        return if same { 0.0 } else { f64::INFINITY };
    }
    let exponent = (exact.abs().to_bits() >> 52) as i32 - 1023;
    let unit = 2f64.powi(exponent.clamp(-126, 127) - 23);
    // Infinity stands for the power that would follow the largest number.
    let number = match found.is_infinite() {
        true => 2f64.powi(128).copysign(f64::from(found)),
        false => f64::from(found),
    };
    match number.abs() >= 2f64.powi(128) && exact.abs() >= 2f64.powi(128) {
        true => 0.0,
        false => (number - exact).abs() / unit,
    }
}

/// Holds a function to its error on values of `f32` from all over the type.
fn hold(name: &str, most: f64, ours: fn(f32) -> f32, exact: fn(f64) -> f64) {
    let full = std::env::var_os("OBSIDIAN_FULL").is_some();
    let step = if full { 1 } else { 997 };
    let values = (0..=u32::MAX).step_by(step).map(f32::from_bits);
    let errors = values.map(|x| (error32(ours(x), exact(f64::from(x))), x));
    let worst = errors.fold((0.0, 0.0), |a, b| if b.0 > a.0 { b } else { a });
    println!("{name}: {worst:?}");
    assert!(worst.0 <= most, "{name}: {worst:?}");
}

macro_rules! near {
    ($($test:ident: $name:ident, $most:literal;)*) => {$(
        #[test]
        fn $test() {
            hold(stringify!($name), $most, Elementary::$name, f64::$name);
        }
    )*};
}

near! {
    exp_is_near: exp, 0.8;
    ln_is_near: ln, 0.9;
    sin_is_near: sin, 0.9;
    cos_is_near: cos, 0.9;
    tanh_is_near: tanh, 1.5;
}

/// Numbers that look random, from a seed.
fn random(mut seed: u64) -> impl Iterator<Item = u64> {
    std::iter::repeat_with(move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    })
}

#[test]
fn powers_of_f32_are_near() {
    let count = match std::env::var_os("OBSIDIAN_FULL") {
        Some(_) => 1_000_000_000,
        None => 1_000_000,
    };
    let mut worst = (0.0, 0.0, 0.0);
    for (n, bits) in random(0x1234_5678_9abc_def1).take(count).enumerate() {
        let (x, y) = (
            f32::from_bits((bits >> 33) as u32),
            f32::from_bits(bits as u32),
        );
        // Any pair; small exponents; and results from all over the range.
        let y = match n % 3 {
            0 => y,
            1 => (bits as i32) as f32 / 2f32.powi(30),
            _ => (bits as i32) as f32 / 2f32.powi(31) * 150.0 / x.log2(),
        };
        let error = error32(x.pow(y), f64::from(x).powf(f64::from(y)));
        if error > worst.0 {
            worst = (error, x, y);
        }
    }
    println!("pow: {worst:?}");
    assert!(worst.0 <= 0.502, "{worst:?}");
}

/// The distance from the sum of a result and its error, in units of the last place of the result.
fn error64(found: f64, (high, low): (f64, f64)) -> f64 {
    let exponent = (high.abs().to_bits() >> 52).max(1);
    // A unit may be no normal number: there all is measured 2^300 times larger, as `low` is in the table.
    let shift = if exponent > 400 { 0 } else { 300 };
    let scale = 2f64.powi(shift);
    let unit = f64::from_bits((exponent + shift as u64 - 52) << 52);
    ((found - high) * scale - low).abs() / unit
}

#[test]
fn functions_of_f64_are_near() {
    let mut worst = crate::ordered::Map::new();
    for line in include_str!("points.txt").lines() {
        let mut words = line.split(' ');
        let name = words.next().unwrap();
        let mut number = || f64::from_bits(u64::from_str_radix(words.next().unwrap(), 16).unwrap());
        let (x, y) = (number(), number());
        let exact = (number(), number());
        let (found, most) = match name {
            "exp" => (Elementary::exp(x), 0.81),
            "ln" => (Elementary::ln(x), 0.96),
            "sin" => (Elementary::sin(x), 0.84),
            "cos" => (Elementary::cos(x), 0.84),
            "tanh" => (Elementary::tanh(x), 1.51),
            _ => (Elementary::pow(x, y), 0.86),
        };
        let error = error64(found, exact);
        assert!(
            error <= most,
            "{name} of {x:e} {y:e}: {found:e}, {error} off"
        );
        let so_far = worst.entry(name).or_insert(0f64);
        *so_far = so_far.max(error);
    }
    println!("{worst:?}");
    assert_eq!(worst.len(), 6);
}

/// Values at which functions change their minds, with both signs.
fn edges() -> Vec<f64> {
    let sizes = [
        0.0,
        5e-324,
        1e-310,
        f64::MIN_POSITIVE,
        1e-45,
        1e-38,
        1e-20,
        0.5,
        1.0 - f64::EPSILON,
        1.0,
        1.0 + f64::EPSILON,
        2.0,
        2.5,
        3.0,
        88.8,
        103.9,
        709.8,
        745.2,
        4_194_303.5,
        8_388_607.5,
        16_777_215.0,
        16_777_216.0,
        4_503_599_627_370_495.5,
        4_503_599_627_370_497.0,
        9_007_199_254_740_991.0,
        9_007_199_254_740_992.0,
        1e20,
        1e300,
        f64::MAX,
        f64::INFINITY,
        f64::NAN,
    ];
    sizes.into_iter().flat_map(|x| [x, -x]).collect()
}

macro_rules! as_in_rust {
    ($test:ident $ty:ident) => {
        /// What is special is as in Rust, and what is not is as near as two libraries are.
        #[test]
        fn $test() {
            let same = |what: &str, x: $ty, y: $ty, ours: $ty, rust: $ty| {
                let near = ours.to_bits().abs_diff(rust.to_bits()) <= 2;
                assert!(
                    near || ours.is_nan() && rust.is_nan(),
                    "{what} {x:e} {y:e}: {ours:e} and not {rust:e}"
                );
            };
            for x in edges().into_iter().map(|x| x as $ty) {
                same("exp", x, x, Elementary::exp(x), x.exp());
                same("ln", x, x, Elementary::ln(x), x.ln());
                same("sin", x, x, Elementary::sin(x), x.sin());
                same("cos", x, x, Elementary::cos(x), x.cos());
                same("tanh", x, x, Elementary::tanh(x), x.tanh());
                for y in edges().into_iter().map(|y| y as $ty) {
                    same("pow", x, y, x.pow(y), x.powf(y));
                }
            }
        }
    };
}

as_in_rust! { edges_of_f32_are_as_in_rust f32 }
as_in_rust! { edges_of_f64_are_as_in_rust f64 }

/// Results that do not depend on the machine: the same bits wherever the tests run.
#[test]
fn bits_are_the_same_everywhere() {
    let mut sum = [0u64; 2];
    for bits in random(88_172_645_463_325_252).take(20_000) {
        let x = f64::from_bits(bits >> 1);
        // From 0 to 20.
        let y = (bits >> 11) as f64 / (1u64 << 53) as f64 * 20.0;
        let of_f64 = [
            Elementary::exp(y),
            Elementary::ln(x),
            Elementary::sin(x),
            Elementary::cos(y),
            Elementary::tanh(y / 8.0),
            x.pow(y / 20.0),
        ];
        let (x, y) = (f32::from_bits((bits >> 33) as u32), y as f32);
        let of_f32 = [
            Elementary::exp(y),
            Elementary::ln(x),
            Elementary::sin(x),
            Elementary::cos(y),
            Elementary::tanh(y / 8.0),
            x.pow(y / 20.0),
        ];
        let numbers = of_f64.into_iter().filter(|x| !x.is_nan());
        sum[0] = numbers.fold(sum[0], |sum, x| sum.rotate_left(5) ^ x.to_bits());
        let numbers = of_f32.into_iter().filter(|x| !x.is_nan());
        sum[1] = numbers.fold(sum[1], |sum, x| sum.rotate_left(5) ^ u64::from(x.to_bits()));
    }
    assert_eq!(
        sum,
        [0x34b9_bee1_a8f4_1f69, 0x8a86_efc9_13b8_74fb],
        "{sum:#x?}"
    );
}

/// The shortest time of a map of 2^14 elements, in nanoseconds for each.
fn time<T: Copy + Default>(x: &[T], f: impl Fn(T) -> T) -> f64 {
    let mut y = vec![T::default(); x.len()];
    let mut run = || {
        let start = std::time::Instant::now();
        for (y, x) in y.iter_mut().zip(std::hint::black_box(x)) {
            *y = f(*x);
        }
        std::hint::black_box(&mut y);
        start.elapsed().as_secs_f64()
    };
    let least = (0..200).map(|_| run()).fold(f64::INFINITY, f64::min);
    least * 1e9 / x.len() as f64
}

macro_rules! speed {
    ($ty:ident) => {{
        // From -8 to 8, and from 0.
        let x: Vec<$ty> = random(7)
            .take(1 << 14)
            .map(|n| (n >> 40) as $ty / (1 << 20) as $ty - 8.0)
            .collect();
        let positive: Vec<$ty> = x.iter().map(|x| x.abs() + 0.001).collect();
        let power: $ty = std::hint::black_box(1.7);
        let rows = [
            ("exp", time(&x, |x| Elementary::exp(x)), time(&x, $ty::exp)),
            (
                "ln",
                time(&positive, |x| Elementary::ln(x)),
                time(&positive, $ty::ln),
            ),
            ("sin", time(&x, |x| Elementary::sin(x)), time(&x, $ty::sin)),
            ("cos", time(&x, |x| Elementary::cos(x)), time(&x, $ty::cos)),
            (
                "tanh",
                time(&x, |x| Elementary::tanh(x)),
                time(&x, $ty::tanh),
            ),
            (
                "pow",
                time(&positive, |x| x.pow(power)),
                time(&positive, |x| x.powf(power)),
            ),
        ];
        for (name, ours, std) in rows {
            println!(
                "| {name} {} | {ours:.2} | {std:.2} | {:.2} |",
                stringify!($ty),
                std / ours
            );
        }
    }};
}

/// `cargo test --release -p obsidian-core --lib elementary -- --ignored --nocapture`
#[test]
#[ignore = "prints times"]
fn speed() {
    println!("| function | ours, ns | std, ns | std / ours |\n|---|---|---|---|");
    speed! { f32 }
    speed! { f64 }
}
