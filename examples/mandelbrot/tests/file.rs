//! Issue 16, item 9: the picture is written where there was no folder, and a file that cannot be
//! written is named.

#![allow(missing_docs, clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mandelbrot"))
        .args(arguments)
        .current_dir(folder)
        .env("OBSIDIAN_DEVICE", "simulator")
        .output()
        .unwrap()
}

#[test]
fn the_picture_gets_a_folder_or_the_error_a_name() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("elsewhere");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let output = run(&folder, &[]);
    assert!(output.status.success(), "{output:?}");
    assert!(folder.join("target/mandelbrot.png").is_file());

    std::fs::write(folder.join("file"), "").unwrap();
    let output = run(&folder, &["file/inside.png"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{said}");
    assert!(said.contains("inside.png cannot be written"), "{said}");
}
