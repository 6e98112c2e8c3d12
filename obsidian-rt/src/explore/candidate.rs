//! Candidates: what a point becomes. Kernels with their launches, and how an answer is told from a
//! wrong one.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use obsidian_core::simulate::Counts;

use super::result::Needs;
use crate::buffer::Buffer;
use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, ErrorKind, Result};
use crate::kernel::Kernel;
use crate::typed::{LaunchResult, Parameters, TypedKernel};

/// One launch, or several one after the other, that together do the job.
///
/// Each launch is tried alone, on inputs of its own, and the score of a candidate is the sum over
/// its launches. Clones have their launches in common: what a prediction has counted for one of
/// them need not be counted again. So where several points have a launch in common, keep it, and
/// put their candidates together with [`then`](Candidate::then).
#[derive(Clone, Default)]
pub struct Candidate {
    pub(super) launches: Vec<Arc<Planned>>,
}

/// A launch of the job.
pub(super) struct Planned {
    pub(super) kernel: Kernel,
    pub(super) blocks: u64,
    prepare: Prepare,
    /// What the simulator has counted, by the number of blocks, with the right answer.
    counted: Mutex<BTreeMap<u64, Counts>>,
}

type Prepare = Box<dyn Fn(&Device, u64) -> Result<Trial> + Send + Sync>;

impl Candidate {
    /// A candidate without launches; [`launch`](Candidate::launch) adds them.
    pub fn new() -> Self {
        Candidate::default()
    }

    /// A candidate of one launch with one input and one output, of `blocks` blocks.
    ///
    /// `input` makes the elements for a number of blocks, which may be less than the job's;
    /// `reference` says what comes out.
    pub fn of<P, R, T, U>(
        kernel: TypedKernel<P, R>,
        blocks: u64,
        input: impl Fn(u64) -> Vec<T> + Send + Sync + 'static,
        reference: impl Fn(&[T]) -> Vec<U> + Send + Sync + 'static,
    ) -> Self
    where
        P: for<'a> Parameters<Given<'a> = &'a Buffer<T>> + 'static,
        R: LaunchResult<Buffers = Buffer<U>> + 'static,
        T: Element,
        U: Element + PartialEq,
    {
        let value = kernel.kernel().clone();
        Candidate::of_launch(
            &value,
            blocks,
            input,
            move |device, input| kernel.launch(device, input),
            reference,
        )
    }

    /// The same for a kernel that has a function of its own for launches, such as `launch_variant`
    /// of a [`Variant`](crate::Variant).
    pub fn of_launch<T: Element, U: Element + PartialEq>(
        kernel: &Kernel,
        blocks: u64,
        input: impl Fn(u64) -> Vec<T> + Send + Sync + 'static,
        launch: impl Fn(&Device, &Buffer<T>) -> Result<Buffer<U>> + Send + Sync + 'static,
        reference: impl Fn(&[T]) -> Vec<U> + Send + Sync + 'static,
    ) -> Self {
        let launch = Arc::new(launch);
        Candidate::new().launch(kernel, blocks, move |device, blocks| {
            let (launch, elements) = (Arc::clone(&launch), input(blocks));
            let (expected, buffer) = (reference(&elements), device.upload(&elements)?);
            Ok(Trial::new(
                move |device| launch(device, &buffer),
                move |output| Ok(output.to_vec()? == expected),
            ))
        })
    }

    /// These launches, and then those of another candidate.
    #[must_use]
    pub fn then(mut self, next: Candidate) -> Self {
        self.launches.extend(next.launches);
        self
    }

    /// Adds a launch of any kernel: `blocks` is how many blocks the job has, and `prepare` makes a
    /// trial with as many as it is given (fewer, or as many), on a device.
    #[must_use]
    pub fn launch(
        mut self,
        kernel: &Kernel,
        blocks: u64,
        prepare: impl Fn(&Device, u64) -> Result<Trial> + Send + Sync + 'static,
    ) -> Self {
        let (prepare, counted) = (Box::new(prepare), Mutex::default());
        self.launches.push(Arc::new(Planned {
            kernel: kernel.clone(),
            blocks,
            prepare,
            counted,
        }));
        self
    }

    /// What the first launch needs.
    pub fn needs(&self) -> Option<Needs> {
        self.launches.first().map(|launch| launch.needs())
    }

    /// The CUDA text of all kernels; each once.
    pub fn cuda(&self) -> String {
        let mut texts: Vec<&str> = Vec::new();
        for launch in &self.launches {
            if !texts.contains(&launch.kernel.cuda()) {
                texts.push(launch.kernel.cuda());
            }
        }
        texts.join("\n")
    }
}

impl fmt::Debug for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let launches = self
            .launches
            .iter()
            .map(|launch| (launch.kernel.name(), launch.blocks));
        f.debug_list().entries(launches).finish()
    }
}

/// Estimates the registers of a thread that holds `held_words` words in arrays: those words and 32 more, which kernels without held
/// arrays rarely exceed. Up to 8 words fit into the 32.
fn estimated(held_words: u32) -> Option<u32> {
    (held_words > 8).then_some(32 + held_words)
}

impl Planned {
    pub(super) fn needs(&self) -> Needs {
        let kernel = &self.kernel;
        Needs {
            threads: kernel.threads(),
            shared_bytes: kernel.shared_bytes(),
            registers: kernel
                .plan()
                .ok()
                .and_then(|plan| estimated(plan.held_words())),
            blocks: self.blocks,
        }
    }

    /// A trial with at most `blocks` blocks.
    pub(super) fn prepare(&self, device: &Device, blocks: u64) -> Result<Trial> {
        (self.prepare)(device, blocks)
    }

    /// The counts of the first `blocks` blocks on the simulator; none if their answer is
    /// wrong.
    pub(super) fn counts(&self, blocks: u64) -> Result<Option<Counts>> {
        let blocks = self.blocks.min(blocks);
        if let Some(counts) = self.known().get(&blocks) {
            return Ok(Some(counts.clone()));
        }
        let device = Device::simulator();
        let mut trial = self.prepare(&device, blocks)?;
        let ((), counts) = device.counted(|device| trial.launch(device))?;
        if !trial.is_right()? {
            return Ok(None);
        }
        self.known().insert(blocks, counts.clone());
        Ok(Some(counts))
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<u64, Counts>> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A launch that is ready to be made, again and again, and what tells whether its answer is right.
pub struct Trial {
    work: Box<dyn Work>,
}

impl Trial {
    /// `launch` is what is counted or timed; it is called with the device that the trial was
    /// prepared for. `is_right` looks at what came out of the last call, and may change nothing.
    pub fn new<R: Send + 'static>(
        launch: impl FnMut(&Device) -> Result<R> + Send + 'static,
        is_right: impl Fn(&R) -> Result<bool> + Send + 'static,
    ) -> Self {
        Trial {
            work: Box::new(Typed {
                launch,
                is_right,
                answer: None,
            }),
        }
    }

    pub(super) fn launch(&mut self, device: &Device) -> Result<()> {
        self.work.launch(device)
    }

    /// Frees what the last launch has made, so that the next one has the memory.
    pub(super) fn forget(&mut self) {
        self.work.forget();
    }

    pub(super) fn is_right(&self) -> Result<bool> {
        self.work.is_right()
    }
}

impl fmt::Debug for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trial").finish_non_exhaustive()
    }
}

/// A trial, whatever its answer.
trait Work: Send {
    fn launch(&mut self, device: &Device) -> Result<()>;
    fn forget(&mut self);
    fn is_right(&self) -> Result<bool>;
}

struct Typed<R, L, C> {
    launch: L,
    is_right: C,
    answer: Option<R>,
}

impl<R: Send, L: FnMut(&Device) -> Result<R> + Send, C: Fn(&R) -> Result<bool> + Send> Work
    for Typed<R, L, C>
{
    fn launch(&mut self, device: &Device) -> Result<()> {
        self.forget();
        self.answer = Some((self.launch)(device)?);
        Ok(())
    }

    fn forget(&mut self) {
        self.answer = None;
    }

    fn is_right(&self) -> Result<bool> {
        let nothing = || {
            Error::new(
                ErrorKind::Internal,
                "an answer was looked at before the launch",
            )
        };
        (self.is_right)(self.answer.as_ref().ok_or_else(nothing)?)
    }
}
