//! Programs that are compiled while a test runs, against the libraries that it was itself built
//! with.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The newest library of this crate beside the running program. Cargo has brought it up to date, or
/// it would not have started the program; it names the very libraries that it was compiled with.
fn library() -> Result<(PathBuf, PathBuf), String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let folder = program
        .parent()
        .ok_or("the test lies in no folder")?
        .to_owned();
    let entries = fs::read_dir(&folder)
        .map_err(|error| error.to_string())?
        .filter_map(Result::ok);
    let libraries = entries.filter(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        name.starts_with("libobsidian_tests-") && name.ends_with(".rlib")
    });
    let newest =
        libraries.max_by_key(|entry| entry.metadata().and_then(|data| data.modified()).ok());
    let newest = newest
        .ok_or_else(|| format!("there is no library of this crate in {}", folder.display()))?;
    Ok((newest.path(), folder))
}

/// Compiles a program of one file, which may name `obsidian_tests`; `out` is the folder where a
/// build script has written its files.
///
/// # Errors
/// What the compiler says.
pub fn compile(source: &Path, out: Option<&Path>) -> Result<PathBuf, String> {
    let (library, folder) = library()?;
    let program = source.with_extension("program");
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    if let Some(out) = out {
        rustc.env("OUT_DIR", out);
    }
    let output = rustc
        .args([
            "--edition=2024",
            "--crate-type=bin",
            "-Cdebuginfo=0",
            "-Copt-level=0",
        ])
        .arg(format!("-Ldependency={}", folder.display()))
        .arg(format!("--extern=obsidian_tests={}", library.display()))
        .args([source.as_os_str(), "-o".as_ref(), program.as_os_str()])
        .output()
        .map_err(|error| format!("rustc does not start: {error}"))?;
    if output.status.success() {
        Ok(program)
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}
