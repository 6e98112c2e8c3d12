//! A program that runs: a process that takes jobs and answers them. The other end of this
//! conversation is `machine.cpp`.

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::failure::Failure;
use crate::job::Job;
use crate::program::Program;

/// A process. It ends with its value, and with the first mistake of a kernel.
#[derive(Debug)]
pub struct Worker {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
}

impl Worker {
    /// Starts a program.
    ///
    /// # Errors
    /// [`Failure::Executor`] if it cannot be started.
    pub fn start(program: &Program) -> Result<Worker, Failure> {
        let mut child = Command::new(program.path())
            .env(
                "ASAN_OPTIONS",
                "detect_leaks=0:allocator_may_return_null=1:handle_abort=1:handle_sigfpe=1:handle_sigill=1",
            )
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(Failure::executor)?;
        let stdin = child.stdin.take();
        let stdout = child
            .stdout
            .take()
            .ok_or_else(|| Failure::executor("a process has no output"))?;
        Ok(Worker {
            child,
            stdin,
            stdout,
        })
    }

    /// Does a job; gives the bytes of the arrays that were written.
    ///
    /// # Errors
    /// [`Failure::Fault`], after which the worker takes no more jobs.
    pub fn run(&mut self, job: &Job) -> Result<Vec<Vec<u8>>, Failure> {
        let stdin = self
            .stdin
            .as_mut()
            .ok_or_else(|| Failure::executor("the worker has ended"))?;
        // A program that has ended has said why.
        let sent = stdin.write_all(&job.bytes()).and_then(|()| stdin.flush());
        let answer = self.answer(job);
        if answer.is_err() {
            self.stdin = None;
        }
        answer.and_then(|answer| sent.map_err(Failure::executor).map(|()| answer))
    }

    fn answer(&mut self, job: &Job) -> Result<Vec<Vec<u8>>, Failure> {
        if self.number()? == 0 {
            return job.written().map(|length| self.bytes(length)).collect();
        }
        let length = self.number()?;
        let said = self.bytes(length as usize)?;
        Err(Failure::fault(&String::from_utf8_lossy(&said)))
    }

    fn number(&mut self) -> Result<u32, Failure> {
        let mut bytes = [0; 4];
        match self.stdout.read_exact(&mut bytes) {
            Ok(()) => Ok(u32::from_le_bytes(bytes)),
            Err(_) => {
                let status = self
                    .child
                    .wait()
                    .map_or_else(|error| error.to_string(), |status| status.to_string());
                Err(Failure::Fault {
                    line: None,
                    message: format!("the program has ended without a word: {status}"),
                })
            }
        }
    }

    fn bytes(&mut self, length: usize) -> Result<Vec<u8>, Failure> {
        let mut bytes = vec![0; length];
        self.stdout
            .read_exact(&mut bytes)
            .map_err(Failure::executor)?;
        Ok(bytes)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // The end of its input ends the program; a process that hangs all the same is not waited
        // for.
        self.stdin = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
