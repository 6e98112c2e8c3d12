//! How long it takes to build candidates natively, down to their CUDA text: the paper's reductions,
//! scans and large scans, on all cores.
//!
//! `cargo bench -p explore`, or `cargo bench -p explore --bench texts -- once scans` for one run of one space on one core. What changes the kernel compiler and
//! should change no text shows the same hash as before.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread::{available_parallelism, scope};
use std::time::Instant;

use explore::{large_scan, reduction, scan};
use obsidian_rt::Result;
use obsidian_rt::explore::{Point, Space};

/// Builds the kernels of a point; gives their texts.
type Build = Box<dyn Fn(&Point) -> Result<String> + Sync>;

/// What a run has made.
#[derive(Clone, Copy)]
struct Built {
    seconds: f64,
    candidates: usize,
    bytes: usize,
    /// The sum of hashes of the texts, which is the same in any order.
    hash: u64,
}

/// FNV-1a.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Builds all points of a space.
fn texts(space: &Space, build: &Build, cores: usize) -> Built {
    let points = space.points().unwrap_or_else(|error| panic!("{error}"));
    let (next, built, bytes, sum) = (
        AtomicUsize::new(0),
        AtomicUsize::new(0),
        AtomicUsize::new(0),
        AtomicU64::new(0),
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
                bytes.fetch_add(text.len(), Relaxed);
                sum.fetch_add(hash(&text), Relaxed);
            }
        }
    };
    scope(|scope| (0..cores).for_each(|_| drop(scope.spawn(work))));
    Built {
        seconds: start.elapsed().as_secs_f64(),
        candidates: built.into_inner(),
        bytes: bytes.into_inner(),
        hash: sum.into_inner(),
    }
}

fn main() {
    // A new one for each run: it may keep kernels.
    let spaces: [(&str, Space, fn() -> Build); 3] = [
        ("reductions", reduction::space(), || {
            Box::new(|point| Ok(reduction::kernel(point)?.kernel().cuda().to_owned()))
        }),
        ("scans", scan::space(), || {
            Box::new(|point| Ok(scan::kernel(point)?.kernel().cuda().to_owned()))
        }),
        ("large scans, 3 kernels each", large_scan::space(), || {
            let kernels = large_scan::Kernels::default();
            Box::new(move |point| kernels.texts(point))
        }),
    ];
    let words: Vec<String> = std::env::args().skip(1).collect();
    let is_once = words.iter().any(|word| word == "once");
    let is_chosen = |name: &str| {
        let mut names = words
            .iter()
            .filter(|word| *word != "once" && !word.starts_with('-'));
        let mut is_any = true;
        names.any(|word| {
            is_any = false;
            name.starts_with(word.as_str())
        }) || is_any
    };
    let all = available_parallelism().map_or(1, |cores| cores.get());
    for (name, space, build) in spaces.iter().filter(|(name, _, _)| is_chosen(name)) {
        for cores in if is_once { vec![1] } else { vec![1, all] } {
            let runs = if is_once { 1 } else { 3 };
            let mut runs: Vec<Built> = (0..runs).map(|_| texts(space, &build(), cores)).collect();
            runs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
            let Built {
                seconds,
                candidates,
                bytes,
                hash,
            } = runs[runs.len() / 2];
            let each = seconds / candidates as f64 * 1e3 * cores as f64;
            println!(
                "{name}: {candidates} candidates on {cores} cores in {seconds:.3} s, {each:.2} ms of a core each, {} kB of text with hash {hash:016x}",
                bytes / 1000
            );
        }
    }
}
