//! One line of the benchmarks.

use std::fmt;

use serde_json::{Value, json};

use super::clock::Times;

/// What became of one measurement.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// The answer was right, and this is the time.
    Measured(Times),
    /// The answer was wrong, or a launch failed.
    Failed(String),
    /// It was not tried.
    Skipped(String),
}

/// Work, by whom it was done, and how long it took.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// What was done: `reduce`.
    pub work: String,
    /// By whom: crate and kernel, or `CUB DeviceReduce`.
    pub by: String,
    /// Elements, or the width of a square of them.
    pub size: usize,
    /// Bytes that have to be read and written, once each.
    pub bytes: u64,
    /// Operations on floats; 0: not counted.
    pub operations: u64,
    /// The time.
    pub outcome: Outcome,
}

impl Row {
    pub(super) fn failed(work: &str, by: &str, size: usize, why: &str) -> Row {
        Row::new(work, by, size, Outcome::Failed(why.to_owned()))
    }

    pub(super) fn skipped(work: &str, by: &str, size: usize, why: &str) -> Row {
        Row::new(work, by, size, Outcome::Skipped(why.to_owned()))
    }

    fn new(work: &str, by: &str, size: usize, outcome: Outcome) -> Row {
        Row {
            work: work.to_owned(),
            by: by.to_owned(),
            size,
            bytes: 0,
            operations: 0,
            outcome,
        }
    }

    /// The time, if it was measured.
    pub fn times(&self) -> Option<&Times> {
        match &self.outcome {
            Outcome::Measured(times) => Some(times),
            Outcome::Failed(_) | Outcome::Skipped(_) => None,
        }
    }

    /// Bytes a second.
    pub fn bytes_per_second(&self) -> Option<f64> {
        self.times().map(|times| self.bytes as f64 / times.median)
    }

    /// Operations on floats a second, where they are counted.
    pub fn operations_per_second(&self) -> Option<f64> {
        self.times()
            .filter(|_| self.operations > 0)
            .map(|times| self.operations as f64 / times.median)
    }

    /// `work`, `by`, `size`, `bytes`, `operations`; and `seconds` (median, least, most),
    /// `measurements`, `launches` and `with_host`, or `failed`, or `skipped`.
    pub(super) fn json(&self) -> Value {
        let Row {
            work,
            by,
            size,
            bytes,
            operations,
            outcome,
        } = self;
        let mut row = json!({ "work": work, "by": by, "size": size, "bytes": bytes, "operations": operations });
        match outcome {
            Outcome::Measured(times) => {
                row["seconds"] =
                    json!({ "median": times.median, "least": times.least, "most": times.most });
                row["measurements"] = times.measurements.into();
                row["launches"] = times.launches.into();
                row["with_host"] = times.with_host.into();
            }
            Outcome::Failed(why) => row["failed"] = why.as_str().into(),
            Outcome::Skipped(why) => row["skipped"] = why.as_str().into(),
        }
        row
    }
}

/// A size as people read it: powers of two from 2^20 on as such.
pub(super) struct Size(pub(super) usize);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Size(n) = *self;
        if n.is_power_of_two() && n >= 1 << 20 {
            f.pad(&format!("2^{}", n.ilog2()))
        } else {
            f.pad(&n.to_string())
        }
    }
}
