//! Programs with code in the crate `cust`.

use std::process::Command;

use super::kernels_run;
use super::processes::{built, own, program, said};

#[test]
fn values_of_cust_are_converted_both_ways() {
    if kernels_run() {
        let mut command = own("cust");
        command.env("OBSIDIAN_DRIVER_DEVICES", "2");
        print!("{}", said(command));
    }
}

#[test]
fn the_example_of_the_runtime_works() {
    if kernels_run() {
        let folder = built().parent().unwrap().to_owned();
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap());
        cargo.args([
            "build",
            "--quiet",
            "-p",
            "obsidian-rt",
            "--example",
            "cust",
            "--features",
            "cust",
        ]);
        cargo.arg("--target-dir").arg(folder.parent().unwrap());
        if folder.ends_with("release") {
            cargo.arg("--release");
        }
        assert!(cargo.status().unwrap().success());
        let words = said(program(folder.join("examples").join("cust")));
        assert!(
            words.contains("1000 numbers on `A device for tests`, all right"),
            "{words}"
        );
    }
}
