//! A process that answers requests, a line each: killed when it takes too long, and started again
//! for the next request.
//!
//! What runs on a GPU can hang, crash, or lose its context. None of that ends the process that
//! collects the results, because all of it happens in another one.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long a process that was killed may take to be gone.
const GONE: Duration = Duration::from_secs(5);

/// How often in succession a process may fail to start.
const ATTEMPTS: usize = 2;

/// Makes the command that starts the process.
type Start = Box<dyn FnMut() -> Result<Command, String>>;

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unanswered {
    /// In words.
    pub why: String,
    /// The process cannot be started, so that no request will be answered.
    pub for_good: bool,
}

/// A process that answers requests. It is started when it is needed, and ends with its value.
pub struct Worker {
    start: Start,
    limit: Duration,
    running: Option<Running>,
    failures: usize,
    unusable: Option<String>,
}

struct Running {
    child: Child,
    requests: ChildStdin,
    answers: Receiver<String>,
    greeting: String,
}

impl Worker {
    /// A process that is started by a command, and says within a limit that it is ready: by a line
    /// that begins with `ready`.
    pub fn new(
        limit: Duration,
        start: impl FnMut() -> Result<Command, String> + 'static,
    ) -> Worker {
        Worker {
            start: Box::new(start),
            limit,
            running: None,
            failures: 0,
            unusable: None,
        }
    }

    /// What the process has said behind `ready`.
    ///
    /// # Errors
    /// Why it cannot be started.
    pub fn greeting(&mut self) -> Result<String, Unanswered> {
        self.running().map(|running| running.greeting.clone())
    }

    /// The answer to a request, which comes within a limit.
    ///
    /// # Errors
    /// Why there is none: the process cannot be started, has ended, or was killed when the time was
    /// over.
    pub fn ask(&mut self, request: &str, limit: Duration) -> Result<String, Unanswered> {
        let running = self.running()?;
        // A process that has ended takes no request; that is seen when its answer is waited for.
        let _ = writeln!(running.requests, "{request}").and_then(|()| running.requests.flush());
        match running.answers.recv_timeout(limit) {
            Ok(line) => Ok(line),
            Err(why) => {
                let why = self.ended(why, "no answer", limit);
                Err(Unanswered {
                    why,
                    for_good: false,
                })
            }
        }
    }

    /// Ends the process; the next request starts another one.
    pub fn restart(&mut self) {
        if let Some(mut running) = self.running.take() {
            let _ = running.child.kill();
            gone(&mut running.child);
        }
    }

    fn running(&mut self) -> Result<&mut Running, Unanswered> {
        if self.running.is_none() {
            self.begin()?;
        }
        self.running.as_mut().ok_or_else(|| Unanswered {
            why: "it does not run".to_owned(),
            for_good: false,
        })
    }

    fn begin(&mut self) -> Result<(), Unanswered> {
        let for_good = |why| Unanswered {
            why,
            for_good: true,
        };
        if let Some(why) = &self.unusable {
            return Err(for_good(why.clone()));
        }
        while let Err(why) = self.try_to_begin() {
            self.failures += 1;
            if self.failures >= ATTEMPTS {
                self.unusable = Some(why.clone());
                return Err(for_good(why));
            }
        }
        self.failures = 0;
        Ok(())
    }

    fn try_to_begin(&mut self) -> Result<(), String> {
        let mut command = (self.start)()?;
        let cannot = |error: std::io::Error| format!("it cannot be started: {error}");
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(cannot)?;
        let (Some(requests), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("it has no pipes".to_owned());
        };
        let (sender, answers) = channel();
        // It ends with the process, or when nobody listens any more.
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                if !line.is_ok_and(|line| sender.send(line).is_ok()) {
                    break;
                }
            }
        });
        let running = self.running.insert(Running {
            child,
            requests,
            answers,
            greeting: String::new(),
        });
        match running.answers.recv_timeout(self.limit) {
            Ok(line) => match line.strip_prefix("ready") {
                Some(rest) => {
                    running.greeting = rest.trim().to_owned();
                    Ok(())
                }
                None => {
                    self.restart();
                    Err(line)
                }
            },
            Err(why) => Err(self.ended(why, "it was not ready", self.limit)),
        }
    }

    /// Why there is no line, from a process that is no more afterwards.
    fn ended(&mut self, why: RecvTimeoutError, what: &str, limit: Duration) -> String {
        let Some(mut running) = self.running.take() else {
            return "it does not run".to_owned();
        };
        if why == RecvTimeoutError::Timeout {
            let _ = running.child.kill();
            let left = if gone(&mut running.child) {
                "was killed"
            } else {
                "was killed, and is still there"
            };
            return format!("{what} in {limit:.0?}: the process {left}");
        }
        // Its output is closed, so it has ended or is about to.
        let deadline = Instant::now() + GONE;
        while Instant::now() < deadline {
            if let Ok(Some(status)) = running.child.try_wait() {
                return format!("the process ended with {status}");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = running.child.kill();
        gone(&mut running.child);
        "the process closed its output".to_owned()
    }
}

/// Waits for a process that was killed. One that is in a call of a driver may stay.
fn gone(child: &mut Child) -> bool {
    let deadline = Instant::now() + GONE;
    loop {
        match child.try_wait() {
            Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(5)),
            Ok(None) => return false,
            _ => return true,
        }
    }
}

/// What a program prints that ends well and in time.
///
/// # Errors
/// Why it does not, as the rest of a sentence about it.
pub(crate) fn said(command: &mut Command, limit: Duration) -> Result<String, String> {
    let cannot = |error: std::io::Error| format!("cannot be run: {error}");
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(cannot)?;
    let deadline = Instant::now() + limit;
    // What is asked of such programs fits into a pipe.
    while child.try_wait().map_err(cannot)?.is_none() {
        if Instant::now() > deadline {
            let _ = child.kill();
            gone(&mut child);
            return Err(format!("was killed: it took more than {limit:?}"));
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let output = child.wait_with_output().map_err(cannot)?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!("ended with {}", output.status))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.restart();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);
    const SHORT: Duration = Duration::from_millis(300);

    fn script(limit: Duration, text: &'static str) -> Worker {
        Worker::new(limit, move || {
            let mut command = Command::new("/bin/sh");
            command.args(["-c", text]);
            Ok(command)
        })
    }

    fn why(asked: Result<String, Unanswered>) -> (String, bool) {
        match asked {
            Ok(answer) => (answer, false),
            Err(Unanswered { why, for_good }) => (why, for_good),
        }
    }

    #[test]
    fn requests_are_answered_in_turn() {
        let mut worker = script(
            LONG,
            "echo ready 7; while read line; do echo got $line; done",
        );
        assert_eq!(worker.greeting(), Ok("7".to_owned()));
        assert_eq!(worker.ask("a b", LONG), Ok("got a b".to_owned()));
        assert_eq!(worker.ask("c", LONG), Ok("got c".to_owned()));
    }

    #[test]
    fn a_process_that_hangs_is_killed_and_started_again() {
        let mut worker = script(
            LONG,
            "echo ready; while read line; do [ $line = hang ] && exec sleep 600; echo $line; done",
        );
        let (words, for_good) = why(worker.ask("hang", SHORT));
        assert!(
            words.starts_with("no answer in 300ms: the process was killed") && !for_good,
            "{words}"
        );
        assert_eq!(worker.ask("next", LONG), Ok("next".to_owned()));
    }

    #[test]
    fn a_process_that_ends_says_how_and_is_started_again() {
        let mut worker = script(
            LONG,
            "echo ready; read line; [ $line = end ] && exit 3; echo $line",
        );
        assert_eq!(
            why(worker.ask("end", LONG)),
            ("the process ended with exit status: 3".to_owned(), false)
        );
        assert_eq!(worker.ask("next", LONG), Ok("next".to_owned()));
    }

    #[test]
    fn a_process_that_never_gets_ready_is_given_up() {
        let mut worker = script(LONG, "echo there is no GPU; exit 1");
        assert_eq!(
            why(worker.ask("x", LONG)),
            ("there is no GPU".to_owned(), true)
        );
        let mut worker = script(SHORT, "exec sleep 600");
        let (words, for_good) = why(worker.ask("x", LONG));
        assert!(
            words.starts_with("it was not ready in 300ms") && for_good,
            "{words}"
        );
        // The second request does not wait again.
        let start = Instant::now();
        assert!(why(worker.ask("y", LONG)).1 && start.elapsed() < SHORT);
        let mut worker = Worker::new(LONG, || Ok(Command::new("/no/such/program")));
        assert!(
            why(worker.ask("x", LONG))
                .0
                .starts_with("it cannot be started")
        );
    }
}
