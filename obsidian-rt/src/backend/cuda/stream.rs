//! Queues of work on a device, and marks in them.

use std::any::Any;
use std::fmt;
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use cust::stream::{Stream as Queue, StreamFlags};
use cust::sys::{self, CUevent, CUresult};

use super::context::Context;
use super::failure::{Checked, checked, code};
use crate::backend::Mark;
use crate::error::{Error, ErrorKind, Result};

/// A stream of the driver, destroyed at the end.
pub(super) struct Stream {
    /// There until the end.
    queue: Option<Queue>,
    /// The kernel that was launched last: what goes wrong later may be its fault.
    launched: Mutex<Option<String>>,
    context: Arc<Context>,
}

impl Stream {
    pub(super) fn new(context: Arc<Context>) -> Result<Arc<Stream>> {
        // Streams wait for, and are waited for by, what other libraries do on the default stream.
        let queue = context.with(|| {
            checked(
                "cuStreamCreateWithPriority",
                Queue::new(StreamFlags::DEFAULT, None),
            )
        })?;
        Ok(Arc::new(Stream {
            queue: Some(queue),
            launched: Mutex::default(),
            context,
        }))
    }

    pub(super) fn context(&self) -> &Arc<Context> {
        &self.context
    }

    pub(super) fn raw(&self) -> sys::CUstream {
        self.queue.as_ref().map_or(ptr::null_mut(), Queue::as_inner)
    }

    /// Makes calls of the driver. When they lose the context, the error names the kernel that was
    /// launched last.
    pub(super) fn with<T>(&self, calls: impl FnOnce() -> Checked<T>) -> Result<T> {
        self.context.with(calls).map_err(|error| {
            match (
                error.kind(),
                &*self.launched.lock().unwrap_or_else(PoisonError::into_inner),
            ) {
                (ErrorKind::LostContext, Some(kernel)) => error.of(kernel),
                _ => error,
            }
        })
    }

    /// Notes that a kernel was launched.
    pub(super) fn launched(&self, kernel: &str) {
        *self.launched.lock().unwrap_or_else(PoisonError::into_inner) = Some(kernel.to_owned());
    }

    /// Waits until all is done.
    pub(super) fn synchronize(&self) -> Result<()> {
        self.with(|| self.done())
    }

    /// Waits until all is done, among other calls.
    pub(super) fn done(&self) -> Checked<()> {
        // SAFETY: the stream exists.
        code("cuStreamSynchronize", unsafe {
            sys::cuStreamSynchronize(self.raw())
        })
    }

    /// Lets what comes later here wait for all that was asked of another stream so far.
    pub(super) fn follow(&self, other: &Stream) -> Result<()> {
        let event = Event::new(other, true)?;
        self.wait(&event)
    }

    /// Lets what comes later here wait for an event.
    pub(super) fn wait(&self, event: &Event) -> Result<()> {
        self.with(|| {
            // SAFETY: both exist; the driver keeps what it needs of the event.
            let given = unsafe { sys::cuStreamWaitEvent(self.raw(), event.raw, 0) };
            code("cuStreamWaitEvent", given)
        })
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        let queue = self.queue.take();
        self.context.release(|| drop(queue));
    }
}

/// An event of the driver that was recorded once, destroyed at the end. (`cust` takes its own event
/// away when a stream waits for it.)
pub(super) struct Event {
    raw: CUevent,
    context: Arc<Context>,
}

// SAFETY: the driver's functions for events may be called from any thread.
unsafe impl Send for Event {}
// SAFETY: as above.
unsafe impl Sync for Event {}

/// The flags of an event that is only waited for.
const WITHOUT_TIME: u32 = 2;

impl Event {
    /// Marks what was asked of a stream so far.
    pub(super) fn new(stream: &Stream, without_time: bool) -> Result<Event> {
        let context = Arc::clone(&stream.context);
        let flags = if without_time { WITHOUT_TIME } else { 0 };
        let raw = stream.with(|| {
            let mut raw = ptr::null_mut();
            // SAFETY: the place is there for the time of the call.
            code("cuEventCreate", unsafe {
                sys::cuEventCreate(&raw mut raw, flags)
            })
            .map(|()| raw)
        })?;
        // From here on it is destroyed, whatever happens.
        let event = Event { raw, context };
        stream.with(|| {
            // SAFETY: both exist.
            let given = unsafe { sys::cuEventRecord(event.raw, stream.raw()) };
            code("cuEventRecord", given)
        })?;
        Ok(event)
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        self.context.release(|| {
            // SAFETY: nobody has it any more.
            let _ = unsafe { sys::cuEventDestroy_v2(self.raw) };
        });
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Event")
            .field("device", &self.context.name())
            .finish_non_exhaustive()
    }
}

impl Mark for Event {
    fn is_done(&self) -> Result<bool> {
        self.context.with(|| {
            // SAFETY: the event exists.
            match unsafe { sys::cuEventQuery(self.raw) } {
                CUresult::CUDA_ERROR_NOT_READY => Ok(false),
                given => code("cuEventQuery", given).map(|()| true),
            }
        })
    }

    fn synchronize(&self) -> Result<()> {
        self.context.with(|| {
            // SAFETY: the event exists.
            let given = unsafe { sys::cuEventSynchronize(self.raw) };
            code("cuEventSynchronize", given)
        })
    }

    fn since(&self, earlier: &dyn Mark) -> Result<Duration> {
        let Some(earlier) = earlier
            .as_any()
            .downcast_ref::<Event>()
            .filter(|other| other.context.name() == self.context.name())
        else {
            return Err(Error::new(
                ErrorKind::WrongDevice,
                "the two events are of different devices, whose clocks differ",
            ));
        };
        let milliseconds = self.context.with(|| {
            for event in [earlier, self] {
                // SAFETY: the event exists.
                code("cuEventSynchronize", unsafe {
                    sys::cuEventSynchronize(event.raw)
                })?;
            }
            let mut milliseconds = 0.0f32;
            // SAFETY: both exist, and the place is there for the time of the call.
            code("cuEventElapsedTime", unsafe {
                sys::cuEventElapsedTime(&raw mut milliseconds, earlier.raw, self.raw)
            })?;
            Ok(milliseconds)
        })?;
        // An event of another stream may come before the one that was marked earlier.
        Ok(Duration::try_from_secs_f64(f64::from(milliseconds) / 1e3).unwrap_or_default())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
