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
    /// It was not run, and why.
    NotRun(String),
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
    /// Registers of a thread; 0: nobody has asked.
    pub registers: u32,
    /// The time.
    pub outcome: Outcome,
}

/// A row that is to be measured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// What is to be done.
    pub work: String,
    /// By whom.
    pub by: String,
    /// Of which size.
    pub size: usize,
}

impl Request {
    pub(super) fn new(work: &str, by: &str, size: usize) -> Request {
        Request {
            work: work.to_owned(),
            by: by.to_owned(),
            size,
        }
    }

    /// The row of this request with an outcome that has no figures.
    pub(super) fn row(&self, outcome: Outcome) -> Row {
        Row::new(&self.work, &self.by, self.size, outcome)
    }

    /// As a line: the fields apart by tabs.
    pub(crate) fn line(&self) -> String {
        format!("{}\t{}\t{}", self.work, self.by, self.size)
    }

    /// The request of a line.
    pub(crate) fn read(line: &str) -> Option<Request> {
        let mut fields = line.split('\t');
        let (work, by, size) = (fields.next()?, fields.next()?, fields.next()?);
        Some(Request::new(work, by, size.parse().ok()?)).filter(|_| fields.next().is_none())
    }
}

/// `work: by, size`, for people.
impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.work, Size(self.size), self.by)
    }
}

impl Row {
    fn new(work: &str, by: &str, size: usize, outcome: Outcome) -> Row {
        Row {
            work: work.to_owned(),
            by: by.to_owned(),
            size,
            bytes: 0,
            operations: 0,
            registers: 0,
            outcome,
        }
    }

    /// What it answers.
    pub(super) fn request(&self) -> Request {
        Request::new(&self.work, &self.by, self.size)
    }

    /// As a line, the fields apart by tabs: work, by whom, size, bytes, operations, registers, the
    /// median, the least and the largest number of seconds, measurements, launches of one, 1 if
    /// the host's work is in the time, and `right`, `failed:` or `not run:` and why. The program of
    /// the comparison answers by such lines, too.
    pub(crate) fn line(&self) -> String {
        let none = Times {
            median: 0.0,
            least: 0.0,
            most: 0.0,
            measurements: 0,
            launches: 0,
            with_host: false,
        };
        let verdict = match &self.outcome {
            Outcome::Measured(_) => "right".to_owned(),
            Outcome::Failed(why) => format!("failed: {}", why.replace(['\n', '\t'], " ")),
            Outcome::NotRun(why) => format!("not run: {}", why.replace(['\n', '\t'], " ")),
        };
        let Times {
            median,
            least,
            most,
            measurements,
            launches,
            with_host,
        } = self.times().unwrap_or(&none);
        format!(
            "{}\t{}\t{}\t{}\t{}\t{}\t{median:e}\t{least:e}\t{most:e}\t{measurements}\t{launches}\t{}\t{verdict}",
            self.work,
            self.by,
            self.size,
            self.bytes,
            self.operations,
            self.registers,
            u8::from(*with_host)
        )
    }

    /// The row of a line.
    pub(crate) fn read(line: &str) -> Option<Row> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [
            work,
            by,
            size,
            bytes,
            operations,
            registers,
            median,
            least,
            most,
            measurements,
            launches,
            with_host,
            verdict,
        ] = fields[..]
        else {
            return None;
        };
        let times = Times {
            median: median.parse().ok()?,
            least: least.parse().ok()?,
            most: most.parse().ok()?,
            measurements: measurements.parse().ok()?,
            launches: launches.parse().ok()?,
            with_host: with_host == "1",
        };
        let outcome = if verdict == "right" {
            Outcome::Measured(times)
        } else if let Some(why) = verdict.strip_prefix("not run: ") {
            Outcome::NotRun(why.to_owned())
        } else {
            Outcome::Failed(
                verdict
                    .strip_prefix("failed: ")
                    .unwrap_or(verdict)
                    .to_owned(),
            )
        };
        Some(Row {
            bytes: bytes.parse().ok()?,
            operations: operations.parse().ok()?,
            registers: registers.parse().ok()?,
            ..Row::new(work, by, size.parse().ok()?, outcome)
        })
    }

    /// The time, if it was measured.
    pub fn times(&self) -> Option<&Times> {
        match &self.outcome {
            Outcome::Measured(times) => Some(times),
            Outcome::Failed(_) | Outcome::NotRun(_) => None,
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
    /// `measurements`, `launches` and `with_host`, or `failed`, or `not_run`. `registers`, where they
    /// were asked for.
    pub(super) fn json(&self) -> Value {
        let Row {
            work,
            by,
            size,
            bytes,
            operations,
            registers,
            outcome,
        } = self;
        let mut row = json!({ "work": work, "by": by, "size": size, "bytes": bytes, "operations": operations });
        if *registers > 0 {
            row["registers"] = (*registers).into();
        }
        match outcome {
            Outcome::Measured(times) => {
                row["seconds"] =
                    json!({ "median": times.median, "least": times.least, "most": times.most });
                row["measurements"] = times.measurements.into();
                row["launches"] = times.launches.into();
                row["with_host"] = times.with_host.into();
            }
            Outcome::Failed(why) => row["failed"] = why.as_str().into(),
            Outcome::NotRun(why) => row["not_run"] = why.as_str().into(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_requests_are_lines() {
        let times = Times {
            median: 2e-6,
            least: 1.5e-6,
            most: 4e-6,
            measurements: 50,
            launches: 16,
            with_host: true,
        };
        let row = Row {
            bytes: 32768,
            operations: 7,
            registers: 32,
            ..Row::new("reduce", "Harris 3", 8192, Outcome::Measured(times))
        };
        assert_eq!(Row::read(&row.line()), Some(row.clone()));
        let request = Request::new("reduce", "Harris 3", 8192);
        assert_eq!(Request::read(&request.line()), Some(request.clone()));
        for outcome in [
            Outcome::Failed("element 7 is 1".to_owned()),
            Outcome::NotRun("there is none".to_owned()),
        ] {
            let row = request.row(outcome);
            assert_eq!(Row::read(&row.line()), Some(row));
        }
    }

    #[test]
    fn what_the_comparison_prints_is_read() {
        let read = |verdict: &str| {
            Row::read(&format!(
                "scan\tCUB DeviceScan\t8192\t65536\t0\t0\t2e-06\t1.5e-06\t4e-06\t50\t16\t1\t{verdict}"
            ))
            .map(|row| row.outcome)
        };
        let wrong = "wrong: element 7 is 1, and it should be 2";
        assert_eq!(read(wrong), Some(Outcome::Failed(wrong.to_owned())));
        assert_eq!(
            read("failed: cudaMalloc: out of memory"),
            Some(Outcome::Failed("cudaMalloc: out of memory".to_owned()))
        );
        assert_eq!(
            read("not run: no cuBLAS"),
            Some(Outcome::NotRun("no cuBLAS".to_owned()))
        );
        assert!(read("right").is_some_and(|outcome| matches!(outcome, Outcome::Measured(_))));
        assert_eq!(Row::read("what is this"), None);
    }
}
