//! The benchmarks run on devices that every machine has, with answers that are held to the
//! reference; and what they are compared with is right and compiles.

#![allow(clippy::unwrap_used)]

use std::io::Write;
use std::time::Duration;

use gpu_check::Extent;
use gpu_check::bench::{Limits, Outcome, comparison, run};
use obsidian_executor::{Argument, Compiler, Job, Order, Program, Run, Text, Worker};
use obsidian_rt::compile::Nvcc;
use obsidian_rt::prelude::*;

const LIMITS: Limits = Limits {
    all: Duration::from_secs(300),
    each: Duration::from_millis(1),
};

/// Says that a test was skipped. Not through `println!`, which the test runner keeps to itself.
fn skipped(what: &str) {
    let _ = std::io::stdout().write_all(format!("skipped: {what}\n").as_bytes());
}

fn everything_is_measured(device: &Device) {
    // The sizes of a GPU are for GPUs alone.
    let report = run(device, Extent::Full, LIMITS, |_| ()).unwrap();
    assert_eq!(report.failed(), 0, "{report}");
    assert!(
        report.rows.len() == 19 && report.rows.iter().all(|row| row.size <= 1 << 13),
        "{report}"
    );
    let good = |row: &&gpu_check::bench::Row| {
        row.times()
            .is_some_and(|t| t.least > 0.0 && t.least <= t.median && t.median <= t.most)
    };
    assert_eq!(report.rows.iter().filter(good).count(), 19, "{report}");
    assert!(
        report
            .copied()
            .is_some_and(|copy| copy.by == "gpu-check: copy")
            && report.computed().is_some_and(|rate| rate > 0.0)
    );
    let (name, table, json) = (device.name(), report.to_string(), report.json());
    assert!(
        table.contains(&format!(
            "CUB and Harris's steps are skipped: `{name}` is no GPU"
        )),
        "{table}"
    );
    assert!(
        table.ends_with(&format!(
            "clock on `{name}`, small sizes: they say nothing about a GPU"
        )),
        "{table}"
    );
    assert!(
        json["gpu"].is_null() && json["results"].as_array().unwrap().len() == 19,
        "{json:#}"
    );
    assert!(
        json["results"][0]["seconds"]["median"].as_f64().unwrap() > 0.0,
        "{json:#}"
    );
}

#[test]
fn everything_is_measured_on_the_cpu() {
    everything_is_measured(&Device::cpu());
}

#[test]
fn everything_is_measured_on_the_simulator() {
    everything_is_measured(&Device::simulator());
}

#[test]
fn what_cannot_run_has_no_time() {
    let report = run(&Device::cpu().with_blocks(0), Extent::Quick, LIMITS, |_| ()).unwrap();
    assert!(
        report.failed() == report.rows.len() && report.copied().is_none(),
        "{report}"
    );
}

#[test]
fn what_would_begin_after_the_time_is_over_is_skipped() {
    let limits = Limits {
        all: Duration::ZERO,
        each: Duration::ZERO,
    };
    let report = run(&Device::cpu(), Extent::Quick, limits, |_| ()).unwrap();
    let over = |outcome: &Outcome| *outcome == Outcome::Skipped("the time was over".to_owned());
    assert!(
        report.failed() == 0 && report.rows.iter().all(|row| over(&row.outcome)),
        "{report}"
    );
}

/// What a block of a step sums, in order: the elements of a few blocks, or of all of them.
fn block_sums(step: usize, input: &[u32], grid: usize) -> Vec<u32> {
    let sum = |elements: &mut dyn Iterator<Item = &u32>| {
        elements.fold(0u32, |sum, x| sum.wrapping_add(*x))
    };
    let run = if step <= 3 { 256 } else { 512 };
    (0..grid)
        .map(|block| sum(&mut input.chunks(run).skip(block).step_by(grid).flatten()))
        .collect()
}

#[test]
fn harris_steps_sum_every_length() {
    let Some(compiler) = Compiler::find() else {
        return;
    };
    let texts: Vec<Text> = (1..=7)
        .map(|n| Text {
            symbol: format!("step{n}"),
            text: comparison::HARRIS.to_owned(),
        })
        .collect();
    let program = Program::compile(&compiler, &texts).unwrap();
    let mut worker = Worker::start(&program).unwrap();
    for (step, n) in (1..=7).flat_map(|step| [1usize, 255, 257, 512, 1000, 5003].map(|n| (step, n)))
    {
        let input: Vec<u32> = (0..n as u32).map(|i| i.wrapping_mul(0x9E37_79B1)).collect();
        // The last step goes on to further elements where there are fewer blocks.
        let grid = if step == 7 {
            3
        } else {
            n.div_ceil(if step <= 3 { 256 } else { 512 })
        };
        let bytes = input.iter().flat_map(|x| x.to_le_bytes()).collect();
        let arguments = vec![
            Argument::Input(bytes),
            Argument::Output(4 * grid),
            Argument::Value((n as u32).to_le_bytes().to_vec()),
        ];
        let in_order = |order| Run {
            order,
            seed: 5,
            grid: grid as u32,
            pattern: 0xa5,
        };
        let runs = [Order::Ascending, Order::Descending, Order::Random]
            .map(in_order)
            .to_vec();
        let job = Job {
            kernel: step as u32 - 1,
            threads: comparison::THREADS,
            limit: Duration::from_secs(60),
            arguments,
            runs,
        };
        let sums: Vec<u32> = worker.run(&job).unwrap()[0]
            .chunks(4)
            .map(|b| u32::from_le_bytes(b.try_into().unwrap()))
            .collect();
        assert_eq!(
            sums,
            block_sums(step, &input, grid),
            "step {step}, {n} elements"
        );
    }
}

/// Without a warning, and linked: all that can be known without a GPU.
#[test]
fn nvcc_compiles_the_comparison() {
    let test = "nvcc_compiles_the_comparison";
    let Some(nvcc) = Nvcc::find().unwrap().filter(|nvcc| nvcc.version().is_ok()) else {
        return skipped(&format!(
            "{test}, because there is no nvcc here (OBSIDIAN_NVCC names one)"
        ));
    };
    let program = comparison::compile(
        &nvcc.with_limit(Duration::from_secs(600)),
        "sm_90",
        &["-Werror", "all-warnings", "-Xcompiler", "-Wall,-Wextra"],
    );
    match program {
        Ok(program) => assert!(program.windows(5).any(|w| w == b"step7")),
        // Toolkits have CUB; nvcc alone, as a package, has not.
        Err(error) if error.words().contains("cub/cub.cuh: No such file") => {
            skipped(&format!("{test}, because this nvcc has no CUB"))
        }
        Err(error) => panic!("{error}"),
    }
}
