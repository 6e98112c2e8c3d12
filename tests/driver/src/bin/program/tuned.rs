//! Variants that a tuned file chooses among, by the model of the device and by size; and the time
//! that they take there.

use obsidian_rt::explore::{Candidate, Explore, Objective, Outcome};
use obsidian_rt::{Tuned, prelude::*};

use crate::{driver, hold};

/// A kernel of several variants.
#[kernels(built)]
pub mod maps {
    /// Each element with `by` added, so that the output tells the variant.
    #[kernel(threads = [32, 64], by = [1, 2, 3, 4], tuned = "src/bin/program/tuned.txt")]
    pub fn moved(by: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(32)
            .as_grid_map(|piece| piece.map(|x| x + by).push::<Block>())
    }
}
use maps::moved;

/// The model that the driver for tests has.
const MODEL: &str = "A device for tests";

/// What was added to the first of so many elements.
fn added(device: &Device, elements: usize) -> obsidian_rt::Result<u32> {
    Ok(moved::launch(device, &device.upload(&vec![0; elements])?)?.to_vec()?[0])
}

/// The lines of the file for this model decide, and on the CPU those for any device.
pub fn launches() -> crate::Outcome {
    let result = || -> obsidian_rt::Result<()> {
        let (gpu, cpu) = (Device::cuda(0)?, Device::cpu());
        assert_eq!((gpu.model(), cpu.model()), (MODEL, "cpu"));
        assert_eq!(
            [32, 992, 1024, 4096].map(|elements| added(&gpu, elements).ok()),
            [3, 3, 4, 4].map(Some)
        );
        assert_eq!(
            [32, 4096].map(|elements| added(&cpu, elements).ok()),
            [2, 2].map(Some)
        );
        assert_eq!(
            moved::kernel().threads(),
            64,
            "without a launch it is the choice for any device"
        );
        Ok(())
    };
    result().map_err(|error| format!("{error:?}"))
}

/// An exploration of the variants: each launch is timed between two events of the device, and the
/// best is noted for its model.
pub fn explored() -> crate::Outcome {
    const REPEATS: u64 = 3;
    let variants = moved::variants();
    driver::say("reset")?;
    let objective = Objective::measured(Device::cuda(0).map_err(|error| format!("{error:?}"))?)
        .with_effort(REPEATS as u32);
    let explore = Explore::variants(variants, objective, |variant| {
        let by = variant.value("by").and_then(|by| by.integer()).unwrap_or(0) as u32;
        let input = |blocks| (0..32 * blocks as u32).collect();
        let launch = move |device: &Device, input: &Buffer<u32>| {
            moved::launch_variant(variant, device, input)
        };
        // One of them is said to give something else.
        let wrong = u32::from(by == 2);
        Ok(Candidate::of_launch(
            &variant.kernel(),
            5,
            input,
            launch,
            move |input| input.iter().map(|x| x + by + wrong).collect(),
        ))
    });
    let results = explore.run().map_err(|error| format!("{error:?}"))?.results;
    let good = results
        .evaluated
        .iter()
        .filter(|evaluated| matches!(evaluated.outcome, Outcome::Good { score, .. } if score > 0.0))
        .count();
    hold((good, results.evaluated.len()) == (6, 8), || {
        format!("{results:?}")
    })?;

    let calls = driver::calls()?;
    let of = |name: &str| calls.get(name).copied().unwrap_or(0);
    let (launches, times) = (of("cuLaunchKernel"), of("cuEventElapsedTime"));
    // Of a good one: one launch that is checked, one to warm up, and those that are timed.
    hold(
        (launches, times) == (2 + 6 * (2 + REPEATS), 6 * REPEATS),
        || format!("{launches} launches and {times} times"),
    )?;

    let mut tuned = Tuned::new();
    let best = results
        .choose_in(&mut tuned, variants, Some(MODEL), 64)
        .map_err(|error| format!("{error:?}"))?;
    let line = format!("\"{MODEL}\" from 64: {best}\n");
    hold(tuned.to_string().contains(&line), || {
        format!("no line {line} in {tuned}")
    })
}
