//! Measured times: on the CPU, for kernels that the macro has made, and on the simulator, for
//! kernels that are built now.

#![allow(clippy::unwrap_used)]

use ::reduction::reductions::{map_red2, map_red5, map_red7};
use explore::reduction::{self, Work};
use obsidian_rt::explore::{Candidate, Explore, Explored, Objective, Outcome, Point, Space, Trial};
use obsidian_rt::{Device, Result};

/// Runs of 512, by three of the reductions, and by one that is said to be a reduction of something
/// else.
fn on_the_cpu(point: &Point) -> Result<Candidate> {
    let word = point.word("kernel")?.to_owned();
    let kernel = match &*word {
        "red2" => map_red2::kernel(),
        "red5" => map_red5::kernel(),
        _ => map_red7::kernel(),
    };
    let value = kernel.clone();
    Ok(
        Candidate::new().launch(&kernel, 200, move |device, blocks| {
            let input = explore::elements(blocks * 512);
            let mut expected = explore::sums(512, &input);
            expected[17] += u32::from(word == "wrong");
            let (input, value, word) = (device.upload(&input)?, value.clone(), word.clone());
            let launch = move |device: &Device| match &*word {
                "red2" => map_red2::launch_kernel(&value, device, &input),
                "red5" => map_red5::launch_kernel(&value, device, &input),
                _ => map_red7::launch_kernel(&value, device, &input),
            };
            Ok(Trial::new(launch, move |sums| {
                Ok(sums.to_vec()? == expected)
            }))
        }),
    )
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
    assert!(explored.results.best().is_some());
}

#[test]
fn kernels_of_the_macro_on_the_cpu() {
    let space = Space::new().choice("kernel", ["red2", "wrong", "red5", "red7"]);
    let explored = Explore::new(space, Objective::measured(Device::cpu()), on_the_cpu)
        .run()
        .unwrap();
    assert_eq!(
        (
            &*explored.results.objective,
            explored.results.evaluated.len()
        ),
        ("measured seconds on cpu", 4)
    );
    hold(&explored, &["kernel=wrong"]);
}

#[test]
fn kernels_that_are_built_now() {
    let space = || {
        Space::new()
            .choice("kernel", ["red2", "red7"])
            .list("elements", [512, 1024])
            .list("threads", [32, 33])
    };
    let build = |point: &Point| reduction::candidate(Work::Blocks(3), point);
    for device in [Device::simulator(), Device::cpu()] {
        let measured = Objective::measured(device).with_effort(3);
        let explored = Explore::new(space(), measured, build).run().unwrap();
        assert_eq!(explored.results.evaluated.len(), 8);
        hold(&explored, &[]);
    }
}
