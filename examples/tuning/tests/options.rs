//! The command line: help, and options that there are not.

#![allow(clippy::unwrap_used)]

use std::process::{Command, Output};

fn run(argument: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tuning"))
        .arg(argument)
        .output()
        .unwrap()
}

#[test]
fn help_and_unknown_options_are_answered() {
    let help = run("--help");
    assert!(help.status.success());
    assert!(String::from_utf8(help.stdout).unwrap().contains("--tune"));
    let unknown = run("--tun");
    assert!(!unknown.status.success());
    let words = String::from_utf8(unknown.stderr).unwrap();
    assert!(words.contains("`--tun` is no option"), "{words}");
}
