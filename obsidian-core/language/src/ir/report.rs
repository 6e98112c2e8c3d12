//! What a thread tells the user.

use crate::error::Origin;
use crate::scalar::NodeId;

/// What a thread tells the user.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// What it is.
    pub kind: ReportKind,
    /// The user's words.
    pub text: String,
    /// The values that belong to it.
    pub values: Vec<NodeId>,
    /// Where it was asked for.
    pub origin: Origin,
}

/// What a report is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReportKind {
    /// Values to look at: simulator and CUDA print them, and the CPU does not.
    Shown,
    /// An assertion that does not hold: an error of the launch.
    Failed,
}

impl Report {
    /// What a thread says whose assertion does not hold: that, or in Rust's words what a function of the device would have panicked with.
    pub fn failed(text: &str) -> String {
        let of_rust = ["attempt to ", "index out of bounds", "assertion failed"];
        match of_rust.iter().any(|words| text.starts_with(words)) {
            true => text.to_owned(),
            false => format!("an assertion does not hold: {text}"),
        }
    }
}

impl ReportKind {
    /// Both.
    pub(crate) const ALL: [ReportKind; 2] = [ReportKind::Shown, ReportKind::Failed];

    /// Its word in a kernel's text.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            ReportKind::Shown => "shown",
            ReportKind::Failed => "failed",
        }
    }
}
