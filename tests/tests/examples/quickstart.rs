//! The quickstart's kernels: native and expansion agree, and any number of threads gives the same
//! sums.

use obsidian_rt::prelude::*;
use obsidian_tests::fact;
use quickstart::{large_sum, sums};

const THREADS: [u32; 12] = [1, 2, 31, 32, 33, 64, 100, 127, 512, 1000, 1023, 1024];

fn numbers(n: usize) -> Vec<i32> {
    (0..n as i32)
        .map(|i| i.wrapping_mul(0x9E37_79B1_u32 as i32))
        .collect()
}

fn run_sums(input: &[i32]) -> Vec<i32> {
    input
        .chunks_exact(512)
        .map(|run| run.iter().copied().fold(0, i32::wrapping_add))
        .collect()
}

#[test]
fn the_paper_s_example_gives_the_paper_s_numbers() {
    let judge = obsidian_judge::Judge::default().device();
    for device in [
        Device::cpu(),
        Device::cpu_by_columns(),
        Device::simulator(),
        judge,
    ] {
        let input = device.upload(&(0..1024).collect::<Vec<i32>>()).unwrap();
        for device in [device.clone(), device.with_blocks(1)] {
            assert_eq!(
                sums::reductions::launch(&device, &input)
                    .unwrap()
                    .to_vec()
                    .unwrap(),
                [130816, 392960],
                "{}",
                device.name()
            );
        }
    }
}

fact!(runs_of_512_are_summed: sums::reductions[512](x: i32) == run_sums(&x));
fact!(runs_of_4096_are_summed: sums::chunk_sums[4096](x: u32) == x.chunks(4096).map(|run| run.iter().sum()).collect::<Vec<u32>>());

#[test]
fn native_and_expansion_give_the_same_cuda() {
    for kernel in [sums::reductions::kernel(), sums::chunk_sums::kernel()] {
        let native = kernel.native().unwrap();
        assert_eq!(native.cuda(), kernel.cuda());
        assert_eq!(native.manifest(), kernel.manifest());
    }
}

#[test]
fn any_number_of_threads_gives_the_same_sums() {
    let kernel = sums::reductions::kernel();
    for threads in THREADS {
        let kernel = kernel.with_threads(threads).unwrap();
        assert_eq!(kernel.threads(), threads);
        assert!(
            kernel.shared_bytes() <= 1536,
            "{} bytes at {threads} threads",
            kernel.shared_bytes()
        );
        for device in [Device::cpu(), Device::cpu_by_columns(), Device::simulator()] {
            for runs in [0, 1, 2, 5] {
                let input = numbers(512 * runs);
                let buffer = device.upload(&input).unwrap();
                let sums = sums::reductions::launch_kernel(&kernel, &device, &buffer).unwrap();
                assert_eq!(
                    sums.to_vec().unwrap(),
                    run_sums(&input),
                    "{} {threads} threads {runs} runs",
                    device.name()
                );
            }
        }
    }
}

#[test]
fn any_number_of_real_blocks_gives_the_same_sums() {
    let input = numbers(512 * 7);
    for device in [Device::cpu(), Device::cpu_by_columns(), Device::simulator()] {
        for blocks in [1, 2, 3, 7, 100] {
            let buffer = device.upload(&input).unwrap();
            let sums = sums::reductions::launch(&device.with_blocks(blocks), &buffer).unwrap();
            assert_eq!(
                sums.to_vec().unwrap(),
                run_sums(&input),
                "{} {blocks} blocks",
                device.name()
            );
        }
    }
}

#[test]
fn a_length_that_does_not_divide_is_an_error_that_says_what_to_write() {
    let device = Device::cpu();
    let buffer = device.upload(&numbers(1000)).unwrap();
    let error = sums::reductions::launch(&device, &buffer)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("1000") && error.contains("512") && error.contains("chunks"),
        "{error}"
    );
}

#[test]
fn the_large_sum_is_the_sequential_one() {
    for device in [Device::cpu(), Device::cpu_by_columns(), Device::simulator()] {
        let input: Vec<u32> = numbers(1 << 16).into_iter().map(|n| n as u32).collect();
        let expected = input.iter().copied().fold(0, u32::wrapping_add);
        assert_eq!(
            large_sum(&device, &device.upload(&input).unwrap()).unwrap(),
            expected,
            "{}",
            device.name()
        );
    }
}

#[test]
fn the_build_script_has_written_the_text_that_the_macro_has() {
    let kernel = sums::reductions::kernel();
    let file = kernel
        .cuda_file()
        .expect("the quickstart has a build script");
    assert_eq!(std::fs::read_to_string(file).unwrap(), kernel.cuda());
}
