//! An exploration on the GPU with candidates that are wrong, fault, abort, or never end: none wins, and the others are measured.

use std::time::Duration;

use obsidian_rt::explore::{Candidate, Explore, Job, Objective, Space};
use obsidian_rt::prelude::*;

use crate::hold;
use crate::kernels::sums;

const KINDS: [(&str, &str, &str); 8] = [
    ("good", "good", ""),
    ("half of it", "bad", "64 elements"),
    ("reads outside", "bad", "719"),
    ("wrong", "bad", "gives a wrong answer"),
    ("aborts", "bad", "signal 6"),
    (
        "written by the host",
        "bad",
        "no launch computes its answer",
    ),
    ("never ends", "bad", "it took longer than"),
    ("also good", "good", ""),
];

/// Worker processes try the candidates; the one whose context is lost ends one of them.
pub fn isolated() -> crate::Outcome {
    let results = explore()
        .map(|explore| explore.isolated())
        .and_then(Explore::run)
        .map_err(|error| format!("{error:?}"))?
        .results;
    hold(results.evaluated.len() == KINDS.len(), || {
        format!("{results:?}")
    })?;
    for (evaluated, (kind, outcome, reason)) in results.evaluated.iter().zip(KINDS) {
        let found = &evaluated.outcome;
        let words = found.reason().unwrap_or_default();
        hold(found.name() == outcome && words.contains(reason), || {
            format!("{kind}: {found:?}")
        })?;
    }
    let best = results.best().map(|best| best.point.to_string());
    hold(best.is_some_and(|best| best.contains("good")), || {
        format!("{results:?}")
    })
}

fn explore() -> obsidian_rt::Result<Explore> {
    let device = Device::cuda(0)?;
    let numbers: Vec<u32> = (0..128).map(|i| i * 7 + 1).collect();
    let names: Vec<u32> = (0..128).map(|i| (i * 5) % 128).collect();
    let job = Job::new((numbers, names), |(numbers, names)| {
        names
            .iter()
            .map(|name| numbers[*name as usize])
            .collect::<Vec<u32>>()
    });
    let space = Space::new().choice("kind", KINDS.map(|(kind, ..)| kind));
    let objective = Objective::measured(device).with_effort(3);
    let explore = Explore::new(space, objective, job, |point| {
        let kind = point.word("kind")?.to_owned();
        if kind == "aborts" {
            std::process::abort();
        }
        if kind == "never ends" {
            std::thread::sleep(Duration::from_secs(1_000_000));
        }
        Ok(Candidate::new(
            move |device: &Device, (numbers, names): (&Buffer<u32>, &Buffer<u32>)| match &*kind {
                "half of it" => sums::named::launch(device, numbers, &*names.slice(..64)?),
                "reads outside" => sums::named::launch(device, &device.zeros(1)?, names),
                "wrong" => sums::named::launch(device, names, names),
                "written by the host" => device.upload(&vec![0u32; names.len()]),
                _ => sums::named::launch(device, numbers, names),
            },
        ))
    });
    Ok(explore.time_out(Duration::from_secs(10)))
}
