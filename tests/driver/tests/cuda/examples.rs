//! The examples, unchanged, on a CUDA device: each checks its results, and ends with a failure if
//! one is wrong.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::kernels_run;
use super::processes::{built, program, said};

/// The folder where cargo has put the program of an example.
fn folder_of(example: &str) -> PathBuf {
    let folder = built().parent().unwrap().to_owned();
    // The same selection as that of the tests: what they were built of is not built again.
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap());
    cargo
        .args(["build", "--quiet", "--workspace", "--bin", example])
        .arg("--target-dir")
        .arg(folder.parent().unwrap());
    if folder.ends_with("release") {
        cargo.arg("--release");
    }
    assert!(cargo.status().unwrap().success());
    folder
}

/// What an example prints; none where no kernel runs.
fn runs(example: &str, arguments: &[&Path]) -> Option<String> {
    kernels_run().then(|| {
        let folder = folder_of(example);
        // For PTX of the real compiler, which does not have the CUDA text in it.
        let texts = std::fs::read_dir(folder.join("build"))
            .unwrap()
            .map(|entry| entry.unwrap().path().join("out").join("obsidian"));
        let mut command = program(folder.join(example));
        command
            .args(arguments)
            .env("OBSIDIAN_DEVICE", "cuda:0")
            .env(
                "OBSIDIAN_DRIVER_TEXTS",
                std::env::join_paths(texts).unwrap(),
            );
        let words = said(command);
        println!("{words}");
        words
    })
}

macro_rules! examples {
    ($($(#[$ignore:meta])? $name:ident)*) => {$(
        #[test]
        $(#[$ignore])?
        fn $name() {
            runs(stringify!($name), &[]);
        }
    )*};
}

examples! {
    #[ignore = "long: .ci/run runs it with OBSIDIAN_LONG=1"] blackscholes
    #[ignore = "long: .ci/run runs it with OBSIDIAN_LONG=1"] histogram
    #[ignore = "long: .ci/run runs it with OBSIDIAN_LONG=1"] matmul
    #[ignore = "long: .ci/run runs it with OBSIDIAN_LONG=1"] quickstart
    reduction
    #[ignore = "long: .ci/run runs it with OBSIDIAN_LONG=1"] scan
    #[ignore = "long: .ci/run runs it with OBSIDIAN_LONG=1"] sorting
    #[ignore = "long: .ci/run runs it with OBSIDIAN_LONG=1"] statistics
    #[ignore = "long: .ci/run runs it with OBSIDIAN_LONG=1"] transpose
    #[ignore = "long: .ci/run runs it with OBSIDIAN_LONG=1"] tuning
}

#[test]
#[ignore = "long: .ci/run runs it with OBSIDIAN_LONG=1"]
fn mandelbrot() {
    runs(
        "mandelbrot",
        &[&Path::new(env!("CARGO_TARGET_TMPDIR")).join("driver.mandelbrot.png")],
    );
}

#[test]
#[ignore = "long: .ci/run runs it with OBSIDIAN_LONG=1"]
fn gpu_check() {
    if let Some(words) = runs("gpu-check", &[Path::new("--quick")]) {
        assert!(words.contains("cases on cuda:0, 0 wrong"), "{words}");
    }
}

/// Here the host waits for every launch, which the benchmarks have to notice; and there is no nvcc
/// that compiles what they are compared with, so that others' rows are not run.
#[test]
#[ignore = "long: .ci/run runs it with OBSIDIAN_LONG=1"]
fn gpu_check_measures() {
    if let Some(words) = runs("gpu-check", &[Path::new("--bench"), Path::new("--quick")]) {
        for part in [
            "h: the host was slower",
            "CUB DeviceReduce",
            "88 results, 0 failed, 45 not run: `cuda:0` is a driver for tests",
        ] {
            assert!(words.contains(part), "{part}: {words}");
        }
    }
}
