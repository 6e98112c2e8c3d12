//! A program of which only the bytes are there, as a file.

use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::PathBuf;
use std::time::SystemTime;

/// A program in a folder of its own, which is removed in the end.
#[derive(Debug)]
pub(super) struct Program(PathBuf);

impl Program {
    /// Writes it into the system's folder for temporary files.
    pub(super) fn of(bytes: &[u8]) -> io::Result<Program> {
        let now = SystemTime::UNIX_EPOCH
            .elapsed()
            .map_or(0, |time| time.as_nanos());
        let folder = std::env::temp_dir().join(format!("gpu-check-{}-{now}", std::process::id()));
        DirBuilder::new().mode(0o700).create(&folder)?;
        let program = Program(folder);
        OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o700)
            .open(program.path())?
            .write_all(bytes)?;
        Ok(program)
    }

    pub(super) fn path(&self) -> PathBuf {
        self.0.join("compare")
    }

    #[cfg(test)]
    fn folder(&self) -> &std::path::Path {
        &self.0
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // What cannot be removed is of no consequence.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_can_be_run_and_leaves_nothing() {
        let program = Program::of(b"#!/bin/sh\necho $*\n").unwrap_or_else(|e| panic!("{e}"));
        let output = std::process::Command::new(program.path())
            .args(["a", "b"])
            .output()
            .unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(output.stdout, b"a b\n");
        let folder = program.folder().to_owned();
        drop(program);
        assert!(!folder.exists());
    }
}
