//! Work that may panic or never end, done where neither does harm.
//!
//! Each piece runs on a thread of its worker. A panic is caught there. A piece that takes too long
//! is *abandoned*: Rust has no way to stop a thread, so it goes on by itself until it ends or the
//! process does, its result is thrown away, and a new thread takes its place. It keeps its memory,
//! and a core if it computes; the simulator ends a loop after 2^24 rounds, so that what is
//! abandoned there does come to an end. A process that must have the core back can be ended and
//! started again: the results so far are in the file.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use crate::backend::panic_message;

/// The stack of a worker: recursion of kernel functions is deep. It is reserved, and used only as
/// far as it is touched.
const STACK: usize = 64 << 20;

type Task = Box<dyn FnOnce() + Send>;

/// A worker that can be replaced.
#[derive(Default)]
pub(super) struct Guard {
    worker: Option<Sender<Task>>,
}

/// Why a piece of work has no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Lost {
    /// It panicked, with these words.
    Panic(String),
    /// It took longer than it may.
    TimeOut(Duration),
    /// There was no thread for it.
    NoThread(String),
}

impl Guard {
    /// Does a piece of work, for at most so long.
    pub(super) fn call<T: Send + 'static>(
        &mut self,
        limit: Duration,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Lost> {
        let (give, take): (Sender<thread::Result<T>>, Receiver<_>) = channel();
        let task: Task = Box::new(move || {
            // Nobody listens any more if it was abandoned.
            let _ = give.send(catch_unwind(AssertUnwindSafe(work)));
        });
        self.hand_over(task)?;
        match take.recv_timeout(limit) {
            Ok(Ok(result)) => Ok(result),
            Ok(Err(payload)) => {
                let words = panic_message(&*payload).to_owned();
                // Dropping what was thrown may panic too; what that throws is dropped never.
                if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
                    std::mem::forget(again);
                }
                Err(Lost::Panic(words))
            }
            Err(RecvTimeoutError::Timeout) => {
                self.worker = None;
                Err(Lost::TimeOut(limit))
            }
            Err(RecvTimeoutError::Disconnected) => {
                self.worker = None;
                Err(Lost::NoThread(
                    "the thread of the worker has ended".to_owned(),
                ))
            }
        }
    }

    fn hand_over(&mut self, task: Task) -> Result<(), Lost> {
        let worker = match self.worker.take() {
            Some(worker) => worker,
            None => start()?,
        };
        let sent = worker
            .send(task)
            .map_err(|_| Lost::NoThread("the thread of the worker has ended".to_owned()));
        self.worker = Some(worker);
        sent
    }
}

fn start() -> Result<Sender<Task>, Lost> {
    let (worker, tasks) = channel::<Task>();
    let run = move || tasks.into_iter().for_each(|task| task());
    let started = thread::Builder::new()
        .name("obsidian-explore".to_owned())
        .stack_size(STACK)
        .spawn(run);
    started
        .map(|_| worker)
        .map_err(|error| Lost::NoThread(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Duration = Duration::from_millis(50);
    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn what_is_thrown_may_panic_when_it_is_dropped() {
        struct Bomb;
        impl Drop for Bomb {
            fn drop(&mut self) {
                std::panic::panic_any(Bomb);
            }
        }
        let mut guard = Guard::default();
        let thrown = guard.call(LONG, || std::panic::panic_any(Bomb));
        assert!(matches!(thrown, Err(Lost::Panic(_))), "{thrown:?}");
        assert_eq!(guard.call(LONG, || 3), Ok(3));
    }

    #[test]
    fn a_worker_outlives_panics_and_what_never_ends() {
        let mut guard = Guard::default();
        assert_eq!(guard.call(LONG, || 1), Ok(1));
        assert_eq!(
            guard.call(LONG, || -> u8 { panic!("no {}", 2) }),
            Err(Lost::Panic("no 2".to_owned()))
        );
        // Asleep, so that the test takes no core from the others.
        assert_eq!(
            guard.call(SHORT, || thread::sleep(LONG)),
            Err(Lost::TimeOut(SHORT))
        );
        assert_eq!(guard.call(LONG, || 3), Ok(3));
    }
}
