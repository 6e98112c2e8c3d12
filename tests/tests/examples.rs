//! The programs of the examples, in one launch or several, over many lengths and on every device.

#![allow(clippy::unwrap_used)]

use obsidian_rt::prelude::*;
use rand::{RngExt, SeedableRng, rngs::SmallRng};

/// Lengths around the sizes of pieces and blocks.
const LENGTHS: [usize; 13] = [0, 1, 2, 31, 255, 256, 257, 997, 1023, 1024, 1025, 4097, 9000];

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
        // Few different numbers in the shorter arrays, so that equal ones meet; the largest number is among them.
        let mut elements: Vec<u32> =
            (0..n).map(|i| if n < 300 { u32::MAX - random.random::<u32>() % 8 } else { random.random::<u32>() >> (i % 3) }).collect();
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
        keys.iter().for_each(|key| expected[*key as usize % 256] += 1);
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
        let mut sorted = histogram::counting_sort(device, &device.upload(&keys)?, &device.upload(&values)?)?.to_vec()?;
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
            let (call, put) = blackscholes::reference(price[i].into(), strike[i].into(), years[i].into());
            let close = |x: f32, y: f64| (f64::from(x) - y).abs() < 1e-4;
            assert!(close(calls[i], call) && close(puts[i], put), "option {i}: {} and {call}, {} and {put}", calls[i], puts[i]);
        }
        Ok(())
    });
}
