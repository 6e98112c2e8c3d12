//! Sections 3 to 5.

use obsidian_tests::{fact, samples};

use crate::kernels::intro::intro;
use crate::{native, on_devices, per_piece, sums};

fn maximum(x: &[f32]) -> Vec<f32> {
    vec![x.iter().copied().fold(f32::MIN, f32::max)]
}

fn pushed(c: &[u32]) -> Vec<u32> {
    (0..5).chain(c.iter().rev().map(|x| x * 3)).collect()
}

fn turned_and_whole(c: &[u32]) -> Vec<u32> {
    [&c[4..], &c[..4], c].concat()
}

fact!(reductions_reduce: intro::sums_of_512[512](x: i32) == per_piece(&x, 512, |c| vec![c.iter().sum::<i32>()]));
fact!(reductions_take_any_operator: intro::maxima_of_64[64](x: f32) == per_piece(&x, 64, maximum));
fact!(push_arrays_are_made_from_writers: intro::pushes[12](x: u32) == per_piece(&x, 12, pushed));
fact!(append_at_a_power_of_two: intro::appended_16[16](x: u32) == per_piece(&x, 16, |c| [&c[8..], &c[..8]].concat()));
fact!(append_at_any_length: intro::appended_11[11](x: u32) == per_piece(&x, 11, turned_and_whole));
fact!(sum_up_is_one_expression: intro::sums_up_8[8](x: u32) == sums(&x, 8));
fact!(sum_up_in_stages: intro::sums_up_par_8[8](x: u32) == sums(&x, 8));
fact!(sum_up_in_threads: intro::sums_up_thread_8[64](x: u32) == sums(&x, 8));
fact!(two_stages_reduce: intro::two_stages_512[512](x: u32) == sums(&x, 512));
fact!(two_stages_of_warp_and_block_reduce: intro::two_stages_block_512[512](x: u32) == sums(&x, 512));
fact!(two_stages_of_thread_and_warp_reduce: intro::two_stages_of_warps[192](x: u32) == sums(&x, 64));

#[test]
fn the_paper_prints_its_sums() {
    on_devices(|device| {
        let input = device.upload(&(0..1024).collect::<Vec<i32>>())?;
        assert_eq!(
            intro::sums_of_512::launch(device, &input)?.to_vec()?,
            [130816, 392960]
        );
        Ok(())
    });
}

#[test]
fn sum_up_stores_nothing() {
    assert_eq!(intro::sums_up_8::kernel().shared_bytes(), 0);
    assert_eq!(intro::sums_up_8::kernel().barriers(), 0);
    assert!(intro::sums_up_par_8::kernel().shared_bytes() > 0);
}

#[test]
fn stages_at_any_power_of_two_and_number_of_threads() {
    for (log, threads) in (0..=10).zip([1, 32, 7, 64, 33, 128, 100, 31, 256, 64, 48]) {
        let n = 1u32 << log;
        let x = samples::<u32>(2 * n as usize);
        let expected = sums(&x, n as usize);
        let reduced: Vec<u32> = native(threads, &x, |b| {
            let input = b.parameter("input");
            b.result(intro::reductions(
                |x: obsidian_rt::language::EU32, y| x + y,
                n,
                input,
            ));
        });
        assert_eq!(
            reduced, expected,
            "reductions of {n} with {threads} threads"
        );
        let summed: Vec<u32> = native(threads, &x, |b| {
            let input = b.parameter("input");
            b.result(intro::sums_up_par(n, input));
        });
        assert_eq!(summed, expected, "sums of {n} with {threads} threads");
        if n >= 32 {
            let two: Vec<u32> = native(threads, &x, |b| {
                let input = b.parameter("input");
                b.result(intro::two_stages(n, input));
            });
            assert_eq!(two, expected, "two stages of {n} with {threads} threads");
        }
    }
}
