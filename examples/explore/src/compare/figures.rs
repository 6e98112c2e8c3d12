//! Figures 9, 12 and 13: the orders that the text states. The figures themselves give no numbers.

use obsidian_rt::Result;
use obsidian_rt::explore::Gpu;

use super::cases::{Counted, reduction_by_blocks};
use super::tables::{Grid, best};

/// What the text says, and at how many points the model agrees.
pub struct Statement {
    /// In words.
    pub text: &'static str,
    /// Points at which it holds.
    pub holds: usize,
    /// Points at which it was looked at.
    pub of: usize,
}

impl Statement {
    fn new(text: &'static str, points: impl IntoIterator<Item = bool>) -> Statement {
        let points: Vec<bool> = points.into_iter().collect();
        Statement {
            text,
            holds: points.iter().filter(|holds| **holds).count(),
            of: points.len(),
        }
    }
}

/// Best times of some kernels at all sizes at which all of them can be built.
fn columns<const N: usize>(grid: &Grid, kernels: [u32; N]) -> Vec<[f64; N]> {
    let mut sizes: Vec<u32> = grid.keys().map(|(_, elements, _)| *elements).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let column = |size: u32| {
        let times: Option<Vec<f64>> = kernels
            .iter()
            .map(|kernel| best(grid, *kernel, size).map(|(_, time)| time))
            .collect();
        <[f64; N]>::try_from(times?).ok()
    };
    sizes.into_iter().filter_map(column).collect()
}

/// Reductions, at each number of elements with the best number of threads.
pub fn figure9(grid: &Grid) -> Vec<Statement> {
    let all = columns(grid, [1, 2, 3, 4, 5, 6, 7]);
    let first = |a: &[f64], b: &[f64]| {
        a.iter().copied().fold(0.0, f64::max) <= b.iter().copied().fold(f64::INFINITY, f64::min)
    };
    vec![
        Statement::new(
            "red4 is the slowest",
            all.iter().map(|t| {
                [&t[..3], &t[4..]]
                    .concat()
                    .iter()
                    .all(|other| t[3] > *other)
            }),
        ),
        Statement::new(
            "red4 is slower than red5 to red7",
            all.iter().map(|t| first(&t[4..], &t[3..4])),
        ),
        Statement::new(
            "red5 to red7 are the fastest",
            all.iter().map(|t| first(&t[4..], &t[..4])),
        ),
        Statement::new(
            "one of red5 to red7 is the fastest",
            all.iter()
                .map(|t| first(&[t[4].min(t[5]).min(t[6])], &t[..4])),
        ),
        Statement::new("red2 is ahead of red1", all.iter().map(|t| t[1] < t[0])),
        Statement::new(
            "red3 is near red2: ahead, and by less than a tenth",
            all.iter().map(|t| t[2] <= t[1] && t[1] < 1.1 * t[2]),
        ),
    ]
}

/// Scans, likewise.
pub fn figure12(grid: &Grid) -> Vec<Statement> {
    let all = columns(grid, [1, 2, 3, 4, 5]);
    vec![
        Statement::new(
            "Sklansky2 is ahead of Sklansky",
            all.iter().map(|t| t[1] < t[0]),
        ),
        Statement::new(
            "Sklansky3 is slightly ahead of Sklansky2",
            all.iter().map(|t| t[2] < t[1]),
        ),
        Statement::new(
            "Kogge-Stone is ahead of Sklansky",
            all.iter().map(|t| t[3] < t[0]),
        ),
        Statement::new(
            "Kogge-Stone Push is ahead of Kogge-Stone",
            all.iter().map(|t| t[4] < t[3]),
        ),
        Statement::new(
            "Kogge-Stone Push is the fastest",
            all.iter().map(|t| t[..4].iter().all(|other| t[4] < *other)),
        ),
    ]
}

/// The numbers of elements of Figure 13.
pub const FIGURE13: [u32; 3] = [8_388_608, 16_777_216, 33_554_432];
/// Its numbers of blocks.
const BLOCKS: [u32; 7] = [16, 32, 64, 128, 256, 512, 1024];

/// Large reductions with the sequential depth that the blocks and threads leave, at these numbers
/// of elements, the best of 42 settings for each.
///
/// # Errors
/// What the simulator reports.
pub fn figure13(gpu: &Gpu, totals: &[u32]) -> Result<Vec<Statement>> {
    let mut best = Vec::new();
    for &total in totals {
        let mut of_total: Vec<(f64, String)> = Vec::new();
        for blocks in BLOCKS {
            for threads in reduction::THREADS {
                let launches = reduction_by_blocks(total, blocks, threads)?;
                let bottleneck = launches.first().map_or(String::new(), |launch: &Counted| {
                    launch.on(gpu).bottleneck().to_owned()
                });
                of_total.push((super::cases::milliseconds(gpu, &launches), bottleneck));
            }
        }
        best.extend(of_total.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)));
    }
    Ok(vec![
        Statement::new(
            "the best settings of Figure 13 take longer for more elements",
            best.windows(2).map(|pair| pair[0].0 < pair[1].0),
        ),
        Statement::new(
            "the best settings of Figure 13 are limited by memory",
            best.iter().map(|(_, bottleneck)| bottleneck == "memory"),
        ),
    ])
}
