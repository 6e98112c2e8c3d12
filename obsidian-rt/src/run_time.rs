//! What needs the feature `run-time` and is not here without it: a call of it is a compile error that names the feature.

use crate::error::{Error, ErrorKind, Result};

/// The compiler, in a program that does not have it.
#[doc(hidden)]
#[derive(Debug)]
pub struct Absent;

/// Nothing has it.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "this builds kernels while the program runs, or looks into them: it needs the feature `run-time` of `obsidian-rt`",
    label = "not in a program without the feature `run-time`",
    note = "in Cargo.toml, give `obsidian-rt` its feature: `features = [\"run-time\"]`, or `cargo add obsidian-rt --features run-time`"
)]
pub trait RunTime<'a> {}

/// What is not here.
pub(crate) fn missing(what: &str) -> Error {
    let message = format!(
        "{what} needs the feature `run-time` of `obsidian-rt`, and this program is built without it"
    );
    Error::new(ErrorKind::NoRunTime, message)
}

/// What a function gives that nothing can call.
pub(crate) fn absent<T>() -> Result<T> {
    Err(missing("this"))
}
