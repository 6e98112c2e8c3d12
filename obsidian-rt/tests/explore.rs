//! Explorations: what a bad candidate does to the others, budgets, files of results, and
//! measurements that take turns.

// A test that unwraps an error fails, which is what it is for.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::Duration;

use obsidian_rt::explore::{
    Candidate, Explore, Explored, Gpu, Objective, Outcome, Point, Search, Space, Trial,
};
use obsidian_rt::language::*;
use obsidian_rt::{Device, ErrorKind, Result, TypedKernel};

const LONG: Duration = Duration::from_secs(1_000_000);

fn predicted() -> Objective {
    Objective::predicted(Gpu::named("gtx680").unwrap())
}

/// Each run of `elements` has its sum, plus `wrong`.
fn sums(elements: u32, threads: u32, wrong: u32) -> Result<Candidate> {
    let kernel = TypedKernel::build("sums", threads, |input: DPull<EU32>| {
        input.split_up(elements).as_grid_map(move |run| {
            let stored = compute(run.map(|x| x + 1));
            exec_block(
                stored.map(move |run| fold1(|a, b| a + b, run).map(move |sum| sum + wrong).push()),
            )
        })
    })?;
    let input = move |blocks| (0..blocks as u32 * elements).collect();
    Ok(Candidate::of(
        kernel,
        1000,
        input,
        move |input: &[u32]| {
            input
                .chunks(elements as usize)
                .map(|run| run.iter().sum::<u32>() + elements)
                .collect()
        },
    ))
}

fn space() -> Space {
    Space::new()
        .list("elements", [64, 128, 256])
        .powers_of_two("threads", 16..=256)
}

fn candidate(point: &Point) -> Result<Candidate> {
    sums(point.u32("elements")?, point.u32("threads")?, 0)
}

/// A candidate for each thing that can go wrong.
fn of_kind(point: &Point) -> Result<Candidate> {
    match point.word("kind")? {
        "wrong" => sums(64, 32, 1),
        "panics" => panic!("an odd number"),
        "panics in the kernel" => {
            TypedKernel::build("odd", 32, |input: DPull<EU32>| -> DPush<Grid, EU32> {
                let _ = input;
                panic!("{} is odd", 7)
            })?;
            Ok(Candidate::new())
        }
        "panics in a launch" => {
            let kernel = TypedKernel::build("fine", 32, |input: DPull<EU32>| {
                input.split_up(8).as_grid_map(|run| run.push())
            })?;
            Ok(Candidate::new().launch(kernel.kernel(), 1, |_, _| {
                Ok(Trial::new(
                    |_| -> Result<()> { panic!("no launch") },
                    |()| Ok(true),
                ))
            }))
        }
        "too much shared memory" => {
            TypedKernel::build("large", 32, |input: DPull<EU32>| {
                input
                    .split_up(1 << 16)
                    .as_grid_map(|run| exec_block(compute(run).map(|stored| stored.take(1).push())))
            })?;
            Ok(Candidate::new())
        }
        "too many threads" => sums(64, 2000, 0),
        "never ends" => {
            sleep(LONG);
            Ok(Candidate::new())
        }
        "not the input it takes" => {
            let kernel = TypedKernel::build("eights", 32, |input: DPull<EU32>| {
                input.split_up(8).as_grid_map(|run| run.push())
            })?;
            Ok(Candidate::of(
                kernel,
                1,
                |_| vec![1u32; 7],
                |input| input.to_vec(),
            ))
        }
        _ => sums(64, 32, 0),
    }
}

const KINDS: [(&str, &str); 9] = [
    ("wrong", "gives a wrong answer"),
    ("panics", "it panicked: an odd number"),
    ("panics in the kernel", "is odd"),
    ("panics in a launch", "it panicked: no launch"),
    ("too much shared memory", "shared memory"),
    ("too many threads", "2000"),
    ("never ends", "it took longer than 3 s"),
    ("not the input it takes", "8"),
    ("good", ""),
];

#[test]
fn what_goes_wrong_is_listed_with_its_reason_and_never_wins() {
    for objective in [
        predicted(),
        Objective::measured(Device::simulator()).with_effort(3),
    ] {
        let space = Space::new().choice("kind", KINDS.map(|(kind, _)| kind));
        let explored = Explore::new(space, objective, of_kind)
            .time_out(Duration::from_secs(3))
            .run()
            .unwrap();
        let (results, words) = (&explored.results, explored.results.objective.as_str());
        assert_eq!(results.evaluated.len(), KINDS.len(), "{words}");
        for (evaluated, (kind, reason)) in results.evaluated.iter().zip(KINDS) {
            let not_built = [
                "panics in the kernel",
                "too much shared memory",
                "too many threads",
            ]
            .contains(&kind);
            match &evaluated.outcome {
                Outcome::Good { score, .. } => {
                    assert!(kind == "good" && *score > 0.0, "{words}: {kind}")
                }
                Outcome::NotBuilt(words) => {
                    assert!(not_built && words.contains(reason), "{kind}: {words}")
                }
                Outcome::Failed(words) => assert!(
                    !not_built && kind != "good" && words.contains(reason),
                    "{kind}: {words}"
                ),
            }
        }
        assert_eq!(
            results.best().unwrap().point.to_string(),
            "kind=good",
            "{words}"
        );
        assert!(
            results
                .best()
                .unwrap()
                .cuda
                .as_deref()
                .unwrap()
                .contains("__global__"),
            "{words}"
        );
    }
}

#[test]
fn results_depend_on_the_seed_and_not_on_the_cores() {
    for search in [
        Search::Grid,
        Search::Random { seed: 3 },
        Search::Climb { seed: 3 },
        Search::Halving { seed: 3 },
    ] {
        let run = |workers| {
            Explore::new(space(), predicted(), candidate)
                .search(search)
                .at_most(9)
                .workers(workers)
                .run()
                .unwrap()
        };
        let (one, many) = (run(1), run(7));
        assert_eq!(
            (&one.results, &one.given_up),
            (&many.results, &many.given_up),
            "{search:?}"
        );
        assert!(
            one.evaluations <= 9.0 && one.results.best().is_some(),
            "{search:?}: {} evaluations",
            one.evaluations
        );
    }
    let points = |seed| {
        let explored = Explore::new(space(), predicted(), candidate)
            .search(Search::Random { seed })
            .run()
            .unwrap();
        explored
            .results
            .evaluated
            .into_iter()
            .map(|evaluated| evaluated.point)
            .collect::<Vec<_>>()
    };
    let (mut some, mut others) = (points(1), points(2));
    assert_ne!(some, others, "seeds decide the order");
    some.sort();
    others.sort();
    assert_eq!(some, others, "and nothing else: each point once");
    assert_eq!(some.len(), 15);
}

#[test]
fn a_search_without_a_budget_finds_the_best() {
    let best = |search| {
        let explored = Explore::new(space(), predicted(), candidate)
            .search(search)
            .run()
            .unwrap();
        let best = explored.results.best().unwrap();
        best.outcome.score().unwrap()
    };
    let least = best(Search::Grid);
    for search in [
        Search::Random { seed: 5 },
        Search::Climb { seed: 5 },
        Search::Halving { seed: 5 },
    ] {
        assert_eq!(best(search), least, "{search:?}");
    }
}

#[test]
fn time_can_be_up() {
    let run = |time| {
        Explore::new(space(), predicted(), candidate)
            .within(time)
            .run()
            .unwrap()
    };
    let none = run(Duration::ZERO);
    assert!(none.results.evaluated.is_empty() && none.results.best().is_none());
    assert_eq!(run(LONG).results.evaluated.len(), 15);
}

fn file(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("explore-{name}-{}.jsonl", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

/// Explores with a file; counts the candidates that were built.
fn with_file(path: &PathBuf) -> (Result<Explored>, usize) {
    let built = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&built);
    let build = move |point: &Point| {
        counted.fetch_add(1, Relaxed);
        // One of each kind of outcome is in the file.
        if point.u32("threads")? == 16 {
            sums(64, 2000, 0)
        } else {
            sums(
                point.u32("elements")?,
                point.u32("threads")?,
                u32::from(point.u32("threads")? == 32),
            )
        }
    };
    let explored = Explore::new(space(), predicted(), build).file(path).run();
    (explored, built.load(Relaxed))
}

#[test]
fn a_run_goes_on_from_any_number_of_lines_and_from_half_a_line() {
    let path = file("resume");
    let (whole, built) = with_file(&path);
    let whole = whole.unwrap();
    assert_eq!(
        (whole.resumed, built),
        (0, 15 + 3),
        "and three again for their texts"
    );
    let text = fs::read(&path).unwrap();
    let ends: Vec<usize> = text
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'\n')
        .map(|(place, _)| place + 1)
        .collect();
    assert_eq!(ends.len(), 1 + 15);
    for (lines, end) in ends.iter().enumerate() {
        for more in [0, 1, 40] {
            fs::write(&path, &text[..(end + more).min(text.len())]).unwrap();
            let (explored, built) = with_file(&path);
            let explored = explored.unwrap();
            assert_eq!(
                explored.results, whole.results,
                "{lines} lines and {more} bytes"
            );
            assert_eq!((explored.resumed, built), (lines, 15 - lines + 3));
        }
    }
    // The first line itself may have been cut off.
    for bytes in [0, 1, ends[0] - 1] {
        fs::write(&path, &text[..bytes]).unwrap();
        let (explored, built) = with_file(&path);
        assert_eq!(
            (explored.unwrap().results == whole.results, built),
            (true, 15 + 3),
            "{bytes} bytes"
        );
    }
    fs::remove_file(&path).unwrap();
}

#[test]
fn damage_is_refused_with_the_line() {
    let path = file("damage");
    with_file(&path).0.unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    for (number, line) in lines.iter().enumerate() {
        let changed = |to: String| {
            lines
                .iter()
                .enumerate()
                .map(|(n, old)| {
                    if n == number {
                        to.clone() + "\n"
                    } else {
                        format!("{old}\n")
                    }
                })
                .collect::<String>()
        };
        let digit = line.find(|c: char| c.is_ascii_digit()).unwrap();
        let other = if &line[digit..=digit] == "7" {
            "8"
        } else {
            "7"
        };
        let flipped = format!("{}{other}{}", &line[..digit], &line[digit + 1..]);
        for damaged in [
            changed(flipped),
            changed(line[..line.len() / 2].to_owned()),
            changed(String::new()),
            changed("{}".to_owned()),
        ] {
            fs::write(&path, &damaged).unwrap();
            let error = with_file(&path).0.unwrap_err();
            assert_eq!(
                (error.kind(), error.line()),
                (ErrorKind::DamagedFile, Some(number + 1)),
                "{error}"
            );
            assert!(
                error.to_string().contains(&format!(":{}: ", number + 1)),
                "{error}"
            );
            assert_eq!(
                fs::read_to_string(&path).unwrap(),
                damaged,
                "a refused file stays as it is"
            );
        }
    }
    fs::remove_file(&path).unwrap();
}

/// A line with the hash that a run would give it.
fn sealed(open: &str) -> String {
    let hash = open.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{open},\"hash\":\"{hash:016x}\"}}")
}

#[test]
fn times_that_are_none_are_damage_whatever_the_hash_says() {
    let path = file("times");
    with_file(&path).0.unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let last = lines.pop().unwrap();
    let open = last.rsplit_once(",\"hash\"").unwrap().0.to_owned();
    assert_eq!(sealed(&open), last);
    let (before, after) = open.split_once("\"elapsed\":").unwrap();
    let rest = &after[after.find([',', '}']).unwrap_or(after.len())..];
    for (elapsed, right) in [
        ("1.5", true),
        ("1e300", false),
        ("-1", false),
        ("-1e-9", false),
        ("null", false),
    ] {
        let line = sealed(&format!("{before}\"elapsed\":{elapsed}{rest}"));
        fs::write(&path, format!("{}\n{line}\n", lines.join("\n"))).unwrap();
        let found = with_file(&path)
            .0
            .map(|explored| explored.resumed)
            .map_err(|error| (error.kind(), error.line()));
        let expected = if right {
            Ok(lines.len())
        } else {
            Err((ErrorKind::DamagedFile, Some(lines.len() + 1)))
        };
        assert_eq!(found, expected, "{elapsed}");
    }
    // What the file says goes to a terminal: no control characters do.
    fs::write(
        &path,
        sealed("{\"exploration\":2,\"identity\":\"0\",\"of\":\"\\u001b[2J\"") + "\n",
    )
    .unwrap();
    let error = with_file(&path).0.unwrap_err().to_string();
    assert!(!error.contains(char::is_control), "{error:?}");
    fs::remove_file(&path).unwrap();
}

#[cfg(unix)]
#[test]
fn a_device_is_no_file_for_an_exploration() {
    let error = with_file(&PathBuf::from("/dev/full")).0.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::File);
    assert!(
        error.to_string().contains("/dev/full is not a file"),
        "{error}"
    );
}

#[test]
fn a_file_belongs_to_its_points_and_objective() {
    let path = file("other");
    with_file(&path).0.unwrap();
    let other = Explore::new(space(), predicted().with_effort(2), candidate)
        .file(&path)
        .run()
        .unwrap_err();
    assert_eq!(
        (other.kind(), other.line()),
        (ErrorKind::DamagedFile, Some(1)),
        "{other}"
    );
    assert!(
        other.to_string().contains("of another exploration"),
        "{other}"
    );
    let fewer = space().constraint("few threads", |point| Ok(point.u32("threads")? < 256));
    assert_eq!(
        Explore::new(fewer, predicted(), candidate)
            .file(&path)
            .run()
            .unwrap_err()
            .kind(),
        ErrorKind::DamagedFile
    );
    fs::write(&path, "a letter to somebody else").unwrap();
    assert_eq!(with_file(&path).0.unwrap_err().line(), Some(1));
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        "a letter to somebody else"
    );
    let folder = Explore::new(space(), predicted(), candidate)
        .file(env!("CARGO_TARGET_TMPDIR"))
        .run()
        .unwrap_err();
    assert_eq!(folder.kind(), ErrorKind::File, "{folder}");
    fs::remove_file(&path).unwrap();
}

#[test]
fn measurements_take_turns() {
    let order = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&order);
    let build = move |point: &Point| {
        let (threads, seen) = (point.u32("threads")?, Arc::clone(&seen));
        let kernel = TypedKernel::build("copies", threads, |input: DPull<EU32>| {
            input.split_up(8).as_grid_map(|run| run.push())
        })?;
        Ok(Candidate::new().launch(kernel.kernel(), 1, move |_, _| {
            let seen = Arc::clone(&seen);
            let launch = move |_: &Device| {
                seen.lock().unwrap().push(threads);
                sleep(Duration::from_millis(threads.into()));
                Ok(())
            };
            Ok(Trial::new(launch, |()| Ok(true)))
        }))
    };
    let space = Space::new().list("threads", [2, 30, 14]);
    let objective = Objective::measured(Device::simulator())
        .with_effort(4)
        .with_warm_up(2);
    let explored = Explore::new(space, objective, build)
        .workers(1)
        .run()
        .unwrap();
    let order = order.lock().unwrap();
    assert_eq!(
        order[..9],
        [2, 2, 2, 30, 30, 30, 14, 14, 14],
        "one to check and two to warm up"
    );
    assert_eq!(order[9..], [2, 30, 14].repeat(4));
    assert_eq!(
        explored.results.best().unwrap().point.to_string(),
        "threads=2"
    );
    for evaluated in &explored.results.evaluated {
        let Outcome::Good {
            score,
            noise,
            counts,
            ..
        } = &evaluated.outcome
        else {
            panic!("{evaluated:?}")
        };
        let least = f64::from(evaluated.needs.unwrap().threads) / 1e3;
        assert!(
            *score >= least && *noise >= 0.0 && counts.is_none(),
            "{evaluated:?}"
        );
    }
}

#[test]
fn mistakes_in_a_space_say_what_to_do() {
    let wrong = [
        (Space::new().list("threads", []), "`threads` has no values"),
        (
            Space::new().range("depth", 1..=3).list("depth", [1]),
            "two parameters are called `depth`",
        ),
        (
            Space::new().list("threads", [32, 64, 32]),
            "has the value 32 twice",
        ),
        (
            Space::new().range("a", 1..=3000).range("b", 1..=3000),
            "9000000 points",
        ),
        (
            Space::new()
                .range("a", 1..=3)
                .constraint("a is large", |point| Ok(point.u32("a")? > 3)),
            "meets its constraints: a is large",
        ),
        (
            Space::new()
                .range("a", 1..=3)
                .constraint("b", |point| Ok(point.u32("b")? > 3)),
            "no parameter `b`; it has `a`",
        ),
        (
            Space::new()
                .choice("a", ["x"])
                .constraint("a", |point| Ok(point.u32("a")? > 3)),
            "read it with `word`",
        ),
    ];
    for (space, words) in wrong {
        let error = space.points().unwrap_err();
        assert!(
            error.kind() == ErrorKind::Space && error.to_string().contains(words),
            "{error}"
        );
    }
    assert_eq!(Space::new().points().unwrap().len(), 1);
    let explored = Explore::new(Space::new(), predicted(), |_| sums(64, 32, 0))
        .run()
        .unwrap();
    assert_eq!(explored.results.evaluated.len(), 1);
}
