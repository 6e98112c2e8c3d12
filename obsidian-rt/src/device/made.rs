//! Devices that build kernels while the program runs.

use super::Device;
use crate::backend::{Cpu, Simulator};

impl Device {
    /// The CPU, which runs all kernels as if they were built while the program runs. For tests.
    #[doc(hidden)]
    pub fn cpu_by_columns() -> Device {
        Device::from_backend(Cpu::by_columns())
    }

    /// The reference: follows every thread of the GPU's plan step by step. It runs every kernel,
    /// slowly.
    ///
    /// ```
    /// use obsidian_rt::{ErrorKind, prelude::*};
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn looked_up(places: DPull<EU32>, table: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         places.split_up(2).as_grid_map(|places| places.map(|i| table[i.unchecked()]).push())
    ///     }
    /// }
    ///
    /// let device = Device::simulator();
    /// let (places, table) = (device.upload(&[0, 7])?, device.upload(&[10, 20])?);
    /// // The promise of `unchecked` is broken: element 7 of 2.
    /// let error = example::looked_up::launch(&device, &places, &table).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Fault);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "compute-sanitizer")]
    pub fn simulator() -> Device {
        Device::from_backend(Simulator::default())
    }

    /// The same device, whose launches build each kernel anew for `threads` threads: a whole program
    /// at another number of threads.
    #[doc(hidden)]
    #[must_use]
    pub fn with_threads(&self, threads: u32) -> Device {
        Device {
            threads: Some(threads),
            ..self.clone()
        }
    }

    /// The number of threads that kernels are built for, if not the one that they have.
    pub(crate) fn threads(&self) -> Option<u32> {
        self.threads
    }
}
