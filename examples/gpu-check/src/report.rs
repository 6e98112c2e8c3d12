//! What a run has found, as a table for people and as JSON for programs.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Value, json};

/// One launch, or the few of a program.
#[derive(Clone, Debug)]
pub struct Case {
    /// The name of the check.
    pub check: &'static str,
    /// Its length: elements, or what the check makes of it.
    pub length: usize,
    /// Real threads per block; none: the kernels' own numbers.
    pub threads: Option<u32>,
    /// What was wrong; none: nothing.
    pub wrong: Option<String>,
}

/// All cases of a run.
#[derive(Clone, Debug)]
pub struct Report {
    /// The name of the device.
    pub device: String,
    /// In the order in which they ran.
    pub cases: Vec<Case>,
}

impl Report {
    /// The number of cases that are wrong.
    pub fn wrong(&self) -> usize {
        self.cases
            .iter()
            .filter(|case| case.wrong.is_some())
            .count()
    }

    /// `device`, `cases` and `wrong` as numbers of cases, and `results`: for each case `check`,
    /// `length`, `threads` (null: the kernels' own) and `wrong` (null: nothing).
    pub fn json(&self) -> Value {
        let case = |case: &Case| json!({ "check": case.check, "length": case.length, "threads": case.threads, "wrong": case.wrong });
        let results: Vec<Value> = self.cases.iter().map(case).collect();
        json!({ "device": self.device, "cases": self.cases.len(), "wrong": self.wrong(), "results": results })
    }
}

/// A line for each check, and one for each case that is wrong.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows: BTreeMap<&str, (usize, usize, usize)> = BTreeMap::new();
        for case in &self.cases {
            let row = rows.entry(case.check).or_default();
            *row = (
                row.0 + 1,
                row.1 + usize::from(case.wrong.is_some()),
                row.2.max(case.length),
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
            if let Some(wrong) = &case.wrong {
                let threads = case.threads.map_or_else(
                    || "its own number of".to_owned(),
                    |threads| threads.to_string(),
                );
                writeln!(
                    f,
                    "wrong: {} of {} with {threads} threads: {wrong}",
                    case.check, case.length
                )?;
            }
        }
        write!(
            f,
            "{} cases on {}, {} wrong",
            self.cases.len(),
            self.device,
            self.wrong()
        )
    }
}
