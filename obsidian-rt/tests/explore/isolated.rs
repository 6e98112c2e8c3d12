//! Worker processes: what ends one costs one candidate. The worker is this test program, with the name of the test.

use std::time::Duration;

use obsidian_rt::explore::{Candidate, Explore, Job, Objective, Point, Search, Space};
use obsidian_rt::language::*;
use obsidian_rt::prelude::*;
use obsidian_rt::{ErrorKind, Result, TypedKernel};

use crate::predicted;

type Work = Candidate<Vec<u32>, Vec<u32>>;

fn job() -> Job<Vec<u32>, Vec<u32>> {
    Job::new((0..1u32 << 17).collect(), |input: &Vec<u32>| {
        input.iter().map(|x| x + 1).collect()
    })
}

/// Uses more of the stack each time; what it gives depends on all of it.
fn deep(n: u64) -> u64 {
    let some = std::hint::black_box([n; 512]);
    if n == u64::MAX {
        0
    } else {
        deep(n + 1) + some[(n % 512) as usize]
    }
}

fn candidate(kind: &str) -> Result<Work> {
    let add = if kind == "wrong" { 2 } else { 1 };
    match kind {
        "aborts" => std::process::abort(),
        "exits" => std::process::exit(7),
        "overflows its stack" => drop(std::hint::black_box(deep(0))),
        "never ends" => loop {
            std::hint::spin_loop();
        },
        "panics" => panic!("an odd number"),
        _ => {}
    }
    let is_late = kind == "aborts in its function";
    let kernel = TypedKernel::build("moved", 32, move |input: DPull<EU32>| {
        input
            .split_up(64)
            .as_grid_map(move |run| run.map(move |x| x + add).push::<Block>())
    })?;
    Ok(Candidate::new(
        move |device: &Device, input: &Buffer<u32>| {
            if is_late {
                std::process::abort();
            }
            kernel.launch(device, input)
        },
    ))
}

const KINDS: [(&str, &str, &str); 9] = [
    ("good", "good", ""),
    ("aborts", "bad", "signal 6"),
    ("wrong", "bad", "elements that were compared are wrong"),
    ("exits", "bad", "exit status 7"),
    ("overflows its stack", "bad", "signal 6"),
    ("panics", "bad", "an odd number"),
    ("never ends", "bad", "it took longer than 2 s"),
    ("aborts in its function", "bad", "signal 6"),
    ("also good", "good", ""),
];

/// Each has its outcome, whichever process it ends.
fn hold(test: &str, objective: Objective) {
    let space = Space::new().choice("kind", KINDS.map(|(kind, ..)| kind));
    let explored = Explore::new(space, objective, job(), |point| {
        candidate(point.word("kind")?)
    })
    .time_out(Duration::from_secs(2))
    .isolated_with([test, "--exact"])
    .run()
    .unwrap();
    let evaluated = &explored.results.evaluated;
    assert_eq!(evaluated.len(), KINDS.len());
    for (evaluated, (kind, outcome, reason)) in evaluated.iter().zip(KINDS) {
        let found = &evaluated.outcome;
        assert_eq!(
            (evaluated.point.word("kind").unwrap(), found.name()),
            (kind, outcome),
            "{found:?}"
        );
        assert!(
            found.reason().unwrap_or_default().contains(reason),
            "{kind}: {found:?}"
        );
    }
    let best = explored.results.best().unwrap();
    assert!(best.point.to_string().contains("good") && best.cuda.is_some());
}

#[test]
fn a_process_that_ends_costs_one_candidate_of_a_prediction() {
    hold(
        "isolated::a_process_that_ends_costs_one_candidate_of_a_prediction",
        predicted(),
    );
}

#[test]
fn a_process_that_ends_costs_one_candidate_of_a_measurement_on_the_cpu() {
    let objective = Objective::measured(Device::cpu()).with_effort(2);
    hold(
        "isolated::a_process_that_ends_costs_one_candidate_of_a_measurement_on_the_cpu",
        objective,
    );
}

#[test]
fn a_process_that_ends_costs_one_candidate_of_a_measurement_on_the_simulator() {
    let objective = Objective::measured(Device::simulator()).with_effort(1);
    hold(
        "isolated::a_process_that_ends_costs_one_candidate_of_a_measurement_on_the_simulator",
        objective,
    );
}

/// What a process killed by the system is told of is tried again, with a file too.
#[test]
fn what_is_killed_is_tried_again() {
    let path =
        std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("explore-what-is-killed.jsonl");
    let is_worker = std::env::var_os("OBSIDIAN_EXPLORE_WORKER").is_some();
    if !is_worker {
        let _ = std::fs::remove_file(&path);
    }
    let explore = || {
        let space = Space::new().choice("kind", ["good", "killed"]);
        let explore = Explore::new(space, predicted(), job(), |point| {
            if point.word("kind")? == "killed" {
                let own = std::process::id().to_string();
                std::process::Command::new("kill")
                    .args(["-9", &own])
                    .status()
                    .unwrap();
                std::thread::sleep(crate::LONG);
            }
            candidate("good")
        });
        explore
            .file(&path)
            .isolated_with(["isolated::what_is_killed_is_tried_again", "--exact"])
    };
    for resumed in [0, 1] {
        let explored = explore().run().unwrap();
        let names: Vec<&str> = explored
            .results
            .evaluated
            .iter()
            .map(|e| e.outcome.name())
            .collect();
        assert_eq!(
            (names.as_slice(), explored.resumed),
            (&["good", "try again"][..], resumed)
        );
    }
    std::fs::remove_file(&path).unwrap();
}

/// Explorations that ran before are not run again in the worker of a later one: it is told what they found.
#[test]
fn a_program_with_several_explorations_finds_what_it_finds_alone() {
    let run = |isolated: bool, search: Search| {
        let job = |key: &Point| {
            let elements = key.u32("elements")?;
            Ok(Job::new((0..elements).collect::<Vec<u32>>(), |input| {
                input.iter().map(|x| x + 1).collect::<Vec<u32>>()
            }))
        };
        let space = Space::new()
            .given("elements", [1u32 << 10, 1 << 17])
            .powers_of_two("threads", 32..=256);
        let explore = Explore::by_key(space, predicted(), job, |point| {
            TypedKernel::build("moved", point.u32("threads")?, |input: DPull<EU32>| {
                input
                    .split_up(64)
                    .as_grid_map(|run| run.map(|x| x + 1).push::<Block>())
            })
            .map(Candidate::of)
        });
        let explore = explore.search(search);
        let name = "isolated::a_program_with_several_explorations_finds_what_it_finds_alone";
        let explore = if isolated {
            explore.isolated_with([name, "--exact"])
        } else {
            explore
        };
        explore.run().unwrap().results
    };
    let (grid, climb) = (Search::Grid, Search::Climb { seed: 3 });
    assert_eq!(
        (run(true, grid), run(true, climb)),
        (run(false, grid), run(false, climb))
    );
}

#[test]
fn a_program_that_does_not_come_to_the_exploration_is_an_error() {
    let explore = Explore::new(Space::new(), predicted(), job(), |_| candidate("good"));
    let error = explore
        .isolated_with(["no_test_of_this_name", "--exact"])
        .run()
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Internal);
    assert!(
        error
            .to_string()
            .contains("did not come to the exploration: exit status 0"),
        "{error}"
    );
}
