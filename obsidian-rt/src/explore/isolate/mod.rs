//! Worker processes: a candidate that aborts, overflows its stack, never ends or takes the device with it costs one process, and not the
//! exploration.
//!
//! The program starts itself again, with an environment variable and a socket in place of the standard input. The new process goes the same
//! way until it calls [`Explore::run`](super::Explore::run), and there it serves requests instead of exploring: try these points, let this one do
//! the whole job, give that one's text. Isolated explorations that the program ran before, on the same thread, are not run again:
//! the worker is told what they found.
//!
//! A worker that ends is started again, and what it has not answered is asked again. If it died with one request under way, that one is asked
//! once more, alone in a new process: it is to blame if that dies too. If there were several, each is asked alone until it is known which.
//!
//! A worker says each second that it is there. One that is silent, because it was stopped say, is killed, and so is one that does not come to the
//! exploration. It has the hash of its job compared with the explorer's, so that it cannot try candidates for another one.
//!
//! | file | what it does |
//! |---|---|
//! | `mod` | who a process is, and what both sides say |
//! | `parent` | starts workers, asks, and finds out who is to blame |
//! | `printed` | keeps the last of what a worker prints |
//! | `worker` | answers |

mod parent;
mod printed;
mod words;
mod worker;

pub(super) use parent::Workers;
pub(super) use worker::serve;

use std::cell::RefCell;
use std::ffi::OsString;
use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::FileTypeExt as _;
use std::os::unix::net::UnixStream;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Duration;

use serde_json::{Value as Json, json};

use super::run::Explored;
use super::space::Points;
use crate::error::{Error, ErrorKind, Result};

/// Says to a process that it is a worker: which of the isolated explorations of its thread it serves, and the identity of that.
const VARIABLE: &str = "OBSIDIAN_EXPLORE_WORKER";

thread_local! {
    /// What the isolated explorations of this thread have found, for workers of later ones.
    static EARLIER: RefCell<Vec<Json>> = const { RefCell::new(Vec::new()) };
}

/// What a process does in an isolated exploration.
pub(super) enum Role {
    /// It explores, by workers.
    Explorer(Box<Workers>),
    /// It is a worker of a later exploration, and this is what an earlier one has found.
    Told(Box<Explored>),
    /// It serves this exploration.
    Worker(UnixStream),
}

/// The connection of a worker, with what earlier explorations have found.
struct Connection {
    socket: UnixStream,
    place: usize,
    identity: u64,
    earlier: Vec<Json>,
}

fn internal(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Internal, message)
}

/// The error for what the program has to do otherwise.
fn of_worker(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Worker, message)
}

/// The thread of a worker that explores: the first one that calls `run`.
static EXPLORING: OnceLock<ThreadId> = OnceLock::new();

/// The arguments of workers, each with the thread whose explorations they come to.
static ARGUMENTS: Mutex<Vec<(Vec<OsString>, ThreadId)>> = Mutex::new(Vec::new());

/// Workers with these arguments serve this thread. An error if they serve another one: which of the two they would come to is not known.
fn claim(arguments: &[OsString]) -> Result<()> {
    let own = thread::current().id();
    let mut claimed = ARGUMENTS.lock().unwrap_or_else(PoisonError::into_inner);
    match claimed.iter().find(|(known, _)| known == arguments) {
        Some((_, thread)) if *thread == own => Ok(()),
        Some(_) => Err(of_worker(SEVERAL_THREADS)),
        None => {
            claimed.push((arguments.to_vec(), own));
            Ok(())
        }
    }
}

const SEVERAL_THREADS: &str = "isolated explorations of several threads have the same arguments for their workers, which cannot tell which of them they \
                               belong to: in a test write `isolated_with([name, \"--exact\"])` with the name of the test, and elsewhere run all of them \
                               on one thread";

impl Connection {
    /// Tells the explorer why this process is of no use to it.
    fn refuse(&self, message: &str) -> Error {
        // If it is gone, nobody has to know.
        let _ = words::write(&mut &self.socket, &json!({ "error": message }));
        of_worker(message)
    }
}

/// What this process is to do, by the words of the environment; `arguments` are those of a worker.
pub(super) fn role(
    points: &Points,
    identity: u64,
    arguments: &[OsString],
    workers: usize,
    limit: Duration,
) -> Result<Role> {
    let place = EARLIER.with_borrow(Vec::len);
    let Some(connection) = connection()? else {
        claim(arguments)?;
        let earlier = EARLIER.with_borrow(Clone::clone);
        let word = format!("{place}:{identity:016x}");
        return Ok(Role::Explorer(Box::new(Workers::new(
            arguments, word, earlier, workers, limit,
        ))));
    };
    let own = thread::current().id();
    if *EXPLORING.get_or_init(|| own) != own {
        return Err(connection.refuse(SEVERAL_THREADS));
    }
    if place < connection.place {
        let told = connection.earlier.get(place).cloned().unwrap_or_default();
        let explored = match words::error(&told) {
            Some(error) => Err(error),
            None => words::explored(&told, points).map_err(internal),
        };
        EARLIER.with_borrow_mut(|earlier| earlier.push(told));
        return explored.map(|explored| Role::Told(Box::new(explored)));
    }
    if connection.identity != identity {
        let message = "the worker process has come to another exploration than the program that started it: until `Explore::run` the program has to do \
                       the same each time";
        return Err(connection.refuse(message));
    }
    let socket = connection.socket.try_clone();
    socket
        .map(Role::Worker)
        .map_err(|error| internal(error.to_string()))
}

/// The connection of this process, if it is a worker.
fn connection() -> Result<Option<&'static Connection>> {
    static CONNECTION: OnceLock<std::result::Result<Option<Connection>, String>> = OnceLock::new();
    let connection = CONNECTION.get_or_init(|| {
        let Some(word) = std::env::var_os(VARIABLE) else {
            return Ok(None);
        };
        let text = |error: std::io::Error| error.to_string();
        let stdin = File::from(
            std::io::stdin()
                .as_fd()
                .try_clone_to_owned()
                .map_err(text)?,
        );
        if !stdin.metadata().map_err(text)?.file_type().is_socket() {
            // It was started by a candidate, of which it has the environment.
            return Ok(None);
        }
        // What candidates start neither reads from the socket nor holds it open: the copy is closed when another program begins.
        let null = File::open("/dev/null").map_err(text)?;
        rustix::stdio::dup2_stdin(null).map_err(|error| error.to_string())?;
        let word = word.to_string_lossy().into_owned();
        let parts = word.split_once(':');
        let (place, identity) = parts
            .and_then(|(place, identity)| {
                Some((place.parse().ok()?, u64::from_str_radix(identity, 16).ok()?))
            })
            .ok_or_else(|| format!("{VARIABLE} is `{word}`, which no exploration sets"))?;
        let socket = UnixStream::from(OwnedFd::from(stdin));
        let earlier = words::read(&mut std::io::BufReader::with_capacity(1, &socket))?;
        Ok(Some(Connection {
            socket,
            place,
            identity,
            earlier: earlier.as_array().cloned().unwrap_or_default(),
        }))
    });
    connection.as_ref().map(Option::as_ref).map_err(internal)
}

/// Keeps what an exploration has found, or its error, for workers of later ones.
pub(super) fn remember(explored: &Result<Explored>, points: &Points) {
    let told = match explored {
        Ok(explored) => words::of_explored(explored, points),
        Err(error) => words::of_error(error),
    };
    EARLIER.with_borrow_mut(|earlier| earlier.push(told));
}
