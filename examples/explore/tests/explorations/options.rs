//! What is wrong on the command line is told before anything is tried.

#![allow(clippy::unwrap_used)]

use std::process::Command;
use std::time::Instant;

fn refused(arguments: &[&str]) -> String {
    let begun = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_explore"))
        .args(arguments)
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .output()
        .unwrap();
    assert!(!output.status.success() && begun.elapsed().as_secs() < 20);
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn two_results_in_one_file_are_refused() {
    for (first, second) in [("--out", "--csv"), ("--json", "--html")] {
        let words = refused(&["scan", first, "same-file", second, "./same-file"]);
        let expected = format!("{first} and {second} are the same file");
        assert!(words.contains(&expected), "{words}");
    }
}

#[test]
fn more_elements_than_a_kernel_takes_are_refused() {
    for space in ["scan", "reduction"] {
        let words = refused(&[space, "--blocks", "99999999999"]);
        assert!(words.contains("more than 4294967295 elements"), "{words}");
    }
}

/// On a device that is no GPU nothing is predicted, and the table says what is done instead.
#[test]
fn the_best_of_no_gpu_are_all_measured() {
    for device in ["cpu", "simulator"] {
        let output = Command::new(env!("CARGO_BIN_EXE_explore"))
            .env("OBSIDIAN_DEVICE", device)
            .args([
                "reduction",
                "--blocks",
                "3",
                "--measure-best",
                "--repeats",
                "6",
            ])
            .args(["--fix", "elements=512", "--fix", "threads=32"])
            .output()
            .unwrap();
        let (text, errors) = (
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        );
        assert!(output.status.success(), "{device}: {text}{errors}");
        for words in [
            format!("measured seconds on {device}: 7 of 7 candidates are good"),
            format!("every candidate was measured on {device}, and none predicted or compiled"),
        ] {
            assert!(text.contains(&words), "{words}: {text}");
        }
    }
}
