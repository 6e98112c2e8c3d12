//! Worker processes: a candidate that aborts, overflows its stack, never ends or takes the device with it costs one process, and not the
//! exploration.
//!
//! The program starts itself again, with an environment variable and a socket in place of the standard input. The new process goes the same
//! way until it calls [`Explore::run`](super::Explore::run), and there it serves requests instead of exploring: try these points, let this one do
//! the whole job, give that one's text. Isolated explorations that the program ran before, on the same thread, are not run again:
//! the worker is told what they found.
//!
//! A worker that ends is started again, and what it has not answered is asked again. If it died with one request under way, that is the one that
//! killed it; if there were several, each is asked alone until it is known which.
//!
//! | file | what it does |
//! |---|---|
//! | `mod` | who a process is, and what both sides say |
//! | `parent` | starts workers, asks, and finds out who is to blame |
//! | `worker` | answers |

mod parent;
mod words;
mod worker;

pub(super) use parent::Workers;
pub(super) use worker::serve;

use std::cell::RefCell;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::OnceLock;

use serde_json::Value as Json;

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
    Explorer(Workers),
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

/// What this process is to do, by the words of the environment; `arguments` are those of a worker.
pub(super) fn role(
    points: &Points,
    identity: u64,
    arguments: &[std::ffi::OsString],
    workers: usize,
) -> Result<Role> {
    let place = EARLIER.with_borrow(Vec::len);
    let Some(connection) = connection()? else {
        let earlier = EARLIER.with_borrow(Clone::clone);
        return Ok(Role::Explorer(Workers::new(
            arguments, place, identity, earlier, workers,
        )));
    };
    if place < connection.place {
        let told = connection.earlier.get(place).cloned().unwrap_or_default();
        let explored = words::explored(&told, points).map_err(internal)?;
        EARLIER.with_borrow_mut(|earlier| earlier.push(told));
        return Ok(Role::Told(Box::new(explored)));
    }
    if connection.identity != identity {
        let message = "the worker process has come to another exploration than the program that started it: until `Explore::run` the program has to do \
                       the same each time";
        return Err(internal(message));
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
        let word = word.to_string_lossy().into_owned();
        let parts = word.split_once(':');
        let (place, identity) = parts
            .and_then(|(place, identity)| {
                Some((place.parse().ok()?, u64::from_str_radix(identity, 16).ok()?))
            })
            .ok_or_else(|| format!("{VARIABLE} is `{word}`, which no exploration sets"))?;
        let stdin = std::io::stdin().as_fd().try_clone_to_owned();
        let socket = UnixStream::from(stdin.map_err(|error| error.to_string())?);
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

/// Keeps what an exploration has found, for workers of later ones; nothing of one that ended with an error.
pub(super) fn remember(explored: Option<&Explored>, points: &Points) {
    let told = explored.map_or(Json::Null, |explored| words::of_explored(explored, points));
    EARLIER.with_borrow_mut(|earlier| earlier.push(told));
}
