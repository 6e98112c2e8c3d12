//! What is minimised: predicted seconds on a GPU that need not be there, or measured seconds on a
//! device.

use super::gpu::Gpu;
use super::hash::Hash;
use crate::device::Device;

/// The quantity that an exploration minimises.
///
/// A candidate is tried with some *effort*: for a prediction the number of blocks that the
/// simulator goes through, for a measurement the number of repeats. A search may try with less
/// effort first; what it gives in the end was tried with all of it.
///
/// ```
/// use obsidian_rt::explore::{Gpu, Objective};
///
/// let objective = Objective::predicted(Gpu::named("H100")?);
/// println!("{objective}");
/// assert_eq!(objective.effort(), 16); // blocks
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Objective {
    pub(super) kind: Kind,
    effort: u32,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// Counts of the simulator, and a model.
    Predicted(Box<Gpu>),
    /// A clock.
    Measured { device: Device, warm_up: u32 },
}

impl Objective {
    /// Seconds that the [model](super::cost) predicts for the whole job, from what the simulator counts in at most 16 blocks of each launch: the
    /// first, the last, and some between them. It runs four of them first; if the two inside of the grid have the same counts, these
    /// stand for all.
    ///
    /// What these blocks write of the answer is compared with the job's. Launches that others read are computed as a whole, on the CPU. The best
    /// candidates are computed as a whole before they count as good: see [`Explore::run`](super::Explore::run).
    ///
    /// ```
    /// use obsidian_rt::explore::{Gpu, Objective};
    ///
    /// let objective = Objective::predicted(Gpu::named("H100")?);
    /// assert!(objective.to_string().starts_with("predicted seconds"));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn predicted(gpu: Gpu) -> Self {
        Objective {
            kind: Kind::Predicted(Box::new(gpu)),
            effort: 16,
        }
    }

    /// Seconds that the whole job takes on a device: the median of 9 repeats, after one whose answer is checked and one more to warm up. The
    /// whole answer is checked again after the last repeat. Candidates that are measured together take turns, so that what slows the machine
    /// down for a while slows all of them; nothing else of the exploration runs meanwhile. The best few whose 95 % confidence intervals overlap are measured
    /// again, with 4 and then 16 times as many repeats; if they overlap still, [`Results::margin`](super::Results::margin) is 0.
    ///
    /// What is timed, between two [events](crate::Event), is a [replay](crate::Recording::replay) of the launches, copies and fills that the candidate
    /// has asked for, on arrays that are there: memory is found before, and nothing of the host's work is in between. A GPU does them by a CUDA graph and
    /// notes the times itself. On the CPU and the simulator events are moments of a clock of the host that never goes back.
    ///
    /// What is measured runs on this device and nowhere else: of [`Device::best`], a GPU without a
    /// compiler fails a candidate that it cannot be given, where launches run on the CPU instead.
    ///
    /// ```
    /// use obsidian_rt::{Device, explore::Objective};
    ///
    /// assert_eq!(Objective::measured(Device::cpu()).effort(), 9); // repeats
    /// ```
    pub fn measured(device: Device) -> Self {
        let strict = device.backend().strict();
        let device = strict.map_or(device.clone(), |backend| device.with_backend(backend));
        Objective {
            kind: Kind::Measured { device, warm_up: 1 },
            effort: 9,
        }
    }

    /// The same with another full effort, at least 1: blocks to count, or repeats to take the
    /// median of.
    ///
    /// ```
    /// use obsidian_rt::explore::{Gpu, Objective};
    ///
    /// assert_eq!(Objective::predicted(Gpu::named("H100")?).with_effort(4).effort(), 4);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn with_effort(self, effort: u32) -> Self {
        Objective {
            effort: effort.max(1),
            ..self
        }
    }

    /// The same with another number of launches that warm the device up before a measurement; of no
    /// effect on a prediction.
    ///
    /// ```
    /// use obsidian_rt::{Device, explore::Objective};
    ///
    /// let objective = Objective::measured(Device::cpu()).with_warm_up(3);
    /// assert_eq!(objective.effort(), 9); // as before
    /// ```
    #[must_use]
    pub fn with_warm_up(self, launches: u32) -> Self {
        let kind = match self.kind {
            Kind::Measured { device, .. } => Kind::Measured {
                device,
                warm_up: launches,
            },
            Kind::Predicted(gpu) => Kind::Predicted(gpu),
        };
        Objective { kind, ..self }
    }

    /// A hash of what is measured or predicted: the figures of the GPU, or the device's model and driver, and of the CPU its model and
    /// its number of cores.
    pub(super) fn id(&self) -> u64 {
        let mut hash = Hash::new(env!("CARGO_PKG_VERSION"));
        match &self.kind {
            Kind::Predicted(gpu) => hash.text(&format!("{gpu:?}")),
            Kind::Measured { device, warm_up } => {
                hash.text(device.model());
                hash.word((*warm_up).into());
                match device.backend().properties() {
                    Some(properties) => hash.text(&format!("{properties:?}")),
                    None => hash.text(&host_model()),
                }
            }
        }
        hash.end()
    }

    /// The full effort.
    ///
    /// ```
    /// use obsidian_rt::explore::{Gpu, Objective};
    ///
    /// assert_eq!(Objective::predicted(Gpu::named("H100")?).effort(), 16);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn effort(&self) -> u32 {
        self.effort
    }
}

/// The CPU of this machine and its number of cores, as far as it is known.
fn host_model() -> String {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let about = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = about.lines().find(|line| line.starts_with("model name"));
    format!("{}, {cores} cores", model.unwrap_or(std::env::consts::ARCH))
}

/// In words: `predicted seconds on GTX 680`.
impl std::fmt::Display for Objective {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.kind {
            Kind::Predicted(gpu) => write!(f, "predicted seconds on {}", gpu.name),
            Kind::Measured { device, .. } => write!(f, "measured seconds on {}", device.name()),
        }
    }
}
