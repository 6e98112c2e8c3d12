//! What it takes to make an array program into kernels, on one core: median of 21 builds, `cargo bench -p obsidian-benches --bench programs`.

#[path = "../../obsidian-rt/tests/programs/chains/lengths.rs"]
mod lengths;

use std::time::{Duration, Instant};

use obsidian_rt::arrays::{ArrayFn, ArrayParameters, ArrayProgram, RunResult};

fn main() -> obsidian_rt::Result<()> {
    println!("| program | kernels | ms | ms a kernel |\n|---|---|---|---|");
    let mut each = [
        row("dot_product", accelerate::dot_product)?,
        row("prices", accelerate::prices)?,
        row("escapes", accelerate::escapes)?,
        row("accelerations", accelerate::accelerations)?,
        row("matrix_vector", accelerate::matrix_vector)?,
        row("max_and_sum", accelerate::max_and_sum)?,
    ];
    each.sort_by(f64::total_cmp);
    let middle = each.get(each.len() / 2).copied().unwrap_or_default();
    println!("| median | | | {middle:.2} |");
    chains()
}

/// What chains take that are eight times as long.
fn chains() -> obsidian_rt::Result<()> {
    println!(
        "\n| chain | kernels of 25 | ms | kernels of 200 | ms | times as long |\n|---|---|---|---|---|---|"
    );
    for (name, build) in lengths::CHAINS {
        let timed = |length| -> obsidian_rt::Result<(usize, f64)> {
            let kernels = build(length)?;
            let mut times = Vec::new();
            for _ in 0..5 {
                let start = Instant::now();
                std::hint::black_box(build(length)?);
                times.push(start.elapsed());
            }
            times.sort_unstable();
            let middle: Duration = times.get(times.len() / 2).copied().unwrap_or_default();
            Ok((kernels, middle.as_secs_f64() * 1e3))
        };
        let ((few, short), (many, long)) = (timed(25)?, timed(200)?);
        println!(
            "| {name} | {few} | {short:.1} | {many} | {long:.1} | {:.1} |",
            long / short
        );
    }
    Ok(())
}

/// Prints a row, and gives the milliseconds a kernel.
fn row<P: ArrayParameters, R: RunResult, F: ArrayFn<P, R> + Copy>(
    name: &str,
    f: F,
) -> obsidian_rt::Result<f64> {
    let kernels = ArrayProgram::build(name, f)?.kernels().len();
    let mut times = Vec::new();
    for _ in 0..21 {
        let start = Instant::now();
        std::hint::black_box(ArrayProgram::build(name, f)?);
        times.push(start.elapsed());
    }
    times.sort_unstable();
    let middle: Duration = times.get(times.len() / 2).copied().unwrap_or_default();
    let ms = middle.as_secs_f64() * 1e3;
    println!(
        "| {name} | {kernels} | {ms:.2} | {:.2} |",
        ms / kernels as f64
    );
    Ok(ms / kernels as f64)
}
