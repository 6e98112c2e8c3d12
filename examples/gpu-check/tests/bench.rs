//! The benchmarks run on devices that every machine has, with answers that are held to the
//! reference; and what they are compared with is right and compiles.

#![allow(clippy::unwrap_used)]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use gpu_check::Extent;
use gpu_check::bench::{How, Limits, Outcome, comparison, run};
use obsidian_executor::{Argument, Compiler, Job, Order, Program, Run, Text, Worker};
use obsidian_rt::compile::Nvcc;
use obsidian_rt::prelude::*;

const LIMITS: Limits = Limits {
    all: Duration::from_secs(300),
    each: Duration::from_millis(1),
    row: Duration::from_secs(60),
    start: Duration::from_secs(60),
};

/// What is measured at the short sizes, others' not counted.
const ROWS: usize = 43;

fn how(limits: Limits) -> How {
    How {
        extent: Extent::Full,
        limits,
        compare: None,
    }
}

fn everything_is_measured(device: &Device) {
    // The sizes of a GPU are for GPUs alone.
    let report = run(device, &how(LIMITS), |_| ()).unwrap();
    assert_eq!(report.failed(), 0, "{report}");
    assert!(
        report.rows.len() == ROWS && report.rows.iter().all(|row| row.size <= 1 << 13),
        "{report}"
    );
    let good = |row: &&gpu_check::bench::Row| {
        row.times()
            .is_some_and(|t| t.least > 0.0 && t.least <= t.median && t.median <= t.most)
    };
    assert_eq!(report.rows.iter().filter(good).count(), ROWS, "{report}");
    assert!(
        report
            .copied()
            .is_some_and(|copy| copy.by == "gpu-check: copy")
            && report.computed().is_some_and(|rate| rate > 0.0)
    );
    let (name, table, json) = (device.name(), report.to_string(), report.json());
    assert!(
        table.contains(&format!("CUB and others are not run: `{name}` is no GPU")),
        "{table}"
    );
    assert!(
        table.ends_with(&format!(
            "clock on `{name}`, small sizes: they say nothing about a GPU"
        )),
        "{table}"
    );
    assert!(
        json["gpu"].is_null() && json["results"].as_array().unwrap().len() == ROWS,
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
    let report = run(&Device::cpu().with_blocks(0), &how(LIMITS), |_| ()).unwrap();
    assert!(
        report.failed() == report.rows.len() && report.copied().is_none(),
        "{report}"
    );
}

#[test]
fn what_would_begin_after_the_time_is_over_is_not_run() {
    let limits = Limits {
        all: Duration::ZERO,
        each: Duration::ZERO,
        ..LIMITS
    };
    let report = run(&Device::cpu(), &how(limits), |_| ()).unwrap();
    let over = |outcome: &Outcome| *outcome == Outcome::NotRun("the time was over".to_owned());
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
            threads: 256,
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

/// A job for a kernel in a text, whose threads are gone through in three orders.
fn ran(
    text: &str,
    kernel: &str,
    (grid, threads): (u32, u32),
    arguments: Vec<Argument>,
) -> Option<Vec<Vec<u8>>> {
    let text = Text {
        symbol: kernel.to_owned(),
        text: text.to_owned(),
    };
    let program = Program::compile(&Compiler::find()?, &[text]).unwrap();
    let in_order = |order| Run {
        order,
        seed: 5,
        grid,
        pattern: 0xa5,
    };
    // Buffers are aligned as those of the benchmark are, which in descending order they are not.
    let runs = [Order::Ascending, Order::Random];
    let job = Job {
        kernel: 0,
        threads,
        limit: Duration::from_secs(120),
        arguments,
        runs: runs.map(in_order).to_vec(),
    };
    let mut worker = Worker::start(&program).unwrap();
    Some(
        worker
            .run(&job)
            .unwrap_or_else(|failure| panic!("{kernel}: {failure}")),
    )
}

fn bytes(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes
        .chunks(4)
        .map(|b| u32::from_le_bytes(b.try_into().unwrap()))
        .collect()
}

fn value(n: usize) -> Argument {
    Argument::Value((n as u32).to_le_bytes().to_vec())
}

fn numbers(n: usize) -> Vec<u32> {
    (0..n as u32).map(|i| i.wrapping_mul(0x9E37_79B1)).collect()
}

/// Around a vector, a tile, and some tiles.
const LENGTHS: [usize; 7] = [1, 127, 1022, 4096, 4099, 8190, 12_290];

#[test]
fn edited_reductions_sum_every_length() {
    let steps = ["base", "whole", "held", "vectors", "shuffles", "redux"];
    for (step, n) in steps.iter().flat_map(|step| LENGTHS.map(|n| (step, n))) {
        let input = numbers(n);
        // Fewer blocks than runs: each goes on to further ones.
        let (runs, grid) = (n.div_ceil(4096), n.div_ceil(4096).min(2));
        let arguments = vec![
            Argument::Input(bytes(&input)),
            Argument::Output(4 * runs),
            value(n),
        ];
        let kernel = format!("reduce_{step}");
        let Some(found) = ran(comparison::REDUCE, &kernel, (grid as u32, 128), arguments) else {
            return;
        };
        let sum = |run: &[u32]| run.iter().copied().fold(0, u32::wrapping_add);
        let sums: Vec<u32> = input.chunks(4096).map(sum).collect();
        assert_eq!(words(&found[0]), sums, "{kernel}, {n} elements");
    }
    for (n, grid) in LENGTHS
        .iter()
        .flat_map(|&n| [1, 2, 3].map(|grid| (n, grid)))
    {
        let input = numbers(n);
        let arguments = vec![
            Argument::Input(bytes(&input)),
            Argument::Output(4 * grid),
            value(n),
        ];
        let found = ran(
            comparison::REDUCE,
            "reduce_resident",
            (grid as u32, 256),
            arguments,
        )
        .unwrap();
        let all = |numbers: &[u32]| numbers.iter().copied().fold(0, u32::wrapping_add);
        assert_eq!(
            all(&words(&found[0])),
            all(&input),
            "{n} elements on {grid} blocks"
        );
    }
}

#[test]
fn edited_scans_scan_every_length() {
    let sum = |sum: &mut u32, x: &u32| {
        *sum = sum.wrapping_add(*x);
        Some(*sum)
    };
    for n in LENGTHS {
        let input = numbers(n);
        let scanned: Vec<u32> = input.iter().scan(0, sum).collect();
        let runs = n.div_ceil(1024);
        let of_run = |run: &[u32]| run.iter().copied().fold(0, u32::wrapping_add);
        let totals: Vec<u32> = input.chunks(1024).map(of_run).collect();
        let arguments = vec![
            Argument::Input(bytes(&input)),
            Argument::Output(4 * runs),
            value(n),
        ];
        let shape = (runs.min(3) as u32, 128);
        let Some(found) = ran(comparison::SCAN, "totals_vectors", shape, arguments) else {
            return;
        };
        assert_eq!(words(&found[0]), totals, "totals of {n} elements");
        for kernel in ["scan_held", "scan_vectors_after"] {
            let before: Vec<u32> = totals.iter().scan(0, sum).collect();
            let arguments = vec![
                Argument::Input(bytes(&before)),
                Argument::Input(bytes(&input)),
                Argument::Output(4 * n),
                value(runs),
                value(n),
            ];
            let found = ran(comparison::SCAN, kernel, shape, arguments).unwrap();
            assert_eq!(words(&found[0]), scanned, "{kernel}, {n} elements");
        }
        let tiles = n.div_ceil(4096);
        let arguments = vec![
            Argument::Input(bytes(&input)),
            Argument::Output(4 * n),
            Argument::InOut(vec![0; 8 * (tiles + 1)]),
            value(n),
        ];
        let found = ran(
            comparison::SCAN,
            "scan_look_back",
            (tiles as u32, 256),
            arguments,
        )
        .unwrap();
        assert_eq!(words(&found[0]), scanned, "look-back, {n} elements");
    }
}

/// Blocks of the executor run one after another, so that the tile before has always been summed up
/// from the first one on. Here it has not: the words say what tiles tell each other while they run.
#[test]
fn look_back_goes_past_tiles_that_know_their_own_sum_alone() {
    let sum = |run: &[u32]| run.iter().copied().fold(0, u32::wrapping_add);
    // The nearest tile that knows the sum to its end: the one before, one in the same window of 32,
    // at the window's two ends, and two windows back.
    for (tile, known) in [(1, 0), (40, 39), (40, 20), (40, 8), (40, 7), (70, 3)] {
        let n = tile * 4096 + 1001;
        let input = numbers(n);
        // The ticket, then a word for each tile.
        let mut told = vec![tile as u64];
        for (i, run) in input.chunks(4096).enumerate().take(tile) {
            told.push(match i {
                i if i == known => u64::from(sum(&input[..4096 * (i + 1)])) << 2 | 2,
                i if i > known => u64::from(sum(run)) << 2 | 1,
                // What lies before that is in the sum already.
                _ => 0x1234 << 2 | 1,
            });
        }
        told.push(0);
        let arguments = vec![
            Argument::Input(bytes(&input)),
            Argument::InOut(vec![0; 4 * n]),
            Argument::InOut(told.iter().flat_map(|word| word.to_le_bytes()).collect()),
            value(n),
        ];
        let Some(found) = ran(comparison::SCAN, "scan_look_back", (1, 256), arguments) else {
            return;
        };
        let scanned: Vec<u32> = input
            .iter()
            .scan(0u32, |sum, x| {
                *sum = sum.wrapping_add(*x);
                Some(*sum)
            })
            .collect();
        let own = tile * 4096..n;
        assert_eq!(
            words(&found[0])[own.clone()],
            scanned[own],
            "tile {tile}, known {known}"
        );
        let last = found[1].chunks(8).next_back().unwrap();
        let all = u64::from(sum(&input)) << 2 | 2;
        assert_eq!(u64::from_le_bytes(last.try_into().unwrap()), all);
    }
}

#[test]
fn edited_histograms_count_every_length() {
    let steps = ["one_guard", "whole", "vectors", "resident", "warps"];
    for (step, n) in steps.iter().flat_map(|step| LENGTHS.map(|n| (step, n))) {
        let keys: Vec<u32> = numbers(n).iter().map(|x| (x >> 7) % 200).collect();
        let arguments = vec![
            Argument::InOut(vec![0; 1024]),
            Argument::Input(bytes(&keys)),
            value(n),
        ];
        let kernel = format!("histogram_{step}");
        let grid = n.div_ceil(4096).min(2) as u32;
        let Some(found) = ran(comparison::HISTOGRAM, &kernel, (grid, 256), arguments) else {
            return;
        };
        let mut counts = vec![0; 256];
        keys.iter().for_each(|&key| counts[key as usize] += 1);
        assert_eq!(words(&found[0]), counts, "{kernel}, {n} keys");
    }
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    words(bytes).into_iter().map(f32::from_bits).collect()
}

fn of_floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
}

#[test]
fn edited_products_are_right() {
    for (step, tile, width) in [
        ("held", 16, 48),
        ("base", 16, 48),
        ("fma", 16, 48),
        ("tile4", 64, 128),
        ("tile8", 128, 256),
    ] {
        let (left, right) = (
            matmul::matrix(width * width, 1),
            matmul::matrix(width * width, 2),
        );
        let arguments = vec![
            Argument::Input(of_floats(&left)),
            Argument::Input(of_floats(&right)),
            Argument::Output(4 * width * width),
            value(width),
        ];
        let (kernel, blocks) = (format!("matmul_{step}"), (width / tile).pow(2) as u32);
        let Some(found) = ran(comparison::MATMUL, &kernel, (blocks, 256), arguments) else {
            return;
        };
        let exact = matmul::reference(&left, &right, width, width);
        let error = matmul::error(&floats(&found[0]), &exact, width);
        assert!(
            error <= 1.0,
            "{kernel}: {error} times the error that rounding allows"
        );
    }
}

#[test]
fn edited_pulls_are_right() {
    let n = 1024;
    let bodies: Vec<f32> = matmul::matrix(4 * n, 3)
        .iter()
        .enumerate()
        .map(|(i, x)| if i < 3 * n { *x } else { (x + 1.5) / n as f32 })
        .collect();
    let mut exact = vec![(0f64, 0f64); 3 * n];
    for (own, other) in (0..n).flat_map(|own| (0..n).map(move |other| (own, other))) {
        let way = [0, 1, 2]
            .map(|axis| f64::from(bodies[axis * n + other]) - f64::from(bodies[axis * n + own]));
        let square = way.iter().fold(1e-6, |sum, x| sum + x * x);
        for axis in 0..3 {
            let term = way[axis] * f64::from(bodies[3 * n + other]) / (square * square.sqrt());
            let (sum, size) = exact[axis * n + own];
            exact[axis * n + own] = (sum + term, size + term.abs());
        }
    }
    for (step, of_a_block) in [
        ("held", 256),
        ("rsqrt", 256),
        ("vectors", 256),
        ("two", 512),
    ] {
        let arguments = vec![
            Argument::Input(of_floats(&bodies)),
            Argument::Output(12 * n),
            value(n),
        ];
        let (kernel, blocks) = (format!("bodies_{step}"), n as u32 / of_a_block);
        let Some(found) = ran(comparison::BODIES, &kernel, (blocks, 256), arguments) else {
            return;
        };
        for (i, (found, (exact, size))) in floats(&found[0]).iter().zip(&exact).enumerate() {
            let error = (f64::from(*found) - exact).abs();
            assert!(
                error <= 1e-4 * size,
                "{kernel}, {i}: {found}, and it should be {exact}"
            );
        }
    }
}

/// The program of the comparison: the one that `OBSIDIAN_GPU_COMPARE` names, which `.ci/gpu pack`
/// has compiled with warnings as errors, or one that is compiled so now.
fn compared() -> PathBuf {
    if let Some(path) = std::env::var_os("OBSIDIAN_GPU_COMPARE") {
        return path.into();
    }
    let nvcc = Nvcc::find().unwrap();
    let nvcc = nvcc.expect("there is no nvcc here (OBSIDIAN_NVCC names one)");
    let program = comparison::compile(
        &nvcc.with_limit(Duration::from_secs(600)),
        "sm_90",
        &["-Werror", "all-warnings", "-Xcompiler", "-Wall,-Wextra"],
    );
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compare");
    // Toolkits have CUB; nvcc alone, as a package, has not.
    std::fs::write(&path, program.unwrap_or_else(|error| panic!("{error}"))).unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o700)).unwrap();
    path
}

/// Without a warning, and linked: all that can be known without a GPU. It knows the rows that it
/// will be asked for.
#[test]
#[ignore = "needs nvcc, by OBSIDIAN_NVCC, and CUB: .ci/run runs it"]
fn nvcc_compiles_the_comparison() {
    let path = compared();
    let listed = Command::new(&path).arg("--list").output().unwrap();
    let rows: String = comparison::PEERS
        .iter()
        .map(|(work, by)| format!("{work}\t{by}\n"))
        .collect();
    assert_eq!(String::from_utf8_lossy(&listed.stdout), rows);
    let no_gpu = Command::new(&path)
        .args(["0", "0.1"])
        .env_remove("LD_LIBRARY_PATH")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&no_gpu.stdout);
    assert!(
        said.starts_with("ready") || said.starts_with("cudaSetDevice: "),
        "{said}"
    );
}

/// Of CUB's histogram, which is not among the peers of `beside`.
#[test]
fn the_readme_has_the_figure_that_was_measured() {
    let readme = include_str!("../../../README.md");
    let readme = readme.split_whitespace().collect::<Vec<_>>().join(" ");
    let times: serde_json::Value =
        serde_json::from_str(include_str!("../data/times.json")).unwrap();
    let median = |by: &str| {
        let mut rows = times["results"].as_array().unwrap().iter();
        let row = rows
            .find(|row| row["work"] == "histogram" && row["by"] == by && row["size"] == 1 << 28);
        row.unwrap_or_else(|| panic!("{by}"))["seconds"]["median"]
            .as_f64()
            .unwrap()
    };
    let ratio = median("algorithms: histogram_into") / median("CUB DeviceHistogram");
    let figure = format!("on an H200, ours takes {ratio:.2} of its time at 2^28");
    assert!(readme.contains(&figure), "{figure}");
}
