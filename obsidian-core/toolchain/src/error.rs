//! What can go wrong with a compiler.

use std::fmt;

/// The kinds of [`Error`].
///
/// ```
/// use obsidian_toolchain::{ErrorKind, Nvcc}; // also `obsidian_rt::compile::CompilerErrorKind`
///
/// let error = Nvcc::at("no such compiler").version().unwrap_err();
/// assert_ne!(error.kind(), ErrorKind::Crashed);
/// ```
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
///
/// ```
/// use obsidian_toolchain::Nvcc;
///
/// let error = Nvcc::at("no such compiler").version().unwrap_err();
/// println!("{error}");
/// assert_eq!(error.words(), "");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    words: String,
}

impl Error {
    /// An error of which the compiler has said nothing. For crates that bring another compiler.
    ///
    /// ```
    /// use obsidian_toolchain::{Error, ErrorKind};
    ///
    /// assert_eq!(Error::new(ErrorKind::Missing, "it is not there").kind(), ErrorKind::Missing);
    /// ```
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error {
            kind,
            message: message.into(),
            words: String::new(),
        }
    }

    /// The same, with what the compiler printed.
    ///
    /// ```
    /// use obsidian_toolchain::{Error, ErrorKind};
    ///
    /// let error = Error::new(ErrorKind::Missing, "it is not there").with_words("not found");
    /// assert_eq!(error.words(), "not found");
    /// ```
    #[must_use]
    pub fn with_words(mut self, words: impl Into<String>) -> Self {
        self.words = words.into();
        self
    }

    /// The same, whose compiler calls the text by another name.
    #[doc(hidden)]
    #[must_use]
    pub fn renamed(mut self, from: &str, to: &str) -> Self {
        self.words = self.words.replace(from, to);
        self
    }

    /// What kind of thing went wrong.
    ///
    /// ```
    /// use obsidian_toolchain::{Error, ErrorKind};
    ///
    /// assert_eq!(Error::new(ErrorKind::Version, "no version").kind(), ErrorKind::Version);
    /// ```
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What the compiler printed, its middle left out where it is long; empty if it printed
    /// nothing.
    ///
    /// ```
    /// use obsidian_toolchain::{Error, ErrorKind};
    ///
    /// assert_eq!(Error::new(ErrorKind::Version, "no version").words(), "");
    /// ```
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
