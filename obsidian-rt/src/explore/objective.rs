//! What is minimised: predicted seconds on a GPU that need not be there, or measured seconds on a
//! device.

use super::gpu::Gpu;
use crate::device::Device;

/// What is minimised.
///
/// A candidate is tried with some *effort*: for a prediction the number of blocks that the
/// simulator goes through, for a measurement the number of repeats. A search may try with less
/// effort first; what it gives in the end was tried with all of it.
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
    /// Seconds that the [model](super::cost) predicts for the whole job, from what the simulator
    /// counts in 16 blocks of each launch. The answer of those blocks is checked.
    pub fn predicted(gpu: Gpu) -> Self {
        Objective {
            kind: Kind::Predicted(Box::new(gpu)),
            effort: 16,
        }
    }

    /// Seconds that the whole job takes on a device: the median of 9 repeats, after one launch
    /// whose answer is checked and one more to warm up. Candidates that are measured together take
    /// turns, so that what slows the machine down for a while slows all of them; nothing else of
    /// the exploration runs meanwhile.
    ///
    /// Each launch is timed between two [events](crate::Event). A GPU notes the times of its events
    /// itself, in the order of its queue, so that nothing before and nothing after the launch
    /// counts. On the CPU and the simulator they are moments of a clock of the host that never goes
    /// back. What a launch does on the host is in between: it makes its output, and a GPU that has
    /// nothing else to do waits for it. That is as long as the driver takes to find memory for the
    /// output. How long that is was not measured: it may be longer than a short kernel runs.
    ///
    /// What is measured runs on this device and nowhere else: of [`Device::best`], a GPU without a
    /// compiler fails a candidate that it cannot be given, where launches run on the CPU instead.
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
    #[must_use]
    pub fn with_effort(self, effort: u32) -> Self {
        Objective {
            effort: effort.max(1),
            ..self
        }
    }

    /// The same with another number of launches that warm the device up before a measurement; of no
    /// effect on a prediction.
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

    /// The full effort.
    pub fn effort(&self) -> u32 {
        self.effort
    }
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
