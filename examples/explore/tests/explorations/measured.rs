//! Measured times: on the CPU, for kernels that the macro has made, and on the simulator, for
//! kernels that are built now.

#![allow(clippy::unwrap_used)]

use ::reduction::reductions::{map_red2, map_red5, map_red7};
use explore::reduction::{self, Work};
use obsidian_rt::explore::{Candidate, Explore, Explored, Job, Objective, Outcome, Point, Space};
use obsidian_rt::{Buffer, Device, Result};

/// The sums of runs of 512.
fn job() -> Job<Vec<u32>, Vec<u32>> {
    Job::new(explore::elements(200 * 512), |input| {
        explore::sums(512, input)
    })
}

/// Runs of 512, by three of the reductions, and by one that leaves the last run out.
fn on_the_cpu(point: &Point) -> Result<reduction::Sums> {
    let word = point.word("kernel")?.to_owned();
    Ok(Candidate::new(
        move |device: &Device, input: &Buffer<u32>| match &*word {
            "red2" => map_red2::launch(device, input),
            "red5" => map_red5::launch(device, input),
            "red7" => map_red7::launch(device, input),
            _ => map_red7::launch(device, &*input.slice(0..199 * 512)?),
        },
    ))
}

/// Each outcome is good with a time that is one, or as the second list says.
fn hold(explored: &Explored, failed: &[&str]) {
    for evaluated in &explored.results.evaluated {
        let point = evaluated.point.to_string();
        match &evaluated.outcome {
            Outcome::Good { score, noise, .. } => {
                assert!(
                    *score > 0.0
                        && score.is_finite()
                        && *noise >= 0.0
                        && !failed.contains(&&*point),
                    "{point}"
                )
            }
            outcome => assert!(failed.contains(&&*point), "{point}: {outcome:?}"),
        }
    }
    assert!(
        explored
            .results
            .by_key()
            .iter()
            .all(|(_, results)| results.best().is_some())
    );
}

#[test]
fn kernels_of_the_macro_on_the_cpu() {
    let space = Space::new().choice("kernel", ["red2", "less", "red5", "red7"]);
    let explored = Explore::new(space, Objective::measured(Device::cpu()), job(), on_the_cpu)
        .run()
        .unwrap();
    assert_eq!(
        (
            &*explored.results.objective,
            explored.results.evaluated.len()
        ),
        ("measured seconds on cpu", 4)
    );
    hold(&explored, &["kernel=less"]);
}

#[test]
fn kernels_that_are_built_now() {
    let space = || {
        Space::new()
            .choice("kernel", ["red2", "red7"])
            .given("elements", [512u32, 1024])
            .list("threads", [32, 33])
    };
    for device in [Device::simulator(), Device::cpu()] {
        let measured = Objective::measured(device).with_effort(3);
        let job = |key: &Point| reduction::job(Work::Blocks(3), key);
        let explored = Explore::by_key(space(), measured, job, reduction::candidate)
            .run()
            .unwrap();
        assert_eq!(explored.results.evaluated.len(), 8);
        hold(&explored, &[]);
    }
}
