//! Measurements that take turns, seen by a device that notes what it runs.

use std::sync::{Arc, Mutex};

use obsidian_rt::backend::{Backend, Launch};
use obsidian_rt::explore::{Candidate, Explore, Job, Objective, Outcome, Space};
use obsidian_rt::language::*;
use obsidian_rt::{Device, ErrorKind, Result, TypedKernel};

type Notes = Arc<Mutex<Vec<u32>>>;

/// A device of the host that notes the threads of each launch, and runs it `n` times as often as its threads are many, by the CPU's
/// means: none. Its kernels copy eight elements a block.
#[derive(Debug)]
struct Noting {
    notes: Notes,
    /// Launches of so many threads are wrong from the n-th on.
    wrong: Option<(u32, usize)>,
    /// Launches of so many threads lose the context.
    lost: Option<u32>,
}

impl Backend for Noting {
    fn name(&self) -> &str {
        "noting"
    }

    fn run(&self, launch: &mut Launch<'_>) -> Result<()> {
        let threads = launch.kernel().threads();
        let mut notes = self.notes.lock().unwrap();
        notes.push(threads);
        if self.lost == Some(threads) {
            return Err(obsidian_rt::backend::error(
                ErrorKind::LostContext,
                "it is gone",
            ));
        }
        let count = notes.iter().filter(|other| **other == threads).count();
        let is_wrong = self
            .wrong
            .is_some_and(|(of, from)| of == threads && count >= from);
        let [input, output] = launch.parameters_mut() else {
            return Err(obsidian_rt::backend::error(
                ErrorKind::Internal,
                "a copy has two arrays",
            ));
        };
        let mut elements = input.memory().unwrap().as_host()?.bits();
        if is_wrong {
            elements[5] += 1;
        }
        let place = output.written().unwrap();
        *place.as_host_mut()? = obsidian_rt::backend::HostArray::of_bits(place.ty(), elements);
        Ok(())
    }
}

fn explore(noting: Noting, threads: &[u32]) -> Explore {
    let objective = Objective::measured(Device::from_backend(noting))
        .with_effort(4)
        .with_warm_up(2);
    let job = Job::new((0..64).collect::<Vec<u32>>(), Vec::clone);
    let space = Space::new().list("threads", threads.iter().copied());
    Explore::new(space, objective, job, |point| {
        TypedKernel::build("copies", point.u32("threads")?, |input: DPull<EU32>| {
            input.split_up(8).as_grid_map(|run| run.push())
        })
        .map(Candidate::of)
    })
}

#[test]
fn measurements_take_turns() {
    let notes = Notes::default();
    let noting = Noting {
        notes: Arc::clone(&notes),
        wrong: None,
        lost: None,
    };
    let explored = explore(noting, &[2, 30, 14]).workers(1).run().unwrap();
    let order = notes.lock().unwrap();
    assert_eq!(
        order[..9],
        [2, 2, 2, 30, 30, 30, 14, 14, 14],
        "one to check and two to warm up"
    );
    assert_eq!(order[9..], [2, 30, 14].repeat(4));
    for evaluated in &explored.results.evaluated {
        let Outcome::Good {
            score,
            noise,
            counts,
            interval,
            ..
        } = &evaluated.outcome
        else {
            panic!("{evaluated:?}")
        };
        assert!(
            *score >= 0.0 && *noise >= 0.0 && counts.is_none() && interval.is_none(),
            "{evaluated:?}"
        );
    }
}

#[test]
fn an_answer_that_is_wrong_later_is_found() {
    // The 7th launch is the last repeat.
    for (from, when) in [(1, "it gives"), (7, "after its last repeat it gives")] {
        let noting = Noting {
            notes: Notes::default(),
            wrong: Some((30, from)),
            lost: None,
        };
        let explored = explore(noting, &[2, 30, 14]).run().unwrap();
        let outcomes: Vec<&str> = explored
            .results
            .evaluated
            .iter()
            .map(|e| e.outcome.name())
            .collect();
        assert_eq!(outcomes, ["good", "bad", "good"]);
        let words = explored.results.evaluated[1].outcome.reason().unwrap();
        assert!(
            words.contains(when) && words.contains("element 5 is 6 instead of 5"),
            "{words}"
        );
    }
}

#[test]
fn a_lost_device_ends_the_run_and_blames_nobody_else() {
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("explore-lost-{}.jsonl", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let noting = |lost| Noting {
        notes: Notes::default(),
        wrong: None,
        lost,
    };
    let all: Vec<u32> = (1..=20).collect();
    let error = explore(noting(Some(11)), &all)
        .file(&path)
        .run()
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LostContext, "{error}");
    assert!(
        error.to_string().contains("threads=11") && error.to_string().contains("`noting`"),
        "{error}"
    );
    let lines = std::fs::read_to_string(&path).unwrap();
    assert_eq!(
        lines.lines().count(),
        1 + 8 + 1,
        "the first group, and what lost the device"
    );
    // Another process, with a device that works: what did it stays bad, and all others are measured.
    let explored = explore(noting(None), &all).file(&path).run().unwrap();
    assert_eq!(
        (explored.resumed, explored.results.evaluated.len()),
        (9, 20)
    );
    let bad: Vec<String> = explored
        .results
        .evaluated
        .iter()
        .filter(|e| e.outcome.score().is_none())
        .map(|e| e.point.to_string())
        .collect();
    assert_eq!(bad, ["threads=11"]);
    std::fs::remove_file(&path).unwrap();
}
