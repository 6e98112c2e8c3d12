//! Ranges whose loops divide or take roots: on the CPU many elements go through such a loop together, so their code is the kernel's.

#![allow(missing_docs)]

use obsidian_rt::prelude::*;
use together::{either, harmonic, near};

#[kernels]
mod together {
    /// A number of rounds that the launch knows.
    #[device(range)]
    pub fn harmonic(i: usize, n: u32, xs: &[f32]) -> f32 {
        let own = xs[i];
        let (mut sum, mut k) = (0.0f32, 1.0f32);
        for _ in 0..n {
            sum += own / k;
            k += 1.0;
        }
        sum
    }

    /// As many rounds as there are elements, in 64 bits; what is outside is a fault in front of them.
    #[device(range)]
    pub fn near(i: usize, distance: usize, xs: &[f64]) -> f64 {
        let own = xs[i + distance];
        let mut sum = 0.5f64;
        for x in xs {
            sum = (sum * sum + own * x).sqrt();
        }
        sum
    }

    /// Two values, quotients that are no numbers, and choices in each round.
    #[device(range)]
    pub fn either(i: usize, xs: &[f32]) -> (f32, u32) {
        let own = xs[i];
        let (mut sum, mut seen) = (1.0f32, 0u32);
        for x in xs {
            let next = sum / (x - own);
            seen += if next > 3.0 { 1 } else { 2 };
            sum = if next > 100.0 { 1.0 } else { next };
        }
        (sum, seen)
    }
}

fn devices() -> [Device; 2] {
    [Device::cpu(), Device::simulator()]
}

const LENGTHS: [usize; 9] = [0, 1, 2, 31, 255, 256, 257, 512, 1000];

fn bits(values: &[f32]) -> Vec<u32> {
    let of = |x: &f32| if x.is_nan() { u32::MAX } else { x.to_bits() };
    values.iter().map(of).collect()
}

#[test]
fn elements_that_go_through_a_loop_together_are_those_of_the_host() -> obsidian_rt::Result<()> {
    for device in devices() {
        for len in LENGTHS {
            let xs: Vec<f32> = (0..len).map(|i| (i * 7 % 13) as f32).collect();
            let given = device.upload(&xs)?;
            for n in [0, 1, 2, 33] {
                let found = harmonic::compute(&device, [len], (n, &given))?.to_vec()?;
                let host = harmonic::compute_host([len], (n, &xs))?;
                assert_eq!(bits(&found), bits(&host), "{len} {n}");
            }
            let (found, seen) = either::compute(&device, [len], (&given,))?;
            let host = either::compute_host([len], (&xs,))?;
            let (sums, nans): (Vec<f32>, Vec<u32>) = host.into_iter().unzip();
            assert_eq!(bits(&found.to_vec()?), bits(&sums), "{len}");
            assert_eq!(seen.to_vec()?, nans, "{len}");
        }
    }
    Ok(())
}

#[test]
fn what_is_outside_in_front_of_a_loop_is_a_fault() -> obsidian_rt::Result<()> {
    for device in devices() {
        for len in LENGTHS {
            let xs: Vec<f64> = (0..len + 9).map(|i| (i * 7 % 13) as f64 / 3.0).collect();
            let given = device.upload(&xs)?;
            for distance in [0, 1, 9] {
                let found = near::compute(&device, [len], (distance, &given))?.to_vec()?;
                let host = near::compute_host([len], (distance, &xs))?;
                assert_eq!(found, host, "{len} {distance}");
            }
            let late = near::compute(&device, [len], (10, &given)).and_then(|found| found.to_vec());
            match late {
                Ok(found) => assert!(found.is_empty() && len == 0, "{len}: {found:?}"),
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::Fault, "{error}");
                    let words = format!(
                        "index {} is outside of `xs`, which has length {}",
                        len + 9,
                        len + 9
                    );
                    assert!(error.to_string().contains(&words), "{error}");
                }
            }
        }
    }
    Ok(())
}
