//! Shows on standard error where a long program is.

use std::io::{IsTerminal, Write, stderr};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// After how long a program is a long one, and how often a line is written then.
const AFTER: Duration = Duration::from_secs(1);

/// Writes a line a second about what runs, from the first second on: on a terminal over the one before.
pub struct Ticker {
    state: Arc<Mutex<State>>,
    /// Dropped at the end.
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

struct State {
    what: String,
    is_terminal: bool,
    is_shown: bool,
}

impl State {
    fn clear(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            // It fails where nobody reads any more.
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }

    fn show(&mut self, since: Instant) {
        if self.what.is_empty() {
            return;
        }
        let (what, seconds) = (&self.what, since.elapsed().as_secs());
        let _ = match self.is_terminal {
            true => write!(stderr(), "\r\x1b[K{what}, {seconds} s"),
            false => writeln!(stderr(), "{what}, {seconds} s"),
        };
        let _ = stderr().flush();
        self.is_shown = self.is_terminal;
    }
}

impl Ticker {
    /// Begins; nothing is shown unless standard error is a terminal, or that is asked for.
    pub fn begin(is_asked_for: bool) -> Self {
        let is_terminal = stderr().is_terminal();
        let state = Arc::new(Mutex::new(State {
            what: String::new(),
            is_terminal,
            is_shown: false,
        }));
        if !is_terminal && !is_asked_for {
            return Ticker {
                state,
                stop: None,
                thread: None,
            };
        }
        let ((stop, stopped), shared) = (channel(), state.clone());
        let begin = Instant::now();
        let thread = std::thread::spawn(move || {
            while stopped.recv_timeout(AFTER) == Err(RecvTimeoutError::Timeout) {
                if let Ok(mut state) = shared.lock() {
                    state.show(begin);
                }
            }
        });
        Ticker {
            state,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// What runs from now on.
    pub fn set(&self, what: String) {
        if let Ok(mut state) = self.state.lock() {
            state.what = what;
        }
    }

    /// Does something that writes to the same terminal, with no line of this on it.
    pub fn aside<R>(&self, f: impl FnOnce() -> R) -> R {
        let state = self.state.lock();
        if let Ok(mut state) = state {
            state.clear();
            return f();
        }
        f()
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.stop.take();
        if let Some(thread) = self.thread.take() {
            // It only writes.
            let _ = thread.join();
        }
        self.aside(|| ());
    }
}
