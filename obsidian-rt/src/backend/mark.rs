//! Marks in the queue of a device.

use std::any::Any;
use std::fmt;
use std::time::{Duration, Instant};

use crate::error::{Error, ErrorKind, Result};

/// A point in what a device was asked to do. What has no queue has done everything when it comes
/// back: there it is a moment.
pub trait Mark: fmt::Debug + Send + Sync {
    /// Returns `true` if all work before it is done.
    ///
    /// # Errors
    /// The failure of an operation before the mark.
    fn is_done(&self) -> Result<bool>;

    /// Waits until all work before it is done.
    ///
    /// # Errors
    /// The failure of an operation before the mark.
    fn synchronize(&self) -> Result<()>;

    /// Waits until all work before it is done, and leaves what the work has noted for the next call that waits.
    ///
    /// # Errors
    /// As of [`synchronize`](Mark::synchronize), but for faults that a kernel has noted.
    fn settle(&self) -> Result<()> {
        self.synchronize()
    }

    /// The time from another mark to this one; 0 if that came later. Waits for both.
    ///
    /// # Errors
    /// [`ErrorKind::WrongDevice`] for a mark of another device, and what went wrong.
    fn since(&self, earlier: &dyn Mark) -> Result<Duration>;

    /// The mark as its own type.
    fn as_any(&self) -> &dyn Any;
}

impl Mark for Instant {
    fn is_done(&self) -> Result<bool> {
        Ok(true)
    }

    fn synchronize(&self) -> Result<()> {
        Ok(())
    }

    fn since(&self, earlier: &dyn Mark) -> Result<Duration> {
        match earlier.as_any().downcast_ref::<Instant>() {
            Some(earlier) => Ok(self.saturating_duration_since(*earlier)),
            None => Err(Error::new(
                ErrorKind::WrongDevice,
                "the two events are of different devices, whose clocks differ",
            )),
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
