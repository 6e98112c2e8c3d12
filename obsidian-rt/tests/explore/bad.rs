//! Planted candidates: none of them wins, each has its reason, and the others are evaluated.

use std::thread::sleep;
use std::time::Duration;

use obsidian_rt::explore::{
    Candidate, Checked, Explore, Explored, Gpu, Job, Objective, Outcome, Point, Space, Tolerance,
};
use obsidian_rt::language::*;
use obsidian_rt::prelude::*;
use obsidian_rt::{ErrorKind, Result, TypedKernel};

use crate::{LONG, predicted};

const ELEMENTS: u32 = 1 << 18;

/// Parts of kernels with comparisons, which closures call.
#[kernels]
mod parts {
    /// Another value for one element.
    pub fn but_at(at: EU32, x: EU32, wrong: EU32, right: EU32) -> EU32 {
        select(x == at, wrong, right)
    }
}
use parts::but_at;

type Work = Candidate<Vec<u32>, Vec<u32>>;

/// Twice each element.
fn job() -> Job<Vec<u32>, Vec<u32>> {
    Job::new((0..ELEMENTS).collect(), |input: &Vec<u32>| {
        input.iter().map(|x| x * 2).collect()
    })
}

/// Twice each element, by blocks of 64, as some function has it.
fn doubled(
    f: impl Fn(EU32) -> EU32 + Copy + 'static,
) -> Result<TypedKernel<(DPull<EU32>,), DPush<Grid, EU32>>> {
    TypedKernel::build("doubled", 32, move |input: DPull<EU32>| {
        input
            .split_up(64)
            .as_grid_map(move |run| run.map(f).push::<Block>())
    })
}

fn good() -> Result<Work> {
    doubled(|x| x * 2).map(Candidate::of)
}

/// A candidate for each thing that can go wrong.
fn of_kind(point: &Point) -> Result<Work> {
    let right = doubled(|x| x * 2)?;
    Ok(match point.word("kind")? {
        "wrong everywhere" => Candidate::of(doubled(|x| x * 2 + 1)?),
        // In no block that a sample has: the whole job finds it.
        "wrong once" => Candidate::of(doubled(|x| but_at(lit(777u32), x, lit(3u32), x * 2))?),
        "half of the elements" => Candidate::new(move |device: &Device, input: &Buffer<u32>| {
            let half = input.slice(0..input.len() / 2)?;
            right.launch(device, &half.to_device(device)?)
        }),
        "a kernel for half of them" => {
            Candidate::of(TypedKernel::build("half", 32, |input: DPull<EU32>| {
                let half = input.len() / 2;
                input
                    .split_up(64)
                    .as_grid_map(|run| run.map(|x| x * 2).push::<Block>())
                    .take(half)
            })?)
        }
        "no launch" => {
            Candidate::new(|device: &Device, input: &Buffer<u32>| input.to_device(device))
        }
        "zeros" => Candidate::new(|device: &Device, input: &Buffer<u32>| device.zeros(input.len())),
        "written by the host" => Candidate::new(move |device: &Device, input: &Buffer<u32>| {
            right.launch(device, input)?;
            device.upload(&(0..ELEMENTS).map(|x| x * 2).collect::<Vec<u32>>())
        }),
        "copied over by the host" => Candidate::new(move |device: &Device, input: &Buffer<u32>| {
            let mut answer = right.launch(device, input)?;
            let known = device.upload(&(0..ELEMENTS).map(|x| x * 2).collect::<Vec<u32>>())?;
            answer.copy_from_buffer(&known)?;
            Ok(answer)
        }),
        "another device" => Candidate::new(move |_: &Device, _: &Buffer<u32>| {
            let device = Device::cpu();
            device.upload(&(0..ELEMENTS).map(|x| x * 2).collect::<Vec<u32>>())
        }),
        "launches elsewhere" => Candidate::new(move |_: &Device, _: &Buffer<u32>| {
            let device = Device::cpu();
            right.launch(&device, &device.upload(&[1u32; ELEMENTS as usize])?)
        }),
        "reads on the host" => Candidate::new(move |device: &Device, input: &Buffer<u32>| {
            let half = right.launch(device, input)?.to_vec()?;
            device.upload(&half)
        }),
        "the reference, through a kernel" => {
            let copy = doubled(|x| x)?;
            Candidate::new(move |device: &Device, input: &Buffer<u32>| {
                let known = (0..input.len() as u32).map(|x| x * 2).collect::<Vec<_>>();
                copy.launch(device, &device.upload(&known)?)
            })
        }
        "the reference, beside the input" => {
            let copy =
                TypedKernel::build("beside", 32, |input: DPull<EU32>, known: DPull<EU32>| {
                    let (inputs, known) = (input.split_up(64), known.split_up(64));
                    zip_with(
                        |run, known| zip_with(|x, known| x / ELEMENTS + known, run, known),
                        inputs,
                        known,
                    )
                    .as_grid_map(|run| run.push::<Block>())
                })?;
            Candidate::new(move |device: &Device, input: &Buffer<u32>| {
                let known = (0..input.len() as u32).map(|x| x * 2).collect::<Vec<_>>();
                copy.launch(device, (input, &device.upload(&known)?))
            })
        }
        "the reference, less plainly" => {
            let half = doubled(|x| x * 2)?;
            Candidate::new(move |device: &Device, input: &Buffer<u32>| {
                let known = (0..input.len() as u32).collect::<Vec<_>>();
                half.launch(device, &device.upload(&known)?)
            })
        }
        "splits" => Candidate::new(move |device: &Device, input: &Buffer<u32>| {
            let mut answer = right.launch(device, input)?;
            let rest = answer.split_off(1)?;
            drop(rest);
            Ok(answer)
        }),
        "records" => Candidate::new(move |device: &Device, input: &Buffer<u32>| {
            let mut answer = right.launch(device, input)?;
            let _recording = device.record(&(&mut answer,), |_, _| Ok(()))?;
            Ok(answer)
        }),
        "counts" => Candidate::new(move |device: &Device, input: &Buffer<u32>| {
            Ok(device.counted(|device| right.launch(device, input))?.0)
        }),
        "a buffer of another device" => {
            let other = Device::cpu().upload(&[1u32; ELEMENTS as usize])?;
            Candidate::new(move |device: &Device, _: &Buffer<u32>| right.launch(device, &other))
        }
        "waits" => Candidate::new(move |device: &Device, input: &Buffer<u32>| {
            let answer = right.launch(device, input)?;
            device.synchronize()?;
            Ok(answer)
        }),
        "panics" => panic!("an odd number"),
        "panics in the kernel" => {
            TypedKernel::build("odd", 32, |input: DPull<EU32>| -> DPush<Grid, EU32> {
                let _ = input;
                panic!("{} is odd", 7)
            })
            .map(Candidate::of)?
        }
        "panics in its function" => {
            Candidate::new(|_: &Device, _: &Buffer<u32>| panic!("no launch"))
        }
        "too much shared memory" => TypedKernel::build("large", 32, |input: DPull<EU32>| {
            input
                .split_up(1 << 16)
                .as_grid_map(|run| exec_block(compute(run).map(|stored| stored.push())))
        })
        .map(Candidate::of)?,
        "too many threads" => TypedKernel::build("doubled", 2000, |input: DPull<EU32>| {
            input
                .split_up(64)
                .as_grid_map(|run| run.map(|x| x * 2).push::<Block>())
        })
        .map(Candidate::of)?,
        "never ends" => {
            sleep(LONG);
            good()?
        }
        "an index outside" => {
            Candidate::of(TypedKernel::build("outside", 32, |input: DPull<EU32>| {
                let last = input.len() - 1;
                let all = input.clone();
                input.split_up(64).as_grid_map(move |run| {
                    let all = all.clone();
                    run.map(move |x| all.at(but_at(last, x, lit(ELEMENTS + 5), x).unchecked()) * 2)
                        .push::<Block>()
                })
            })?)
        }
        _ => good()?,
    })
}

/// The kinds, with what is said of them.
const KINDS: [(&str, &str, &str); 25] = [
    (
        "wrong everywhere",
        "bad",
        "elements that were compared are wrong",
    ),
    (
        "wrong once",
        "bad",
        "element 777 is 3 instead of 1554; 1 of 262144",
    ),
    ("half of the elements", "bad", "131072 elements"),
    (
        "a kernel for half of them",
        "bad",
        "it gives 131072 elements, and the job's answer has 262144",
    ),
    ("no launch", "bad", "no launch computes its answer"),
    ("zeros", "bad", "no launch computes its answer"),
    (
        "written by the host",
        "bad",
        "no launch computes its answer",
    ),
    (
        "copied over by the host",
        "bad",
        "no launch computes its answer",
    ),
    ("another device", "bad", "another device"),
    (
        "launches elsewhere",
        "bad",
        "work on `cpu` in the function of a candidate",
    ),
    ("reads on the host", "bad", "reads on the host"),
    (
        "the reference, through a kernel",
        "bad",
        "does not depend on the job's input",
    ),
    (
        "the reference, beside the input",
        "bad",
        "it uploads the answer of the job",
    ),
    (
        "the reference, less plainly",
        "bad",
        "does not depend on the job's input",
    ),
    ("splits", "bad", "the candidate splits buffers"),
    ("records", "bad", "a candidate makes a recording"),
    ("counts", "bad", "a candidate counts"),
    (
        "a buffer of another device",
        "bad",
        "use the device and the buffers that the function is given",
    ),
    ("panics", "bad", "it panicked: an odd number"),
    ("panics in the kernel", "cannot be built", "is odd"),
    ("panics in its function", "bad", "it panicked: no launch"),
    ("too much shared memory", "cannot be built", "shared memory"),
    ("too many threads", "cannot be built", "2000"),
    ("an index outside", "bad", "outside"),
    ("good", "good", ""),
];

/// Each has its outcome; the only good one is the best.
fn hold(explored: &Explored, kinds: &[(&str, &str, &str)]) {
    let (results, words) = (&explored.results, explored.results.objective.as_str());
    assert_eq!(results.evaluated.len(), kinds.len(), "{words}");
    for (evaluated, (kind, outcome, reason)) in results.evaluated.iter().zip(kinds) {
        let found = &evaluated.outcome;
        assert_eq!(evaluated.point.word("kind").unwrap(), *kind);
        assert_eq!(found.name(), *outcome, "{words}: {kind}: {found:?}");
        assert!(
            found.reason().unwrap_or_default().contains(reason),
            "{words}: {kind}: {found:?}"
        );
    }
    let best = results.best().unwrap();
    assert_eq!(best.point.to_string(), "kind=good", "{words}");
    assert_eq!(best.outcome.checked(), Some(Checked::Whole));
    assert!(
        best.cuda.as_deref().unwrap().contains("__global__"),
        "{words}"
    );
}

fn run(objective: Objective, kinds: &[(&str, &str, &str)], limit: u64) -> Explored {
    let space = Space::new().choice("kind", kinds.iter().map(|(kind, ..)| *kind));
    Explore::new(space, objective, job(), of_kind)
        .time_out(Duration::from_secs(limit))
        .run()
        .unwrap()
}

#[test]
fn none_of_the_planted_candidates_wins_by_prediction() {
    hold(&run(predicted(), &KINDS, 600), &KINDS);
    // One block of each launch, whatever it is.
    hold(&run(predicted().with_effort(1), &KINDS, 600), &KINDS);
}

#[test]
fn none_of_the_planted_candidates_wins_by_time() {
    for device in [Device::cpu(), Device::simulator()] {
        hold(
            &run(Objective::measured(device).with_effort(2), &KINDS, 600),
            &KINDS,
        );
    }
}

#[test]
fn what_never_ends_is_abandoned() {
    let kinds = [
        ("never ends", "bad", "it took longer than 3 s"),
        ("good", "good", ""),
    ];
    for objective in [
        predicted(),
        Objective::measured(Device::cpu()).with_effort(2),
    ] {
        hold(&run(objective, &kinds, 3), &kinds);
    }
}

/// A kernel that has the right answer in every block but one, of 2^24 elements: its sample is right, and it is the fastest.
#[test]
fn one_wrong_element_of_16_million_is_found_in_the_best() {
    let job = Job::new((0..1u32 << 24).collect::<Vec<u32>>(), |input| {
        input.iter().map(|x| x ^ 1).collect::<Vec<u32>>()
    });
    let space = Space::new().list("threads", [32, 64, 256]);
    let explored = Explore::new(space, predicted(), job, |point| {
        let threads = point.u32("threads")?;
        let wrong_at = if threads == 64 { u32::MAX } else { 9_999_999 };
        TypedKernel::build("flipped", threads, move |input: DPull<EU32>| {
            input.split_up(1024).as_grid_map(move |run| {
                run.map(move |x| but_at(lit(wrong_at), x, lit(0u32), x ^ 1))
                    .push::<Block>()
            })
        })
        .map(Candidate::of)
    })
    .run()
    .unwrap();
    let outcomes: Vec<&Outcome> = explored
        .results
        .evaluated
        .iter()
        .map(|e| &e.outcome)
        .collect();
    for place in [0, 2] {
        let words = outcomes[place].reason().unwrap();
        assert!(
            words.contains("element 9999999 is 0 instead of 9999998; 1 of 16777216"),
            "{words}"
        );
    }
    assert_eq!(
        explored.results.best().unwrap().point.to_string(),
        "threads=64"
    );
}

#[test]
fn launches_read_what_others_wrote() {
    // The second launch takes what the first one writes; one of the first is wrong, in an element that the second one drops.
    let job = || {
        Job::new((0..1u32 << 17).collect::<Vec<u32>>(), |input| {
            input
                .chunks(64)
                .map(|run| run.iter().map(|x| x * 3).sum::<u32>())
                .collect::<Vec<u32>>()
        })
    };
    let build = |point: &Point| {
        let by = point.u32("by")?;
        let first = doubled(move |x| x * by)?;
        let second = TypedKernel::build("sums", 32, |input: DPull<EU32>| {
            input
                .split_up(64)
                .as_grid_map(|run| exec_block(pure(fold1(|a, b| a + b, run).push())))
        })?;
        Ok(Candidate::new(
            move |device: &Device, input: &Buffer<u32>| {
                let tripled = first.launch(device, input)?;
                second.launch(device, &tripled)
            },
        ))
    };
    for objective in [
        predicted(),
        Objective::measured(Device::cpu()).with_effort(1),
    ] {
        let explored = Explore::new(Space::new().list("by", [2, 3, 4]), objective, job(), build)
            .run()
            .unwrap();
        let names: Vec<&str> = explored
            .results
            .evaluated
            .iter()
            .map(|e| e.outcome.name())
            .collect();
        assert_eq!(names, ["bad", "good", "bad"]);
    }
}

#[test]
fn floats_have_a_tolerance_or_are_compared_bit_for_bit() {
    let input: Vec<f32> = (0..1 << 12).map(|i| (i as f32).sin()).collect();
    let job = |tolerance| {
        Job::new((input.clone(), 1.5f32), |(input, by)| {
            vec![input.iter().map(|x| x * by).sum::<f32>()]
        })
        .tolerance(tolerance)
    };
    let count = |tolerance| {
        let space = Space::new().list("shares", [2, 16, 128]);
        let explored = Explore::new(space, predicted(), job(tolerance), |point| {
            let shares = point.u32("shares")?;
            TypedKernel::build("sum", 32, move |input: DPull<EF32>, by: EF32| {
                input.split_up(1 << 12).as_grid_map(move |run| {
                    let shared = run
                        .map(move |x| x * by)
                        .split_up(shares)
                        .as_block_map(|share| exec_thread_value(seq_reduce(|a, b| a + b, share)));
                    exec_block(compute(shared).map(|run| fold1(|a, b| a + b, run).push()))
                })
            })
            .map(Candidate::of)
        });
        explored.run().unwrap().results.ranked().len()
    };
    assert_eq!(count(Tolerance::relative(1e-3).or_absolute(1e-4)), 3);
    assert!(
        count(Tolerance::exact()) < 3,
        "sums in other orders have other bits"
    );
    assert_eq!(count(Tolerance::absolute(0.0)), count(Tolerance::exact()));
}

/// Bins that all blocks add to: nothing of them can be told from a few blocks.
#[test]
fn what_depends_on_all_blocks_is_computed_whole() {
    let job = Job::new(
        (0..1u32 << 17).map(|i| i % 31).collect::<Vec<u32>>(),
        |input| {
            let mut bins = vec![0u32; 32];
            input.iter().for_each(|x| bins[*x as usize] += 1);
            bins
        },
    );
    let explored = Explore::new(Space::new().list("by", [1, 2]), predicted(), job, |point| {
        let by = point.u32("by")?;
        let kernel = TypedKernel::build(
            "bins",
            32,
            move |bins: MGlobal<EU32>, input: DPull<EU32>| {
                let runs = input.split_up(64);
                distr_par(runs.len(), move |b| {
                    let (run, bins) = (runs.at(b), bins.clone());
                    for_all(64, move |i| bins.atomic_add(run.at(i) % 32, by).void())
                })
            },
        )?;
        Ok(Candidate::new(
            move |device: &Device, input: &Buffer<u32>| {
                let mut bins = device.zeros(32)?;
                kernel.launch(device, (&mut bins, input))?;
                Ok(bins)
            },
        ))
    })
    .run()
    .unwrap();
    let outcomes: Vec<(&str, Option<Checked>)> = explored
        .results
        .evaluated
        .iter()
        .map(|e| (e.outcome.name(), e.outcome.checked()))
        .collect();
    assert_eq!(outcomes, [("good", Some(Checked::Whole)), ("bad", None)]);
}

#[test]
fn a_device_that_runs_none_is_one_error() {
    #[derive(Debug)]
    struct None;
    impl obsidian_rt::backend::Backend for None {
        fn name(&self) -> &str {
            "none"
        }
        fn load(&self, _: &obsidian_rt::Kernel) -> Result<()> {
            Err(obsidian_rt::backend::error(
                ErrorKind::NoTarget,
                "no code for it",
            ))
        }
        fn run(&self, _: &mut obsidian_rt::backend::Launch<'_>) -> Result<()> {
            Err(obsidian_rt::backend::error(
                ErrorKind::NoTarget,
                "no code for it",
            ))
        }
    }
    let space = Space::new().range("n", 1..=300);
    let objective = Objective::measured(Device::from_backend(None));
    let error = Explore::new(space, objective, job(), |_| good())
        .run()
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::CannotRun);
    let words = error.to_string();
    assert!(
        words.contains("no candidate of the first 8 can run here")
            && words.contains("no code for it"),
        "{words}"
    );
}

#[test]
fn a_gpu_that_holds_no_block_is_told_of_the_candidate() {
    let mut gpu = Gpu::named("gtx680").unwrap();
    gpu.threads = 16;
    let explored = Explore::new(Space::new(), Objective::predicted(gpu), job(), |_| good())
        .run()
        .unwrap();
    let outcome = &explored.results.evaluated[0].outcome;
    assert_eq!(outcome.name(), "cannot run here", "{outcome:?}");
}

#[test]
fn what_is_not_the_same_each_time_is_bad() {
    let calls = std::sync::atomic::AtomicU32::new(0);
    let space = Space::new().choice("kind", ["changes", "good"]);
    let explored = Explore::new(space, predicted(), job(), move |point| {
        if point.word("kind")? != "changes" {
            return good();
        }
        // Right each time, and faster the first time.
        let call = calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let threads = if call == 0 { 64 } else { 32 };
        TypedKernel::build("doubled", threads, move |input: DPull<EU32>| {
            input
                .split_up(64)
                .as_grid_map(move |run| run.map(|x| x * 2).push::<Block>())
        })
        .map(Candidate::of)
    })
    .run()
    .unwrap();
    let outcome = &explored.results.evaluated[0].outcome;
    assert!(
        outcome.name() == "bad" && outcome.reason().unwrap().contains("not the same each time"),
        "{outcome:?}"
    );
    assert_eq!(
        explored.results.best().unwrap().point.to_string(),
        "kind=good"
    );
}

/// A whole check that takes too long says nothing of the candidate.
#[test]
fn a_check_that_is_slow_is_no_fault_of_the_candidate() {
    let calls = std::sync::atomic::AtomicU32::new(0);
    let explored = Explore::new(Space::new(), predicted(), job(), move |_| {
        if calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 1 {
            sleep(LONG);
        }
        good()
    })
    .time_out(Duration::from_secs(5))
    .run()
    .unwrap();
    let outcome = &explored.results.evaluated[0].outcome;
    assert!(
        outcome.name() == "try again" && outcome.reason().unwrap().contains("took longer than 5 s"),
        "{outcome:?}"
    );
}

#[test]
fn what_is_thrown_may_panic_when_it_is_dropped() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("dropped");
        }
    }
    let space = Space::new().choice("kind", ["thrown", "good"]);
    let explored = Explore::new(space, predicted(), job(), |point| {
        if point.word("kind")? == "thrown" {
            std::panic::panic_any(Bomb);
        }
        good()
    })
    .run()
    .unwrap();
    assert_eq!(explored.results.evaluated[0].outcome.name(), "bad");
    assert!(explored.results.best().is_some());
}

/// The faster candidates are wrong where a sample does not look: one that was given up for them is the best.
#[test]
fn halving_goes_back_to_what_it_gave_up() {
    let space = Space::new().list("by", (0..16).collect::<Vec<u32>>());
    let explored = Explore::new(space, predicted().with_effort(4), job(), |point| {
        let by = point.u32("by")?;
        if by < 14 {
            return Ok(Candidate::of(doubled(move |x| {
                but_at(lit(777 + by), x, lit(3u32), x * 2)
            })?));
        }
        // Slower: idle threads.
        let kernel = TypedKernel::build("doubled", 512, move |input: DPull<EU32>| {
            input
                .split_up(64)
                .as_grid_map(move |run| run.map(|x| x * 2 + 0).push::<Block>())
        })?;
        Ok(Candidate::new(
            move |device: &Device, input: &Buffer<u32>| {
                kernel.launch(device, input)?;
                kernel.launch(device, input)
            },
        ))
    })
    .search(obsidian_rt::explore::Search::Halving { seed: 1 })
    .run()
    .unwrap();
    let best = explored.results.best().expect("one is right");
    assert!(best.point.u32("by").unwrap() >= 14, "{}", best.point);
}

/// The device could run others: it is the candidates that ask for what none may have.
#[test]
fn what_candidates_may_not_ask_for_says_nothing_of_the_device() {
    let kinds = ["splits", "records", "counts", "a buffer of another device"];
    for kind in kinds {
        let space = Space::new().range("n", 1..=9).choice("kind", [kind]);
        let explored = Explore::new(space, predicted(), job(), of_kind).run();
        let explored = explored.unwrap();
        assert_eq!(explored.results.evaluated.len(), 9, "{kind}");
    }
    let kinds = [("waits", "good", "")];
    let explored = run(predicted(), &kinds, 600);
    assert!(explored.results.best().is_some());
}
