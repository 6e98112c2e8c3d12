//! What can go wrong with a compiler.

use std::fmt;

/// The kinds of [`Error`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// There is no compiler where a variable says it is.
    Missing,
    /// The compiler is there and cannot be started: it is no program, or not executable.
    CannotStart,
    /// The compiler ended itself with an error: it refuses the text or the flags.
    Refused,
    /// The compiler needs a C++ compiler of the host, and found none that it can use.
    NoHostCompiler,
    /// The compiler was ended by a signal: it crashed, or somebody killed it.
    Crashed,
    /// The compiler took longer than it may, and was killed.
    TimedOut,
    /// The compiler says that all is well, and its output is missing, empty, or no code.
    NoOutput,
    /// The disk is full.
    NoSpace,
    /// The folder for the compiler's files cannot be made or written to.
    Folder,
    /// The compiler does not say which version it is.
    Version,
}

/// A compiler that failed: a [kind](Error::kind), a message, and the compiler's own
/// [words](Error::words).
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    words: String,
}

impl Error {
    /// An error of which the compiler has said nothing. For crates that bring another compiler.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error {
            kind,
            message: message.into(),
            words: String::new(),
        }
    }

    /// The same, with what the compiler printed.
    #[must_use]
    pub fn with_words(mut self, words: impl Into<String>) -> Self {
        self.words = words.into();
        self
    }

    /// What kind of thing went wrong.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What the compiler printed, its middle left out where it is long; empty if it printed
    /// nothing.
    pub fn words(&self) -> &str {
        &self.words
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if self.words.trim().is_empty() {
            Ok(())
        } else {
            write!(f, "; it said:\n{}", self.words.trim_end())
        }
    }
}

// A build script that returns the error from `main` shows this one.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {self}", self.kind)
    }
}

impl std::error::Error for Error {}
