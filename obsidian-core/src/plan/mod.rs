//! From a levelled kernel to a [`Plan`]: everything that is decided before text is written.
//!
//! One pass, one file, one function of the same name. A pass that looks takes `&Kernel` and gives a
//! table; a pass that changes takes a `Kernel` and gives a `Kernel`. Only this room makes a
//! [`Plan`].

mod barriers;
mod check;
mod columns;
mod formula;
mod interface;
mod liveness;
mod memory;
mod needs;
mod phases;
mod points;
mod requirement;
mod shared_map;
mod unread;
mod virtualise;
mod waits;
mod without_wait;

pub use barriers::barriers;
pub use check::{Checked, Need, check};
pub use formula::{Formula, NoValue, Step};
pub use interface::{Interface, ParameterInfo, ParameterRole};
pub use liveness::{Life, Liveness, Range, WarpLoop, liveness};
pub use needs::require;
pub use requirement::{Numbers, RequirementInfo, Unmet, UnmetKind};
pub use shared_map::{OutOfShared, shared_map};
pub use unread::unread;
pub use virtualise::virtualise;
pub use waits::waits;

pub(crate) use interface::lengths_used;

use std::collections::BTreeMap;

use crate::error::Diagnostic;
use crate::ir::{Kernel, Level, Levelled, Physical, Statement};
pub use crate::ir::{MAX_SHARED_BYTES, SHARED_BYTES};
use crate::scalar::ArrayId;

/// What a block may use.
///
/// ```
/// use obsidian_core::plan::{Limits, SHARED_BYTES};
///
/// assert_eq!(Limits::from(64), Limits { threads: 64, shared_bytes: SHARED_BYTES });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most bytes of shared memory, up to [`MAX_SHARED_BYTES`]. A kernel that needs more than
    /// [`SHARED_BYTES`] asks the GPU for them when it is loaded, and is refused on one that has
    /// less.
    pub shared_bytes: u32,
    /// Real threads, 1 to 1,024.
    pub threads: u32,
}

impl From<u32> for Limits {
    /// So many threads, and the shared memory that every GPU has.
    fn from(threads: u32) -> Self {
        Limits {
            shared_bytes: SHARED_BYTES,
            threads,
        }
    }
}

/// Where one shared array lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Bytes from the start of the block's shared memory to the first copy.
    pub offset: u32,
    /// Bytes from one warp's copy to the next warp's; 0 for an array of the block.
    pub stride: u32,
}

/// Where every shared array lies.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SharedMap {
    /// The slot of each shared array.
    pub slots: BTreeMap<ArrayId, Slot>,
    /// Bytes that a block needs.
    pub bytes: u32,
}

impl SharedMap {
    /// Is it more than [`SHARED_BYTES`], so that a launch has to ask for it?
    pub fn is_dynamic(&self) -> bool {
        self.bytes > SHARED_BYTES
    }
}

/// How an output is written, as far as it is proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WritePattern {
    /// Block `b` writes exactly the elements `b * n` to `(b + 1) * n`, each once; the number is
    /// `n`.
    Chunks(u32),
    /// Nothing is proved.
    Scattered,
}

/// A kernel ready to be run and printed.
#[derive(Clone, Debug)]
pub struct Plan {
    levelled: Kernel<Levelled>,
    kernel: Kernel<Physical>,
    shared: SharedMap,
    patterns: BTreeMap<ArrayId, WritePattern>,
    steps: u64,
}

impl Plan {
    /// A plan out of what the passes have made; `pipeline` alone makes one.
    pub(crate) fn new(
        levelled: Kernel<Levelled>,
        kernel: Kernel<Physical>,
        shared: SharedMap,
        patterns: BTreeMap<ArrayId, WritePattern>,
        steps: u64,
    ) -> Plan {
        Plan {
            levelled,
            kernel,
            shared,
            patterns,
            steps,
        }
    }

    /// A plan of a physical kernel alone, for tests of what follows it.
    #[cfg(test)]
    pub(crate) fn assemble(
        kernel: Kernel<Physical>,
        shared: SharedMap,
        patterns: BTreeMap<ArrayId, WritePattern>,
    ) -> Plan {
        let levelled = Kernel {
            name: kernel.name.clone(),
            tables: kernel.tables.clone(),
            parameters: kernel.parameters.clone(),
            threads: (),
            body: Vec::new(),
        };
        Plan::new(levelled, kernel, shared, patterns, 0)
    }

    /// The kernel before threads were made concrete: what the CPU runs.
    pub fn levelled(&self) -> &Kernel<Levelled> {
        &self.levelled
    }

    /// The kernel as every thread executes it, waits included: what CUDA text and the simulator
    /// follow.
    pub fn kernel(&self) -> &Kernel<Physical> {
        &self.kernel
    }

    /// Where shared arrays lie.
    pub fn shared(&self) -> &SharedMap {
        &self.shared
    }

    /// How each output is written.
    pub fn pattern(&self, output: ArrayId) -> WritePattern {
        self.patterns
            .get(&output)
            .copied()
            .unwrap_or(WritePattern::Scattered)
    }

    /// The steps that the checks of the kernel took: how much work it was, in no unit of time.
    pub fn steps_of_checks(&self) -> u64 {
        self.steps
    }

    /// Real threads of a block.
    pub fn threads(&self) -> u32 {
        self.kernel.threads
    }

    /// The number of places in the text where the threads of a block, or those of a warp, wait for
    /// each other.
    pub fn waits(&self, scope: Level) -> u32 {
        let mut waits = 0;
        let mut count = |s: &Statement<Physical>| {
            waits += u32::from(matches!(s, Statement::Wait { scope: own } if *own == scope))
        };
        self.kernel.body.iter().for_each(|s| s.visit(&mut count));
        waits
    }
}

/// Why no plan could be made: every reason that was found.
pub type Refusal = Vec<Diagnostic>;

#[cfg(test)]
mod races;
#[cfg(test)]
mod threads;
