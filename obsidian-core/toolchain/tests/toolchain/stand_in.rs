//! Stand-ins for nvcc: shell scripts that do what a test wants.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use obsidian_toolchain::Nvcc;

/// What a good stand-in gives.
pub const PTX: &str = ".version 9.0\n.target sm_90\n.visible .entry k() { ret; }\n";

/// The body of a good stand-in.
pub const GOOD: &str =
    "printf '.version 9.0\\n.target sm_90\\n.visible .entry k() { ret; }\\n' > output; exit 0";

/// Where the files of a test are.
pub fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("toolchain")
        .join(name)
}

/// The same, fresh.
pub fn folder(name: &str) -> PathBuf {
    let folder = path(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Writes a script that can be executed. A shell writes it: a file that this process has open for
/// writing, or that a child it has just forked has, cannot be executed.
pub fn write(path: &Path, script: &str) {
    let mut shell = Command::new("sh")
        .args(["-c", "cat > \"$0\" && chmod +x \"$0\""])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    shell
        .stdin
        .take()
        .unwrap()
        .write_all(script.as_bytes())
        .unwrap();
    assert!(shell.wait().unwrap().success());
}

/// A stand-in that says its version, and otherwise does what the body says, in the compiler's
/// folder.
pub fn nvcc(path: &Path, body: &str) -> Nvcc {
    let version = "case \"$1\" in --version) echo 'Cuda compilation tools, release 13.0, V13.0.88'; exit 0;; esac";
    write(path, &format!("#!/bin/sh\n{version}\n{body}\n"));
    Nvcc::at(path)
}

/// Says that a test, or a part of one, was skipped. Not through `println!`, which the test runner
/// keeps to itself.
pub fn skipped(test: &str, why: &str) {
    let _ = std::io::stdout().write_all(format!("skipped: {test}, because {why}\n").as_bytes());
}
