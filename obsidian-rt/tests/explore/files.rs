//! Files of results: runs that go on, damage that is refused, and lines that are stale.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use obsidian_rt::explore::{Candidate, Explore, Explored, Gpu, Job, Objective, Point, Space};
use obsidian_rt::language::*;
use obsidian_rt::{ErrorKind, Result, TypedKernel};

use crate::{candidate, explore, is_long, job, predicted, space, sums};

fn file(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("explore-{name}-{}.jsonl", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

/// How often something is built: each candidate to be tried, the best 8 to be checked, and three for their texts.
const ALL: usize = 15 + 8 + 3;

/// Explores with a file; counts the candidates that were built.
fn with_file(path: &PathBuf) -> (Result<Explored>, usize) {
    let built = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&built);
    let build = move |point: &Point| {
        counted.fetch_add(1, Relaxed);
        // One of each kind of outcome is in the file.
        if point.u32("threads")? == 16 {
            sums(8, 2000, 0)
        } else {
            sums(
                point.u32("shares")?,
                point.u32("threads")?,
                u32::from(point.u32("threads")? == 32),
            )
        }
    };
    let explored = Explore::new(space(), predicted(), job(), build)
        .file(path)
        .run();
    (explored, built.load(Relaxed))
}

#[test]
fn a_run_goes_on_from_any_number_of_lines_and_from_half_a_line() {
    let path = file("resume");
    let (whole, built) = with_file(&path);
    let whole = whole.unwrap();
    assert_eq!(
        (whole.resumed, built),
        (0, ALL),
        "and again the best to be checked, and three for their texts"
    );
    let text = fs::read(&path).unwrap();
    let ends: Vec<usize> = text
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'\n')
        .map(|(place, _)| place + 1)
        .collect();
    assert_eq!(ends.len(), 1 + 12, "what cannot be built has no line");
    for (lines, end) in ends.iter().enumerate() {
        let all = [0, 1, 40];
        for more in if is_long() {
            &all[..]
        } else {
            &all[lines % 3..][..1]
        } {
            fs::write(&path, &text[..(end + more).min(text.len())]).unwrap();
            let (explored, built) = with_file(&path);
            let explored = explored.unwrap();
            assert_eq!(
                explored.results, whole.results,
                "{lines} lines and {more} bytes"
            );
            assert_eq!(
                (explored.resumed, built),
                (lines, ALL),
                "all are built, to see whether they are the same"
            );
        }
    }
    // The first line itself may have been cut off.
    for bytes in [0, 1, ends[0] - 1] {
        fs::write(&path, &text[..bytes]).unwrap();
        let (explored, built) = with_file(&path);
        assert_eq!(
            (explored.unwrap().results == whole.results, built),
            (true, ALL),
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
        sealed("{\"exploration\":3,\"identity\":\"0\",\"of\":\"\\u001b[2J\"") + "\n",
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
    let other = Explore::new(space(), predicted().with_effort(2), job(), candidate)
        .file(&path)
        .run()
        .unwrap_err();
    assert_eq!(other.kind(), ErrorKind::File, "{other}");
    let words = other.to_string();
    assert!(
        words.contains("of another exploration") && !words.contains("remove"),
        "{words}"
    );
    let fewer = space().constraint("few threads", |point| Ok(point.u32("threads")? < 256));
    assert_eq!(
        Explore::new(fewer, predicted(), job(), candidate)
            .file(&path)
            .run()
            .unwrap_err()
            .kind(),
        ErrorKind::File
    );
    fs::write(&path, "a letter to somebody else").unwrap();
    assert_eq!(with_file(&path).0.unwrap_err().line(), Some(1));
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        "a letter to somebody else"
    );
    let folder = explore()
        .file(env!("CARGO_TARGET_TMPDIR"))
        .run()
        .unwrap_err();
    assert_eq!(folder.kind(), ErrorKind::File, "{folder}");
    fs::remove_file(&path).unwrap();
}

/// An exploration of two points by one kernel, with everything that a line depends on.
fn of(add: u32, elements: u32, answer: u32, clock_mhz: f64, path: &PathBuf) -> usize {
    let mut gpu = Gpu::named("gtx680").unwrap();
    gpu.clock_mhz = clock_mhz;
    let job = Job::new((0..elements).collect::<Vec<u32>>(), move |input| {
        input.iter().map(|x| x + answer).collect::<Vec<u32>>()
    });
    let space = Space::new().list("threads", [32, 64]);
    let explored = Explore::new(space, Objective::predicted(gpu), job, move |point| {
        TypedKernel::build("moved", point.u32("threads")?, move |input: DPull<EU32>| {
            input
                .split_up(64)
                .as_grid_map(move |run| run.map(move |x| x + add).push::<Block>())
        })
        .map(Candidate::of)
    });
    let explored = explored.file(path).run().unwrap();
    assert_eq!(
        explored.results.ranked().len(),
        if add == answer { 2 } else { 0 }
    );
    explored.resumed
}

#[test]
fn stale_lines_are_not_taken() {
    let path = file("stale");
    assert_eq!(of(1, 1024, 1, 1000.0, &path), 0);
    assert_eq!(of(1, 1024, 1, 1000.0, &path), 2, "everything is the same");
    assert_eq!(of(2, 1024, 2, 1000.0, &path), 0, "another text");
    assert_eq!(of(2, 2048, 2, 1000.0, &path), 0, "other sizes");
    assert_eq!(
        of(2, 2048, 1, 1000.0, &path),
        0,
        "another job of the same sizes"
    );
    assert_eq!(
        of(2, 2048, 1, 2000.0, &path),
        0,
        "other figures of a GPU of the same name"
    );
    assert_eq!(
        of(2, 2048, 1, 2000.0, &path),
        2,
        "and its lines are there now"
    );
    fs::remove_file(&path).unwrap();
}

#[test]
fn no_bytes_make_a_run_panic() {
    let path = file("bytes");
    of(1, 1024, 1, 1000.0, &path);
    let text = fs::read(&path).unwrap();
    let mut refused = 0;
    for place in 0..text.len() {
        let flip = [1u8, 0x20, 0x80][place % 3];
        let mut bytes = text.clone();
        bytes[place] ^= flip;
        fs::write(&path, &bytes).unwrap();
        // The points are the same, so that the file fits; no candidate is tried.
        let job = Job::new(vec![1u32; 64], Vec::clone);
        let space = Space::new().list("threads", [32, 64]);
        let explored = Explore::new(space, crate::predicted(), job, |_| crate::sums(2, 32, 0));
        match explored.file(&path).within(std::time::Duration::ZERO).run() {
            // Without its line break the last line is what a killed run has left.
            Ok(_) => assert_eq!(place + 1, text.len(), "flipped by {flip}"),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::DamagedFile, "{error}");
                refused += 1;
            }
        }
    }
    assert_eq!(refused, text.len() - 1);
    fs::remove_file(&path).unwrap();
}
