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
