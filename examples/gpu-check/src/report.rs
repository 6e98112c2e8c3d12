//! What a run has found, as a table for people and as JSON for programs.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Value, json};

use crate::checks::Check;

/// What became of a case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judged {
    /// The result is that of the reference.
    Right,
    /// It is not, or a launch has failed.
    Wrong(String),
    /// It was not run, and why.
    NotRun(String),
}

/// One launch, or the few of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The name of the check.
    pub check: &'static str,
    /// Its length: elements, or what the check makes of it. None: the check as a whole.
    pub length: Option<usize>,
    /// Real threads per block; none: the kernels' own numbers.
    pub threads: Option<u32>,
    /// What became of it.
    pub judged: Judged,
}

impl Case {
    /// A check with a number of threads, of which no case is known.
    pub(crate) fn whole(check: &'static str, threads: Option<u32>, judged: Judged) -> Case {
        Case {
            check,
            length: None,
            threads,
            judged,
        }
    }

    /// Returns `true` if the result is wrong, or a launch has failed.
    pub fn is_wrong(&self) -> bool {
        matches!(self.judged, Judged::Wrong(_))
    }

    fn json(&self) -> Value {
        let (wrong, not_run) = match &self.judged {
            Judged::Right => (None, None),
            Judged::Wrong(why) => (Some(why), None),
            Judged::NotRun(why) => (None, Some(why)),
        };
        json!({ "check": self.check, "length": self.length, "threads": self.threads, "wrong": wrong, "not_run": not_run })
    }

    fn read(check: &'static str, value: &Value) -> Option<Case> {
        let words = |field: &str| value.get(field).and_then(Value::as_str).map(str::to_owned);
        let number = |field: &str| value.get(field).and_then(Value::as_u64);
        let judged = match (words("wrong"), words("not_run")) {
            (Some(why), _) => Judged::Wrong(why),
            (None, Some(why)) => Judged::NotRun(why),
            (None, None) => Judged::Right,
        };
        Some(Case {
            check,
            length: number("length").and_then(|n| usize::try_from(n).ok()),
            threads: number("threads").and_then(|n| u32::try_from(n).ok()),
            judged,
        })
    }
}

/// The cases of a check as a line.
pub(crate) fn line(cases: &[Case]) -> String {
    Value::from(cases.iter().map(Case::json).collect::<Vec<_>>()).to_string()
}

/// The cases of a line.
pub(crate) fn read(check: &Check, line: &str) -> Option<Vec<Case>> {
    let value: Value = serde_json::from_str(line).ok()?;
    value
        .as_array()?
        .iter()
        .map(|case| Case::read(check.name, case))
        .collect()
}

/// All cases of a run.
#[derive(Clone, Debug)]
pub struct Report {
    /// The name of the device.
    pub device: String,
    /// In the order in which they ran.
    pub cases: Vec<Case>,
    /// The check that runs; none: all have run.
    pub running: Option<&'static str>,
}

impl Report {
    /// Nothing yet.
    pub fn of(device: &str) -> Report {
        Report {
            device: device.to_owned(),
            cases: Vec::new(),
            running: None,
        }
    }

    /// The number of cases that are wrong.
    pub fn wrong(&self) -> usize {
        self.cases.iter().filter(|case| case.is_wrong()).count()
    }

    /// The number of cases that were not run.
    pub fn not_run(&self) -> usize {
        let not_run = |case: &&Case| matches!(case.judged, Judged::NotRun(_));
        self.cases.iter().filter(not_run).count()
    }

    /// `device`, `cases`, `wrong` and `not_run` as numbers of cases, `finished` (and if not,
    /// `running`), and `results`: for each case `check`, `length` (null: all lengths),
    /// `threads` (null: the kernels' own), `wrong` (null: nothing) and `not_run` (null: it was).
    pub fn json(&self) -> Value {
        let results: Vec<Value> = self.cases.iter().map(Case::json).collect();
        json!({
            "device": self.device,
            "cases": self.cases.len(),
            "wrong": self.wrong(),
            "not_run": self.not_run(),
            "finished": self.running.is_none(),
            "running": self.running,
            "results": results,
        })
    }
}

/// A line for each check, and one for each case that is wrong or was not run.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows: BTreeMap<&str, (usize, usize, usize)> = BTreeMap::new();
        for case in &self.cases {
            let row = rows.entry(case.check).or_default();
            *row = (
                row.0 + 1,
                row.1 + usize::from(case.is_wrong()),
                row.2.max(case.length.unwrap_or(0)),
            );
        }
        writeln!(
            f,
            "{:<36} {:>6} {:>6} {:>9}",
            "check", "cases", "wrong", "longest"
        )?;
        for (check, (cases, wrong, longest)) in rows {
            writeln!(f, "{check:<36} {cases:>6} {wrong:>6} {longest:>9}")?;
        }
        for case in &self.cases {
            let (what, why) = match &case.judged {
                Judged::Right => continue,
                Judged::Wrong(why) => ("wrong", why),
                Judged::NotRun(why) => ("not run", why),
            };
            let threads = case.threads.map_or_else(
                || "its own number of".to_owned(),
                |threads| threads.to_string(),
            );
            let of = case
                .length
                .map_or_else(String::new, |length| format!(" of {length}"));
            writeln!(
                f,
                "{what}: {}{of} with {threads} threads: {why}",
                case.check
            )?;
        }
        let not_run = match self.not_run() {
            0 => String::new(),
            n => format!(", {n} not run"),
        };
        write!(
            f,
            "{} cases on {}, {} wrong{not_run}",
            self.cases.len(),
            self.device,
            self.wrong()
        )
    }
}
