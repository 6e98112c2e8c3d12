//! The benchmarks as a table.

use std::fmt;

use super::row::{Outcome, Row, Size};
use super::{Benchmarks, Times};

/// A line for each row, with its share of the ceilings.
impl fmt::Display for Benchmarks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heads = [
            "size",
            "median ms",
            "least",
            "most",
            "GB/s",
            "% copy",
            "Gop/s",
            "% arith.",
        ];
        write!(f, "{:<13} {:<28}", "work", "by")?;
        heads.iter().try_for_each(|head| write!(f, " {head:>10}"))?;
        writeln!(f)?;
        let mut rows: Vec<&Row> = self.rows.iter().collect();
        rows.sort_by(|a, b| (&a.work, a.size).cmp(&(&b.work, b.size)));
        for row in rows {
            let Row {
                work,
                by,
                size,
                outcome,
                ..
            } = row;
            write!(f, "{work:<13} {by:<28} {:>10}", Size(*size))?;
            match outcome {
                Outcome::Measured(times) => self.figures(f, row, times)?,
                Outcome::Failed(why) => write!(f, " failed: {why}")?,
                Outcome::NotRun(why) => write!(f, " not run: {why}")?,
            }
            writeln!(f)?;
        }
        if let Some(copy) = self.copied() {
            writeln!(
                f,
                "% copy: of {} at {}; % arith.: of gpu-check: arithmetic",
                copy.by,
                Size(copy.size)
            )?;
        }
        self.notes
            .iter()
            .try_for_each(|note| writeln!(f, "{note}"))?;
        if self.gpu.is_some()
            && self
                .rows
                .iter()
                .filter_map(Row::times)
                .any(|times| times.with_host)
        {
            writeln!(
                f,
                "h: the host was slower than the GPU, and its time is in the figure"
            )?;
        }
        write!(
            f,
            "{} results, {} failed, {} not run: {}",
            self.rows.len(),
            self.failed(),
            self.not_run(),
            self.of()
        )
    }
}

impl Benchmarks {
    fn figures(&self, f: &mut fmt::Formatter<'_>, row: &Row, times: &Times) -> fmt::Result {
        for seconds in [times.median, times.least, times.most] {
            write!(f, " {:>10.4}", seconds * 1e3)?;
        }
        let (bytes, operations) = (row.bytes_per_second(), row.operations_per_second());
        let part = |of: Option<f64>, ceiling: Option<f64>| Some(100.0 * of? / ceiling?);
        let giga = |x: Option<f64>| x.map(|x| x / 1e9);
        for figure in [
            giga(bytes),
            part(bytes, self.copied().and_then(Row::bytes_per_second)),
            giga(operations),
            part(operations, self.computed()),
        ] {
            match figure {
                Some(figure) => write!(f, " {figure:>10.1}")?,
                None => write!(f, " {:>10}", "")?,
            }
        }
        if self.gpu.is_some() && times.with_host {
            write!(f, " h")
        } else {
            Ok(())
        }
    }
}
