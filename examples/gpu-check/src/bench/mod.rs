//! How long the kernels of the examples and array programs take, beside the most that the device copies and computes,
//! and beside CUB, cuBLAS, the steps of Harris's reduction, and hand-edited steps of our own
//! kernels, where there is a GPU.
//!
//! *The method.* Every answer is held to the reference before it is timed. Inputs take turns, so
//! that no cache answers for the memory (the small ones of a quick run all lie in a GPU's cache). A
//! measurement is the time between two events of the device; launches that take less than a
//! millisecond are measured up to 16 at once, and behind a kernel that takes time, so that the
//! host's part is not in it. Medians are given, with the least and the most. Rows of ours and of
//! others alternate, each by a process of its own that waits while the other one measures, so that
//! both meet the same clocks.
//!
//! *The ceilings* are measured in the same run: `copy`, a kernel that reads and writes each element
//! of the longest array once, or the driver's own copy (`cudaMemcpy`) where the comparison has it
//! and it is faster; and `arithmetic`, multiplications and additions of f32 in registers, which are
//! not fused, as no kernel's are.
//!
//! *The time is bounded* by [`Limits`]: a row that would begin after all of the time is over is not
//! run, and says so. With [`run_apart`] a row that takes too long ends its process and no other
//! row, and so does one that loses the context of its GPU.
//!
//! On the CPU and the simulator the same is done with small sizes and a clock of the host. Those
//! figures show that it works, and no more.

mod algorithms;
mod arrays;
mod bodies;
mod ceilings;
mod clock;
pub mod comparison;
mod conditions;
mod order;
mod ours;
mod row;
mod sides;
mod table;
mod work;

use std::cmp::Ordering;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use obsidian_rt::prelude::*;
use serde_json::{Value, json};

use crate::{Extent, GRACE};
use order::{Who, order};
use sides::{Others, Ours};

pub use clock::Times;
pub use conditions::Conditions;
pub use ours::Sizes;
pub use row::{Outcome, Request, Row};
pub(crate) use sides::About;

/// How long it may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// All of it.
    pub all: Duration,
    /// The measurements of one kernel and size.
    pub each: Duration,
    /// One row with all that belongs to it, or one check, where another process does it.
    pub row: Duration,
    /// Until such a process is ready.
    pub start: Duration,
}

impl Limits {
    /// Seven minutes in all, and 0.3 seconds of measurements each; the quick way 40 seconds, and a
    /// tenth of one.
    pub fn of(extent: Extent) -> Limits {
        let (row, start) = (Duration::from_secs(60), Duration::from_secs(30));
        let (all, each) = match extent {
            Extent::Full => (Duration::from_secs(420), Duration::from_millis(300)),
            Extent::Quick | Extent::Own => (Duration::from_secs(40), Duration::from_millis(100)),
        };
        Limits {
            all,
            each,
            row,
            start,
        }
    }
}

/// What is to be measured, and how.
#[derive(Clone, Debug)]
pub struct How {
    /// The sizes; what is no real GPU takes the quick ones.
    pub extent: Extent,
    /// The time.
    pub limits: Limits,
    /// The program of the comparison; none, or one that does not start: nvcc compiles it.
    pub compare: Option<PathBuf>,
}

/// The model of the driver for tests, which runs kernels on the CPU.
const FOR_TESTS: &str = "A device for tests";

/// How far apart two questions about the state of a GPU are at least.
const PAUSE: Duration = Duration::from_secs(15);

/// All that was measured on a device.
#[derive(Clone, Debug)]
pub struct Benchmarks {
    /// The device: `cuda:0`.
    pub device: String,
    /// Its model.
    pub model: String,
    /// What was asked of the driver: its release of CUDA, the GPU's compute capability,
    /// multiprocessors. None: no GPU.
    pub gpu: Option<Gpu>,
    /// Each kernel at each size, in the order in which they were measured.
    pub rows: Vec<Row>,
    /// The state of the GPU, from the beginning to the end.
    pub conditions: Vec<Conditions>,
    /// What was left out, and why.
    pub notes: Vec<String>,
    /// The row that is being measured; none: it is finished.
    pub running: Option<Request>,
}

/// What a GPU is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gpu {
    /// The newest release of CUDA that the driver is for: 13000 for 13.0.
    pub driver: u32,
    /// (9, 0) is `sm_90`.
    pub compute_capability: (u32, u32),
    /// How many multiprocessors there are.
    pub multiprocessors: u32,
    /// Bytes of memory.
    pub memory: u64,
}

/// Measures everything on a device, in this process but for others' rows. `after` sees what there
/// is before each row.
///
/// # Errors
/// What keeps anything from being measured; a launch that fails is a row that says so.
pub fn run(
    device: &Device,
    how: &How,
    progress: impl FnMut(&Benchmarks),
) -> Result<Benchmarks, Error> {
    Ok(go(Ours::here(device, how.limits.each)?, how, progress))
}

/// Measures everything on the device that `OBSIDIAN_DEVICE` names, or the best there is, by
/// processes that are killed when they hang: this program itself, started with `--serve`. Whatever
/// happens is a row.
pub fn run_apart(how: &How, progress: impl FnMut(&Benchmarks)) -> Benchmarks {
    go(Ours::there(how), how, progress)
}

fn go(mut ours: Ours, how: &How, mut progress: impl FnMut(&Benchmarks)) -> Benchmarks {
    let start = Instant::now();
    let mut found = Benchmarks::nothing();
    let about = match ours.about() {
        Ok(about) => about,
        Err(why) => {
            found.notes.push(format!("ours cannot be measured: {why}"));
            About::nothing()
        }
    };
    found.device = about.device.clone();
    found.model = about.model.clone();
    found.gpu = about.gpu;
    let real = about.gpu.is_some() && about.model != FOR_TESTS;
    let full = how.extent == Extent::Full && (real || about == About::nothing());
    let sizes = if full { Sizes::FULL } else { Sizes::QUICK };
    let mut others = Others::new(how, &about);
    let with_others = about.gpu.is_some();
    if !with_others {
        let why = format!("CUB and others are not run: `{}` is no GPU", about.device);
        found.notes.push(why);
    }
    let mut asked = None;
    for (who, request) in order(&sizes, with_others) {
        found.look_at(&mut asked, start, real);
        found.running = Some(request.clone());
        progress(&found);
        let left = how.limits.all.saturating_sub(start.elapsed());
        let row = match who {
            _ if left.is_zero() => request.row(Outcome::NotRun("the time was over".to_owned())),
            Who::Ours => ours.measure(&request, left + GRACE),
            Who::Others => others.measure(&request, left + GRACE),
        };
        found.rows.push(row);
    }
    asked = None;
    found.look_at(&mut asked, start, real);
    found.running = None;
    progress(&found);
    found
}

/// The line that answers a request for a row; none: it is not one.
pub(crate) fn answered(device: &Device, each: Duration, request: &str) -> Option<String> {
    let request = Request::read(request)?;
    let row = match clock::Clock::new(device) {
        Ok(mut clock) => ours::measured(&mut clock, device, &request, each),
        Err(error) => request.row(Outcome::Failed(error.to_string())),
    };
    Some(row.line())
}

impl Benchmarks {
    fn nothing() -> Benchmarks {
        Benchmarks {
            device: String::new(),
            model: String::new(),
            gpu: None,
            rows: Vec::new(),
            conditions: Vec::new(),
            notes: Vec::new(),
            running: None,
        }
    }

    /// Asks for the state of a real GPU, unless that was done a moment ago. One that does not tell
    /// is asked once.
    fn look_at(&mut self, asked: &mut Option<Instant>, start: Instant, real: bool) {
        if !real || asked.is_some_and(|last| last.elapsed() < PAUSE) {
            return;
        }
        let untold = "no clocks and no temperature";
        if self.notes.iter().any(|note| note.starts_with(untold)) {
            return;
        }
        *asked = Some(Instant::now());
        let number = self.device.strip_prefix("cuda:").unwrap_or("0");
        match Conditions::of(number, start.elapsed()) {
            Ok(conditions) => self.conditions.push(conditions),
            Err(why) => self.notes.push(format!("{untold}: {why}")),
        }
    }

    /// How many have failed.
    pub fn failed(&self) -> usize {
        self.count(|outcome| matches!(outcome, Outcome::Failed(_)))
    }

    /// How many were not run.
    pub fn not_run(&self) -> usize {
        self.count(|outcome| matches!(outcome, Outcome::NotRun(_)))
    }

    fn count(&self, is: impl Fn(&Outcome) -> bool) -> usize {
        self.rows.iter().filter(|row| is(&row.outcome)).count()
    }

    /// The fastest copy of the longest array.
    pub fn copied(&self) -> Option<&Row> {
        let copies = || {
            self.rows
                .iter()
                .filter(|row| row.work == "copy" && row.times().is_some())
        };
        let longest = copies().map(|row| row.size).max()?;
        copies().filter(|row| row.size == longest).max_by(|a, b| {
            a.bytes_per_second()
                .partial_cmp(&b.bytes_per_second())
                .unwrap_or(Ordering::Equal)
        })
    }

    /// Operations on f32 a second, in registers.
    pub fn computed(&self) -> Option<f64> {
        self.rows
            .iter()
            .find(|row| row.work == "arithmetic")?
            .operations_per_second()
    }

    /// What the figures are of, in words.
    pub fn of(&self) -> String {
        match &self.gpu {
            Some(_) if self.model == FOR_TESTS => format!(
                "`{}` is a driver for tests, small sizes: they say nothing about a GPU",
                self.device
            ),
            Some(_) => format!("seconds between events of {} ({})", self.device, self.model),
            None => format!(
                "seconds of this machine's clock on `{}`, small sizes: they say nothing about a GPU",
                self.device
            ),
        }
    }

    /// `device`, `model`, `gpu`, `of`, `finished` (and if not, `running`), `ceilings`, `results`,
    /// `conditions` and `notes`.
    pub fn json(&self) -> Value {
        let gpu = self.gpu.map(|gpu| {
            let (major, minor) = gpu.compute_capability;
            json!({ "driver": gpu.driver, "compute_capability": format!("{major}.{minor}"), "multiprocessors": gpu.multiprocessors, "memory": gpu.memory })
        });
        json!({
            "device": self.device,
            "model": self.model,
            "gpu": gpu,
            "of": self.of(),
            "finished": self.running.is_none(),
            "running": self.running.as_ref().map(Request::to_string),
            "failed": self.failed(),
            "not_run": self.not_run(),
            "ceilings": {
                "copy_by": self.copied().map(|row| &row.by),
                "copy_bytes_per_second": self.copied().and_then(Row::bytes_per_second),
                "arithmetic_operations_per_second": self.computed(),
            },
            "results": self.rows.iter().map(Row::json).collect::<Vec<_>>(),
            "conditions": self.conditions.iter().map(Conditions::json).collect::<Vec<_>>(),
            "notes": self.notes,
        })
    }
}
