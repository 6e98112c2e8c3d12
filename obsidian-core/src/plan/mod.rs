//! From a levelled kernel to a [`Plan`]: everything that is decided before text is written.
//!
//! One pass, one file, one function of the same name. A pass that looks takes `&Kernel` and gives a table; a pass that
//! changes takes a `Kernel` and gives a `Kernel`. Only this room makes a [`Plan`].

mod formula;
mod interface;

pub use formula::{Formula, Step};
pub use interface::{Interface, ParameterInfo, ParameterRole, RequirementInfo};
pub(crate) use interface::lengths_used;

use std::collections::BTreeMap;

use crate::error::Diagnostic;
use crate::ir::Kernel;
use crate::scalar::ArrayId;

/// What the device allows, and what the user chose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Bytes of shared memory of a block.
    pub shared_bytes: u32,
    /// Real threads of a block, 1 to 1,024.
    pub threads: u32,
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

/// How an output is written, as far as it is proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WritePattern {
    /// Block `b` writes exactly the elements `b * n` to `(b + 1) * n`, each once; the number is `n`.
    Chunks(u32),
    /// Nothing is proved.
    Scattered,
}

/// A kernel ready to be run and printed.
#[derive(Clone, Debug)]
pub struct Plan {
    levelled: Kernel,
    kernel: Kernel,
    shared: SharedMap,
    patterns: BTreeMap<ArrayId, WritePattern>,
}

#[cfg(test)]
#[doc(hidden)]
impl Plan {
    /// A plan out of its parts, for tests of what comes after the passes.
    pub fn assemble(levelled: Kernel, kernel: Kernel, shared: SharedMap, patterns: BTreeMap<ArrayId, WritePattern>) -> Plan {
        Plan { levelled, kernel, shared, patterns }
    }
}

impl Plan {
    /// The kernel before threads were made concrete: what the CPU runs.
    pub fn levelled(&self) -> &Kernel {
        &self.levelled
    }

    /// The kernel as every thread executes it, waits included: what CUDA text and the simulator follow.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// Where shared arrays lie.
    pub fn shared(&self) -> &SharedMap {
        &self.shared
    }

    /// How each output is written.
    pub fn pattern(&self, output: ArrayId) -> WritePattern {
        self.patterns.get(&output).copied().unwrap_or(WritePattern::Scattered)
    }

    /// Real threads of a block.
    pub fn threads(&self) -> u32 {
        self.kernel.threads.unwrap_or(1)
    }
}

/// Why no plan could be made: every reason that was found.
pub type Refusal = Vec<Diagnostic>;
