//! All are predicted, the best compiled, and the best few of these measured: by a device whose clock is planted.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use obsidian_rt::backend::{Backend, HostArray, Launch, Mark};
use obsidian_rt::explore::{
    Candidate, Explore, Explored, Gpu, Job, Measurement, Objective, Outcome, Point, Resources,
    Space, report,
};
use obsidian_rt::language::*;
use obsidian_rt::{Device, ErrorKind, Result, TypedKernel};

/// What a launch of some threads does on the planted device.
#[derive(Clone, Copy, Debug)]
enum Planted {
    /// A launch takes this many nanoseconds, alternately a few more and a few less.
    Takes(u64, u64),
    /// It copies one element wrongly.
    Wrong,
    /// It is wrong from the 12th launch on, when it is measured once more.
    WrongLater(u64),
    /// It panics.
    Panics,
    /// The device cannot run it.
    CannotRun,
    /// The device is lost.
    Lost,
}

/// A device with a clock of its own, which goes on as its launches say. Its kernels copy.
#[derive(Debug)]
struct Clock {
    planted: BTreeMap<u32, Planted>,
    /// Nanoseconds since the device was made.
    now: Arc<Mutex<u64>>,
    /// The number of launches, by the threads of the kernel.
    launches: Arc<Mutex<BTreeMap<u32, u64>>>,
}

#[derive(Debug)]
struct At(u64);

impl Mark for At {
    fn is_done(&self) -> Result<bool> {
        Ok(true)
    }

    fn synchronize(&self) -> Result<()> {
        Ok(())
    }

    fn since(&self, earlier: &dyn Mark) -> Result<Duration> {
        let earlier = earlier.as_any().downcast_ref::<At>().unwrap();
        Ok(Duration::from_nanos(self.0.saturating_sub(earlier.0)))
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

impl Backend for Clock {
    fn name(&self) -> &str {
        "clock"
    }

    fn run(&self, launch: &mut Launch<'_>) -> Result<()> {
        let error = |kind, words| Err(obsidian_rt::backend::error(kind, words));
        let threads = launch.kernel().threads();
        let count = {
            let mut launches = self.launches.lock().unwrap();
            let count = launches.entry(threads).or_default();
            *count += 1;
            *count
        };
        let (nanoseconds, is_wrong) = match self.planted[&threads] {
            Planted::Takes(mean, more) if count % 2 == 0 => (mean + more, false),
            Planted::Takes(mean, less) => (mean - less, false),
            Planted::Wrong => (1, true),
            Planted::WrongLater(mean) => (mean, count > 11),
            Planted::Panics => panic!("planted"),
            Planted::CannotRun => return error(ErrorKind::CannotRun, "it has no such unit"),
            Planted::Lost => return error(ErrorKind::LostContext, "it is gone"),
        };
        *self.now.lock().unwrap() += nanoseconds;
        let [input, output] = launch.parameters_mut() else {
            return error(ErrorKind::Internal, "a copy has two arrays");
        };
        let mut elements = input.memory().unwrap().as_host()?.bits();
        elements[5] += u64::from(is_wrong);
        let place = output.written().unwrap();
        *place.as_host_mut()? = HostArray::of_bits(place.ty(), elements);
        Ok(())
    }

    fn record(&self) -> Result<Arc<dyn Mark>> {
        Ok(Arc::new(At(*self.now.lock().unwrap())))
    }
}

fn h100() -> Objective {
    Objective::predicted(Gpu::named("h100").unwrap())
}

fn few() -> Resources {
    Resources {
        registers: 16,
        local_bytes: 0,
        instructions: 50,
    }
}

/// Copies by blocks of some threads: 12 candidates, of which more threads are predicted to be better up to a point.
fn copies(by: Objective) -> Explore {
    let job = Job::new((0..4096).collect::<Vec<u32>>(), Vec::clone);
    let space = Space::new().list("threads", (1..=12).map(|n| 16 * n));
    let explore = Explore::new(space, h100(), job, |point| {
        let kernel = TypedKernel::build("copies", point.u32("threads")?, |input: DPull<EU32>| {
            input.split_up(1024).as_grid_map(|run| run.push())
        })?;
        Ok(Candidate::of(kernel))
    });
    explore
        .workers(1)
        .compiled_by("a test", |_| Ok(few()))
        .measured(by)
}

/// All take the same time, but for some.
fn planted(but: &[(u32, Planted)]) -> Objective {
    let all = (1..=12).map(|n| (16 * n, Planted::Takes(1000 + u64::from(n), 0)));
    let mut planted: BTreeMap<u32, Planted> = all.collect();
    planted.extend(but.iter().copied());
    Objective::measured(Device::from_backend(Clock {
        planted,
        now: Arc::default(),
        launches: Arc::default(),
    }))
}

fn threads(point: &Point) -> u32 {
    point.u32("threads").unwrap()
}

/// The threads of the candidates, from the best to the worst by prediction alone.
fn by_prediction() -> Vec<u32> {
    let job = Job::new((0..4096).collect::<Vec<u32>>(), Vec::clone);
    let space = Space::new().list("threads", (1..=12).map(|n| 16 * n));
    let explored = Explore::new(space, h100(), job, |point| {
        let kernel = TypedKernel::build("copies", point.u32("threads")?, |input: DPull<EU32>| {
            input.split_up(1024).as_grid_map(|run| run.push())
        })?;
        Ok(Candidate::of(kernel))
    });
    let results = explored.run().unwrap().results;
    results
        .ranked()
        .iter()
        .map(|of| threads(&of.point))
        .collect()
}

fn ranked(explored: &Explored) -> Vec<u32> {
    let ranked = explored.results.ranked();
    ranked.iter().map(|of| threads(&of.point)).collect()
}

fn measured(explored: &Explored) -> Vec<u32> {
    let ranked = explored.results.ranked();
    let measured = ranked
        .iter()
        .filter(|of| of.outcome.stages().measured.is_some());
    measured.map(|of| threads(&of.point)).collect()
}

fn outcome(explored: &Explored, of: u32) -> &Outcome {
    let mut all = explored.results.evaluated.iter();
    &all.find(|one| threads(&one.point) == of).unwrap().outcome
}

#[test]
fn what_is_measured_decides_over_what_was_predicted() {
    let order = by_prediction();
    // The best by prediction is the slowest that is measured, the 7th the fastest; the 9th would be faster, and is not measured.
    let by = planted(&[
        (order[0], Planted::Takes(9000, 0)),
        (order[6], Planted::Takes(500, 0)),
        (order[8], Planted::Takes(100, 0)),
    ]);
    let explored = copies(by).run().unwrap();
    let ranked = ranked(&explored);
    assert_eq!(
        (ranked.len(), ranked[0], ranked[7]),
        (12, order[6], order[0])
    );
    let mut of_measured = measured(&explored);
    assert_eq!(of_measured, ranked[..8], "they stand before the others");
    of_measured.sort();
    let mut best_8 = order[..8].to_vec();
    best_8.sort();
    assert_eq!(of_measured, best_8);
    assert_eq!(
        ranked[8..],
        order[8..],
        "which stay in the order of the prediction"
    );
    let stages = outcome(&explored, order[6]).stages();
    assert_eq!(stages.measured, Some(500e-9));
    assert!(stages.predicted.is_some() && stages.compiled.is_some());
    assert_eq!(
        explored.results.measurement,
        Measurement::Best("clock".to_owned())
    );
    assert_eq!(
        explored.results.objective,
        "measured seconds on clock, of the best by predicted seconds on H100"
    );
    // The second takes at least 1001 ns.
    let margin = explored.results.margin().unwrap();
    assert!((1.0..1.1).contains(&margin), "{margin}");
}

#[test]
fn reports_have_all_three_stages() {
    let order = by_prediction();
    let by = planted(&[(order[6], Planted::Takes(500, 0))]);
    let results = copies(by).run().unwrap().results;
    let table = report::table(&results, 12, 200);
    let head = table.lines().nth(1).unwrap();
    let words: Vec<&str> = head.split_whitespace().collect();
    assert!(
        words
            .windows(3)
            .any(|three| three == ["predicted", "compiled", "measured"]),
        "{table}"
    );
    assert!(
        table.contains(
            "\n8 candidates, the best that were predicted and are right, were measured on clock"
        ),
        "{table}"
    );
    let csv = report::csv(&results);
    let titles: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let column = |name: &str| titles.iter().position(|title| *title == name).unwrap();
    let [predicted, compiled, measured] =
        ["predicted_seconds", "compiled_seconds", "measured_seconds"].map(column);
    let filled = |column: usize| {
        let rows = csv.lines().skip(1);
        rows.filter(|row| !row.split(',').nth(column).unwrap().is_empty())
            .count()
    };
    assert_eq!(
        (filled(predicted), filled(compiled), filled(measured)),
        (12, 8, 8)
    );
    let json = report::json(&results);
    assert!(
        json.contains("\"measured_on\": \"clock\"") && json.contains("\"measured\": 5"),
        "{json}"
    );
    let page = report::page(&results, &report::Page::of("Copies", &results));
    for words in [
        "were measured on clock",
        "<th class=\"number\">compiled</th>",
        "Pictures show predicted seconds",
        "was only predicted, to take",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
}

#[test]
fn equal_ones_are_declared_equal_after_more_repeats() {
    let order = by_prediction();
    let (one, other) = (order[2], order[4]);
    // Far ahead of the others, and 1 ns apart, with a noise of 30 ns.
    let by = planted(&[
        (one, Planted::Takes(500, 30)),
        (other, Planted::Takes(501, 30)),
    ]);
    let explored = copies(by).run().unwrap();
    let mut best = ranked(&explored)[..2].to_vec();
    best.sort();
    let mut both = [one, other];
    both.sort();
    assert_eq!(best, both);
    assert_eq!(explored.results.margin(), Some(0.0));
    assert!(
        explored
            .results
            .lead()
            .unwrap()
            .starts_with("the best is equal to the second")
    );
    // With little noise, 1 ns decides.
    let by = planted(&[
        (one, Planted::Takes(500, 0)),
        (other, Planted::Takes(501, 0)),
    ]);
    let explored = copies(by).run().unwrap();
    assert_eq!(ranked(&explored)[..2], [one, other]);
    let margin = explored.results.margin().unwrap();
    assert!((margin - 1.0 / 500.0).abs() < 1e-9, "{margin}");
}

#[test]
fn a_lead_by_few_repeats_says_that_it_may_be_chance() {
    for (repeats, is_said) in [(5, true), (6, false)] {
        let explored = copies(planted(&[]).with_effort(repeats)).run().unwrap();
        let lead = explored.results.lead().unwrap();
        assert!(lead.contains(" ahead of the second"), "{lead}");
        assert_eq!(lead.ends_with("so it may be chance"), is_said, "{lead}");
    }
}

#[test]
fn bad_ones_cost_one_candidate_and_the_next_is_measured() {
    let order = by_prediction();
    let bad = [
        Planted::Wrong,
        Planted::Panics,
        Planted::CannotRun,
        Planted::WrongLater(500),
    ];
    for planted_bad in bad {
        // One that is as good as the last of the bad ones, so that both are measured once more.
        let by = planted(&[(order[1], planted_bad), (order[2], Planted::Takes(500, 0))]);
        let explored = copies(by).run().unwrap();
        let mut all = measured(&explored);
        all.sort();
        let mut expected: Vec<u32> = order[..9]
            .iter()
            .copied()
            .filter(|of| *of != order[1])
            .collect();
        expected.sort();
        assert_eq!(all, expected, "{planted_bad:?}: the 9th takes its place");
        let failed = outcome(&explored, order[1]);
        let name = match planted_bad {
            Planted::CannotRun => "cannot run here",
            _ => "bad",
        };
        assert_eq!(failed.name(), name, "{planted_bad:?}");
        assert!(
            failed
                .reason()
                .unwrap()
                .starts_with("when it was measured: "),
            "{failed:?}"
        );
        let best = explored.results.best().unwrap();
        assert!(best.outcome.stages().measured.is_some());
    }
}

#[test]
fn a_device_that_can_measure_none_is_one_error() {
    let all: Vec<(u32, Planted)> = (1..=12).map(|n| (16 * n, Planted::CannotRun)).collect();
    let error = copies(planted(&all)).run().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::CannotRun);
    let words = error.to_string();
    assert!(
        words.contains("none of the best 8 candidates can be measured here; threads=")
            && words.contains("no such unit"),
        "{words}"
    );
}

#[test]
fn a_device_that_is_no_gpu_measures_all_and_the_results_say_why() {
    let by = Objective::measured(Device::cpu()).with_effort(6);
    let results = copies(by).run().unwrap().results;
    let Measurement::All { on, reason } = &results.measurement else {
        panic!("{:?}", results.measurement);
    };
    assert_eq!(
        (&**on, &**reason),
        (
            "cpu",
            "`cpu` is no GPU, so a prediction for H100 says nothing of its times"
        )
    );
    assert_eq!(results.objective, "measured seconds on cpu");
    for of in &results.evaluated {
        let stages = of.outcome.stages();
        assert!(
            stages.measured.is_some() && stages.modelled().is_none(),
            "{of:?}"
        );
    }
    let table = report::table(&results, 3, 200);
    assert!(
        table.contains(
            "\nevery candidate was measured on cpu, and none predicted or compiled: `cpu` is no GPU"
        ),
        "{table}"
    );
}

#[test]
fn objectives_that_do_not_go_together_are_refused() {
    let error = copies(h100()).run().unwrap_err();
    assert!(
        error.kind() == ErrorKind::Space
            && error
                .to_string()
                .contains("give it `Objective::measured(device)`"),
        "{error}"
    );
    let job = Job::new(vec![1u32; 64], Vec::clone);
    let explore = Explore::new(Space::new(), planted(&[]), job, |_| {
        TypedKernel::build("copies", 16, |input: DPull<EU32>| {
            input.split_up(8).as_grid_map(|run| run.push())
        })
        .map(Candidate::of)
    });
    let error = explore.measured(planted(&[])).run().unwrap_err();
    assert!(
        error.kind() == ErrorKind::Space
            && error
                .to_string()
                .contains("measures every candidate already"),
        "{error}"
    );
}

#[test]
fn time_that_is_up_is_said() {
    let explored = copies(planted(&[])).within(Duration::ZERO).run().unwrap();
    assert!(explored.results.evaluated.is_empty());
    let of_none = Measurement::Best("clock".to_owned());
    assert_eq!(
        explored.results.measurement, of_none,
        "there was nothing to measure"
    );
}

/// A candidate that asks the device what to launch is not what was predicted.
#[test]
fn a_candidate_that_is_another_on_the_device_is_bad() {
    let job = Job::new((0..4096).collect::<Vec<u32>>(), Vec::clone);
    let space = Space::new().list("copy", [1, 2]);
    let explore = Explore::new(space, h100(), job, |point| {
        let build = |threads| {
            TypedKernel::build("copies", threads, |input: DPull<EU32>| {
                input.split_up(1024).as_grid_map(|run| run.push())
            })
        };
        let (one, other, is_true) = (build(32)?, build(64)?, point.u32("copy")? == 1);
        Ok(Candidate::new(
            move |device: &Device, input: &obsidian_rt::Buffer<u32>| match is_true
                || device.model() == "cpu"
            {
                true => one.launch(device, input),
                false => other.launch(device, input),
            },
        ))
    });
    let results = explore.measured(planted(&[])).run().unwrap().results;
    let words = results.evaluated[1].outcome.reason().unwrap();
    assert!(
        words.contains("other sizes on `clock`, where it is measured"),
        "{words}"
    );
    assert!(results.evaluated[0].outcome.stages().measured.is_some());
}

/// The results with every line of the file of a whole run, and with each beginning of it, as a killed run leaves it: the same.
#[test]
fn a_run_that_was_killed_in_any_stage_comes_to_the_same_result() {
    let order = by_prediction();
    let by = || {
        planted(&[
            (order[3], Planted::Takes(500, 0)),
            (order[4], Planted::Takes(500, 0)),
            (order[1], Planted::Wrong),
        ])
    };
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("explore-chained-{}.jsonl", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let whole = copies(by()).file(&path).run().unwrap().results;
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let stages = ["tried", "compiled", "measured"].map(|name| {
        let word = format!("\"stage\":\"{name}\"");
        lines.iter().filter(|line| line.contains(&word)).count()
    });
    // The wrong one is compiled with the best 8 and replaced by a 9th; the two leaders are measured twice more.
    assert_eq!(stages, [12, 9, 9 + 2 * 2], "{text}");
    let page = report::page(&whole, &report::Page::of("Copies", &whole));
    let step = if crate::is_long() { 1 } else { 4 };
    for left in (0..=lines.len()).step_by(step) {
        let beginning: String = lines[..left]
            .iter()
            .map(|line| format!("{line}\n"))
            .collect();
        std::fs::write(&path, beginning).unwrap();
        let again = copies(by()).file(&path).run().unwrap().results;
        assert_eq!(again, whole, "after {left} lines");
        assert_eq!(
            report::page(&again, &report::Page::of("Copies", &again)),
            page
        );
    }
    std::fs::remove_file(&path).unwrap();
}

/// Times of a run that was killed stay what they were: the second run has a slower clock, and measures only what has no line.
#[test]
fn what_was_measured_is_not_measured_again() {
    let order = by_prediction();
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!(
        "explore-chained-again-{}.jsonl",
        std::process::id()
    ));
    let _ = std::fs::remove_file(&path);
    let lost = planted(&[(order[7], Planted::Lost)]);
    let error = copies(lost).file(&path).run().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LostContext);
    let slow: Vec<(u32, Planted)> = (1..=12)
        .map(|n| (16 * n, Planted::Takes(7000, 0)))
        .collect();
    let explored = copies(planted(&slow)).file(&path).run().unwrap();
    std::fs::remove_file(&path).unwrap();
    let blamed = outcome(&explored, order[7]);
    assert!(
        blamed.name() == "bad" && blamed.reason().unwrap().contains("it is gone"),
        "{blamed:?}"
    );
    assert_eq!(measured(&explored).len(), 8);
}

#[cfg(unix)]
#[test]
fn workers_measure_as_the_program_would() {
    let name = "chained::workers_measure_as_the_program_would";
    let order = by_prediction();
    let by = || {
        planted(&[
            (order[2], Planted::Takes(500, 0)),
            (order[0], Planted::Panics),
        ])
    };
    let isolated = copies(by())
        .isolated_with(["--exact", name, "--nocapture"])
        .run()
        .unwrap();
    assert_eq!(isolated.results, copies(by()).run().unwrap().results);
    assert_eq!(ranked(&isolated)[0], order[2]);
}
