//! The same work by others: CUB, and the steps of Harris's reduction, in a CUDA program that the
//! nvcc of this machine compiles.
//!
//! The program is a process of its own, which is given the time that is left, and killed when that
//! is over.

mod program;

use std::time::{Duration, Instant};

use obsidian_rt::compile::{CompilerError, Nvcc};
use obsidian_rt::prelude::*;

use super::clock::Times;
use super::row::{Outcome, Row};
use program::run;

/// The seven steps.
pub const HARRIS: &str = include_str!("harris.cu");

/// The program, which has the steps in front of it.
const COMPARE: &str = include_str!("compare.cu");

/// The threads of a block that the steps are written for.
pub const THREADS: u32 = 256;

/// The longest that nvcc may take.
const COMPILING: Duration = Duration::from_secs(150);

/// The program's CUDA text.
pub fn text() -> String {
    format!("#line 1 \"harris.cu\"\n{HARRIS}#line 1 \"compare.cu\"\n{COMPARE}")
}

/// Compiles the program for an architecture such as `sm_90`, in the system's folder for temporary
/// files, and gives its bytes.
///
/// # Errors
/// What nvcc reports, and a toolkit without CUB.
pub fn compile(
    nvcc: &Nvcc,
    architecture: &str,
    options: &[&str],
) -> Result<Vec<u8>, CompilerError> {
    let options = [&["-std=c++17", "-O3"], options].concat();
    nvcc.program(
        "compare.cu",
        &text(),
        architecture,
        &options,
        &std::env::temp_dir(),
    )
}

/// Measures others on a GPU, each for `each`, all in `limit`. In words why not.
pub(super) fn compare(
    device: &Device,
    lengths: &[usize],
    each: Duration,
    limit: Duration,
) -> Result<Vec<Row>, String> {
    let start = Instant::now();
    let (Some(properties), Some(number)) =
        (device.properties(), device.name().strip_prefix("cuda:"))
    else {
        return Err(format!("`{}` is no GPU", device.name()));
    };
    let found = Nvcc::find().map_err(|error| error.to_string())?;
    let nvcc = found
        .ok_or("there is no nvcc here; OBSIDIAN_NVCC names one")?
        .with_limit(COMPILING.min(limit));
    let (major, minor) = properties.compute_capability;
    let bytes =
        compile(&nvcc, &format!("sm_{major}{minor}"), &[]).map_err(|error| error.to_string())?;
    let words = [number.to_owned(), each.as_secs_f64().to_string()]
        .into_iter()
        .chain(lengths.iter().map(usize::to_string));
    let ended = run(&bytes, words, limit.saturating_sub(start.elapsed()))
        .map_err(|error| format!("the program cannot be run: {error}"))?;
    let rows = rows(&ended.printed);
    match ended.why {
        None => Ok(rows),
        // What was measured before it ended counts.
        Some(why) => {
            let row = if ended.was_killed {
                Row::skipped
            } else {
                Row::failed
            };
            Ok([rows, vec![row("comparison", "CUB and Harris", 0, &why)]].concat())
        }
    }
}

/// What the program has printed, a row a line.
fn rows(printed: &str) -> Vec<Row> {
    let read = |line: &str| {
        row(line).unwrap_or_else(|| {
            Row::failed(
                "comparison",
                "CUB and Harris",
                0,
                &format!("it has printed `{line}`"),
            )
        })
    };
    printed
        .lines()
        .filter(|line| !line.is_empty())
        .map(read)
        .collect()
}

fn row(line: &str) -> Option<Row> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [
        work,
        by,
        size,
        bytes,
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
    } else {
        Outcome::Failed(verdict.to_owned())
    };
    let (size, bytes) = (size.parse().ok()?, bytes.parse().ok()?);
    Some(Row {
        work: work.to_owned(),
        by: by.to_owned(),
        size,
        bytes,
        operations: 0,
        outcome,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_rows() {
        let printed = "reduce\tHarris 3\t8192\t32768\t2e-06\t1.5e-06\t4e-06\t50\t16\t0\tright\n\
                       scan\tCUB DeviceScan\t8192\t65536\t2e-06\t1.5e-06\t4e-06\t50\t16\t1\telement 7 is 1, and it should be 2\n\
                       what is this\n";
        let rows = rows(printed);
        let times = Times {
            median: 2e-6,
            least: 1.5e-6,
            most: 4e-6,
            measurements: 50,
            launches: 16,
            with_host: false,
        };
        assert_eq!(
            (rows[0].by.as_str(), rows[0].size, &rows[0].outcome),
            ("Harris 3", 8192, &Outcome::Measured(times))
        );
        assert_eq!(
            rows[1].outcome,
            Outcome::Failed("element 7 is 1, and it should be 2".to_owned())
        );
        assert_eq!(
            rows[2].outcome,
            Outcome::Failed("it has printed `what is this`".to_owned())
        );
    }

    #[test]
    fn what_is_no_gpu_is_not_compared() {
        let said = compare(&Device::cpu(), &[512], Duration::ZERO, Duration::ZERO);
        assert_eq!(said, Err("`cpu` is no GPU".to_owned()));
    }
}
