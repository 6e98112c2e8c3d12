//! What it takes to make an array program into kernels, on one core: median of 21 builds, `cargo bench -p obsidian-benches --bench programs`.

#[path = "../../obsidian-rt/tests/programs/chains/lengths.rs"]
mod lengths;

use std::time::{Duration, Instant};

use obsidian_rt::arrays::*;
use obsidian_rt::language::{EF32, EU32, lit};

fn main() -> obsidian_rt::Result<()> {
    println!("| program | kernels | ms | ms a kernel |\n|---|---|---|---|");
    let mut each = [
        row("dot_product", accelerate::dot_product)?,
        row("prices", accelerate::prices)?,
        row("escapes", accelerate::escapes)?,
        row("accelerations", accelerate::accelerations)?,
        row("matrix_vector", accelerate::matrix_vector)?,
        row("max_and_sum", accelerate::max_and_sum)?,
        row("map", |x: Arr1<EF32>| x.map(|x| x * 2.0))?,
        row("scan", |x: Arr1<EU32>| x.inclusive_scan(|x, y| x + y))?,
        row("filter", |x: Arr1<EU32>| x.filter(|x| x.gt(3)))?,
        row("expand", |x: Arr1<EU32>| x.expand(|x| x % 4, |x, k| x + k))?,
        row("sort", |x: Arr1<EU32>| x.sort())?,
        row("permute of integers", |x: Arr1<EU32>| {
            x.permute(
                |x, y| x + y,
                fill(64, lit(0u32)),
                |_, x| (lit(true), x % 64),
            )
        })?,
        row("permute of floats", |x: Arr1<EF32>, to: Arr1<EU32>| {
            let both = zip(x, to);
            let added = both.permute(
                |(x, _), (y, to)| (x + y, to),
                fill(64, (lit(0.0f32), lit(0u32))),
                |_, (_, to)| (lit(true), to % 64),
            );
            added.map(|(x, _)| x)
        })?,
        row("eight rotations", rotated)?,
        row("softmax", |x: Arr2<EF32>| {
            let (_, width) = x.shape();
            let most = x.max().replicate_inner(width);
            let powers = zip_with(|x, most| (x - most).exp(), x, most);
            let sums = powers.sum().replicate_inner(width);
            zip_with(|power, sum| power / sum, powers, sums)
        })?,
    ];
    each.sort_by(f64::total_cmp);
    let middle = each.get(each.len() / 2).copied().unwrap_or_default();
    println!("| median | | | {middle:.2} |");
    chains()
}

/// The sum of an array and of what stands beside each element, around the edges: a generation of life has that.
fn rotated(x: Arr2<EU32>) -> Arr2<EU32> {
    let (h, w) = x.shape();
    let columns = [w - 1, lit(0u32), lit(1u32)].map(|by| x.rotate(by));
    let all = columns
        .into_iter()
        .flat_map(|x| [h - 1, lit(0u32), lit(1u32)].map(|by| x.axis(0).rotate(by).axis(0)));
    all.reduce(|x, y| zip_with(|x, y| x + y, x, y)).unwrap_or(x)
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
