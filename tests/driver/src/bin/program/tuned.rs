//! Variants that a tuned file chooses among, by the model of the device and by size; and the time
//! that they take there.

use obsidian_rt::explore::{Candidate, Explore, Gpu, Job, Objective, Outcome};
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
    let job = Job::new((0..160u32).collect::<Vec<u32>>(), |input| {
        input.iter().map(|x| x + 5).collect::<Vec<u32>>()
    });
    // A second launch adds what is left to 5, but for one value, of which it adds 1 less.
    let explore = Explore::variants(variants, objective, job, |variant| {
        let by = |variant: &Variant| variant.value("by").and_then(|by| by.integer());
        let rest = match by(variant).unwrap_or(0) {
            2 => 2,
            by => 5 - by,
        };
        let second = variants
            .iter()
            .find(|other| other.threads() == variant.threads() && by(other) == Some(rest))
            .unwrap_or(variant);
        Ok(Candidate::new(
            move |device: &Device, input: &Buffer<u32>| {
                let added = moved::launch_variant(variant, device, input)?;
                moved::launch_variant(second, device, &added)
            },
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
    let (launches, times) = (of("cuGraphLaunch"), of("cuEventElapsedTime"));
    // Of a good one: one replay that is checked, one to warm up, and those that are timed. Of others the one that is checked.
    hold(
        (launches, times) == (2 + 6 * (2 + REPEATS), 6 * REPEATS),
        || format!("{launches} replays and {times} times: {calls:?}"),
    )?;

    let mut tuned = Tuned::new();
    let best = results
        .choose_in(&mut tuned, variants, Some(MODEL), 64)
        .map_err(|error| format!("{error:?}"))?;
    let line = format!("\"{MODEL}\" from 64: {best}\n");
    hold(tuned.to_string().contains(&line), || {
        format!("no line {line} in {tuned}")
    })?;
    chained(REPEATS).map_err(|error| format!("{error:?}"))?
}

/// The variants are predicted, and the best measured on the device: for a description of it, and of another GPU not at all.
fn chained(repeats: u64) -> obsidian_rt::Result<crate::Outcome> {
    let (variants, device) = (moved::variants(), Device::cuda(0)?);
    let explore = |gpu: Gpu| {
        let job = Job::new((0..160u32).collect::<Vec<u32>>(), |input| {
            input.iter().map(|x| x + 3).collect::<Vec<u32>>()
        });
        let by = Objective::measured(device.clone()).with_effort(repeats as u32);
        let explore = Explore::variants(variants, Objective::predicted(gpu), job, |variant| {
            Ok(Candidate::new(
                move |device: &Device, input: &Buffer<u32>| {
                    moved::launch_variant(variant, device, input)
                },
            ))
        });
        explore.measured(by)
    };
    let mut gpu = Gpu::named("h100")?;
    let of_another = explore(gpu.clone()).run().map(|_| ()).err();
    let words = of_another
        .map(|error| error.to_string())
        .unwrap_or_default();
    let is_named = words.contains("the description of H100 has compute capability 9.0 and 132")
        && words.contains(MODEL);
    let unknown = Gpu::of(&device).map(|_| ()).err();
    let unknown = unknown.map(|error| error.to_string()).unwrap_or_default();
    if !is_named || !unknown.contains(&format!("no description of a GPU `{MODEL}` is shipped")) {
        return Ok(Err(format!("{words}; {unknown}")));
    }
    if let Some(of) = device.properties() {
        let (major, minor) = of.compute_capability;
        gpu.compute_capability = format!("{major}.{minor}");
        gpu.multiprocessors = of.multiprocessors;
    }
    let replays = || {
        let calls = driver::calls();
        calls.map(|calls| calls.get("cuGraphLaunch").copied().unwrap_or(0))
    };
    let before = replays();
    let results = explore(gpu).run()?.results;
    let launches = match (before, replays()) {
        (Ok(before), Ok(after)) => after - before,
        (Err(words), _) | (_, Err(words)) => return Ok(Err(words)),
    };
    // Two of eight add 3 and are measured; the others are bad by prediction, and never run.
    let measured = results.ranked();
    let all = measured.iter().all(|of| {
        of.outcome.stages().measured.is_some() && of.outcome.stages().predicted.is_some()
    });
    let mut tuned = Tuned::new();
    results.choose_in(&mut tuned, variants, Some(MODEL), 64)?;
    let is_said = tuned
        .to_string()
        .contains("; by the measurement the best is ");
    let right = all && measured.len() == 2 && launches == 2 * (2 + repeats) && is_said;
    Ok(hold(right, || {
        format!("{launches} replays, {tuned}, {results:?}")
    }))
}
