//! What the macro knows of a kernel, as a constant.

use std::sync::OnceLock;

use obsidian_core::error::Diagnostics;
use obsidian_core::plan::{Interface, Plan};

use super::Call;
use crate::kernel::Kernel;

/// A kernel as the macro has made it.
#[derive(Debug)]
pub struct Source {
    /// The CUDA text.
    pub cuda: &'static str,
    /// The manifest beside it.
    pub manifest: &'static str,
    /// The hash of the kernel's tokens, as the manifest names it.
    pub hash: &'static str,
    /// What a launch has to know.
    pub interface: Interface,
    /// Builds the kernel natively, for a number of threads.
    pub build: fn(threads: u32) -> Result<Plan, Diagnostics>,
    /// Runs the kernel on the CPU.
    pub cpu: Option<fn(call: &mut Call<'_>)>,
    /// The CUDA text, compiled.
    pub ptx: Option<&'static str>,
    /// The kernel, once it was asked for.
    pub kernel: Cache,
}

/// Keeps the kernel of a source, and with it the plan that the simulator asked for.
#[derive(Debug, Default)]
pub struct Cache {
    kernel: OnceLock<Kernel>,
}

impl Cache {
    /// Nothing yet.
    pub const fn new() -> Self {
        Cache { kernel: OnceLock::new() }
    }

    pub(super) fn get_or_make(&self, source: &'static Source) -> Kernel {
        self.kernel.get_or_init(|| Kernel::of_source(source)).clone()
    }
}
