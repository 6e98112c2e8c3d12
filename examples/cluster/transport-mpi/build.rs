//! Says what is missing where MPI is not installed, before the build script of the binding does at length.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=MPICC");
    println!("cargo::rerun-if-env-changed=PATH");
    let compiler = std::env::var("MPICC").unwrap_or_else(|_| "mpicc".to_owned());
    let shown = Command::new(compiler).arg("-show").output();
    if !shown.is_ok_and(|output| output.status.success()) {
        println!(
            "cargo::error=MPI is not installed (Debian: libopenmpi-dev openmpi-bin libclang-dev)"
        );
    }
}
