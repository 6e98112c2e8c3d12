//! The device that a recording is made on: it writes down what is asked of it, and does nothing of that.

use std::any::Any;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use obsidian_core::scalar::{Literal, ScalarType};

use super::work::{Part, RecordedArgument, RecordedLaunch, Step};
use super::{Backend, Elements, ElementsMut, HostArray, Launch, Mark, Memory, Parameter};
use crate::error::{Error, ErrorKind, Result};
use crate::kernel::Kernel;
use crate::properties::Properties;

/// A device that records work for another one.
pub(crate) struct Recorder {
    device: Arc<dyn Backend>,
    /// Devices of one name can use each other's memory; no other one can use that of a recording.
    name: String,
    notes: Arc<Mutex<Notes>>,
}

/// What was recorded so far.
#[derive(Default)]
struct Notes {
    /// Has the recording ended?
    ended: bool,
    steps: Vec<Step>,
    /// How many arrays the caller has.
    given: usize,
    /// The arrays behind those: results of launches that are recorded.
    own: Vec<Memory>,
    /// Which of those nobody has any more. What comes later may write them.
    free: Vec<usize>,
}

/// What a memory stands for while a recording is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StandInKind {
    /// The caller's array of this number.
    Given(usize),
    /// An array of the recording's own.
    Own,
    /// Nothing of this recording.
    Elsewhere,
}

/// What stands for an array while a recording is made.
struct StandIn {
    part: Part,
    /// For an array of the recording's own, which can be used again once this is dropped.
    own: Option<Arc<Mutex<Notes>>>,
}

impl Drop for StandIn {
    fn drop(&mut self) {
        if let Some(notes) = &self.own {
            lock(notes).free.push(self.part.array);
        }
    }
}

fn lock(notes: &Mutex<Notes>) -> MutexGuard<'_, Notes> {
    notes.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Recorder {
    pub(crate) fn new(device: Arc<dyn Backend>) -> Recorder {
        static NUMBER: AtomicU64 = AtomicU64::new(1);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        Recorder {
            name: format!("recording {number} of {}", device.name()),
            device,
            notes: Arc::default(),
        }
    }

    /// What stands for the next array of the caller, of this type and length.
    pub(crate) fn stand_in(&self, ty: ScalarType, length: usize) -> Memory {
        let mut notes = lock(&self.notes);
        let array = notes.given;
        notes.given += 1;
        let part = Part {
            array,
            start: 0,
            length,
        };
        Memory::new(ty, length, StandIn { part, own: None })
    }

    /// The steps, and the arrays behind those of the caller. Nothing more is recorded.
    pub(crate) fn finish(&self) -> (Vec<Step>, Vec<Memory>) {
        let mut notes = lock(&self.notes);
        notes.ended = true;
        (
            std::mem::take(&mut notes.steps),
            std::mem::take(&mut notes.own),
        )
    }

    /// What a memory of a device of this name stands for.
    pub(crate) fn kind_of(&self, device: &str, memory: &Memory) -> StandInKind {
        match memory.place::<StandIn>() {
            Some(stand_in) if device == self.name => match stand_in.own {
                None => StandInKind::Given(stand_in.part.array),
                Some(_) => StandInKind::Own,
            },
            _ => StandInKind::Elsewhere,
        }
    }

    /// The array for which a memory stands, or the part of one.
    fn part_of(&self, memory: &Memory) -> Result<Part> {
        memory
            .place::<StandIn>()
            .map(|stand_in| stand_in.part)
            .ok_or_else(|| Error::new(ErrorKind::Internal, "an array is none of the recording"))
    }

    /// What was noted so far, if there may be more.
    fn open(&self) -> Result<MutexGuard<'_, Notes>> {
        let notes = lock(&self.notes);
        if notes.ended {
            return Err(refused(
                "has ended, and what belonged to it is no more: launch into a buffer that you give to `Device::record`, and read that one after \
                 `Recording::replay`",
            ));
        }
        Ok(notes)
    }

    fn note(&self, step: Step) -> Result<()> {
        self.open()?.steps.push(step);
        Ok(())
    }

    /// The error for something that cannot be recorded, and why.
    fn cannot<R>(&self, why: &str) -> Result<R> {
        self.open().and_then(|_| Err(refused(why)))
    }
}

fn refused(why: &str) -> Error {
    Error::new(ErrorKind::CannotRun, format!("the recording {why}"))
}

const NOTHING_TO_READ: &str = "is being made, and nothing of it has run: launch into a buffer that you give to `Device::record`, and read that one \
                               after `Recording::replay`";

const ONLY_ONCE: &str = "would copy elements of the host once only: copy them before, and give the buffer to `Device::record`";

const PARTS: &str = "cannot split buffers or put them together: do that before, and give the parts to `Device::record`";

const NO_QUEUE: &str = "is one queue by itself, without streams and events: record for a stream by `stream.device().record(..)`";

impl Backend for Recorder {
    fn name(&self) -> &str {
        &self.name
    }

    fn model(&self) -> &str {
        self.device.model()
    }

    /// Only an array of no elements: there is nothing to copy.
    fn upload(&self, elements: &dyn Elements) -> Result<Memory> {
        match elements.count() {
            0 => self.fresh(elements.ty(), 0),
            _ => self.cannot(ONLY_ONCE),
        }
    }

    fn zeros(&self, ty: ScalarType, length: usize) -> Result<Memory> {
        let mut memory = self.fresh(ty, length)?;
        self.fill(&mut memory, Literal::from_bits(ty, 0))?;
        Ok(memory)
    }

    fn fresh(&self, ty: ScalarType, length: usize) -> Result<Memory> {
        let mut notes = self.open()?;
        let fits = |array: &usize| {
            let own = notes.own.get(*array - notes.given);
            own.is_some_and(|memory| memory.ty() == ty && memory.len() == length)
        };
        let array = match notes.free.iter().position(fits) {
            Some(position) => notes.free.swap_remove(position),
            None => {
                let memory = self.device.fresh(ty, length)?;
                notes.own.push(memory);
                notes.given + notes.own.len() - 1
            }
        };
        let stand_in = StandIn {
            part: Part {
                array,
                start: 0,
                length,
            },
            own: Some(Arc::clone(&self.notes)),
        };
        Ok(Memory::new(ty, length, stand_in))
    }

    fn download(&self, _: &Memory) -> Result<HostArray> {
        self.cannot(NOTHING_TO_READ)
    }

    fn download_to(&self, _: &Memory, _: &mut dyn ElementsMut) -> Result<()> {
        self.cannot(NOTHING_TO_READ)
    }

    fn download_owned(&self, _: Memory) -> Result<HostArray> {
        self.cannot(NOTHING_TO_READ)
    }

    fn write(&self, _: &mut Memory, _: &dyn Elements) -> Result<()> {
        self.cannot(ONLY_ONCE)
    }

    unsafe fn write_later(&self, _: &mut Memory, _: &dyn Elements) -> Result<Arc<dyn Mark>> {
        self.cannot(ONLY_ONCE)
    }

    unsafe fn read_later(&self, _: &Memory, _: &mut dyn ElementsMut) -> Result<Arc<dyn Mark>> {
        self.cannot(NOTHING_TO_READ)
    }

    fn copy(&self, from: &Memory, to: &mut Memory) -> Result<()> {
        let (from, to) = (self.part_of(from)?, self.part_of(to)?.array);
        self.note(Step::Copy { from, to })
    }

    unsafe fn part(&self, memory: &Memory, start: usize, length: usize) -> Result<Memory> {
        let of = self.part_of(memory)?;
        let part = Part {
            array: of.array,
            start: of.start + start,
            length,
        };
        Ok(Memory::new(
            memory.ty(),
            length,
            StandIn { part, own: None },
        ))
    }

    fn split_off(&self, _: &mut Memory, _: usize) -> Result<Memory> {
        self.cannot(PARTS)
    }

    fn unsplit(&self, _: &mut Memory, _: Memory) -> Result<Option<Memory>> {
        self.cannot(PARTS)
    }

    fn fill(&self, memory: &mut Memory, value: Literal) -> Result<()> {
        let array = self.part_of(memory)?.array;
        self.note(Step::Fill { array, value })
    }

    fn trim_memory(&self, keep: usize) -> Result<()> {
        self.device.trim_memory(keep)
    }

    fn accepts(&self, kernel: &Kernel) -> Result<()> {
        self.device.accepts(kernel)
    }

    fn run(&self, launch: &mut Launch<'_>) -> Result<()> {
        self.device.load(launch.kernel)?;
        let argument = |parameter: &Parameter<'_>| {
            Ok(match parameter {
                Parameter::Input(memory) => RecordedArgument::Read(self.part_of(memory)?),
                Parameter::InOut(memory) => RecordedArgument::Written(self.part_of(memory)?.array),
                Parameter::Output(memory) => RecordedArgument::Written(self.part_of(memory)?.array),
                Parameter::Scalar(value) => RecordedArgument::Scalar(*value),
            })
        };
        let arguments = launch
            .parameters()
            .iter()
            .map(argument)
            .collect::<Result<_>>()?;
        self.note(Step::Launch(RecordedLaunch {
            kernel: launch.kernel.clone(),
            blocks: launch.blocks,
            limit: launch.limit,
            arguments,
        }))
    }

    fn synchronize(&self) -> Result<()> {
        self.cannot(NOTHING_TO_READ)
    }

    fn stream(&self) -> Result<Option<Arc<dyn Backend>>> {
        self.cannot(NO_QUEUE)
    }

    fn record(&self) -> Result<Arc<dyn Mark>> {
        self.cannot(NO_QUEUE)
    }

    fn wait(&self, _: &dyn Mark) -> Result<()> {
        self.cannot(NO_QUEUE)
    }

    fn pages(&self, ty: ScalarType, length: usize) -> Result<Box<dyn Any + Send + Sync>> {
        self.device.pages(ty, length)
    }

    fn properties(&self) -> Option<&Properties> {
        self.device.properties()
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }

    fn warnings(&self) -> Vec<String> {
        self.device.warnings()
    }
}

impl fmt::Debug for Recorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorder")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
