//! Searches on the paper's spaces: nearly the best of the grid for a small part of its evaluations.
//!
//! An evaluation counts 16 blocks, and a try of halving with one block is a sixteenth of one. So
//! within 15 % of the grid's evaluations halving tries every point of these spaces, most of them by
//! one block. Hill-climbing makes whole evaluations only, of 15 % of the points.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::PathBuf;

use explore::reduction::Work;
use explore::{reduction, scan};
use obsidian_rt::Result;
use obsidian_rt::explore::{Candidate, Explore, Explored, Gpu, Objective, Point, Search, Space};

const WORK: Work = Work::Elements(1 << 24);
const SEEDS: u64 = 20;
/// Seeds of which a search at least comes within 5 % of the grid's best: climbing among scans does with
/// 14, all others with 18 or more.
const NEAR: u64 = 14;

/// Holds both searches to the grid. What one search has tried another takes out of the file, so
/// that each candidate is tried once.
fn hold(name: &str, space: fn() -> Space, build: fn(Work, &Point) -> Result<Candidate>, gpu: &str) {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!(
        "searches-{name}-{gpu}-{}.jsonl",
        std::process::id()
    ));
    let explore = || {
        Explore::new(
            space(),
            Objective::predicted(Gpu::named(gpu).unwrap()),
            move |point| build(WORK, point),
        )
        .file(&path)
    };
    let best = |explored: &Explored| {
        explored
            .results
            .best()
            .map(|best| best.outcome.score().unwrap())
    };
    let grid = explore().run().unwrap();
    let (least, built) = (best(&grid).unwrap(), grid.results.ranked().len());
    // Of those that can be built: the others cost next to nothing, in the grid and in a search.
    let budget = built * 15 / 100;
    for search in [
        |seed| Search::Climb { seed },
        |seed| Search::Halving { seed },
    ] {
        let mut near = 0;
        for seed in 1..=SEEDS {
            let explored = explore()
                .search(search(seed))
                .at_most(budget)
                .run()
                .unwrap();
            let found = best(&explored).unwrap_or(f64::INFINITY) / least;
            near += u64::from(found <= 1.05);
            let candidates = explored.results.evaluated.len() + explored.given_up.len();
            println!(
                "{name} on {gpu}, {:?}: {found:.3} of the best, {:.2} evaluations, {candidates} candidates",
                search(seed),
                explored.evaluations
            );
            assert!(explored.evaluations <= built as f64 * 0.15);
        }
        assert!(
            near >= NEAR,
            "{name} on {gpu}, {:?}: {near} of {SEEDS} seeds came within 5 % of the grid's best",
            search(1)
        );
    }
    fs::remove_file(&path).unwrap();
}

#[test]
fn reductions() {
    hold(
        "reduction",
        reduction::space,
        reduction::candidate,
        "gtx680",
    );
}

#[test]
fn scans() {
    hold("scan", scan::space, scan::candidate, "gtx680");
}

#[test]
fn on_every_gpu() {
    if std::env::var_os("OBSIDIAN_FULL").is_none_or(|value| value != "1") {
        println!("skipped: searches for every GPU; OBSIDIAN_FULL=1 runs them");
        return;
    }
    for gpu in ["c2070", "t4", "a100", "h100", "h200", "rtx4090"] {
        hold("reduction", reduction::space, reduction::candidate, gpu);
        hold("scan", scan::space, scan::candidate, gpu);
    }
}
