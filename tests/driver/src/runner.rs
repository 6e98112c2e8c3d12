//! The process that runs kernels: the other end of this conversation is `bin/runner.rs`.
//!
//! It is a process of its own, as whatever links the executor also links `obsidian-rt`, whose
//! functions have the names of the driver's.

use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::ptx::Entry;
use crate::settings::setting;

/// One argument of a kernel, with the bytes of an array.
pub(crate) enum Content {
    Value(Vec<u8>),
    Input(Vec<u8>),
    InOut(Vec<u8>),
}

/// A process that runs kernels. It ends with its value.
pub(crate) struct Runner {
    child: Child,
    stdin: ChildStdin,
    stdout: ChildStdout,
}

impl Runner {
    /// Starts the program that the environment names.
    pub(crate) fn start() -> io::Result<Runner> {
        let program = setting("OBSIDIAN_DRIVER_RUNNER")
            .ok_or_else(|| io::Error::other("OBSIDIAN_DRIVER_RUNNER is not set"))?;
        let mut child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let missing = || io::Error::other("the runner has no pipes");
        let (stdin, stdout) = (
            child.stdin.take().ok_or_else(missing)?,
            child.stdout.take().ok_or_else(missing)?,
        );
        Ok(Runner {
            child,
            stdin,
            stdout,
        })
    }

    /// Runs a kernel; gives the arrays that it has written, or what it did wrong.
    pub(crate) fn run(
        &mut self,
        entry: &Entry,
        grid: u32,
        threads: u32,
        contents: &[Content],
    ) -> io::Result<Result<Vec<Vec<u8>>, String>> {
        let mut request = Vec::new();
        for text in [&entry.text, &entry.symbol] {
            piece(&mut request, text.as_bytes());
        }
        for number in [threads, grid, contents.len() as u32] {
            request.extend(number.to_le_bytes());
        }
        let mut written = 0;
        for content in contents {
            let (kind, bytes) = match content {
                Content::Value(bytes) => (0, bytes),
                Content::Input(bytes) => (1, bytes),
                Content::InOut(bytes) => (2, bytes),
            };
            written += usize::from(kind == 2);
            request.push(kind);
            piece(&mut request, bytes);
        }
        self.stdin.write_all(&request)?;
        self.stdin.flush()?;
        let mut status = [0];
        self.stdout.read_exact(&mut status)?;
        if status == [0] {
            return (0..written)
                .map(|_| self.piece())
                .collect::<io::Result<_>>()
                .map(Ok);
        }
        self.piece()
            .map(|said| Err(String::from_utf8_lossy(&said).into_owned()))
    }

    fn piece(&mut self) -> io::Result<Vec<u8>> {
        let mut length = [0; 8];
        self.stdout.read_exact(&mut length)?;
        let mut bytes =
            vec![0; usize::try_from(u64::from_le_bytes(length)).map_err(io::Error::other)?];
        self.stdout.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

fn piece(request: &mut Vec<u8>, bytes: &[u8]) {
    request.extend((bytes.len() as u64).to_le_bytes());
    request.extend(bytes);
}

impl Drop for Runner {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
