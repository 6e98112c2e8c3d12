//! A run that is killed, by the operating system and without warning, goes on to the same result.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use explore::reduction::Work;
use explore::scan;
use obsidian_rt::explore::{Explore, Gpu, Objective, Point, Search};

const WORK: Work = Work::Blocks(20);

fn explore(search: Search) -> Explore {
    let objective = Objective::predicted(Gpu::named("gtx680").unwrap()).with_effort(4);
    let job = |key: &Point| scan::job(WORK, key);
    Explore::by_key(scan::space(), objective, job, scan::candidate).search(search)
}

/// Starts the program, and kills it when the file has so many lines; says how many there were in
/// the end.
fn killed(search: &str, path: &Path, lines: usize) -> usize {
    let mut child = Command::new(env!("CARGO_BIN_EXE_explore"))
        .args([
            "scan", "--blocks", "20", "--gpu", "gtx680", "--effort", "4", "--search", search,
            "--seed", "4", "--out",
        ])
        .arg(path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let count = || {
        fs::read(path)
            .unwrap_or_default()
            .iter()
            .filter(|byte| **byte == b'\n')
            .count()
    };
    let begun = Instant::now();
    while count() < lines {
        assert!(
            begun.elapsed() < Duration::from_secs(120),
            "the program writes nothing"
        );
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    count()
}

#[test]
fn a_killed_run_comes_to_the_same_result() {
    let mut searches = vec![("climb", Search::Climb { seed: 4 })];
    if std::env::var_os("OBSIDIAN_LONG").is_some() {
        searches.push(("grid", Search::Grid));
    }
    for (word, search) in searches {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("killed-{word}-{}.jsonl", std::process::id()));
        let _ = fs::remove_file(&path);
        let mut left = 0;
        // Killed twice: once at the beginning, and once more on the way.
        for lines in [5, 40] {
            left = killed(word, &path, lines);
        }
        let explored = explore(search).file(&path).run().unwrap();
        let whole = explore(search).run().unwrap();
        println!(
            "{word}: killed after {left} lines of {}",
            whole.results.evaluated.len()
        );
        assert!(left < 150, "it was killed before its end");
        assert_eq!(
            explored.resumed + 1,
            left,
            "each line but the first was a try"
        );
        assert_eq!(explored.results, whole.results);
        fs::remove_file(&path).unwrap();
    }
}
