//! The whole round: a program is built with a tuned file, explores its variants on the CPU, writes
//! the best into the file, and launches another variant when it is built again.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use obsidian_build::Kernels;
use obsidian_core::variants::{Tuned, Value};
use obsidian_tests::program::compile;

/// A program whose kernel tells by its output which variant has run; the first takes thousands of
/// times as long as the second.
const PROGRAM: &str = r#"
use obsidian_tests::obsidian_rt;
use obsidian_rt::explore::{Candidate, Explore, Job, Objective};
use obsidian_rt::{Tuned, prelude::*};

#[kernels(built, crate = ::obsidian_tests::obsidian_rt)]
pub mod counters {
    #[kernel(threads = 32, rounds = [20000, 1, 10000], tuned = "[FILE]")]
    pub fn counted(rounds: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|piece| piece.as_block_map(|x| exec_thread_value(seq_until(|n| n + 1, |n| n < rounds, x))))
    }

    /// 1 for what has been counted, so that all variants have one answer.
    #[kernel(threads = 32)]
    pub fn told(counts: DPull<EU32>) -> DPush<Grid, EU32> {
        counts.split_up(64).as_grid_map(|piece| piece.map(|n| n.min(1u32)).push::<Block>())
    }
}
use counters::{counted, told};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let device = Device::cpu();
    if std::env::args().any(|word| word == "tune") {
        let mut tuned = Tuned::read("[FILE]")?;
        let job = Job::new(vec![0u32; 640], |input| vec![1u32; input.len()]);
        let explored = Explore::variants(counted::variants(), Objective::measured(device.clone()), job, |variant| {
            Ok(Candidate::new(move |device: &Device, input: &Buffer<u32>| {
                let counted = counted::launch_variant(variant, device, input)?;
                told::launch(device, &counted)
            }))
        });
        explored.run()?.results.choose_in(&mut tuned, counted::variants(), Some(device.model()), 640)?;
        tuned.write("[FILE]")?;
    }
    for elements in [64, 640] {
        println!("{}", counted::launch(&device, &device.upload(&vec![0u32; elements])?)?.to_vec()?[0]);
    }
    Ok(())
}
"#;

/// Builds the program as cargo would: first the build script, then rustc.
fn build(folder: &Path) -> PathBuf {
    let source = folder.join("main.rs");
    Kernels::new()
        .source(&source)
        .out_dir(folder)
        .compile()
        .unwrap();
    compile(&source, Some(folder)).unwrap()
}

/// The rounds of the variants that launches with 64 and 640 elements have taken.
fn rounds(program: &Path, words: &[&str]) -> String {
    let output = Command::new(program).args(words).output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn what_an_exploration_finds_is_what_the_next_build_launches() {
    let folder =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tuned-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("tuned.txt");
    fs::write(
        folder.join("main.rs"),
        PROGRAM.replace("[FILE]", file.to_str().unwrap()),
    )
    .unwrap();
    let mut tuned = Tuned::new();
    tuned
        .choose(
            "counted",
            &"0".repeat(16),
            None,
            0,
            &[
                ("threads", Value::from(32u32)),
                ("rounds", Value::from(10000u32)),
            ],
        )
        .unwrap();
    tuned.write(&file).unwrap();

    let program = build(&folder);
    assert_eq!(
        rounds(&program, &[]),
        "10000\n10000\n",
        "the line for any device"
    );
    assert_eq!(
        rounds(&program, &["tune"]),
        "10000\n10000\n",
        "a program stays as it was built"
    );
    let text = fs::read_to_string(&file).unwrap();
    assert!(
        text.contains("\n\"cpu\" from 640: threads = 32, rounds = 1\n"),
        "{text}"
    );
    // A comment names the second best.
    let mut choices = text.lines().filter(|line| !line.starts_with('#'));
    assert!(
        !choices.any(|line| line.contains("10000")),
        "what was chosen for other tokens is forgotten: {text}"
    );

    let program = build(&folder);
    assert_eq!(
        rounds(&program, &[]),
        "20000\n1\n",
        "the default, and from 640 elements on the best"
    );
    fs::remove_dir_all(&folder).unwrap();
}
