//! Device functions: plain Rust that is compiled for the device too.

#![allow(missing_docs, clippy::unwrap_used)]

use obsidian_executor::Executor;
use obsidian_rt::prelude::*;

#[kernels]
mod first {
    /// The steps until a number is 1.
    #[device]
    pub fn steps(n: u32) -> u32 {
        let mut n = n;
        let mut count = 0;
        while n > 1 {
            if n % 2 == 0 {
                n /= 2;
            } else {
                n = n.wrapping_mul(3) + 1;
            }
            count += 1;
        }
        count
    }

    #[device]
    pub fn smooth(w: f32, left: f32, mid: f32, right: f32) -> f32 {
        mid + w * (left - 2.0 * mid + right)
    }

    #[kernel]
    pub fn all_steps(x: DPull<EU32>, out: MGlobal<EU32>) -> Program<Grid, ()> {
        distr_par(out.len() / 64, |b| {
            for_all(64, |t| {
                let i = b * 64 + t;
                let n = steps(x[i.unchecked()])?;
                out.write(i, n)
            })
        })
    }

    #[kernel]
    pub fn smoothed(x: DPull<EF32>) -> DPush<Grid, EF32> {
        let y = x.map(|x| smooth(0.25, x, x * 2.0, 3.0));
        y.chunks(256, 0.0).as_grid_map(|p| p.push()).take(x.len())
    }

    #[device(range)]
    pub fn heat((y, x): (usize, usize), w: f32, width: usize, t: &[f32]) -> f32 {
        let at = |y: usize, x: usize| t[y * width + x];
        if x == 0 || x + 1 == width {
            return at(y, x);
        }
        smooth(w, at(y, x - 1), at(y, x), at(y, x + 1))
    }
}

fn devices() -> Vec<Device> {
    let own = [
        Device::cpu(),
        Device::cpu().with_blocks(1),
        Device::cpu_by_columns(),
        Device::simulator(),
    ];
    let executor = Executor::find().map(|executor| executor.device());
    own.into_iter().chain(executor).collect()
}

#[test]
fn a_function_is_the_same_in_a_kernel_and_on_the_host() {
    let numbers: Vec<u32> = (0..128).map(|n| n * 7 + 1).collect();
    let wanted: Vec<u32> = numbers.iter().map(|n| first::steps(*n)).collect();
    let floats: Vec<f32> = (0..300).map(|n| n as f32 * 0.37).collect();
    let smoothed: Vec<f32> = floats
        .iter()
        .map(|x| first::smooth(0.25, *x, x * 2.0, 3.0))
        .collect();
    for device in devices() {
        let x = device.upload(&numbers).unwrap();
        let mut out = device.upload(&vec![0; 128]).unwrap();
        first::all_steps::launch(&device, &x, &mut out).unwrap();
        assert_eq!(out.to_vec().unwrap(), wanted);
        let x = device.upload(&floats).unwrap();
        assert_eq!(
            first::smoothed::launch(&device, &x)
                .unwrap()
                .to_vec()
                .unwrap(),
            smoothed
        );
    }
}

#[test]
fn a_range_is_the_same_on_every_device_and_on_the_host() {
    for (h, w) in [(0, 5), (1, 1), (3, 0), (31, 33), (40, 40), (1000, 7)] {
        let t: Vec<f32> = (0..h * w).map(|n| (n as f32).sin()).collect();
        let wanted = first::heat::compute_host([h, w], (0.25, w, &t)).unwrap();
        for device in devices() {
            let found = first::heat::compute(&device, [h, w], (0.25, w, &t)).unwrap();
            assert_eq!(found.to_vec().unwrap(), wanted);
        }
    }
}

/// For `.ci/cubin`, which compiles them by nvcc.
#[test]
fn cuda_texts_are_kept() {
    for kernel in [
        first::all_steps::kernel(),
        first::smoothed::kernel(),
        first::heat::kernel(),
    ] {
        obsidian_tests::keep(&kernel);
    }
}
