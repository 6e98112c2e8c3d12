//! The programs of the examples, in one launch or several, over many lengths and on every device.

#![allow(clippy::unwrap_used)]

use obsidian_executor::Executor;
use obsidian_rt::prelude::*;
use rand::{RngExt, SeedableRng, rngs::SmallRng};

/// Lengths around the sizes of pieces and blocks.
const LENGTHS: [usize; 13] = [
    0, 1, 2, 31, 255, 256, 257, 997, 1023, 1024, 1025, 4097, 9000,
];

/// Runs a program for each length on each device; the seed is printed if it fails.
fn programs(program: impl Fn(&Device, usize, &mut SmallRng) -> Result<(), Error>) {
    for (words, device) in obsidian_tests::devices() {
        for length in LENGTHS {
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
    programs(|device, n, _| {
        let (price, strike, years) = blackscholes::options(n);
        let (calls, puts) = blackscholes::prices(device, &price, &strike, &years)?;
        for i in 0..n {
            let (call, put) =
                blackscholes::reference(price[i].into(), strike[i].into(), years[i].into());
            let close = |x: f32, y: f64| (f64::from(x) - y).abs() < 1e-4;
            assert!(
                close(calls[i], call) && close(puts[i], put),
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
    for (what, device) in obsidian_tests::devices() {
        for (height, width) in SIZES {
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
    for (what, device) in obsidian_tests::devices() {
        for n in [0, 1, 1023, 1024, 1025, 5000] {
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
    for (what, device) in obsidian_tests::devices() {
        for (height, width) in SIZES {
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
