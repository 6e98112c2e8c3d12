//! Predicted costs beside the paper's: what the [model](obsidian_rt::explore::cost) gets right of Tables 1 to 4 and of the orders that the
//! text states for Figures 9, 12 and 13.
//!
//! The model was written before it was run on these tables, and no figure of it was fitted to them.

pub mod cases;
pub mod data;
pub mod figures;
pub mod picture;
pub mod rank;
pub mod tables;

use obsidian_rt::Result;
use obsidian_rt::explore::Gpu;

/// The paper's GPUs.
pub const GPUS: [&str; 2] = ["gtx680", "c2070"];

/// Prints all of it.
///
/// # Errors
/// What the simulator reports.
pub fn run() -> Result<()> {
    let gtx680 = Gpu::named("gtx680")?;
    for gpu in GPUS {
        let (description, sizes) = (Gpu::named(gpu)?, [256, 512, 1024, 2048, 4096]);
        print_times(&format!("Table 1, {}: milliseconds of a Mandelbrot picture", description.name), "size", &tables::table1(gpu, &sizes)?);
        print_times(&format!("Table 4, {}: milliseconds of a reduction of 2^24", description.name), "red", &tables::table4(gpu)?);
    }
    let reductions = tables::small_reductions(&gtx680)?;
    let scans = tables::small_scans(&gtx680)?;
    print_best("Table 2, GTX 680: best threads of reductions", &tables::best_threads(&reductions, data::TABLE2));
    print_best("Table 3, GTX 680: best threads of scans", &tables::best_threads(&scans, data::TABLE3));
    let mut statements = figures::figure9(&reductions);
    statements.extend(figures::figure12(&scans));
    statements.extend(figures::figure13(&gtx680, &figures::FIGURE13)?);
    println!("\nFigures 9, 12 and 13, GTX 680: what the text says, and at how many of the points the model says it too");
    for statement in statements {
        println!("  {:2} of {:2}  {}", statement.holds, statement.of, statement.text);
    }
    Ok(())
}

fn print_times(title: &str, case: &str, rows: &[tables::Pair]) {
    let correlation = rank::spearman(&rows.iter().map(|row| (row.paper, row.predicted)).collect::<Vec<_>>());
    println!("\n{title}: rank correlation {correlation:.2}");
    println!("  {case:>5} {:>7} {:>9} {:>9}  bottleneck", "threads", "paper", "predicted");
    for tables::Pair { case, threads, paper, predicted, bottleneck } in rows {
        println!("  {case:5} {threads:7} {paper:9.2} {predicted:9.2}  {bottleneck}");
    }
}

fn print_best(title: &str, rows: &[tables::Setting]) {
    let (mean, near) = tables::distance(rows);
    println!("\n{title}: {mean:.2} powers of two away on average, {near} of {} at most one", rows.len());
    println!("  kernel  elements: paper's threads, predicted ones, loss by the model if one takes the paper's");
    for kernel in 1..=7 {
        let of_kernel: Vec<&tables::Setting> = rows.iter().filter(|row| row.kernel == kernel).collect();
        if of_kernel.is_empty() {
            continue;
        }
        let cell = |row: &&tables::Setting| format!("{}: {} {} {:+.0} %", row.elements, row.paper, row.predicted, 100.0 * row.loss);
        println!("  {kernel}  {}", of_kernel.iter().map(cell).collect::<Vec<_>>().join(", "));
    }
}
