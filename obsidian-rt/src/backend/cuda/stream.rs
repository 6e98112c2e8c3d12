//! Queues of work on a device, and marks in them.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::context::Context;
use super::driver::{self, Checked, Failure, Handle, NOT_READY};
use super::faults::{self, Faults, Launching, Watched};
use super::memory::free;
use super::order::Orders;
use super::pool::Pool;
use crate::backend::Mark;
use crate::error::{Error, ErrorKind, Result};
use crate::kernel::Kernel;

/// A stream of the driver, destroyed at the end unless it was made elsewhere.
pub(super) struct Stream {
    raw: Handle,
    /// What keeps a stream alive that was made elsewhere.
    owner: Option<Box<dyn Any + Send + Sync>>,
    /// Memory that was used on it last.
    pool: Pool,
    /// The kernel that was launched last: what goes wrong later may be its fault.
    launched: Mutex<Option<String>>,
    faults: Faults,
    /// The words of kernels whose blocks have an order; held from before a launch has its words until it is queued.
    orders: Mutex<Orders>,
    context: Arc<Context>,
}

impl Stream {
    pub(super) fn new(context: Arc<Context>) -> Result<Arc<Stream>> {
        let raw = context.with(|| {
            let mut raw = Handle::NONE;
            // Streams wait for, and are waited for by, what other libraries do on the default stream.
            // SAFETY: the place is there for the time of the call.
            unsafe { driver::cuStreamCreateWithPriority(&raw mut raw, 0, 0) }?;
            Ok(raw)
        })?;
        Ok(Stream::of(context, raw, None))
    }

    /// A stream that was made elsewhere.
    ///
    /// # Safety
    /// It belongs to the context, and exists until the owner is dropped.
    pub(super) unsafe fn borrowed(
        context: Arc<Context>,
        raw: Handle,
        owner: Box<dyn Any + Send + Sync>,
    ) -> Arc<Stream> {
        Stream::of(context, raw, Some(owner))
    }

    fn of(
        context: Arc<Context>,
        raw: Handle,
        owner: Option<Box<dyn Any + Send + Sync>>,
    ) -> Arc<Stream> {
        let most = usize::try_from(context.properties().memory_bytes / 4).unwrap_or(usize::MAX);
        let stream = Arc::new(Stream {
            raw,
            owner,
            pool: Pool::new(most),
            launched: Mutex::default(),
            faults: Faults::default(),
            orders: Mutex::default(),
            context,
        });
        stream.context.add(&stream);
        stream
    }

    /// Memory that was used on it last.
    pub(super) fn pool(&self) -> &Pool {
        &self.pool
    }

    pub(super) fn context(&self) -> &Arc<Context> {
        &self.context
    }

    pub(super) fn raw(&self) -> Handle {
        self.raw
    }

    /// Makes calls of the driver. When they lose the context, the error names the kernel that was
    /// launched last.
    pub(super) fn with<T>(&self, calls: impl FnOnce() -> Checked<T>) -> Result<T> {
        let given = self.context.with(calls);
        given.map_err(|error| blamed(error, self.last_launched().as_deref()))
    }

    /// The kernel that was launched last.
    fn last_launched(&self) -> Option<String> {
        let launched = self.launched.lock();
        launched.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Notes that a kernel was launched.
    pub(super) fn launched(&self, kernel: &str) {
        *self.launched.lock().unwrap_or_else(PoisonError::into_inner) = Some(kernel.to_owned());
    }

    /// Makes calls of the driver, the last of which waits until all is done; then looks for faults.
    pub(super) fn wait_with(&self, calls: impl FnOnce() -> Checked<()>) -> Result<()> {
        let launches = self.faults.launches();
        self.with(calls)?;
        self.faults.done(launches);
        self.faults.look()
    }

    /// Waits until all is done.
    pub(super) fn synchronize(&self) -> Result<()> {
        self.wait_with(|| self.done())
    }

    /// Held from before a launch has a word of faults until it is queued.
    pub(super) fn launching(&self) -> Result<Launching<'_>> {
        self.faults.launching(|| self.synchronize())
    }

    /// The words of kernels whose blocks have an order, until a launch is queued that has some of them.
    pub(super) fn orders(&self) -> MutexGuard<'_, Orders> {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The word of faults for a launch of a kernel with arrays of these lengths.
    pub(super) fn watch(&self, kernel: &Kernel, lengths: &[u32]) -> Result<Arc<Watched>> {
        if let Some(watched) = self.faults.known(kernel, lengths) {
            return Ok(watched);
        }
        self.faults.add(&self.context, kernel, lengths)
    }

    /// Looks for faults of launches that are made again.
    pub(super) fn watch_again(&self, watched: &[Arc<Watched>]) {
        self.faults.add_own(watched);
    }

    /// Looks for faults of these launches too, from now on.
    pub(super) fn watch_also(&self, watched: &[Arc<Watched>]) {
        self.faults.add_others(watched);
    }

    /// Waits until all is done, among other calls.
    pub(super) fn done(&self) -> Checked<()> {
        // SAFETY: the stream exists.
        unsafe { driver::cuStreamSynchronize(self.raw) }
    }

    /// Waits until all is done with memory that is only lent. Where waiting fails it is tried once more; where that fails too, the context
    /// is lost, and nothing goes on.
    pub(super) fn done_with_lent(&self) -> Checked<()> {
        self.done().inspect_err(|_| {
            let _ = self.done();
        })
    }

    /// Lets what comes later here wait for all that was asked of another stream so far.
    pub(super) fn follow(&self, other: &Stream) -> Result<()> {
        let event = Event::new(other, WITHOUT_TIME)?;
        self.wait(&event)
    }

    /// The same for memory alone, whose contents do not matter any more: faults of the other stream are not looked for.
    pub(super) fn follow_for_memory(&self, other: &Stream) -> Result<()> {
        let event = Event::new(other, WITHOUT_TIME)?;
        self.queue_wait(&event)
    }

    /// Lets what comes later here wait for an event.
    pub(super) fn wait(&self, event: &Event) -> Result<()> {
        self.queue_wait(event)?;
        self.watch_also(&event.faults);
        Ok(())
    }

    fn queue_wait(&self, event: &Event) -> Result<()> {
        self.with(|| {
            // SAFETY: both exist; the driver keeps what it needs of the event.
            unsafe { driver::cuStreamWaitEvent(self.raw, event.raw, 0) }
        })
    }
}

/// An error of a lost context, with the kernel that was launched last.
fn blamed(error: Error, kernel: Option<&str>) -> Error {
    match (error.kind(), kernel) {
        (ErrorKind::LostContext, Some(kernel)) => error.of(kernel),
        _ => error,
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if self.faults.is_busy() {
            // The words are there until no launch has one any more.
            self.context.release(|| {
                let _ = self.done_with_lent();
            });
        }
        let orders = self.orders.get_mut();
        let mut orders = std::mem::take(orders.unwrap_or_else(PoisonError::into_inner));
        orders.give_back(self);
        free(&self.context, &self.pool.down_to(0));
        // An owner, which is dropped next, finds the context current too.
        self.context.release(|| {
            if self.owner.is_none() {
                // SAFETY: nobody has it any more; the driver destroys it when its work is done.
                let _ = unsafe { driver::cuStreamDestroy_v2(self.raw) };
            }
        });
    }
}

/// An event of the driver that was recorded once, destroyed at the end.
pub(super) struct Event {
    raw: Handle,
    /// The kernel that was launched last before it.
    launched: Option<String>,
    /// The words of faults of what was asked of the stream before it.
    faults: Vec<Arc<Watched>>,
    context: Arc<Context>,
}

/// The flag of an event that only streams wait for.
pub(super) const WITHOUT_TIME: u32 = 2;
/// The flag of an event for which a thread of the host sleeps, and does not ask again and again.
pub(super) const BLOCKING: u32 = 1;

impl Event {
    /// Marks what was asked of a stream so far. The flags are the driver's.
    pub(super) fn new(stream: &Stream, flags: u32) -> Result<Event> {
        let context = Arc::clone(&stream.context);
        let raw = stream.with(|| {
            let mut raw = Handle::NONE;
            // SAFETY: the place is there for the time of the call.
            unsafe { driver::cuEventCreate(&raw mut raw, flags) }?;
            Ok(raw)
        })?;
        // From here on it is destroyed, whatever happens.
        let event = Event {
            raw,
            launched: stream.last_launched(),
            faults: stream.faults.all(),
            context,
        };
        stream.with(|| {
            // SAFETY: both exist.
            unsafe { driver::cuEventRecord(event.raw, stream.raw) }
        })?;
        Ok(event)
    }

    /// Makes calls of the driver. When they lose the context, the error names the kernel.
    fn with<T>(&self, calls: impl FnOnce() -> Checked<T>) -> Result<T> {
        let given = self.context.with(calls);
        given.map_err(|error| blamed(error, self.launched.as_deref()))
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        self.context.release(|| {
            // SAFETY: nobody has it any more.
            let _ = unsafe { driver::cuEventDestroy_v2(self.raw) };
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
        self.with(|| {
            // SAFETY: the event exists.
            match unsafe { driver::cuEventQuery(self.raw) } {
                Err(Failure {
                    code: NOT_READY, ..
                }) => Ok(false),
                given => given.map(|()| true),
            }
        })
        .and_then(|is_done| match is_done {
            true => faults::look(&self.faults).map(|()| true),
            false => Ok(false),
        })
    }

    fn synchronize(&self) -> Result<()> {
        self.with(|| {
            // SAFETY: the event exists.
            unsafe { driver::cuEventSynchronize(self.raw) }
        })?;
        faults::look(&self.faults)
    }

    fn settle(&self) -> Result<()> {
        self.with(|| {
            // SAFETY: the event exists.
            unsafe { driver::cuEventSynchronize(self.raw) }
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
        let milliseconds = self.with(|| {
            for event in [earlier, self] {
                // SAFETY: the event exists.
                unsafe { driver::cuEventSynchronize(event.raw) }?;
            }
            let mut milliseconds = 0.0f32;
            // SAFETY: both exist, and the place is there for the time of the call.
            unsafe { driver::cuEventElapsedTime(&raw mut milliseconds, earlier.raw, self.raw) }?;
            Ok(milliseconds)
        })?;
        faults::look(&earlier.faults)?;
        faults::look(&self.faults)?;
        // An event of another stream may come before the one that was marked earlier.
        Ok(Duration::try_from_secs_f64(f64::from(milliseconds) / 1e3).unwrap_or_default())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
