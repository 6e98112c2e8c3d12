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
    assert_eq!(error.kind(), ErrorKind::Worker);
    assert!(
        error
            .to_string()
            .contains("did not come to the exploration: exit status 0"),
        "{error}"
    );
}

/// Is this a worker?
fn is_worker() -> bool {
    std::env::var_os("OBSIDIAN_EXPLORE_WORKER").is_some()
}

/// An isolated exploration of one good candidate.
fn one(test: &str, job: Job<Vec<u32>, Vec<u32>>) -> Explore {
    let explore = Explore::new(Space::new(), predicted(), job, |_| candidate("good"));
    explore
        .time_out(Duration::from_secs(2))
        .isolated_with([test, "--exact"])
}

#[test]
fn a_worker_that_comes_to_another_job_is_an_error() {
    let add = if is_worker() { 2 } else { 1 };
    let other = Job::new((0..1u32 << 17).collect(), move |input: &Vec<u32>| {
        input.iter().map(|x| x + add).collect()
    });
    let name = "isolated::a_worker_that_comes_to_another_job_is_an_error";
    let error = one(name, other).run().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Worker);
    let words = error.to_string();
    assert!(
        words.contains("came to another job") && !words.contains("a bug in"),
        "{words}"
    );
}

#[test]
fn explorations_of_several_threads_are_not_confused() {
    let name = "isolated::explorations_of_several_threads_are_not_confused";
    let run = || {
        let thread = std::thread::spawn(move || one(name, job()).run().map(|_| ()));
        thread.join().unwrap()
    };
    run().unwrap();
    let error = run().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Worker);
    assert!(error.to_string().contains("isolated_with([name"), "{error}");
}

/// What a candidate starts has another standard input, and holds no connection.
#[test]
fn what_a_candidate_starts_reads_nothing_and_holds_nothing() {
    let name = "isolated::what_a_candidate_starts_reads_nothing_and_holds_nothing";
    let space = Space::new().choice("kind", ["good", "reads", "leaves a process", "also good"]);
    let explored = Explore::new(space, predicted(), job(), |point| {
        let start = std::process::Command::new;
        match point.word("kind")? {
            "reads" => assert!(start("cat").status().unwrap().success()),
            "leaves a process" => {
                start("sleep").arg("60").spawn().unwrap();
                std::process::abort();
            }
            _ => {}
        }
        candidate("good")
    });
    let begun = std::time::Instant::now();
    let explored = explored.isolated_with([name, "--exact"]).run().unwrap();
    let names: Vec<&str> = explored
        .results
        .evaluated
        .iter()
        .map(|e| e.outcome.name())
        .collect();
    assert_eq!(names, ["good", "good", "bad", "good"]);
    assert!(begun.elapsed() < Duration::from_secs(50));
}

#[test]
fn a_process_that_is_stopped_costs_one_candidate() {
    let name = "isolated::a_process_that_is_stopped_costs_one_candidate";
    let space = Space::new().choice("kind", ["good", "stops", "also good"]);
    let explored = Explore::new(space, predicted(), job(), |point| {
        if point.word("kind")? == "stops" {
            let own = std::process::id().to_string();
            let stop = std::process::Command::new("kill")
                .args(["-STOP", &own])
                .status();
            stop.unwrap();
        }
        candidate("good")
    });
    let explored = explored
        .workers(1)
        .time_out(Duration::from_millis(500))
        .isolated_with([name, "--exact"])
        .run()
        .unwrap();
    let outcomes: Vec<_> = explored
        .results
        .evaluated
        .iter()
        .map(|e| &e.outcome)
        .collect();
    let names: Vec<&str> = outcomes.iter().map(|outcome| outcome.name()).collect();
    assert_eq!(names, ["good", "bad", "good"], "{outcomes:?}");
    let words = outcomes[1].reason().unwrap();
    assert!(words.contains("it said nothing for 5.5 s"), "{words}");
}

/// It may have been the machine, or another process: each is asked once more before it is bad.
#[test]
fn a_candidate_whose_process_dies_once_is_good() {
    let name = "isolated::a_candidate_whose_process_dies_once_is_good";
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("explore-dies-once");
    if !is_worker() {
        let _ = std::fs::remove_file(&path);
    }
    let in_worker = path.clone();
    let explored = Explore::new(Space::new(), predicted(), job(), move |_| {
        if std::fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&in_worker)
            .is_ok()
        {
            std::process::abort();
        }
        candidate("good")
    });
    let explored = explored.isolated_with([name, "--exact"]).run().unwrap();
    let outcome = &explored.results.evaluated[0].outcome;
    assert_eq!(outcome.name(), "good", "{outcome:?}");
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn what_the_program_does_wrong_is_told_with_its_last_words() {
    let test = "isolated::what_the_program_does_wrong_is_told_with_its_last_words";
    let mistaken = Job::new(vec![1u32; 1 << 17], |input: &Vec<u32>| {
        assert!(!is_worker(), "no reference \u{1b}[31m here");
        input.iter().map(|x| x + 1).collect::<Vec<u32>>()
    });
    let error = one(test, mistaken).run().unwrap_err();
    let words = error.to_string();
    assert_eq!(error.kind(), ErrorKind::Worker);
    assert!(
        words.contains("while it made the job: exit status 101")
            && words.contains("no reference \u{fffd}[31m here"),
        "{words}"
    );
}

#[test]
fn a_panic_before_the_exploration_is_told() {
    assert!(!is_worker(), "no such luck");
    let error = one("isolated::a_panic_before_the_exploration_is_told", job())
        .run()
        .unwrap_err();
    let words = error.to_string();
    assert_eq!(error.kind(), ErrorKind::Worker);
    assert!(words.contains("no such luck"), "{words}");
}

#[test]
#[ignore = "long, it waits: .ci/run runs it with OBSIDIAN_LONG=1"]
fn a_program_that_reads_its_standard_input_first_is_an_error() {
    if is_worker() {
        let mut all = String::new();
        std::io::Read::read_to_string(&mut std::io::stdin(), &mut all).unwrap();
    }
    let name = "isolated::a_program_that_reads_its_standard_input_first_is_an_error";
    let arguments = [name, "--exact", "--ignored"];
    let error = one(name, job()).isolated_with(arguments).run().unwrap_err();
    let words = error.to_string();
    assert_eq!(error.kind(), ErrorKind::Worker);
    assert!(
        words.contains("killed after 22 s") && words.contains("waited for its standard input"),
        "{words}"
    );
}

/// An exploration that ends with an error ends with it in the worker of the next one too.
#[test]
fn an_exploration_may_follow_one_that_failed() {
    let name = "isolated::an_exploration_may_follow_one_that_failed";
    let folder = env!("CARGO_TARGET_TMPDIR");
    let error = one(name, job()).file(folder).run().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::File);
    let explored = one(name, job()).run().unwrap();
    assert!(explored.results.best().is_some());
}
