//! Runs the programs of a case, checks what they give, and times them.

use std::error::Error;
use std::fmt::Debug;
use std::time::Instant;

use obsidian_rt::prelude::*;

use crate::line::{Line, Outcome, Time};

/// The result of a check, or of a program with its check.
pub type Checked<T> = Result<T, Box<dyn Error>>;

/// A series of calls takes at least this long.
const SERIES_MS: f64 = 20.0;
/// And has at most so many of them.
const MOST_CALLS: usize = 20_000;

/// What runs, where, and what becomes of the lines.
pub struct Bench<'a> {
    /// Where the programs run.
    pub device: Device,
    /// Whether sizes are those of the table, and calls are timed. Otherwise sizes are small, and each program is called once.
    pub large: bool,
    /// Only programs whose case and layer have these words.
    pub only: Option<String>,
    /// Is called with each line, as soon as there is one.
    pub report: Box<dyn Fn(Line) + 'a>,
}

/// A case at one size.
pub struct Case<'a> {
    bench: &'a Bench<'a>,
    name: &'a str,
    size: &'a str,
}

impl Bench<'_> {
    /// A case, and its size in words where sizes are those of the table.
    pub fn case<'a>(&'a self, name: &'a str, size: &'a str) -> Case<'a> {
        Case {
            bench: self,
            name,
            size: if self.large { size } else { "small" },
        }
    }

    /// The small size or the one of the table.
    pub fn pick<T>(&self, small: T, large: T) -> T {
        if self.large { large } else { small }
    }

    /// Reports that the programs of a case could not be prepared.
    pub(crate) fn failed(&self, case: &str, why: &dyn Error) {
        let line = Line {
            case: case.into(),
            size: String::new(),
            by: "ours/all".into(),
            outcome: Outcome::Failed(why.to_string()),
        };
        (self.report)(line);
    }

    /// Calls `launch` once, and where sizes are large until the time of a call is known.
    pub fn time(&self, mut launch: impl FnMut() -> obsidian_rt::Result<()>) -> Checked<Time> {
        // Milliseconds of a series of calls and one wait.
        let mut series = |calls: usize| -> Checked<f64> {
            let start = Instant::now();
            for _ in 0..calls {
                launch()?;
            }
            self.device.synchronize()?;
            Ok(start.elapsed().as_secs_f64() * 1e3)
        };
        let first_ms = series(1)?;
        if !self.large {
            return Ok(Time {
                ms: first_ms,
                wall_ms: first_ms,
                first_ms,
                calls: 1,
            });
        }
        series(1)?;
        let wall_ms = median((0..5).map(|_| series(1)).collect::<Checked<Vec<f64>>>()?);
        let mut calls = ((SERIES_MS / wall_ms).ceil() as usize).clamp(1, MOST_CALLS);
        let mut total = series(calls)?;
        // A queued call is shorter than one that is waited for.
        while total < SERIES_MS && calls < MOST_CALLS {
            let more = (calls as f64 * (1.1 * SERIES_MS / total).max(1.3)).ceil();
            calls = (more as usize).min(MOST_CALLS);
            total = series(calls)?;
        }
        let times = if total > 400.0 { 3 } else { 5 };
        let series = (0..times).map(|_| Ok(series(calls)? / calls as f64));
        let ms = median(series.collect::<Checked<Vec<f64>>>()?);
        Ok(Time {
            ms,
            wall_ms,
            first_ms,
            calls,
        })
    }

    /// The time of one of `steps` dependent launches, which `all` queues; the median of three runs.
    pub(crate) fn steps(
        &self,
        steps: usize,
        first_ms: f64,
        mut all: impl FnMut() -> obsidian_rt::Result<()>,
    ) -> Checked<Time> {
        let mut runs = Vec::new();
        for _ in 0..3 {
            self.device.synchronize()?;
            let start = Instant::now();
            all()?;
            self.device.synchronize()?;
            runs.push(start.elapsed().as_secs_f64() * 1e3 / steps as f64);
        }
        let ms = median(runs);
        Ok(Time {
            ms,
            wall_ms: ms,
            first_ms,
            calls: steps,
        })
    }
}

impl Case<'_> {
    /// Runs one program of the case, which checks its own result, and reports the line.
    pub fn by(&self, layer: &str, program: impl FnOnce() -> Checked<Time>) {
        let name = format!("{} {layer}", self.name);
        if !self
            .bench
            .only
            .as_ref()
            .is_none_or(|words| name.contains(words.as_str()))
        {
            return;
        }
        let outcome = match program() {
            Ok(time) if self.bench.large => Outcome::Timed(time),
            Ok(_) => Outcome::Checked,
            Err(error) => Outcome::Failed(error.to_string()),
        };
        (self.bench.report)(Line {
            case: self.name.into(),
            size: self.size.into(),
            by: format!("ours/{layer}"),
            outcome,
        });
    }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Words that follow from a seed: the output of SplitMix64 (Steele, Lea and Flood, 2014).
pub(crate) fn words(count: usize, seed: u64) -> Vec<u32> {
    let word = |i: u64| {
        let mut z = (seed << 40)
            .wrapping_add(i)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 32) as u32
    };
    (1..=count as u64).map(word).collect()
}

/// Numbers from -1 to 1.
pub(crate) fn floats(count: usize, seed: u64) -> Vec<f32> {
    let scaled = |word: u32| (word >> 8) as f32 * (2.0 / 16_777_216.0) - 1.0;
    words(count, seed).into_iter().map(scaled).collect()
}

/// All places of a small array; about a thousand, and the last, of a large one.
pub(crate) fn places(count: usize) -> impl Iterator<Item = usize> {
    (0..count)
        .step_by((count / 1009).max(1))
        .chain(count.checked_sub(1))
}

/// Holds a number to the one that is wanted.
pub(crate) fn close(found: impl Into<f64>, wanted: f64, bound: f64) -> Checked<()> {
    let found = found.into();
    if (found - wanted).abs() <= bound {
        return Ok(());
    }
    Err(format!("{found} and not {wanted}").into())
}

/// Holds elements to the wanted ones, within `bound` times one more than their size.
pub(crate) fn near(found: &[f32], bound: f64, wanted: impl Fn(usize) -> f64) -> Checked<()> {
    for i in places(found.len()) {
        let wanted = wanted(i);
        close(found[i], wanted, bound * (1.0 + wanted.abs()))
            .map_err(|error| format!("element {i}: {error}"))?;
    }
    Ok(())
}

/// Holds values to equal ones.
pub(crate) fn same<T: PartialEq + Debug>(found: T, wanted: T) -> Checked<()> {
    if found == wanted {
        return Ok(());
    }
    Err(format!("{found:?} and not {wanted:?}").into())
}
