//! What can go wrong with a text.

use std::fmt;

/// Why a text could not be run, or what is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The compiler does not take it: what it says.
    Text(String),
    /// The kernel did what it may not do: what, and where.
    Fault {
        /// The line of the text, where it is known.
        line: Option<u32>,
        /// In words.
        message: String,
    },
    /// The executor itself could not work.
    Executor(String),
}

impl Failure {
    /// A mistake as the program reports it: in its own words, or a report of AddressSanitizer.
    pub(crate) fn fault(said: &str) -> Self {
        match said.split_once("ERROR: AddressSanitizer: ") {
            None => {
                let line = said.strip_prefix("line ").and_then(leading_number);
                Failure::Fault {
                    line,
                    message: said.to_owned(),
                }
            }
            Some((place, report)) => {
                let line = report
                    .split_once(".cu:")
                    .and_then(|(_, rest)| leading_number(rest));
                Failure::Fault {
                    line,
                    message: sanitizer_message(line, place, report),
                }
            }
        }
    }

    pub(crate) fn executor(what: impl fmt::Display) -> Self {
        Failure::Executor(what.to_string())
    }
}

fn leading_number(text: &str) -> Option<u32> {
    text.split(|c: char| !c.is_ascii_digit())
        .next()?
        .parse()
        .ok()
}

/// The lines of a report that say what was done and where that is.
fn sanitizer_message(line: Option<u32>, place: &str, report: &str) -> String {
    let kind = report.split([' ', '\n']).next().unwrap_or_default();
    let says = |words: &[&str]| {
        report
            .lines()
            .find(|line| words.iter().any(|word| line.contains(word)))
            .map(str::trim)
    };
    let access =
        says(&["READ of size", "WRITE of size"]).and_then(|line| line.split(" at ").next());
    let location = says(&["is located"])
        .and_then(|line| line.split_once(' '))
        .map(|(_, rest)| rest);
    let line = line
        .map(|line| format!("line {line}, "))
        .unwrap_or_default();
    let details: String = [access, location]
        .into_iter()
        .flatten()
        .map(|part| format!("; {part}"))
        .collect();
    format!("{line}{place}AddressSanitizer: {kind}{details}")
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Text(said) => write!(f, "the CUDA text does not compile:\n{said}"),
            Failure::Fault { message, .. } => f.write_str(message),
            Failure::Executor(what) => write!(f, "the executor does not work: {what}"),
        }
    }
}

impl std::error::Error for Failure {}
