//! The largest memory of a program that sums and maps: alone in its process, whose memory is read.

#![cfg(target_os = "linux")]
// A test that unwraps an error fails, which is what it is for.
#![allow(clippy::unwrap_used)]

use obsidian_rt::prelude::*;

#[kernels]
mod both {
    /// The sum of a run.
    pub fn sum(run: Pull<EF32>) -> Program<Block, Push<Block, EF32>> {
        let columns = run.coalesce(64);
        let sums = columns.as_block_map(|a| exec_thread_value(seq_reduce(|a, b| a + b, a)));
        let sums = compute(sums)?;
        pure(fold1(|a, b| a + b, sums).push())
    }

    /// Sums of runs of 4,096.
    #[kernel]
    pub fn sums(input: DPull<EF32>) -> DPush<Grid, EF32> {
        let runs = input.chunks(4096, 0.0);
        runs.as_grid_map(|run| exec_block(sum(run)))
    }

    /// Half of each element.
    #[kernel]
    pub fn halves(input: DPull<EF32>) -> DPush<Grid, EF32> {
        let runs = input.map(|x| x * 0.5).chunks(1024, 0.0);
        runs.as_grid_map(|run| run.push()).take(input.len())
    }

    /// Half as many numbers of twice the size.
    #[kernel]
    pub fn wide(n: EU32) -> DPush<Grid, EU64> {
        let runs = iota(n / 2).map(|i| i as u64).chunks(1024, 0u64);
        runs.as_grid_map(|run| run.push()).take(n / 2)
    }
}

/// A line of the process's state, in bytes.
fn memory(line: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|l| l.strip_prefix(line)).unwrap();
    let kib: usize = line.split_whitespace().next().unwrap().parse().unwrap();
    kib << 10
}

/// 2^24 elements; with `OBSIDIAN_FULL` 2^26.
#[test]
fn a_sum_and_a_map_need_little_more_than_their_arrays() {
    let n = 1usize
        << if std::env::var_os("OBSIDIAN_FULL").is_some() {
            26
        } else {
            24
        };
    let device = Device::cpu();
    let before = memory("VmRSS:");
    let input = device.upload_vec(vec![1.0f32; n]).unwrap();
    for _ in 0..3 {
        let mut sums = both::sums::launch(&device, &input).unwrap();
        while sums.len() > 1 {
            sums = both::sums::launch(&device, &sums).unwrap();
        }
        assert_eq!(sums.into_vec().unwrap(), [n as f32]);
        let output = both::halves::launch(&device, &input).unwrap();
        assert_eq!(output.len(), n);
        drop(output);
        // The memory of the output is of no use for another type, and has to go before it is made.
        let other = both::wide::launch(&device, n as u32).unwrap();
        assert_eq!(other.len(), n / 2);
    }
    let result = both::halves::launch(&device, &input)
        .unwrap()
        .into_vec()
        .unwrap();
    assert!(result.iter().all(|x| *x == 0.5));
    let peak = memory("VmHWM:") - before;
    // The input, and an output.
    let arrays = 2 * n * size_of::<f32>();
    println!(
        "{peak} bytes for {arrays} of arrays: {:.3}",
        peak as f64 / arrays as f64
    );
    assert!(
        peak * 100 <= arrays * 105,
        "{peak} bytes for {arrays} of arrays"
    );
}
