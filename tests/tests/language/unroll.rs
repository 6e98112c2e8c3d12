//! `unroll`: how a loop stands in the CUDA text, and nothing else.

#![allow(missing_docs)]

use obsidian_rt::{Device, Kernel, kernels};
use obsidian_tests::fuzz::verdict::{Answer, judge};
use obsidian_tests::{fact, hold, samples};

#[kernels]
mod m {
    /// A loop of a thread, over 8 neighbours.
    #[kernel(threads = [64, 33], rounds = [1, 2, 3, 8, 1024])]
    pub fn sums_of_8(rounds: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(512).as_grid_map(|run| {
            run.split_up(8)
                .as_block_map(|eight| exec_thread(unroll(rounds, sum(eight))))
        })
    }

    fn sum(eight: Pull<EU32>) -> Program<Thread, Push<Thread, EU32>> {
        let sum = seq_reduce(|x, y| x + y, eight)?;
        pure(singleton(sum).push())
    }

    /// The same, as the compiler likes.
    #[kernel(threads = 64)]
    pub fn plain(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(512).as_grid_map(|run| {
            run.split_up(8)
                .as_block_map(|eight| exec_thread(sum(eight)))
        })
    }

    /// The rounds in which 64 threads share out 1,000 elements, and an array that they store.
    #[kernel(threads = 64)]
    pub fn shared_out(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(1000)
            .as_grid_map(|run| exec_block(reversed(run)))
    }

    fn reversed(run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let stored = unroll(4, compute(run.map(|x| x * 3)))?;
        pure(stored.reverse().push().unroll(2))
    }
}

fn sums(input: &[u32]) -> Vec<u32> {
    let runs = input.chunks_exact(8);
    runs.map(|run| run.iter().fold(0u32, |x, y| x.wrapping_add(*y)))
        .collect()
}

fact!(a_loop_of_a_thread: m::sums_of_8[512](x: u32) == sums(&x));
fact!(rounds_of_threads: m::shared_out[1000](x: u32) == x.chunks_exact(1000).flat_map(|run| run.iter().rev().map(|x| x.wrapping_mul(3))).collect::<Vec<u32>>());

#[test]
fn every_number_of_rounds_gives_the_same() {
    for variant in m::sums_of_8::variants() {
        let launch = |built: &Kernel, device: &Device, length| {
            let input = device.upload(&samples::<u32>(length))?;
            m::sums_of_8::launch_kernel(built, device, &input)
        };
        let reference = |length| sums(&samples(length));
        hold(&variant.kernel(), variant.cuda(), 512, launch, reference);
    }
}

#[test]
fn a_number_of_no_rounds_is_refused() {
    for (program, what) in [
        ("run.push::<Block>().unroll(0)", "bad-unroll"),
        ("run.push::<Block>().unroll(1025)", "bad-unroll"),
        (
            "exec_block(unroll(0, compute(run)).map(|a| a.push()))",
            "bad-unroll",
        ),
        ("run.push::<Block>().unroll(input.len())", "not-static"),
        (
            "exec_block(unroll(run, compute(run)).map(|a| a.push()))",
            "wrong-kind",
        ),
    ] {
        let module = format!(
            "pub mod m {{ #[kernel(threads = 32)] pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {{ \
             input.split_up(64).as_grid_map(|run| {program}) }} }}"
        );
        match judge(&module) {
            Ok(Answer::Errors(list)) => {
                println!("{}\n", list.join("\n"));
                assert!(
                    list.len() == 1 && list[0].contains(what),
                    "{program}: {list:?}"
                );
            }
            other => panic!("{program}: {other:?}"),
        }
    }
}

#[test]
fn the_text_says_how_often() {
    for variant in m::sums_of_8::variants() {
        let rounds = variant.value("rounds").expect("the parameter");
        let text = variant.cuda();
        let line = format!("#pragma unroll {rounds}\n        for (unsigned int i = 0; i < 7; i++)");
        assert!(text.contains(&line), "{text}");
    }
    let text = m::shared_out::CUDA;
    let [four, two] =
        ["#pragma unroll 4\n", "#pragma unroll 2\n"].map(|line| text.matches(line).count());
    assert_eq!((four, two), (1, 1), "{text}");
}
