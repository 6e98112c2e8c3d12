//! Every wait that the planner places is needed: without it the simulator finds a race, or the
//! answer is wrong. What the simulator notices, the judge notices too.
//!
//! Some kernels in an ordinary run. `cargo test -p obsidian-tests --test waits -- --ignored
//! --nocapture` runs all tests of this package with [`waits::FOLDER`] set, so that every kernel
//! they hold loses each of its waits at 33, 64 and 1,000 threads, prints what nobody noticed, and
//! wants at least 95 of 100 noticed.

#![allow(missing_docs, clippy::unwrap_used)]

#[allow(dead_code)]
#[path = "paper/kernels/mod.rs"]
mod kernels;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use obsidian_rt::prelude::*;
use obsidian_rt::{Buffer, Result};
use obsidian_tests::samples;
use obsidian_tests::waits::{self, Removed, remove_each};

fn removed(
    kernel: &Kernel,
    piece: usize,
    launch: impl Fn(&Kernel, &Device, &Buffer<u32>) -> Result<Buffer<u32>>,
    reference: impl Fn(&[u32]) -> Vec<u32>,
) -> Vec<Removed> {
    let run = |kernel: &Kernel, device: &Device, pieces| {
        launch(
            kernel,
            device,
            &device.upload(&samples::<u32>(pieces * piece))?,
        )
    };
    remove_each(kernel, &[33, 64], &[3], &run, &|pieces| {
        reference(&samples(pieces * piece))
    })
    .unwrap()
}

/// All waits are noticed; there are so many.
fn all_noticed(found: &[Removed], at_least: usize) {
    let unnoticed: Vec<_> = found
        .iter()
        .filter(|removed| removed.noticed.is_none())
        .map(|removed| &removed.wait)
        .collect();
    assert_eq!(unnoticed, [""; 0]);
    all_judged(found);
    assert!(found.len() >= at_least, "only {} waits", found.len());
}

/// What the simulator notices, the judge notices too.
fn all_judged(found: &[Removed]) {
    let unjudged: Vec<_> = found
        .iter()
        .filter(|removed| removed.noticed.is_some() && removed.judged.is_none())
        .map(|removed| &removed.wait)
        .collect();
    assert_eq!(unjudged, [""; 0]);
}

fn sums(x: &[u32], n: usize) -> Vec<u32> {
    x.chunks(n)
        .map(|c| c.iter().copied().fold(0, u32::wrapping_add))
        .collect()
}

#[test]
fn waits_of_a_reduction_are_needed() {
    use reduction::reductions::map_red1 as kernel;
    let found = removed(&kernel::kernel(), 512, kernel::launch_kernel, |x| {
        sums(x, 512)
    });
    all_noticed(&found, 2 * 5);
}

#[test]
fn waits_of_two_stages_in_warps_and_blocks_are_needed() {
    use kernels::intro::intro::two_stages_512 as kernel;
    let found = removed(&kernel::kernel(), 512, kernel::launch_kernel, |x| {
        sums(x, 512)
    });
    all_noticed(&found, 2 * 5);
}

#[test]
fn waits_of_a_chained_scan_are_needed() {
    use scan::scans::chain_of_sklansky as kernel;
    let scan = |x: &[u32]| {
        let each = x.chunks(256).flat_map(|c| {
            c.iter()
                .scan(0u32, |sum, x| Some((*sum = sum.wrapping_add(*x), *sum).1))
        });
        each.collect()
    };
    let found = removed(&kernel::kernel(), 256, kernel::launch_kernel, scan);
    // The first carry is stored before the loop, whose own waits come before anything reads it: the
    // pass keeps that wait.
    let noticed: Vec<_> = found
        .into_iter()
        .filter(|removed| !removed.wait.contains("wait 0 "))
        .collect();
    all_noticed(&noticed, 2 * 5);
}

/// The names of the tests of this package that hold kernels.
fn tests() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "rs") || path.join("main.rs").exists())
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .filter(|name| !["ui", "waits"].contains(&name.as_str()))
        .collect();
    names.sort();
    names
}

/// Runs all tests with the switch set, and gives the lines that they have written.
fn all_kernels(folder: &PathBuf) -> Vec<String> {
    if folder.exists() {
        fs::remove_dir_all(folder).unwrap();
    }
    fs::create_dir_all(folder).unwrap();
    let mut command = Command::new(env!("CARGO"));
    command
        .args(["test", "-p", "obsidian-tests", "--no-fail-fast"])
        .env(waits::FOLDER, folder)
        .env_remove("OBSIDIAN_FULL");
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    tests().iter().for_each(|name| {
        command.args(["--test", name]);
    });
    // Tests that look at other things than `hold` go on as usual; whether they pass is not the
    // question here.
    let status = command
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap();
    println!("the tests ended with {status}");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    println!("{} kernels", files.len());
    files
        .iter()
        .flat_map(|file| {
            fs::read_to_string(file)
                .unwrap()
                .lines()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .collect()
}

#[test]
#[ignore = "runs all tests of this package once more, hours: `-- --ignored`"]
fn waits_of_all_kernels_are_needed() {
    let lines = all_kernels(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("waits"));
    let mut how: BTreeMap<&str, usize> = BTreeMap::new();
    for line in &lines {
        let kind = match line {
            _ if line.ends_with(": unnoticed") => "unnoticed",
            _ if line.ends_with(": unnoticed, judged") => "noticed by the judge alone",
            _ if line.contains("a race: ") => "a race",
            _ if line.ends_with("another answer") => "another answer",
            _ => "another fault",
        };
        *how.entry(kind).or_default() += 1;
    }
    let unjudged: Vec<&String> = lines
        .iter()
        .filter(|line| line.contains(": noticed: "))
        .collect();
    lines
        .iter()
        .filter(|line| line.contains(": unnoticed"))
        .for_each(|line| println!("{line}"));
    println!("{} waits removed one at a time: {how:?}", lines.len());
    let noticed = lines.len() - how.get("unnoticed").copied().unwrap_or(0);
    assert!(lines.len() > 500, "only {} waits", lines.len());
    assert!(
        noticed * 100 >= lines.len() * 95,
        "{noticed} of {} are noticed",
        lines.len()
    );
    assert!(
        unjudged.is_empty(),
        "the judge does not notice: {unjudged:#?}"
    );
}
