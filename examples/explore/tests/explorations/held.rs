//! The spaces of kernels in registers: every point that is built is right, and what threads hold counts.

#![allow(clippy::unwrap_used)]

use explore::held;
use explore::reduction::Sums;
use obsidian_rt::Result;
use obsidian_rt::explore::{
    Explore, Explored, Gpu, Job, Objective, Occupancy, Outcome, Point, Space,
};

/// The whole grid, one block of each candidate counted, and its answer checked.
fn grid(
    space: Space,
    job: fn(&Point) -> Result<Job<Vec<u32>, Vec<u32>>>,
    build: fn(&Point) -> Result<Sums>,
    gpu: &str,
) -> Explored {
    let objective = Objective::predicted(Gpu::named(gpu).unwrap()).with_effort(1);
    Explore::by_key(space, objective, job, build).run().unwrap()
}

fn value(point: &Point, name: &str) -> String {
    point.value(name).unwrap().to_string()
}

#[test]
fn all_sums_are_right() {
    let explored = grid(
        held::sums(),
        |_| Ok(held::sums_job(1 << 20)),
        held::sum,
        "h100",
    );
    let results = &explored.results;
    assert_eq!(results.ranked().len(), results.evaluated.len());
    assert_eq!(results.evaluated.len(), 135);
    let best = &results.best().unwrap().point;
    assert_ne!(
        value(best, "items"),
        "1",
        "a thread with one element of each tile"
    );
}

#[test]
fn all_scans_are_right_and_what_they_hold_counts() {
    let explored = grid(
        held::scans(),
        |key| held::scans_job(1 << 17, key),
        held::scan,
        "h100",
    );
    let results = &explored.results;
    for evaluated in &results.evaluated {
        let (needs, what) = (evaluated.needs, &evaluated.point);
        let items = what.u32("items").unwrap();
        if let Some(needs) = needs {
            let is_estimated = needs.registers.is_some_and(|n| n > 32 + items);
            // More than 256 sums are scanned in rows, of which a thread does not hold all: with more threads the
            // array is in shared memory.
            let is_held = what.u32("run").unwrap() / items <= 256;
            assert_eq!(is_estimated, is_held && items > 4, "{what:?}: {needs:?}");
        }
        if let Outcome::Good { counts, .. } = &evaluated.outcome {
            assert!(
                counts.as_ref().is_some_and(|counts| counts.shuffles > 0),
                "{what:?}"
            );
        }
    }
    // The more a thread holds, the fewer there are.
    let gpu = Gpu::named("h100").unwrap();
    let warps: Vec<u32> = [4, 8, 16, 32]
        .map(|items| {
            let evaluated = results.evaluated.iter().find(|evaluated| {
                let of = |name, wanted: &str| value(&evaluated.point, name) == wanted;
                of("items", &items.to_string())
                    && of("run", &(256 * items).to_string())
                    && of("loads", "own")
            });
            Occupancy::of(&gpu, &evaluated.unwrap().needs.unwrap()).warps
        })
        .to_vec();
    assert!(warps.is_sorted_by(|a, b| a > b), "{warps:?}");
    // What does not fit into shared memory is not built, and nothing else fails.
    for evaluated in &results.evaluated {
        let point = &evaluated.point;
        let run = point.u32("run").unwrap();
        match &evaluated.outcome {
            Outcome::Good { .. } => {}
            Outcome::CannotBuild(why) => assert!(
                why.contains("shared memory") && run > 4096,
                "{point:?}: {why}"
            ),
            failed => panic!("{point:?}: {failed:?}"),
        }
    }
}
