//! How long the kernels of the examples take, beside the most that the device copies and computes,
//! and beside CUB and the steps of Harris's reduction where there are a GPU and an nvcc.
//!
//! *The method.* Every answer is held to the reference before it is timed. Inputs take turns, so
//! that no cache answers for the memory (the small ones of a quick run all lie in a GPU's cache). A
//! measurement is the time between two events of the device; launches that take less than a
//! millisecond are measured up to 16 at once, and behind a kernel that takes time, so that the
//! host's part is not in it. Medians are given, with the least and the most.
//!
//! *The ceilings* are measured in the same run: `copy`, a kernel that reads and writes each element
//! of the longest array once, or the driver's own copy (`cudaMemcpy`) where the comparison has it
//! and it is faster; and `arithmetic`, multiplications and additions of f32 in registers, which are
//! not fused, as no kernel's are.
//!
//! *The time is bounded* by [`Limits`]: what would begin after its share of the time is over is
//! skipped, and says so; the compiler and the program of the comparison are given the rest, and
//! killed at its end. A launch that never ends is not stopped.
//!
//! On the CPU and the simulator the same is done with small sizes and a clock of the host. Those
//! figures show that it works, and no more.

mod ceilings;
mod clock;
pub mod comparison;
mod ours;
mod row;
mod table;
mod work;

use std::cmp::Ordering;
use std::time::{Duration, Instant};

use obsidian_rt::prelude::*;
use serde_json::{Value, json};

use crate::Extent;
use clock::Clock;
use work::Work;

pub use clock::Times;
pub use ours::Sizes;
pub use row::{Outcome, Row};

/// How long it may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// All of it.
    pub all: Duration,
    /// The measurements of one kernel and size.
    pub each: Duration,
}

impl Limits {
    /// Seven minutes in all, and a second each; the quick way 40 seconds, and a tenth of one.
    pub fn of(extent: Extent) -> Limits {
        match extent {
            Extent::Full => Limits {
                all: Duration::from_secs(420),
                each: Duration::from_secs(1),
            },
            Extent::Quick => Limits {
                all: Duration::from_secs(40),
                each: Duration::from_millis(100),
            },
        }
    }
}

/// The part of the time after which no more of our own work begins.
const OURS: f64 = 0.6;

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
    /// Each kernel at each size.
    pub rows: Vec<Row>,
    /// What was left out, and why.
    pub notes: Vec<String>,
}

/// What a GPU is.
#[derive(Clone, Copy, Debug)]
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

/// Measures everything. A GPU takes the sizes of the extent, all else those of a quick run.
/// `progress` is told of each work that begins.
///
/// # Errors
/// What keeps anything from being measured; a launch that fails is a row that says so.
pub fn run(
    device: &Device,
    extent: Extent,
    limits: Limits,
    mut progress: impl FnMut(&str),
) -> Result<Benchmarks, Error> {
    let start = Instant::now();
    let gpu = device.properties().map(|properties| Gpu {
        driver: properties.driver_version,
        compute_capability: properties.compute_capability,
        multiprocessors: properties.multiprocessors,
        memory: properties.memory_bytes,
    });
    let full = extent == Extent::Full && gpu.is_some();
    let (sizes, mut notes) = (if full { Sizes::FULL } else { Sizes::QUICK }, Vec::new());
    let mut clock = Clock::new(device)?;
    let mut rows = Vec::new();
    for work in ours::works(&sizes) {
        progress(&format!(
            "{} {}: {}",
            work.name,
            row::Size(work.size),
            work.by
        ));
        let over = start.elapsed() > limits.all.mul_f64(OURS);
        rows.push(if over {
            Row::skipped(work.name, work.by, work.size, "the time was over")
        } else {
            measured(&mut clock, &work, device, limits)
        });
    }
    progress("CUB, and Harris's steps");
    match comparison::compare(
        device,
        sizes.arrays,
        limits.each,
        limits.all.saturating_sub(start.elapsed()),
    ) {
        Ok(others) => rows.extend(others),
        Err(why) => notes.push(format!("CUB and Harris's steps are skipped: {why}")),
    }
    rows.sort_by(|a, b| (&a.work, a.size).cmp(&(&b.work, b.size)));
    Ok(Benchmarks {
        device: device.name().to_owned(),
        model: device.model().to_owned(),
        gpu,
        rows,
        notes,
    })
}

fn measured(clock: &mut Clock, work: &Work, device: &Device, limits: Limits) -> Row {
    let times =
        (work.prepare)(device).and_then(|mut launch| Ok(clock.measure(&mut launch, limits.each)?));
    let outcome = match times {
        Ok(times) => Outcome::Measured(times),
        Err(wrong) => Outcome::Failed(wrong.to_string()),
    };
    let Work {
        name,
        by,
        size,
        bytes,
        operations,
        ..
    } = *work;
    Row {
        work: name.to_owned(),
        by: by.to_owned(),
        size,
        bytes,
        operations,
        outcome,
    }
}

impl Benchmarks {
    /// How many have failed.
    pub fn failed(&self) -> usize {
        self.rows
            .iter()
            .filter(|row| matches!(row.outcome, Outcome::Failed(_)))
            .count()
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
            Some(_) => format!("seconds between events of {} ({})", self.device, self.model),
            None => format!(
                "seconds of this machine's clock on `{}`, small sizes: they say nothing about a GPU",
                self.device
            ),
        }
    }

    /// `device`, `model`, `gpu`, `of`, `ceilings`, `results` and `notes`.
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
            "ceilings": {
                "copy_by": self.copied().map(|row| &row.by),
                "copy_bytes_per_second": self.copied().and_then(Row::bytes_per_second),
                "arithmetic_operations_per_second": self.computed(),
            },
            "results": self.rows.iter().map(Row::json).collect::<Vec<_>>(),
            "notes": self.notes,
        })
    }
}
