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
    /// What the build script has compiled.
    pub built: Option<Built>,
    /// The kernel, once it was asked for.
    pub kernel: Cache,
}

/// What a build script has compiled, a kernel an entry: its name, the hash of its module's tokens, where the CUDA text lies,
/// the PTX, and the variant that tuning has chosen.
pub type Index = &'static [(&'static str, &'static str, &'static str, Option<&'static str>, Option<&'static str>)];

/// One kernel that a build script has compiled.
#[derive(Clone, Copy, Debug)]
pub struct Built {
    /// Where the CUDA text lies.
    pub file: &'static str,
    /// The text, compiled; none without nvcc.
    pub ptx: Option<&'static str>,
    /// The variant that tuning has chosen.
    pub tuned: Option<&'static str>,
}

/// The entry of a kernel. The panic is a message at compile time.
#[allow(clippy::panic)]
pub const fn built(index: Index, kernel: &str, hash: &str) -> Built {
    let mut n = 0;
    while n < index.len() {
        let (name, known, file, ptx, tuned) = index[n];
        if same(name, kernel) && same(known, hash) {
            return Built { file, ptx, tuned };
        }
        n += 1;
    }
    panic!("the build script has not compiled this version of this module: name its file in build.rs with `.source(\"src/..\")`")
}

const fn same(x: &str, y: &str) -> bool {
    let (x, y) = (x.as_bytes(), y.as_bytes());
    let mut n = 0;
    while n < x.len() && n < y.len() {
        if x[n] != y[n] {
            return false;
        }
        n += 1;
    }
    x.len() == y.len()
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
