//! The device that a recording is made on: it writes down what is asked of it, and does nothing of that.

use std::any::Any;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use obsidian_language::scalar::{Literal, ScalarType};

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
    purpose: Purpose,
}

/// What the record is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Purpose {
    /// [`Device::record`](crate::Device::record).
    Recording,
    /// A candidate of an exploration, whose launches are observed.
    Candidate,
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
    /// Which arrays have elements that the host has given.
    host: BTreeSet<usize>,
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
        Recorder::with(device, Purpose::Recording)
    }

    /// The device that a candidate of an exploration launches on. Unlike a recording it takes elements of the host,
    /// which are copied once and never changed.
    #[cfg(feature = "explore")]
    pub(crate) fn of_candidate(device: Arc<dyn Backend>) -> Recorder {
        Recorder::with(device, Purpose::Candidate)
    }

    fn with(device: Arc<dyn Backend>, purpose: Purpose) -> Recorder {
        static NUMBER: AtomicU64 = AtomicU64::new(1);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        Recorder {
            name: format!("recording {number} of {}", device.name()),
            device,
            notes: Arc::default(),
            purpose,
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

    /// The numbers of the arrays whose elements the host has given.
    #[cfg(feature = "explore")]
    pub(crate) fn of_host(&self) -> BTreeSet<usize> {
        lock(&self.notes).host.clone()
    }

    /// Which elements of which array a memory of a device of this name stands for; none if it is not of this record.
    #[cfg(feature = "explore")]
    pub(crate) fn part(&self, device: &str, memory: &Memory) -> Option<Part> {
        let stand_in = memory.place::<StandIn>();
        stand_in
            .filter(|_| device == self.name)
            .map(|stand_in| stand_in.part)
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
        if notes.ended && self.purpose == Purpose::Candidate {
            let message = "the function of the candidate has ended, and its device takes no more: launch while it is called";
            return Err(Error::new(ErrorKind::WrongAnswer, message));
        }
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

    /// The error for something that a recording cannot have for the one reason, and a candidate for the other.
    fn cannot_either<R>(&self, recording: &str, candidate: &str) -> Result<R> {
        match self.purpose {
            Purpose::Recording => self.cannot(recording),
            Purpose::Candidate => {
                drop(self.open()?);
                let message = format!("the candidate {candidate}");
                Err(Error::new(ErrorKind::WrongAnswer, message))
            }
        }
    }

    /// Elements of the host as an array of a candidate's own.
    fn given_by_host(&self, elements: &dyn Elements) -> Result<Memory> {
        let (ty, length) = (elements.ty(), elements.count());
        let memory = self.device.upload(elements)?;
        let mut notes = self.open()?;
        notes.own.push(memory);
        let array = notes.given + notes.own.len() - 1;
        notes.host.insert(array);
        let part = Part {
            array,
            start: 0,
            length,
        };
        // Nothing else may ever write it, so it is not free once it is dropped.
        Ok(Memory::new(ty, length, StandIn { part, own: None }))
    }

    /// May this array be written?
    fn may_write(&self, array: usize) -> Result<()> {
        if !lock(&self.notes).host.contains(&array) {
            return Ok(());
        }
        self.cannot_either(ONLY_ONCE, HOST_WRITES)
    }
}

fn refused(why: &str) -> Error {
    Error::new(ErrorKind::CannotRun, format!("the recording {why}"))
}

const NOTHING_TO_READ: &str = "is being made, and nothing of it has run: launch into a buffer that you give to `Device::record`, and read that one \
                               after `Recording::replay`";

const ONLY_ONCE: &str = "would copy elements of the host once only: copy them before, and give the buffer to `Device::record`";

const PARTS: &str = "cannot split buffers or put them together: do that before, and give the parts to `Device::record`";

const SPLITS: &str = "splits buffers or puts them together: launch on the buffers that its function is given, on parts of them by `slice`, or on copies";

const HOST_READS: &str = "reads on the host: nothing has run when its function is called, and work of the host is not measured; leave it to \
                          launches";

const HOST_WRITES: &str = "changes an array that the host has filled: begin with `zeros`, or with a copy of an input on the device, so that every launch \
                           of it does the same";

const HOST_REFILLS: &str = "copies elements of the host to a buffer that is there: upload them as a buffer of their own, which launches read";

const ONE_QUEUE: &str = "uses streams or events: launch on the device that its function is given";

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
            _ if self.purpose == Purpose::Candidate => self.given_by_host(elements),
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
        self.cannot_either(NOTHING_TO_READ, HOST_READS)
    }

    fn download_to(&self, _: &Memory, _: &mut dyn ElementsMut) -> Result<()> {
        self.cannot_either(NOTHING_TO_READ, HOST_READS)
    }

    fn download_owned(&self, _: Memory) -> Result<HostArray> {
        self.cannot_either(NOTHING_TO_READ, HOST_READS)
    }

    fn write(&self, _: &mut Memory, _: &dyn Elements) -> Result<()> {
        self.cannot_either(ONLY_ONCE, HOST_REFILLS)
    }

    unsafe fn write_later(&self, _: &mut Memory, _: &dyn Elements) -> Result<Arc<dyn Mark>> {
        self.cannot_either(ONLY_ONCE, HOST_REFILLS)
    }

    unsafe fn read_later(&self, _: &Memory, _: &mut dyn ElementsMut) -> Result<Arc<dyn Mark>> {
        self.cannot_either(NOTHING_TO_READ, HOST_READS)
    }

    fn copy(&self, from: &Memory, to: &mut Memory) -> Result<()> {
        let (from, to) = (self.part_of(from)?, self.part_of(to)?.array);
        self.may_write(to)?;
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
        self.cannot_either(PARTS, SPLITS)
    }

    fn unsplit(&self, _: &mut Memory, _: Memory) -> Result<Option<Memory>> {
        self.cannot_either(PARTS, SPLITS)
    }

    fn fill(&self, memory: &mut Memory, value: Literal) -> Result<()> {
        let array = self.part_of(memory)?.array;
        self.may_write(array)?;
        self.note(Step::Fill { array, value })
    }

    fn trim_memory(&self, keep: usize) -> Result<()> {
        self.device.trim_memory(keep)
    }

    fn accepts(&self, kernel: &Kernel) -> Result<()> {
        self.device.accepts(kernel)
    }

    fn load_all(&self, kernels: &[&Kernel]) {
        self.device.load_all(kernels);
    }

    fn run(&self, launch: &mut Launch<'_>) -> Result<()> {
        self.device.load(launch.kernel)?;
        let written = |memory: &Memory| {
            let array = self.part_of(memory)?.array;
            self.may_write(array)?;
            Ok::<_, Error>(RecordedArgument::Written(array))
        };
        let argument = |parameter: &Parameter<'_>| {
            Ok(match parameter {
                Parameter::Input(memory) => RecordedArgument::Read(self.part_of(memory)?),
                Parameter::InOut(memory) => written(memory)?,
                Parameter::Output(memory) => written(memory)?,
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
        if self.purpose == Purpose::Candidate {
            // Nothing runs yet, so that there is nothing to wait for.
            return self.open().map(drop);
        }
        self.cannot_either(NOTHING_TO_READ, HOST_READS)
    }

    fn stream(&self) -> Result<Option<Arc<dyn Backend>>> {
        self.cannot_either(NO_QUEUE, ONE_QUEUE)
    }

    fn record(&self) -> Result<Arc<dyn Mark>> {
        self.cannot_either(NO_QUEUE, ONE_QUEUE)
    }

    fn wait(&self, _: &dyn Mark) -> Result<()> {
        self.cannot_either(NO_QUEUE, ONE_QUEUE)
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
