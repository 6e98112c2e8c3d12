//! The best of the predicted candidates are compiled: figures go into the ranking, and a machine without a compiler skips it.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use obsidian_rt::Kernel;
use obsidian_rt::explore::{
    Compilation, Evaluated, Explore, Explored, Gpu, Objective, Outcome, Resources, Space, report,
};

use crate::{candidate, explore, job, space};

/// 15 candidates on a GPU that compilers of this machine make code for.
fn on_h100() -> Explore {
    let objective = Objective::predicted(Gpu::named("h100").unwrap());
    Explore::new(space(), objective, job(), candidate)
}

fn few(_: &Kernel) -> Result<Resources, String> {
    Ok(figures(16, 0, 100))
}

fn figures(registers: u32, local_bytes: u32, instructions: u32) -> Resources {
    Resources {
        registers,
        local_bytes,
        instructions,
    }
}

fn compiled(explored: &Explored) -> Vec<&Evaluated> {
    let ranked = explored.results.ranked();
    ranked
        .into_iter()
        .filter(|of| !of.outcome.compiled().is_empty())
        .collect()
}

fn points(explored: &Explored) -> Vec<String> {
    let ranked = explored.results.ranked();
    ranked.iter().map(|of| of.point.to_string()).collect()
}

fn score(of: &Evaluated) -> f64 {
    of.outcome.score().unwrap()
}

#[test]
fn the_best_are_compiled_and_their_figures_are_kept() {
    let plain = on_h100().run().unwrap();
    let explored = on_h100().compiled_by("a test", few).run().unwrap();
    assert_eq!(plain.results.compilation, Compilation::NotAsked);
    assert_eq!(
        explored.results.compilation,
        Compilation::By("a test".to_owned())
    );
    assert_eq!(
        points(&explored),
        points(&plain),
        "16 registers limit nothing"
    );
    let best = compiled(&explored);
    assert_eq!(
        best.len(),
        2,
        "the best tenth, and the second, of which the margin is"
    );
    assert_eq!(
        best[0].outcome.compiled(),
        [("sums".to_owned(), figures(16, 0, 100))]
    );
    assert_eq!(best[0].needs.unwrap().registers, Some(16));
    let (table, csv, json) = (
        report::table(&explored.results, 3, 120),
        report::csv(&explored.results),
        report::json(&explored.results),
    );
    assert!(
        table.contains("\n2 candidates were compiled by a test"),
        "{table}"
    );
    assert!(
        csv.contains("machine_instructions") && csv.contains(",100,"),
        "{csv}"
    );
    assert!(
        json.contains("\"local_bytes\": 0") && json.contains("\"compiled_by\": \"a test\""),
        "{json}"
    );
}

#[test]
fn registers_and_spills_move_a_candidate_back() {
    let plain = on_h100().run().unwrap();
    let first = plain.results.best().unwrap();
    let kernel = first.cuda.clone().unwrap();
    for (registers, local_bytes) in [(255, 0), (16, 4000)] {
        let text = kernel.clone();
        let of = move |kernel: &Kernel| {
            let is_first = kernel.cuda() == text;
            Ok(if is_first {
                figures(registers, local_bytes, 9)
            } else {
                figures(16, 0, 9)
            })
        };
        let explored = on_h100().compiled_by("a test", of).run().unwrap();
        let ranked = explored.results.ranked();
        let again = ranked.iter().find(|of| of.point == first.point).unwrap();
        assert!(
            score(again) > score(first),
            "{registers}, {local_bytes}: {}",
            score(again)
        );
        assert_ne!(ranked[0].point, first.point, "{registers}, {local_bytes}");
        assert!(
            ranked[..2]
                .iter()
                .all(|of| !of.outcome.compiled().is_empty()),
            "the best two are compiled"
        );
    }
}

#[test]
fn of_equal_scores_fewer_instructions_are_better() {
    let best = |first: u32, others: u32| {
        let count = Arc::new(AtomicUsize::new(0));
        let of = move |_: &Kernel| {
            let is_first = count.fetch_add(1, Relaxed) == 0;
            Ok(figures(16, 0, if is_first { first } else { others }))
        };
        let space = Space::new().list("copy", [1, 2]);
        let objective = Objective::predicted(Gpu::named("h100").unwrap());
        // Copies are equal in all but their names, which makes them other kernels.
        let build = |point: &obsidian_rt::explore::Point| {
            crate::named(&format!("copy_{}", point.u32("copy")?))
        };
        let explored = Explore::new(space, objective, job(), build).workers(1);
        let explored = explored.compiled_by("a test", of).run().unwrap();
        explored.results.best().unwrap().point.u32("copy").unwrap()
    };
    assert_eq!((best(10, 20), best(20, 10)), (1, 2));
}

#[test]
fn a_kernel_that_is_refused_cannot_run_here_and_the_next_is_best() {
    let plain = on_h100().run().unwrap();
    let text = plain.results.best().unwrap().cuda.clone().unwrap();
    let of = move |kernel: &Kernel| match kernel.cuda() == text {
        true => Err("the kernel is refused".to_owned()),
        false => few(kernel),
    };
    let explored = on_h100().compiled_by("a test", of).run().unwrap();
    assert_eq!(points(&explored), points(&plain)[1..]);
    let refused = explored
        .results
        .evaluated
        .iter()
        .find(|of| of.point.to_string() == points(&plain)[0]);
    assert_eq!(
        refused.unwrap().outcome,
        Outcome::CannotRunHere("kernel `sums`: the kernel is refused".to_owned())
    );
}

/// No compiler that there is makes code for compute capability 3.0 of the GTX 680, and a machine may have none at all.
#[test]
fn what_no_compiler_makes_is_skipped_with_the_reason() {
    let (plain, explored) = (
        explore().run().unwrap(),
        explore().compiled().run().unwrap(),
    );
    let Compilation::Skipped(reason) = &explored.results.compilation else {
        panic!("{:?}", explored.results.compilation);
    };
    assert!(!reason.is_empty());
    assert_eq!(explored.results.evaluated, plain.results.evaluated);
}

#[test]
#[ignore = "needs nvcc, by OBSIDIAN_NVCC, and g++: .ci/run runs it"]
fn the_compiler_of_this_machine_gives_figures() {
    let explored = on_h100().compiled().run().unwrap();
    match &explored.results.compilation {
        Compilation::By(by) => {
            assert!(by.ends_with("for sm_90"), "{by}");
            let best = compiled(&explored);
            assert!(best.len() >= 2);
            for (_, of) in best.iter().flat_map(|of| of.outcome.compiled()) {
                assert!(
                    (8..=64).contains(&of.registers) && of.instructions > 30,
                    "{of:?}"
                );
            }
        }
        Compilation::Skipped(reason) => panic!("{reason}"),
        Compilation::NotAsked => panic!("it was asked for"),
    }
}

#[test]
fn what_is_in_the_file_is_not_compiled_again() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("explore-compiled-{}.jsonl", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let run = |by: &str| {
        let count = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&count);
        let of = move |kernel: &Kernel| {
            counted.fetch_add(1, Relaxed);
            few(kernel)
        };
        let explored = on_h100().compiled_by(by, of).file(&path).run().unwrap();
        (explored.results, explored.resumed, count.load(Relaxed))
    };
    let (first, second, other) = (run("a test"), run("a test"), run("another"));
    std::fs::remove_file(&path).unwrap();
    assert_eq!((first.1, first.2), (0, 2));
    assert_eq!((second.1, second.2), (15, 0), "all is in the file");
    assert_eq!(
        (other.1, other.2),
        (15, 2),
        "of another compiler nothing is"
    );
    assert_eq!(first.0, second.0);
    assert_eq!(first.0.evaluated, other.0.evaluated);
}

#[cfg(unix)]
#[test]
fn workers_compile_as_the_program_would() {
    let of = |kernel: &Kernel| Ok(figures(kernel.threads(), 8, kernel.cuda().len() as u32));
    let name = "compiled::workers_compile_as_the_program_would";
    let explore = || on_h100().compiled_by("a test", of);
    let isolated = explore()
        .isolated_with(["--exact", name, "--nocapture"])
        .run()
        .unwrap();
    assert_eq!(isolated.results, explore().run().unwrap().results);
    assert!(compiled(&isolated).len() >= 2);
}
