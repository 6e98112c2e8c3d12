//! Sections 6.2 and 7.1: the example `reduction`.

use obsidian_rt::language::EU32;
use obsidian_tests::{fact, samples};
use reduction::{large_sum, large_sum_in_tiles, large_sum_together, reductions};

use crate::{native, on_devices, sums};

fn sums_and_maxima(x: &[u32], y: &[f32]) -> (Vec<u32>, Vec<f32>) {
    (
        sums(x, 256),
        y.chunks(256)
            .map(|c| c.iter().copied().fold(f32::MIN, f32::max))
            .collect(),
    )
}

fact!(red1_reduces: reductions::map_red1[512](x: u32) == sums(&x, 512));
fact!(red2_reduces: reductions::map_red2[512](x: u32) == sums(&x, 512));
fact!(red3_reduces: reductions::map_red3[512](x: u32) == sums(&x, 512));
fact!(red4_reduces: reductions::map_red4[512](x: u32) == sums(&x, 512));
fact!(red5_reduces: reductions::map_red5[512](x: u32) == sums(&x, 512));
fact!(red6_reduces: reductions::map_red6[512](x: u32) == sums(&x, 512));
fact!(red7_reduces: reductions::map_red7[512](x: u32) == sums(&x, 512));
fact!(red_param_takes_other_lengths: reductions::map_red_of_480[480](x: u32) == sums(&x, 480));
fact!(runs_of_any_length_reduce: reductions::sums_of_runs[1000](x: u32) == sums(&x, 4096));
fact!(pairs_reduce: reductions::sums_and_maxima[256](x: u32, y: f32) == sums_and_maxima(&x, &y));

#[test]
fn seven_reductions_at_many_sizes() {
    for (log, threads) in (6..=12).zip([32, 64, 7, 128, 96, 256, 33]) {
        let n = 1u32 << log;
        let x = samples::<u32>(2 * n as usize);
        for which in 1..=7 {
            let reduced: Vec<u32> = native(threads, &x, |b| {
                let input = b.parameter("input");
                b.result(reductions::map_red(which, n, |x: EU32, y| x + y, input));
            });
            assert_eq!(
                reduced,
                sums(&x, n as usize),
                "red{which} of {n} with {threads} threads"
            );
        }
    }
}

#[test]
fn any_depth_of_the_sequential_part() {
    for depth in [1, 2, 3, 5, 7, 12, 31, 100] {
        let n = depth * 16;
        let x = samples::<u32>(3 * n as usize);
        let reduced: Vec<u32> = native(33, &x, |b| {
            let input = b.parameter("input");
            b.result(reductions::map_red_param(
                depth,
                n,
                |x: EU32, y| x + y,
                input,
            ));
        });
        assert_eq!(reduced, sums(&x, n as usize), "{depth}");
    }
}

/// Section 7.1: `launchReduce`, one kernel launched until there is one value.
#[test]
fn a_large_reduction_is_several_launches() {
    on_devices(|device| {
        for n in [0, 1, 2, 4095, 4096, 4097, 65_537] {
            let x = samples::<u32>(n);
            assert_eq!(
                large_sum(device, &device.upload(&x)?)?,
                x.iter().copied().fold(0, u32::wrapping_add),
                "{n}"
            );
            assert_eq!(
                large_sum_together(device, &device.upload(&x)?)?,
                x.iter().copied().fold(0, u32::wrapping_add),
                "together {n}"
            );
            assert_eq!(
                large_sum_in_tiles(device, &device.upload(&x)?)?,
                x.iter().copied().fold(0, u32::wrapping_add),
                "in tiles {n}"
            );
        }
        Ok(())
    });
}
