//! Tables 1 to 4.

use std::collections::BTreeMap;

use obsidian_rt::explore::Gpu;
use obsidian_rt::{ErrorKind, Result};

use super::cases::{self, Counted, milliseconds};
use super::data::{TABLE1, TABLE4, settings, times};
use super::rank::spearman;

/// A time of the paper, and the predicted one, in milliseconds.
pub struct Pair {
    /// The number of the kernel, or the size of the picture.
    pub case: u32,
    /// Threads of a block.
    pub threads: u32,
    /// What was measured.
    pub paper: f64,
    /// What is predicted.
    pub predicted: f64,
    /// What takes longest by the prediction for the first launch.
    pub bottleneck: String,
}

/// Table 1, the rows of these sizes.
///
/// # Errors
/// What the simulator reports.
pub fn table1(gpu: &str, sizes: &[u32]) -> Result<Vec<Pair>> {
    pairs(gpu, TABLE1, |size| sizes.contains(&size), cases::picture)
}

/// Table 4: the best and the worst setting of each reduction.
///
/// # Errors
/// What the simulator reports.
pub fn table4(gpu: &str) -> Result<Vec<Pair>> {
    pairs(gpu, TABLE4, |_| true, cases::large_reduction)
}

/// The rank correlation of the paper's times with the predicted ones.
pub fn correlation<'a>(rows: impl Iterator<Item = &'a Pair>) -> f64 {
    spearman(
        &rows
            .map(|row| (row.paper, row.predicted))
            .collect::<Vec<_>>(),
    )
}

fn pairs(
    gpu: &str,
    table: &'static str,
    wanted: impl Fn(u32) -> bool,
    case: impl Fn(u32, u32) -> Result<Vec<Counted>>,
) -> Result<Vec<Pair>> {
    let description = Gpu::named(gpu)?;
    let rows = times(table, gpu)
        .into_iter()
        .filter(|time| wanted(time.case));
    let pair = |time: super::data::Time| {
        let launches = case(time.case, time.threads)?;
        let bottleneck = launches[0].on(&description).bottleneck().to_owned();
        let predicted = milliseconds(&description, &launches);
        Ok(Pair {
            case: time.case,
            threads: time.threads,
            paper: time.seconds,
            predicted,
            bottleneck,
        })
    };
    rows.map(pair).collect()
}

/// Milliseconds by kernel, elements and threads; what cannot be built is not there.
pub type Grid = BTreeMap<(u32, u32, u32), f64>;

/// The reductions of Table 2 and Figure 9, of these numbers of elements.
///
/// # Errors
/// What the simulator reports.
pub fn small_reductions(gpu: &Gpu, elements: &[u32]) -> Result<Grid> {
    grid(
        gpu,
        7,
        elements,
        &reduction::THREADS,
        cases::small_reduction,
    )
}

/// The scans of Table 3 and Figure 12, of these numbers of elements.
///
/// # Errors
/// What the simulator reports.
pub fn small_scans(gpu: &Gpu, elements: &[u32]) -> Result<Grid> {
    grid(gpu, 5, elements, &scan::THREADS, cases::small_scan)
}

fn grid(
    gpu: &Gpu,
    kernels: u32,
    elements: &[u32],
    threads: &[u32],
    case: impl Fn(u32, u32, u32) -> Result<Vec<Counted>>,
) -> Result<Grid> {
    let mut grid = Grid::new();
    for kernel in 1..=kernels {
        for &elements in elements {
            for &threads in threads {
                match case(kernel, elements, threads) {
                    Ok(launches) => {
                        grid.insert((kernel, elements, threads), milliseconds(gpu, &launches));
                    }
                    Err(error) if error.kind() == ErrorKind::Build => {}
                    Err(error) => return Err(error),
                }
            }
        }
    }
    Ok(grid)
}

/// The best number of threads and its milliseconds, of those that could be built.
pub fn best(grid: &Grid, kernel: u32, elements: u32) -> Option<(u32, f64)> {
    let of_case = grid.range((kernel, elements, 0)..=(kernel, elements, u32::MAX));
    of_case
        .map(|((_, _, threads), time)| (*threads, *time))
        .min_by(|a, b| a.1.total_cmp(&b.1))
}

/// A best number of threads of the paper, and the predicted one.
pub struct Setting {
    /// The number of the kernel.
    pub kernel: u32,
    /// Elements of a block.
    pub elements: u32,
    /// The paper's best.
    pub paper: u32,
    /// The best of the model.
    pub predicted: u32,
    /// How much longer the paper's best takes than the model's, by the model: 0.1 is a tenth.
    pub loss: f64,
}

/// The best numbers of threads of a table; what cannot be built here is left out.
pub fn best_threads(grid: &Grid, table: &'static str) -> Vec<Setting> {
    let setting = |row: super::data::Best| {
        let (predicted, time) = best(grid, row.kernel, row.elements)?;
        let of_paper = grid.get(&(row.kernel, row.elements, row.threads))?;
        let (kernel, elements, paper) = (row.kernel, row.elements, row.threads);
        Some(Setting {
            kernel,
            elements,
            paper,
            predicted,
            loss: of_paper / time - 1.0,
        })
    };
    settings(table).into_iter().filter_map(setting).collect()
}

/// How many powers of two the predicted numbers of threads are away, on average, and how many of
/// them are at most one away.
pub fn distance(rows: &[Setting]) -> (f64, usize) {
    let away = |row: &Setting| row.paper.ilog2().abs_diff(row.predicted.ilog2());
    let sum: u32 = rows.iter().map(away).sum();
    (
        f64::from(sum) / rows.len().max(1) as f64,
        rows.iter().filter(|row| away(row) <= 1).count(),
    )
}
