//! Events: marks in a stream. Streams and the host wait for them, and time is measured between them.

use std::fmt;
use std::mem;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

use crate::backend::Mark;
use crate::error::{Error, Result};

/// A mark in a stream: see [`Stream::record_event`](crate::Stream::record_event). It is cheap to clone.
///
/// An event is a [`Future`], which any executor can await: it is ready when all work before it is done, and gives the failure of that
/// work. On the CPU and the simulator that is at once. On a GPU, one thread sleeps in the driver for each event that is awaited before it is
/// reached; nothing polls.
///
/// ```
/// use std::pin::pin;
/// use std::sync::Arc;
/// use std::task::{Context, Poll, Wake, Waker};
/// use std::thread::{self, Thread};
///
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// pub mod maps {
///     #[kernel(threads = 32)]
///     pub fn doubled(input: DPull<EU32>) -> DPush<Grid, EU32> {
///         input.split_up(32).as_grid_map(|piece| piece.map(|x| x * 2).push())
///     }
/// }
///
/// async fn four_times(device: &Device, input: &Buffer<u32>) -> obsidian_rt::Result<Vec<u32>> {
///     let twice = maps::doubled::launch(device, input)?;
///     let output = maps::doubled::launch(device, &twice)?;
///     device.record_event()?.await?; // other tasks run meanwhile
///     output.to_vec()
/// }
///
/// /// Wakes a thread. (An executor brings its own.)
/// struct Unpark(Thread);
///
/// impl Wake for Unpark {
///     fn wake(self: Arc<Self>) {
///         self.0.unpark();
///     }
/// }
///
/// fn block_on<F: Future>(task: F) -> F::Output {
///     let mut task = pin!(task);
///     let waker = Waker::from(Arc::new(Unpark(thread::current())));
///     loop {
///         match task.as_mut().poll(&mut Context::from_waker(&waker)) {
///             Poll::Ready(output) => return output,
///             Poll::Pending => thread::park(),
///         }
///     }
/// }
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let input = device.upload(&[3; 64])?;
/// assert_eq!(block_on(four_times(&device, &input))?, [12; 64]);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "cudaEvent_t")]
#[doc(alias = "CUevent")]
#[derive(Clone, Debug)]
pub struct Event {
    mark: Arc<dyn Mark>,
    /// The same for all clones, so that one thread waits for all of them.
    waiting: Arc<Waiting>,
}

impl Event {
    pub(crate) fn new(mark: Arc<dyn Mark>) -> Self {
        Event {
            mark,
            waiting: Arc::default(),
        }
    }

    pub(crate) fn mark(&self) -> &dyn Mark {
        &*self.mark
    }

    /// Returns `true` if all work before it is done.
    ///
    /// # Errors
    /// The failure of an operation before the event.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let device = Device::best()?;
    /// let event = device.record_event()?;
    /// event.synchronize()?;
    /// assert!(event.is_done()?);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "cudaEventQuery")]
    pub fn is_done(&self) -> Result<bool> {
        self.mark.is_done()
    }

    /// Waits until all work before it is done.
    ///
    /// # Errors
    /// The failure of an operation before the event.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let device = Device::best()?;
    /// let x = device.upload(&[1, 2])?;
    /// device.record_event()?.synchronize()?;
    /// assert_eq!(x.to_vec()?, [1, 2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn synchronize(&self) -> Result<()> {
        self.mark.synchronize()
    }

    /// Waits, and leaves faults that kernels have noted for the next call that waits.
    pub(crate) fn settle(&self) -> Result<()> {
        self.mark.settle()
    }

    /// The time on the device from another event to this one, 0 if that one came later. Waits for
    /// both.
    ///
    /// # Errors
    /// [`ErrorKind::WrongDevice`](crate::ErrorKind::WrongDevice) if the other event is of another
    /// device.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let device = Device::best()?;
    /// let (start, end) = (device.record_event()?, device.record_event()?);
    /// println!("{:?}", end.since(&start)?);
    /// assert!(start.since(&end)?.is_zero()); // the other way round it is 0
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "cudaEventElapsedTime")]
    pub fn since(&self, earlier: &Event) -> Result<Duration> {
        self.mark.since(&*earlier.mark)
    }
}

impl Future for Event {
    type Output = Result<()>;

    fn poll(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Result<()>> {
        if let Some(error) = self.waiting.state().error.take() {
            return Poll::Ready(Err(error));
        }
        match self.mark.is_done() {
            Ok(false) => self.waiting.add(&self.mark, task.waker()),
            Ok(true) => Poll::Ready(Ok(())),
            Err(error) => Poll::Ready(Err(error)),
        }
    }
}

/// The tasks that wait for a mark, and the thread that waits for all of them.
#[derive(Default)]
struct Waiting {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Is there a thread?
    thread: bool,
    tasks: Vec<Waker>,
    /// The failure that a thread found; the next poll gives it.
    error: Option<Error>,
}

impl Waiting {
    /// Wakes a task once the mark is reached. If there is no thread for that and none can be started, waits here instead, for all tasks.
    fn add(self: &Arc<Self>, mark: &Arc<dyn Mark>, task: &Waker) -> Poll<Result<()>> {
        let mut state = self.state();
        if !state.tasks.iter().any(|other| other.will_wake(task)) {
            state.tasks.push(task.clone());
        }
        if state.thread {
            return Poll::Pending;
        }
        let (waiting, awaited) = (Arc::clone(self), Arc::clone(mark));
        let name = thread::Builder::new().name("obsidian-event".to_owned());
        let started = name.spawn(move || waiting.until(awaited));
        state.thread = started.is_ok();
        drop(state);
        match started {
            Ok(_) => Poll::Pending,
            Err(_) => {
                let reached = mark.synchronize();
                let tasks = mem::take(&mut self.state().tasks);
                tasks.into_iter().for_each(Waker::wake);
                Poll::Ready(reached)
            }
        }
    }

    /// Waits for the mark, then wakes the tasks.
    fn until(&self, mark: Arc<dyn Mark>) {
        let reached = mark.synchronize();
        // Dropped before the tasks are woken, so that one that drops its event frees it.
        drop(mark);
        let mut state = self.state();
        state.thread = false;
        state.error = reached.err();
        let tasks = mem::take(&mut state.tasks);
        // A waker may poll at once.
        drop(state);
        tasks.into_iter().for_each(Waker::wake);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // What may panic while it is held, cloning a waker, leaves the state as it was.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Waiting").finish_non_exhaustive()
    }
}
