//! How long it takes to build candidates natively, down to their CUDA text: the paper's reductions,
//! scans and large scans, on all cores.
//!
//! `cargo bench -p explore`

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread::{available_parallelism, scope};
use std::time::Instant;

use explore::{large_scan, reduction, scan};
use obsidian_rt::Result;
use obsidian_rt::explore::{Point, Space};

/// Builds the kernels of a point; gives the bytes of their texts.
type Build = Box<dyn Fn(&Point) -> Result<usize> + Sync>;

/// Builds all points of a space; gives the seconds, how many there were, and the bytes of their
/// texts.
fn texts(space: &Space, build: &Build, cores: usize) -> (f64, usize, usize) {
    let points = space.points().unwrap_or_else(|error| panic!("{error}"));
    let (next, built, bytes) = (
        AtomicUsize::new(0),
        AtomicUsize::new(0),
        AtomicUsize::new(0),
    );
    let start = Instant::now();
    let work = || {
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= points.len() {
                break;
            }
            if let Ok(text) = build(&points.point(number)) {
                built.fetch_add(1, Relaxed);
                bytes.fetch_add(text, Relaxed);
            }
        }
    };
    scope(|scope| (0..cores).for_each(|_| drop(scope.spawn(work))));
    (
        start.elapsed().as_secs_f64(),
        built.into_inner(),
        bytes.into_inner(),
    )
}

fn main() {
    // A new one for each run: it may keep kernels.
    let spaces: [(&str, Space, fn() -> Build); 3] = [
        ("reductions", reduction::space(), || {
            Box::new(|point| Ok(reduction::kernel(point)?.kernel().cuda().len()))
        }),
        ("scans", scan::space(), || {
            Box::new(|point| Ok(scan::kernel(point)?.kernel().cuda().len()))
        }),
        ("large scans, 3 kernels each", large_scan::space(), || {
            let kernels = large_scan::Kernels::default();
            Box::new(move |point| kernels.texts(point))
        }),
    ];
    let all = available_parallelism().map_or(1, |cores| cores.get());
    for (name, space, build) in &spaces {
        for cores in [1, all] {
            let mut runs: Vec<(f64, usize, usize)> =
                (0..3).map(|_| texts(space, &build(), cores)).collect();
            runs.sort_by(|a, b| a.0.total_cmp(&b.0));
            let (seconds, built, bytes) = runs[1];
            let each = seconds / built as f64 * 1e3 * cores as f64;
            println!(
                "{name}: {built} candidates on {cores} cores in {seconds:.3} s, {each:.2} ms of a core each, {} kB of text",
                bytes / 1000
            );
        }
    }
}
