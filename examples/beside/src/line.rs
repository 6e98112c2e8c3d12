//! A measurement as one line of JSON, which both programs write and the table reads.
//!
//! `{"case": "sum", "size": "2^26", "by": "ours/algorithms", "ms": 0.0978, "wall_ms": 0.1095, "first_ms": 0.2, "n": 240}`

use serde_json::{Map, Value, json};

/// The times of one program, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Time {
    /// One of many calls that are queued one behind the other: the median of five series.
    pub ms: f64,
    /// One call and the wait for its end.
    pub wall_ms: f64,
    /// The first call, in which kernels may be compiled or loaded.
    pub first_ms: f64,
    /// The calls of a series.
    pub calls: usize,
}

/// What came of one program of one case.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It is right, and was timed.
    Timed(Time),
    /// It is right at a small size.
    Checked,
    /// It was not run, or its result was wrong.
    Failed(String),
}

/// A line.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The name of the case, such as `softmax`.
    pub case: String,
    /// Its size in words, such as `4096x4096`.
    pub size: String,
    /// Who computes it: `ours/` and a layer, or a library.
    pub by: String,
    /// What came of it.
    pub outcome: Outcome,
}

impl Line {
    /// The line as JSON, without a line break.
    pub fn to_json(&self) -> String {
        let mut line = Map::new();
        let mut set = |key: &str, value: Value| line.insert(key.to_string(), value);
        set("case", json!(self.case));
        set("size", json!(self.size));
        set("by", json!(self.by));
        match &self.outcome {
            Outcome::Timed(time) => {
                set("ms", json!(time.ms));
                set("wall_ms", json!(time.wall_ms));
                set("first_ms", json!(time.first_ms));
                set("n", json!(time.calls));
            }
            Outcome::Checked => drop(set("checked", json!(true))),
            Outcome::Failed(why) => drop(set("error", json!(why))),
        }
        Value::Object(line).to_string()
    }

    /// A line that [`to_json`](Self::to_json) or `peers` wrote, or `None` of other text: a run may end in the middle of a line.
    pub fn of_json(text: &str) -> Option<Line> {
        let line: Value = serde_json::from_str(text).ok()?;
        let word = |key: &str| Some(line.get(key)?.as_str()?.to_string());
        let number = |key: &str| line.get(key).and_then(Value::as_f64);
        let outcome = match (word("error"), number("ms")) {
            (Some(why), _) => Outcome::Failed(why),
            (None, Some(ms)) => Outcome::Timed(Time {
                ms,
                wall_ms: number("wall_ms").unwrap_or(ms),
                first_ms: number("first_ms").unwrap_or(0.0),
                calls: number("n").unwrap_or(1.0) as usize,
            }),
            (None, None) => Outcome::Checked,
        };
        Some(Line {
            case: word("case")?,
            size: word("size")?,
            by: word("by")?,
            outcome,
        })
    }

    /// Whether it is of this project, and not of a peer.
    pub fn is_ours(&self) -> bool {
        self.by.starts_with("ours/")
    }
}
