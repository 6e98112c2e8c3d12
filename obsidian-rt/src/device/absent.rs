//! Devices that would have to build kernels while the program runs.

use super::Device;
use crate::backend::Cpu;
use crate::run_time::{Absent, RunTime};

impl Device {
    /// The reference, which follows every thread of a kernel step by step. It needs the feature `run-time`.
    pub fn simulator() -> Device
    where
        for<'a> Absent: RunTime<'a>,
    {
        Device::from_backend(Cpu::default())
    }

    /// The same device, whose launches build each kernel anew for `threads` threads. It needs the feature `run-time`.
    #[doc(hidden)]
    #[must_use]
    pub fn with_threads(&self, _: u32) -> Device
    where
        for<'a> Absent: RunTime<'a>,
    {
        self.clone()
    }
}
