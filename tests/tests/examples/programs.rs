//! The programs of the examples, in one launch or several, over many lengths and on every device.

#![allow(clippy::unwrap_used)]

use obsidian_executor::Executor;
use obsidian_rt::prelude::*;
use obsidian_tests::sweep::some;
use rand::{RngExt, SeedableRng, rngs::SmallRng};

/// Lengths around the sizes of pieces and blocks.
const LENGTHS: [usize; 13] = [
    0, 1, 2, 31, 255, 256, 257, 997, 1023, 1024, 1025, 4097, 9000,
];

/// Runs a program for each length on each device; the seed is printed if it fails.
fn programs(program: impl Fn(&Device, usize, &mut SmallRng) -> Result<(), Error>) {
    for (number, (words, device)) in obsidian_tests::devices().into_iter().enumerate() {
        for length in some(&LENGTHS, number) {
            let seed = length as u64;
            println!("{length} elements on {words}, seed {seed}");
            program(&device, length, &mut SmallRng::seed_from_u64(seed)).unwrap();
        }
    }
}

#[test]
fn sorting_sorts() {
    programs(|device, n, random| {
        // Few different numbers in the shorter arrays, so that equal ones meet; the largest number
        // is among them.
        let mut elements: Vec<u32> = (0..n)
            .map(|i| {
                if n < 300 {
                    u32::MAX - random.random::<u32>() % 8
                } else {
                    random.random::<u32>() >> (i % 3)
                }
            })
            .collect();
        let sorted = sorting::sort(device, &device.upload(&elements)?)?.to_vec()?;
        elements.sort_unstable();
        assert_eq!(sorted, elements);
        Ok(())
    });
}

#[test]
fn histograms_count() {
    programs(|device, n, random| {
        let keys: Vec<u32> = (0..n).map(|_| random.random::<u32>() % 700).collect();
        let mut expected = vec![0u32; 256];
        keys.iter()
            .for_each(|key| expected[*key as usize % 256] += 1);
        let buffer = device.upload(&keys)?;
        assert_eq!(histogram::histogram(device, &buffer)?.to_vec()?, expected);
        let mut direct = device.zeros(256)?;
        histogram::counting::histogram_direct::launch(device, &mut direct, &buffer)?;
        assert_eq!(direct.to_vec()?, expected);
        Ok(())
    });
}

/// Keys that lanes share in every way: all equal, all but one, few, all different, and the largest number.
#[test]
fn histograms_by_lanes_count() {
    let keys: [fn(u32) -> u32; 4] = [
        |_| 255,
        |i| u32::from(i % 32 == 31),
        |i| i,
        |i| u32::MAX - i.wrapping_mul(0x9e37_79b1) % 3,
    ];
    for (number, (what, device)) in obsidian_tests::devices().into_iter().enumerate() {
        for n in some(&[0, 1, 31, 32, 33, 4095, 4096, 4097], number) {
            for (k, key) in keys.into_iter().enumerate() {
                let keys: Vec<u32> = (0..n).map(key).collect();
                // It adds to what is there, and to no bin that is not.
                let bins: &[usize] = if n == 33 { &[256, 255, 1, 0] } else { &[256] };
                for bins in bins {
                    let mut expected = vec![u32::MAX; *bins];
                    for key in &keys {
                        if let Some(count) = expected.get_mut(*key as usize % 256) {
                            *count = count.wrapping_add(1);
                        }
                    }
                    let mut found = device.upload(&vec![u32::MAX; *bins]).unwrap();
                    let input = device.upload(&keys).unwrap();
                    histogram::counting::histogram_by_lanes::launch(&device, &mut found, &input)
                        .unwrap_or_else(|error| panic!("{what}: {error}"));
                    let found = found.to_vec().unwrap();
                    assert_eq!(
                        found, expected,
                        "keys {k}, {n} of them, {bins} bins, {what}"
                    );
                }
            }
        }
    }
}

#[test]
fn counting_sorts_keep_every_value() {
    programs(|device, n, random| {
        let keys: Vec<u32> = (0..n).map(|_| random.random::<u32>() % 256).collect();
        let values: Vec<u32> = (0..n as u32).collect();
        let mut sorted =
            histogram::counting_sort(device, &device.upload(&keys)?, &device.upload(&values)?)?
                .to_vec()?;
        assert!(sorted.is_sorted_by_key(|value| keys[*value as usize]));
        sorted.sort_unstable();
        assert_eq!(sorted, values);
        Ok(())
    });
}

#[test]
fn options_cost_what_double_precision_says() {
    // Shorter arrays have the first of the options.
    let (price, strike, years) = blackscholes::options(LENGTHS[LENGTHS.len() - 1]);
    let expected: Vec<(f64, f64)> = (0..price.len())
        .map(|i| blackscholes::reference(price[i].into(), strike[i].into(), years[i].into()))
        .collect();
    programs(|device, n, _| {
        let (calls, puts) = blackscholes::prices(device, &price[..n], &strike[..n], &years[..n])?;
        assert_eq!((calls.len(), puts.len()), (n, n));
        let close = |x: f32, y: f64| (f64::from(x) - y).abs() < 1e-4;
        for (i, (call, put)) in expected[..n].iter().enumerate() {
            assert!(
                close(calls[i], *call) && close(puts[i], *put),
                "option {i}: {} and {call}, {} and {put}",
                calls[i],
                puts[i]
            );
        }
        Ok(())
    });
}

/// Heights and widths: nothing, one, tiles, and one more or less; primes.
const SIZES: [(usize, usize); 8] = [
    (0, 5),
    (1, 1),
    (1, 97),
    (31, 33),
    (32, 32),
    (64, 31),
    (65, 40),
    (97, 3),
];

#[test]
fn transposes_transpose() {
    use transpose::transposes::{in_tiles, straight, with_pitch};
    for (number, (what, device)) in obsidian_tests::devices().into_iter().enumerate() {
        for (height, width) in some(&SIZES, number) {
            let matrix: Vec<f32> = (0..height * width).map(|i| i as f32 + 0.5).collect();
            let expected = transpose::reference(&matrix, width);
            let buffer = device.upload(&matrix).unwrap();
            for launch in [straight::launch, in_tiles::launch, with_pitch::launch] {
                let turned = launch(&device, width as u32, &buffer)
                    .unwrap_or_else(|error| panic!("{what}: {error}"));
                assert!(
                    turned.to_vec().unwrap() == expected,
                    "{height} x {width} on {what}"
                );
            }
        }
    }
}

/// Whole tiles are turned in registers, other matrices through shared memory; the launch of whole tiles asks for
/// as many elements as there are.
#[test]
fn transposes_in_registers_transpose() {
    use transpose::{transpose, transposes::in_whole_tiles};
    let whole = [(0, 32), (32, 0), (32, 32), (64, 32), (32, 96), (96, 64)];
    for (number, (what, device)) in obsidian_tests::devices().into_iter().enumerate() {
        for (height, width) in some(&SIZES, number).into_iter().chain(whole) {
            let matrix: Vec<f32> = (0..height * width).map(|i| i as f32 + 0.5).collect();
            let buffer = device.upload(&matrix).unwrap();
            let turned = transpose(&device, width as u32, &buffer)
                .unwrap_or_else(|error| panic!("{height} x {width}, {what}: {error}"));
            assert!(
                turned.to_vec().unwrap() == transpose::reference(&matrix, width),
                "{height} x {width} on {what}"
            );
        }
        let tile = device.upload(&[1.0f32; 1024]).unwrap();
        for (down, across) in [
            (1, 2),
            (0, 1),
            (1 << 27, 1),
            (1 << 16, 1 << 16),
            (1 << 30, 1 << 30),
        ] {
            let wrong = in_whole_tiles::launch(&device, down, across, &tile);
            assert!(wrong.is_err(), "{down} x {across} tiles on {what}");
        }
    }
}

/// Lengths around the tiles and pieces of a sum.
const AROUND_PIECES: [usize; 15] = [
    0, 1, 31, 33, 255, 256, 257, 1009, 4095, 4096, 4097, 65_535, 65_536, 65_537, 139_999,
];

#[test]
fn sums_in_tiles_have_any_length() {
    for (number, (what, device)) in obsidian_tests::devices().into_iter().enumerate() {
        for n in some(&AROUND_PIECES, number) {
            let x: Vec<u32> = (0..n as u32)
                .map(|i| u32::MAX - i.wrapping_mul(0x9e37_79b1) % 1000)
                .collect();
            let sum = reduction::large_sum_in_tiles(&device, &device.upload(&x).unwrap())
                .unwrap_or_else(|error| panic!("{what}: {error}"));
            let expected = x.iter().copied().fold(0, u32::wrapping_add);
            assert_eq!(sum, expected, "{n} on {what}");
        }
    }
}

/// Sums of floats have the same bits everywhere; what is no number stays in its piece.
#[test]
fn sums_of_float_pieces_have_one_order() {
    use reduction::in_tiles::sums_of_float_pieces as kernel;
    let float = |i: u32| match i {
        70_000 => f32::NAN,
        131_073 => f32::INFINITY,
        131_080 => f32::NEG_INFINITY,
        _ => (i.wrapping_mul(0x9e37_79b1) >> 8) as f32 / 3.0 - 1e6,
    };
    for (number, (what, device)) in obsidian_tests::devices().into_iter().enumerate() {
        for n in some(&AROUND_PIECES, number) {
            for x in [(0..n as u32).map(float).collect(), vec![-0.0; n]] {
                let found = kernel::launch(&device, &device.upload(&x).unwrap())
                    .unwrap_or_else(|error| panic!("{what}: {error}"))
                    .to_vec()
                    .unwrap();
                let bits = |x: &[f32]| -> Vec<Option<u32>> {
                    let bits = |x: &f32| (!x.is_nan()).then_some(x.to_bits());
                    x.iter().map(bits).collect()
                };
                let expected = reduction::sums_of_float_pieces(&x);
                assert_eq!(bits(&found), bits(&expected), "{n} on {what}");
            }
        }
    }
}

/// Numbers whose sums wrap, of lengths around runs.
#[test]
fn scans_in_registers_have_any_length() {
    for (number, (what, device)) in obsidian_tests::devices().into_iter().enumerate() {
        for n in some(&[0, 1, 31, 33, 997, 4095, 4096, 4097, 8191, 12_289], number) {
            let x: Vec<u32> = (0..n as u32)
                .map(|i| u32::MAX - i.wrapping_mul(0x9e37_79b1) % 1000)
                .collect();
            let step = |sum: &mut u32, x: &u32| {
                *sum = sum.wrapping_add(*x);
                Some(*sum)
            };
            let expected: Vec<u32> = x.iter().scan(0, step).collect();
            let x = device.upload(&x).unwrap();
            for found in [
                scan::large_scan_held(&device, &x),
                scan::large_scan_exchanged(&device, &x),
            ] {
                let found = found.unwrap_or_else(|error| panic!("{what}: {error}"));
                assert_eq!(found.to_vec().unwrap(), expected, "{n} on {what}");
            }
        }
    }
}

type Product =
    fn(&Device, u32, u32, &Buffer<f32>, &Buffer<f32>) -> obsidian_rt::Result<Buffer<f32>>;

/// Holds products of some heights, inner sizes and widths to those of double precision.
fn is_product(device: &Device, what: &str, sizes: &[(usize, usize, usize)], product: Product) {
    for &(height, inner, width) in sizes {
        let (left, right) = (
            matmul::matrix(height * inner, 1),
            matmul::matrix(inner * width, 2),
        );
        let [a, b] = [&left, &right].map(|matrix| device.upload(matrix).unwrap());
        let found = product(device, inner as u32, width as u32, &a, &b)
            .unwrap_or_else(|error| panic!("{what}: {error}"))
            .to_vec()
            .unwrap();
        let exact = matmul::reference(&left, &right, inner, width);
        assert_eq!(found.len(), exact.len());
        assert!(
            matmul::error(&found, &exact, inner) <= 1.0,
            "{height} x {inner} x {width} on {what}"
        );
    }
}

#[test]
fn products_are_those_of_double_precision() {
    let sizes = [(0, 16, 16), (16, 16, 16), (48, 32, 16), (16, 80, 64)];
    for (what, device) in obsidian_tests::devices() {
        is_product(&device, &what, &sizes, matmul::products::matmul::launch);
    }
}

#[test]
fn products_in_registers_are_those_of_double_precision() {
    let sizes = [(0, 8, 128), (128, 8, 128), (256, 24, 128)];
    // With fewer threads the sums fit neither registers nor shared memory.
    let here = [Device::cpu(), Device::cpu_by_columns(), Device::simulator()];
    let executor = Executor::find().map(|executor| executor.device());
    for device in here.into_iter().chain(executor) {
        let launch = matmul::products::in_registers::launch;
        is_product(&device, device.name(), &sizes, launch);
    }
}

#[test]
fn runs_that_are_sorted_in_registers_are_sorted() {
    use sorting::networks::sort_runs_held as kernel;
    for (number, (what, device)) in obsidian_tests::devices().into_iter().enumerate() {
        for n in some(&[0, 1, 1023, 1024, 1025, 5000], number) {
            let mut x: Vec<u32> = (0..n)
                .map(|i: u32| i.wrapping_mul(0x9e37_79b9) >> (i % 32))
                .collect();
            let found = kernel::launch(&device, &device.upload(&x).unwrap())
                .unwrap_or_else(|error| panic!("{what}: {error}"))
                .to_vec()
                .unwrap();
            x.chunks_mut(1024).for_each(|run| run.sort_unstable());
            assert_eq!(found, x, "{n} on {what}");
        }
    }
}

#[test]
fn pictures_have_any_size() {
    for (number, (what, device)) in obsidian_tests::devices().into_iter().enumerate() {
        for (height, width) in some(&SIZES, number) {
            let picture =
                mandelbrot::pictures::picture::launch(&device, height as u32, width as u32);
            let picture = picture
                .unwrap_or_else(|error| panic!("{what}: {error}"))
                .to_vec()
                .unwrap();
            assert!(
                picture == mandelbrot::reference(height, width),
                "{height} x {width} on {what}"
            );
        }
    }
}
