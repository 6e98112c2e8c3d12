//! Switches for tests: a kernel without one of its waits, or of its shuffles.

use obsidian_language::ir::Level;

use super::Kernel;
use crate::error::Result;

impl Kernel {
    /// The kernel without its n-th wait, and that wait's scope; none if it has no such wait. It is
    /// wrong on purpose.
    ///
    /// # Errors
    /// As [`with_threads`](Kernel::with_threads).
    #[doc(hidden)]
    pub fn without_wait(&self, n: usize) -> Result<Option<(Kernel, Level)>> {
        let Some((plan, scope)) = self.plan()?.without_wait(n) else {
            return Ok(None);
        };
        Ok(Some((Kernel::planned(plan, self.inner.source)?, scope)))
    }

    /// The kernel without its n-th shuffle, each lane with its own value instead; none if it has no such shuffle. It is wrong on
    /// purpose.
    ///
    /// # Errors
    /// As [`with_threads`](Kernel::with_threads).
    #[doc(hidden)]
    pub fn without_shuffle(&self, n: usize) -> Result<Option<Kernel>> {
        let plan = self.plan()?.without_shuffle(n);
        plan.map(|plan| Kernel::planned(plan, self.inner.source))
            .transpose()
    }
}
