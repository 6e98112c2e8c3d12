//! No kernel is built while the program runs: without the feature `run-time` there are those of the macro alone.

use obsidian_base::launch::{Checks, Interface};

use super::Kernel;
use crate::error::Result;
use crate::run_time::{Absent, RunTime};

/// Nothing.
#[derive(Default)]
pub(super) struct Made {
    /// Those of a kernel without a source, of which there is none.
    checks: Checks,
}

impl Made {
    /// Was the kernel built while the program runs?
    pub(super) fn is_native(&self) -> bool {
        false
    }

    pub(super) fn cuda(&self) -> &str {
        ""
    }

    pub(super) fn manifest(&self, _: &Interface, _: &str) -> &str {
        ""
    }

    #[cfg(feature = "compile")]
    pub(super) fn symbol(&self) -> String {
        String::new()
    }

    pub(super) fn checks(&self) -> &Checks {
        &self.checks
    }
}

#[allow(clippy::missing_errors_doc)]
impl Kernel {
    /// The CUDA text with `#line` directives. It needs the feature `run-time`.
    pub fn cuda_with_lines(&self) -> Result<String>
    where
        for<'a> Absent: RunTime<'a>,
    {
        crate::run_time::absent()
    }

    /// The CUDA text in the debug layout. It needs the feature `run-time`.
    pub fn cuda_debug(&self) -> Result<String>
    where
        for<'a> Absent: RunTime<'a>,
    {
        crate::run_time::absent()
    }

    /// The same kernel for another number of real threads per block. It needs the feature `run-time`.
    pub fn with_threads(&self, _: u32) -> Result<Kernel>
    where
        for<'a> Absent: RunTime<'a>,
    {
        crate::run_time::absent()
    }

    /// The same kernel, built now by the program itself. It needs the feature `run-time`.
    pub fn native(&self) -> Result<Kernel>
    where
        for<'a> Absent: RunTime<'a>,
    {
        crate::run_time::absent()
    }
}
