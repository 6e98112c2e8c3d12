//! The order in which folds combine elements, against the rule in plain Rust: the same bits on each device, with any number of threads.

use obsidian_executor::Executor;
use obsidian_rt::arrays::*;
use obsidian_rt::language::{EF32, EF64, EI64, EU32, lit, seq_iterate};
use obsidian_rt::prelude::*;
use obsidian_rt::{Device, ScalarType};

/// A row folded by `f`: up to 8 elements from the left, up to 256 with 8 partial results, up to 8,192 with 128, and above in pieces. What
/// pieces give has 128 partial results, too.
fn folded<T: Copy>(row: &[T], f: &impl Fn(T, T) -> T) -> Option<T> {
    match row.len() {
        0..=8 => by_partial_results(row, 1, f),
        9..=256 => by_partial_results(row, 8, f),
        257..=8192 => by_partial_results(row, 128, f),
        _ => {
            let pieces = row
                .chunks(4096)
                .map(|piece| by_partial_results(piece, 128, f));
            by_partial_results(&pieces.flatten().collect::<Vec<T>>(), 128, f)
        }
    }
}

/// Partial result `i` of `count` is every `count`-th element from number `i` on from the left; neighbours are combined until one is left.
fn by_partial_results<T: Copy>(row: &[T], count: usize, f: &impl Fn(T, T) -> T) -> Option<T> {
    let partial = |first: usize| row[first..].iter().copied().step_by(count).reduce(f);
    let mut partial: Vec<T> = (0..count.min(row.len())).filter_map(partial).collect();
    while partial.len() > 1 {
        let two = partial
            .chunks(2)
            .filter_map(|two| two.iter().copied().reduce(f));
        partial = two.collect();
    }
    partial.pop()
}

fn sum_of(row: &[f32]) -> f32 {
    folded(row, &|a, b| a + b).map_or(0.0, |sum| 0.0 + sum)
}

#[kernels]
mod compiled {
    #[arrays]
    pub fn sum(x: Arr1<EF32>) -> Arr0<EF32> {
        x.map(|x| x * 1.25).sum()
    }

    #[arrays]
    pub fn sums(x: Arr2<EF32>) -> Arr1<EF32> {
        x.map(|x| x * 1.25).sum()
    }
}

/// Lengths at which another rule begins, and others.
fn lengths() -> Vec<usize> {
    let edges = [
        255..=258,
        511..=513,
        1_023..=1_026,
        2_047..=2_050,
        4_095..=4_097,
        8_191..=8_194,
        12_287..=12_290,
        16_383..=16_386,
    ];
    (0..=70).chain(edges.into_iter().flatten()).collect()
}

/// Numbers whose sums depend on their order.
fn numbers(count: usize) -> Vec<f32> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let next = move |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let size = 2f32.powi((state >> 32) as i32 % 7);
        ((state & 0xffff) as f32 / 32768.0 - 1.0) * size
    };
    (0..count).map(next).collect()
}

fn devices() -> Vec<(&'static str, Device)> {
    let mut devices = vec![("cpu", Device::cpu()), ("simulator", Device::simulator())];
    match Executor::find() {
        Some(executor) => devices.push(("executed text", executor.device())),
        None => println!("skipped: the order of folds in executed text, because there is no g++"),
    }
    devices
}

fn bits(all: &[f32]) -> Vec<u32> {
    all.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn is_a_function_of_the_length_of_a_row() {
    let sum = ArrayProgram::build("sum", |x: Arr1<EF32>| x.map(|x| x * 1.25).sum()).unwrap();
    let sums = ArrayProgram::build("sums", |x: Arr2<EF32>| x.map(|x| x * 1.25).sum()).unwrap();
    for (name, device) in devices() {
        for n in lengths() {
            let x = numbers(n * 3);
            let scaled: Vec<f32> = x.iter().map(|x| x * 1.25).collect();
            let vector = device.array([n], &x[..n]).unwrap();
            let wanted = sum_of(&scaled[..n]).to_bits();
            let found = sum.run(&device, &vector).unwrap().value().unwrap();
            assert_eq!(found.to_bits(), wanted, "{name}, {n} elements");
            let matrix = device.array([3, n], &x).unwrap();
            let row = |row| sum_of(&scaled[row * n..][..n]).to_bits();
            let wanted: Vec<u32> = (0..3).map(row).collect();
            let found = sums.run(&device, &matrix).unwrap().to_vec().unwrap();
            let found: Vec<u32> = found.into_iter().map(f32::to_bits).collect();
            assert_eq!(found, wanted, "{name}, rows of {n}");
            if name != "executed text" {
                let again = compiled::sum::run(&device, &vector).unwrap();
                let again = again.value().unwrap().to_bits();
                assert_eq!(
                    again,
                    sum_of(&scaled[..n]).to_bits(),
                    "compiled, {name}, {n}"
                );
                let again = compiled::sums::run(&device, &matrix).unwrap();
                let again = again.to_vec().unwrap().into_iter();
                assert!(
                    again.map(f32::to_bits).eq(wanted),
                    "compiled, {name}, rows of {n}"
                );
            }
        }
    }
}

#[test]
fn does_not_depend_on_threads_and_fusion() {
    let settings = |threads, fuse| Settings {
        threads,
        fuse,
        ..Settings::default()
    };
    let all = [32, 128, 256, 1024].map(|threads| settings(Some(threads), true));
    for settings in all.into_iter().chain([settings(None, false)]) {
        let sum =
            ArrayProgram::build_with("sum", settings, |x: Arr1<EF32>| x.map(|x| x * 1.25).sum());
        let sums =
            ArrayProgram::build_with("sums", settings, |x: Arr2<EF32>| x.map(|x| x * 1.25).sum());
        let (sum, sums) = (sum.unwrap(), sums.unwrap());
        for (name, device) in devices() {
            for n in [3, 8, 9, 100, 256, 257, 1000, 2049, 8192, 8193, 20_001] {
                let x = numbers(n * 2);
                let scaled: Vec<f32> = x.iter().map(|x| x * 1.25).collect();
                let vector = device.array([n], &x[..n]).unwrap();
                let found = sum.run(&device, &vector).unwrap().value().unwrap();
                let wanted = sum_of(&scaled[..n]);
                assert_eq!(found.to_bits(), wanted.to_bits(), "{name}, {n}");
                let matrix = device.array([2, n], &x).unwrap();
                let found = sums.run(&device, &matrix).unwrap().to_vec().unwrap();
                let wanted: Vec<f32> = scaled.chunks(n).map(sum_of).collect();
                assert_eq!(bits(&found), bits(&wanted), "{name}, rows of {n}");
            }
        }
    }
}

#[test]
fn of_long_rows() {
    let n = (1 << 20) + 3;
    let x = numbers(n);
    let scaled: Vec<f32> = x.iter().map(|x| x * 1.25).collect();
    let wanted = sum_of(&scaled).to_bits();
    let sum = ArrayProgram::build("sum", |x: Arr1<EF32>| x.map(|x| x * 1.25).sum()).unwrap();
    for (name, device) in devices()
        .into_iter()
        .filter(|(name, _)| *name != "simulator")
    {
        let vector = device.array([n], &x).unwrap();
        let found = sum.run(&device, &vector).unwrap().value().unwrap();
        assert_eq!(found.to_bits(), wanted, "{name}");
    }
    let device = Device::cpu();
    let vector = device.array([n], &x).unwrap();
    let found = compiled::sum::run(&device, &vector).unwrap();
    assert_eq!(found.value().unwrap().to_bits(), wanted);
}

/// Several folds of one kernel, other operators and types, a start that is not neutral, and what is written on the way.
#[test]
fn of_other_elements_and_operators() {
    let several = ArrayProgram::build("several", |x: Arr3<EF64>| {
        let squares = x.clone().map(|x| x * x);
        let both = x
            .map(|x| (x, x))
            .fold(|(a, b), (x, y)| (a + x, b.max(y)), (lit(0.5), lit(-1.0)));
        (
            squares.clone(),
            squares.sum(),
            both,
            squares.map(|x| x * 0.01 + 1.0).fold1(|a, b| a * b),
        )
    })
    .unwrap();
    for (name, device) in devices() {
        for n in [1, 4, 8, 9, 31, 33, 64, 65, 256, 257, 700, 8192, 8193] {
            let x: Vec<f64> = numbers(n * 6).into_iter().map(f64::from).collect();
            let x = x.into_iter().map(|x| x / 3.0).collect::<Vec<f64>>();
            let array = device.array([3, 2, n], &x).unwrap();
            let (squares, sums, both, products) = several.run(&device, &array).unwrap();
            let wanted: Vec<f64> = x.iter().map(|x| x * x).collect();
            assert_eq!(squares.to_vec().unwrap(), wanted, "{name}, {n}");
            let rows =
                |all: &[f64], f: fn(&[f64]) -> f64| all.chunks(n).map(f).collect::<Vec<f64>>();
            let sum = |row: &[f64]| 0.0 + folded(row, &|a, b| a + b).unwrap();
            assert_eq!(sums.to_vec().unwrap(), rows(&wanted, sum), "{name}, {n}");
            let half = |row: &[f64]| 0.5 + folded(row, &|a, b| a + b).unwrap();
            let most = |row: &[f64]| row.iter().copied().fold(-1.0, f64::max);
            let (found, largest): (Vec<f64>, Vec<f64>) = both.to_vec().unwrap().into_iter().unzip();
            assert_eq!(found, rows(&x, half), "{name}, {n}");
            assert_eq!(largest, rows(&x, most), "{name}, {n}");
            let factors: Vec<f64> = wanted.iter().map(|x| x * 0.01 + 1.0).collect();
            let product = |row: &[f64]| folded(row, &|a, b| a * b).unwrap();
            assert_eq!(
                products.to_vec().unwrap(),
                rows(&factors, product),
                "{name}, {n}"
            );
        }
    }
}

/// Any number of rows, with what is written on the way and without, of elements that read the rows backwards and go through a loop.
#[test]
fn of_any_number_of_rows() {
    fn element(x: Arr2<EF32>) -> Arr2<EF32> {
        let back = x.clone().reverse();
        zip_with(
            |x, y| {
                let halved = seq_iterate(3u32, |_, x: EF32| x * 0.5, x);
                halved.map(move |x| x + y)
            },
            x,
            back,
        )
    }
    let sums = ArrayProgram::build("sums", |x: Arr2<EF32>| element(x).sum()).unwrap();
    let both = ArrayProgram::build("both", |x: Arr2<EF32>| {
        let elements = element(x);
        (elements.clone(), elements.sum())
    })
    .unwrap();
    // The number of rows is the remainder of a division, which may be 0.
    let bounded = ArrayProgram::build("bounded", |x: Arr2<EF32>, rows: EU32| {
        let (_, width) = x.shape();
        generate((rows % 8u32, width), move |(i, j)| x.at((i, j))).sum()
    })
    .unwrap();
    for (name, device) in devices() {
        for h in [0usize, 1, 31, 32, 33, 100] {
            for w in [0usize, 5, 9, 16, 61, 256, 300] {
                let x = numbers(h * w);
                let back = |i: usize| x[i / w * w + w - 1 - i % w];
                let all: Vec<f32> = (0..h * w).map(|i| x[i] * 0.125 + back(i)).collect();
                let row = |row: usize| sum_of(&all[row * w..][..w]);
                let wanted: Vec<f32> = (0..h).map(row).collect();
                let array = device.array([h, w], &x).unwrap();
                let found = sums.run(&device, &array).unwrap().to_vec().unwrap();
                assert_eq!(bits(&found), bits(&wanted), "{name}, {h} x {w}");
                let (elements, found) = both.run(&device, &array).unwrap();
                assert_eq!(
                    bits(&elements.to_vec().unwrap()),
                    bits(&all),
                    "{name}, {h} x {w}"
                );
                let found = found.to_vec().unwrap();
                assert_eq!(bits(&found), bits(&wanted), "{name}, {h} x {w}");
                let given: Vec<f32> = (0..h.min(7))
                    .map(|row| sum_of(&x[row * w..][..w]))
                    .collect();
                let rows = u32::try_from(h.min(7)).unwrap();
                let found = bounded.run(&device, (&array, rows + 8)).unwrap();
                let found = found.to_vec().unwrap();
                assert_eq!(bits(&found), bits(&given), "{name}, {rows} of {h} x {w}");
            }
        }
    }
}

/// What is no number, zeros with a sign, and what no order changes.
#[test]
fn of_elements_without_an_order() {
    let several = ArrayProgram::build("several", |x: Arr2<EF32>, n: Arr2<EI64>| {
        let flags = n.clone().map(|n| n.gt(lit(0i64)));
        (
            (x.clone().fold1(|a, b| a + b), x.clone().min(), x.max()),
            (n.clone().sum(), n.fold(|a, b| a ^ b, lit(1i64))),
            (
                flags.clone().fold(|a, b| a & b, lit(true)),
                flags.fold(|a, b| a | b, lit(false)),
            ),
        )
    })
    .unwrap();
    for (name, device) in devices() {
        for w in [1usize, 8, 9, 255, 300, 8200] {
            for special in [-0.0f32, f32::NAN, f32::INFINITY] {
                let mut x = vec![-0.0f32; 3 * w];
                x[w + w / 2] = special;
                x[2 * w..].fill(f32::NAN);
                let n: Vec<i64> = (0..3 * w as i64)
                    .map(|i| (i * i).wrapping_mul(0x5851_f42d_4c95_7f2d) >> 3)
                    .collect();
                let given = (
                    &device.array([3, w], &x).unwrap(),
                    &device.array([3, w], &n).unwrap(),
                );
                let ((sum, min, max), (total, odd), (all, any)) =
                    several.run(&device, given).unwrap();
                let place = format!("{name}, rows of {w}, {special}");
                let sum = sum.to_vec().unwrap();
                assert_eq!(sum[0].to_bits(), (-0.0f32).to_bits(), "{place}");
                let second = if special == 0.0 {
                    sum[1].to_bits() == special.to_bits()
                } else {
                    sum[1].is_nan() == special.is_nan() && !sum[1].is_finite()
                };
                assert!(second && sum[2].is_nan(), "{place}: {sum:?}");
                for found in [min.to_vec().unwrap(), max.to_vec().unwrap()] {
                    assert_eq!(found[0].to_bits(), (-0.0f32).to_bits(), "{place}");
                    assert!(found[2].is_nan(), "{place}");
                }
                let rows: Vec<&[i64]> = n.chunks(w).collect();
                let of = |f: fn(&[i64]) -> i64| rows.iter().map(|row| f(row)).collect::<Vec<i64>>();
                assert_eq!(
                    total.to_vec().unwrap(),
                    of(|row| row.iter().fold(0, |a, b| a.wrapping_add(*b))),
                    "{place}"
                );
                assert_eq!(
                    odd.to_vec().unwrap(),
                    of(|row| row.iter().fold(1, |a, b| a ^ b)),
                    "{place}"
                );
                let flags =
                    |f: fn(&[i64]) -> bool| rows.iter().map(|row| f(row)).collect::<Vec<bool>>();
                assert_eq!(
                    all.to_vec().unwrap(),
                    flags(|row| row.iter().all(|n| *n > 0)),
                    "{place}"
                );
                assert_eq!(
                    any.to_vec().unwrap(),
                    flags(|row| row.iter().any(|n| *n > 0)),
                    "{place}"
                );
            }
        }
    }
}

/// More folds at once than the partial results of 32 rows of which the memory of a block would have.
#[test]
fn of_many_folds_at_once() {
    let many = AnyProgram::build("many", |inputs| {
        let x = inputs.array(2, &[ScalarType::F64]);
        let sum = |k: i32| {
            let scaled = x.map(move |x| AnyElement::of(x.to::<EF64>() * f64::from(k)));
            let plus =
                |a: AnyElement, b: AnyElement| AnyElement::of(a.to::<EF64>() + b.to::<EF64>());
            scaled.fold(plus, AnyElement::of(lit(0.0f64)))
        };
        (1..=30).map(sum).collect()
    });
    let many = many.unwrap();
    let device = Device::cpu();
    for w in [5usize, 100, 300] {
        let x: Vec<f64> = (0..40 * w).map(|i| i as f64 / 7.0).collect();
        let given = device.array([40, w], &x).unwrap();
        let found = many.run(&device, &[&given.into()]).unwrap();
        for (k, found) in (1..=30).zip(found) {
            let row = |row: &[f64]| {
                let scaled: Vec<f64> = row.iter().map(|x| x * f64::from(k)).collect();
                0.0 + folded(&scaled, &|a, b| a + b).unwrap()
            };
            let wanted: Vec<f64> = x.chunks(w).map(row).collect();
            assert_eq!(found.to_vec::<f64>().unwrap(), wanted, "{k}, rows of {w}");
        }
    }
}

/// Rows whose length is a number of the program.
#[test]
fn of_literal_lengths() {
    for n in [
        0u32, 1, 2, 7, 8, 9, 16, 255, 256, 257, 1000, 4096, 8192, 8193,
    ] {
        let both = ArrayProgram::build("both", move |scale: Arr0<EF32>| {
            let x = generate(n, move |i| i.cast::<f32>() * 1.1 * scale.the());
            let rows = x.clone().replicate(3u32);
            (x.sum(), rows.sum())
        })
        .unwrap();
        let x: Vec<f32> = (0..n).map(|i| i as f32 * 1.1 * 0.7).collect();
        let wanted = sum_of(&x).to_bits();
        for (name, device) in devices() {
            let scale = device.array([], &[0.7f32]).unwrap();
            let (sum, sums) = both.run(&device, &scale).unwrap();
            assert_eq!(sum.value().unwrap().to_bits(), wanted, "{name}, {n}");
            assert_eq!(
                bits(&sums.to_vec().unwrap()),
                [wanted; 3],
                "{name}, rows of {n}"
            );
        }
    }
}

/// The bound of the page `fold_order` and of `algorithms::sum`, by the rule: how many additions are between an element and the sum.
#[test]
fn takes_at_most_as_many_additions_as_the_documentation_says() {
    for n in lengths().into_iter().chain([(1 << 20) + 3, 1 << 24]) {
        let deepest = folded(&vec![0u64; n], &|a, b| a.max(b) + 1).map_or(0, |most| most + 1);
        assert!(deepest <= 72 + n as u64 / 524_288, "{n}: {deepest}");
    }
}
