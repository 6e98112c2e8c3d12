//! Kernels of closures, which would have to be built while the program runs.

use obsidian_base::launch::Limits;

use super::{KernelFn, LaunchResult, Parameters, TypedKernel};
use crate::error::Result;
use crate::run_time::{Absent, RunTime};

#[allow(clippy::missing_errors_doc)]
impl<P: Parameters, R: LaunchResult> TypedKernel<P, R> {
    /// Builds the kernel. It needs the feature `run-time`.
    pub fn build<F: KernelFn<P, R>>(_: &str, _: impl Into<Limits>, _: F) -> Result<Self>
    where
        for<'a> Absent: RunTime<'a>,
    {
        crate::run_time::absent()
    }
}
