//! Processes that find the driver for tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// No program takes longer, but one that hangs.
const LIMIT: Duration = Duration::from_secs(400);

/// The folder of what cargo has built: libraries lie beside the tests.
pub fn built() -> PathBuf {
    std::env::current_exe()
        .unwrap()
        .parent()
        .unwrap()
        .to_owned()
}

/// A folder with the driver under the name that is looked for.
fn driver() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("driver");
        fs::create_dir_all(&folder).unwrap();
        let half = folder.join(format!("{}.half", std::process::id()));
        fs::copy(built().join("libobsidian_driver.so"), &half).unwrap();
        fs::rename(half, folder.join("libcuda.so.1")).unwrap();
        folder
    })
}

/// A program that finds the driver, and what compiles and runs kernels.
pub fn program(path: impl AsRef<Path>) -> Command {
    let mut command = Command::new(path.as_ref());
    command
        .env("LD_LIBRARY_PATH", driver())
        .env("OBSIDIAN_NVCC", env!("CARGO_BIN_EXE_stand-in-nvcc"))
        // The stand-in alone, each time.
        .env("OBSIDIAN_NVRTC", "")
        .env("OBSIDIAN_CACHE", "")
        .env(
            "OBSIDIAN_DRIVER_RUNNER",
            env!("CARGO_BIN_EXE_driver-runner"),
        )
        .env(
            "CARGO_TARGET_DIR",
            built().parent().unwrap().parent().unwrap(),
        )
        .env_remove("OBSIDIAN_DEVICE")
        .stdin(Stdio::null());
    command
}

/// One of our own programs.
pub fn own(which: &str) -> Command {
    let mut command = program(env!("CARGO_BIN_EXE_driver-program"));
    command.arg(which);
    command
}

/// What a program prints; it has to end well, and in time.
pub fn said(mut command: Command) -> String {
    let output = ended(&mut command);
    let words = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{command:?} ends with {}:\n{words}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    words
}

pub fn ended(command: &mut Command) -> Output {
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    // What these programs print fits into a pipe.
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > LIMIT {
            child.kill().unwrap();
            panic!("{command:?} hangs");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.wait_with_output().unwrap()
}
