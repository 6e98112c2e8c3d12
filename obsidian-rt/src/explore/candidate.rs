//! Candidates: what a point becomes. A function that does the job by launches on the device that it is given.

use std::fmt;
use std::sync::Arc;

use super::job::{Answer, Gives, Input, StandingIn, Takes};
use crate::backend::Memory;
use crate::device::Device;
use crate::error::Result;
use crate::typed::TypedKernel;

/// A way to do a [`Job`](super::Job): a function that launches kernels on a device and gives the buffers with the answer.
///
/// The function is called on a device that records its launches, copies and fills; then these are predicted or measured, and the
/// answer that they compute is compared with the job's. So what counts is what the function launches, and nothing else:
/// an answer that the host has filled in or uploaded, one that depends on no array of the input, a buffer of another device, and work outside of
/// the device that it is given are refused.
/// It cannot read elements back, and arrays that it uploads are copied once, before anything is timed.
///
/// The function may be called several times, and has to ask for the same each time.
///
/// ```
/// use obsidian_rt::explore::{Candidate, Explore, Gpu, Job, Objective, Space};
/// use obsidian_rt::{TypedKernel, language::*};
///
/// let job = Job::new(vec![1u32; 256], |x| x.iter().map(|x| 2 * x).collect::<Vec<u32>>());
/// let space = Space::new().list("threads", [32, 64]);
/// let exploration = Explore::new(space, Objective::predicted(Gpu::named("H100")?), job, |point| {
///     let kernel = TypedKernel::build("doubled", point.u32("threads")?, |x: DPull<EU32>| {
///         x.split_up(64).as_grid_map(|x| x.map(|x| x * 2).push())
///     })?;
///     Ok(Candidate::of(kernel))
/// });
/// assert_eq!(exploration.run()?.results.ranked().len(), 2);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub struct Candidate<I: Input, A: Answer> {
    work: Arc<Work<I, A>>,
}

type Work<I, A> = dyn for<'a> Fn(&Device, <I as Input>::Given<'a>) -> Result<<A as Answer>::Buffers>
    + Send
    + Sync;

impl<I: Input, A: Answer> Candidate<I, A> {
    /// A candidate that makes any number of launches, of which one may read what others wrote.
    ///
    /// ```
    /// use obsidian_rt::explore::Candidate;
    /// use obsidian_rt::{Buffer, Device, TypedKernel, language::*};
    ///
    /// /// Sums of runs of 1,024 elements, and the sum of these.
    /// fn in_two_steps(threads: u32) -> obsidian_rt::Result<Candidate<Vec<u32>, Vec<u32>>> {
    ///     let sums = TypedKernel::build("sums", threads, |input: DPull<EU32>| {
    ///         input.split_up(1024).as_grid_map(|run| exec_block(pure(fold1(|a, b| a + b, run).push())))
    ///     })?;
    ///     Ok(Candidate::new(move |device: &Device, input: &Buffer<u32>| {
    ///         let sums_of_runs = sums.launch(device, input)?;
    ///         sums.launch(device, &sums_of_runs)
    ///     }))
    /// }
    /// # in_two_steps(64).expect("it is built");
    /// ```
    pub fn new(
        work: impl for<'a> Fn(&Device, I::Given<'a>) -> Result<A::Buffers> + Send + Sync + 'static,
    ) -> Self {
        Candidate {
            work: Arc::new(work),
        }
    }

    /// A candidate of one launch: the kernel takes the input of the job and gives its answer.
    ///
    /// ```
    /// use obsidian_rt::explore::{Candidate, Explore, Gpu, Job, Objective, Space};
    /// use obsidian_rt::{TypedKernel, language::*};
    ///
    /// let job = Job::new(vec![1u32; 256], |x| x.iter().map(|x| 2 * x).collect::<Vec<u32>>());
    /// let space = Space::new().list("threads", [32, 64]);
    /// let exploration = Explore::new(space, Objective::predicted(Gpu::named("H100")?), job, |point| {
    ///     let kernel = TypedKernel::build("doubled", point.u32("threads")?, |x: DPull<EU32>| {
    ///         x.split_up(64).as_grid_map(|x| x.map(|x| x * 2).push())
    ///     })?;
    ///     Ok(Candidate::of(kernel))
    /// });
    /// assert_eq!(exploration.run()?.results.ranked().len(), 2);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn of<P: Takes<Input = I> + 'static, R: Gives<Answer = A> + 'static>(
        kernel: TypedKernel<P, R>,
    ) -> Self {
        Candidate::new(move |device: &Device, input: I::Given<'_>| {
            kernel.launch(device, P::given(input)).map(R::answer)
        })
    }
}

impl<I: Input, A: Answer> Clone for Candidate<I, A> {
    fn clone(&self) -> Self {
        Candidate {
            work: Arc::clone(&self.work),
        }
    }
}

impl<I: Input, A: Answer> fmt::Debug for Candidate<I, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Candidate").finish_non_exhaustive()
    }
}

/// A candidate, whatever its types: calls its function with a device, and with what stands for the input.
pub(super) type Called =
    Box<dyn Fn(&Device, StandingIn<'_>) -> Result<Vec<(Device, Memory)>> + Send>;

impl<I: Input, A: Answer> Candidate<I, A> {
    /// The candidate for inputs that look like this.
    pub(super) fn called(self, shape: &Arc<I::Shape>) -> Called {
        let shape = Arc::clone(shape);
        Box::new(move |device, stand_in| {
            let buffers = I::buffers(&shape, stand_in);
            let answer = (self.work)(device, I::given(&buffers))?;
            Ok(A::memories(answer))
        })
    }
}
