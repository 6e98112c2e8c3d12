//! What can be wrong with a tuned file.

use std::fmt;

/// What is wrong with a tuned file, and on which of its lines.
///
/// ```
/// use obsidian_rt::{Tuned, TunedError};
///
/// let error: TunedError = Tuned::parse("something else").unwrap_err();
/// println!("{error}");
/// assert_eq!(error.line(), Some(1));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TunedError {
    line: Option<usize>,
    message: String,
}

impl TunedError {
    pub(super) fn at(line: usize, message: impl Into<String>) -> Self {
        TunedError {
            line: Some(line),
            message: message.into(),
        }
    }

    pub(super) fn new(message: impl Into<String>) -> Self {
        TunedError {
            line: None,
            message: message.into(),
        }
    }

    /// A tuned file was read for a kernel that is not there.
    ///
    /// ```
    /// assert_eq!(obsidian_rt::TunedError::without_variants().line(), None);
    /// ```
    pub fn without_variants() -> Self {
        TunedError::new(
            "there are no variants to choose from: give those of a kernel, by the `variants()` of its module",
        )
    }

    /// The line, from 1; none if the mistake is not on one line.
    ///
    /// ```
    /// assert_eq!(obsidian_rt::Tuned::parse("something else").unwrap_err().line(), Some(1));
    /// ```
    pub fn line(&self) -> Option<usize> {
        self.line
    }

    /// The message with the name of the file: `red.tuned:4: ..`.
    ///
    /// ```
    /// let error = obsidian_rt::Tuned::parse("something else").unwrap_err();
    /// assert!(error.in_file("sums.tuned".as_ref()).starts_with("sums.tuned:1: "));
    /// ```
    pub fn in_file(&self, file: &std::path::Path) -> String {
        let line = self.line.map(|n| format!(":{n}")).unwrap_or_default();
        format!("{}{line}: {}", file.display(), self.message)
    }
}

impl fmt::Display for TunedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for TunedError {}
