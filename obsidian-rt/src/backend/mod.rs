//! What stands behind a [`Device`](crate::Device): where arrays lie, and who runs a launch that has
//! been checked.
//!
//! The CPU, the simulator and, with the feature `cuda`, GPUs are [`Backend`]s. A crate may bring
//! another one, with [`Device::from_backend`](crate::Device::from_backend), so that kernels run
//! there by their usual typed launches. Public for such crates, and no part of the documented
//! interface.

#[cfg(feature = "run-time")]
mod by_columns;
#[cfg(feature = "run-time")]
pub(crate) mod columns;
mod cpu;
#[cfg(feature = "cuda")]
pub(crate) mod cuda;
mod fault;
mod host;
mod mark;
mod memory;
mod pieces;
mod pool;
mod recorder;
#[cfg(feature = "run-time")]
mod simulator;
mod work;

pub(crate) use cpu::Cpu;
#[cfg(feature = "run-time")]
pub(crate) use cpu::panic_message;
pub use host::HostArray;
#[cfg(feature = "sequence")]
pub(crate) use host::spare;
pub use mark::Mark;
pub use memory::{Elements, ElementsMut, Memory, Pages};
pub(crate) use recorder::{Recorder, StandInKind};
#[cfg(feature = "run-time")]
pub(crate) use simulator::Simulator;
#[cfg(feature = "explore")]
pub(crate) use simulator::{Sample, Written, sample};
#[cfg(feature = "explore")]
pub(crate) use work::one_by_one;
pub use work::{Part, RecordedArgument, RecordedLaunch, Step};

use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use obsidian_base::counts::Counts;
use obsidian_base::launch::Interface;
use obsidian_language::scalar::{Literal, ScalarType};

use crate::element::by_type;
use crate::error::{Error, ErrorKind, Result};
use crate::kernel::Kernel;
use crate::properties::Properties;

/// What a device does. Without more, its arrays lie in the memory of the host.
///
/// A device whose memory is elsewhere makes [`Memory`] of its own kind in all of `upload`, `zeros`,
/// `fresh`, `part` and `split_off`, reads it in `download`, and changes it in `write`, `copy`, `fill` and `unsplit`.
pub trait Backend: fmt::Debug + Send + Sync {
    /// The name of the device. Devices of one name can use each other's memory.
    fn name(&self) -> &str;

    /// What kind of device it is, as tuned files name it: for a GPU that of its model, which
    /// devices share.
    fn model(&self) -> &str {
        self.name()
    }

    /// Memory with these elements.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`], and any other failure of the device.
    fn upload(&self, elements: &dyn Elements) -> Result<Memory> {
        elements.to_host().map(Memory::host)
    }

    /// Memory with the elements of an array, which the device may keep: those whose arrays lie in
    /// the memory of the host make no copy.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`], and any other failure of the device.
    fn upload_owned(&self, array: HostArray) -> Result<Memory> {
        self.upload(&array)
    }

    /// Memory of `length` zeros.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`], and any other failure of the device.
    fn zeros(&self, ty: ScalarType, length: usize) -> Result<Memory> {
        HostArray::zeros(ty, length).map(Memory::host)
    }

    /// Memory for `length` elements that a launch will write.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`], and any other failure of the device.
    fn fresh(&self, ty: ScalarType, length: usize) -> Result<Memory> {
        HostArray::fresh(ty, length).map(Memory::host)
    }

    /// The elements in a memory, copied.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`], and any failure of the work that came before.
    fn download(&self, memory: &Memory) -> Result<HostArray> {
        memory.as_host()?.copied()
    }

    /// Copies the elements in a memory to a place of the same type and length.
    ///
    /// # Errors
    /// Any failure of the work that came before.
    fn download_to(&self, memory: &Memory, elements: &mut dyn ElementsMut) -> Result<()> {
        match memory.as_host() {
            Ok(array) => elements.set(array),
            Err(_) => elements.set(&self.download(memory)?),
        }
    }

    /// The elements in a memory, which is not needed any more: without a copy where they lie in the
    /// memory of the host.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`], and any failure of the work that came before.
    fn download_owned(&self, memory: Memory) -> Result<HostArray> {
        memory.into_place().or_else(|memory| self.download(&memory))
    }

    /// Copies as many elements of the same type to a memory.
    ///
    /// # Errors
    /// Any failure of the device.
    fn write(&self, memory: &mut Memory, elements: &dyn Elements) -> Result<()> {
        elements.copy_to(memory.as_host_mut()?)
    }

    /// Copies as many elements of the same type to a memory, behind what was queued. It may come back before that is done, which the mark
    /// says. After an error, no copy is under way.
    ///
    /// # Safety
    /// The elements stay where and as they are until the mark is reached; if waiting for it fails, until `synchronize` came back.
    ///
    /// # Errors
    /// Any failure of the device.
    unsafe fn write_later(
        &self,
        memory: &mut Memory,
        elements: &dyn Elements,
    ) -> Result<Arc<dyn Mark>> {
        self.write(memory, elements)?;
        self.record()
    }

    /// Copies the elements in a memory to a place of the same type and length, behind what was queued, as
    /// [`write_later`](Backend::write_later).
    ///
    /// # Safety
    /// The place stays where it is, and nobody else reads or writes it, for as long as for `write_later`.
    ///
    /// # Errors
    /// Any failure of the device.
    unsafe fn read_later(
        &self,
        memory: &Memory,
        elements: &mut dyn ElementsMut,
    ) -> Result<Arc<dyn Mark>> {
        self.download_to(memory, elements)?;
        self.record()
    }

    /// Copies the elements of a memory to another one of the same type and length, both of this device.
    ///
    /// # Errors
    /// Any failure of the device.
    fn copy(&self, from: &Memory, to: &mut Memory) -> Result<()> {
        to.as_host_mut()?.elements_mut()?.set(from.as_host()?)
    }

    /// Orders what this queue is asked for from now on behind all that was done with a memory on another queue of the same device, and behind nothing
    /// that comes later there. What faults is told by the other queue alone.
    ///
    /// # Errors
    /// Any failure of the device.
    fn adopt(&self, memory: &Memory) -> Result<()> {
        let _ = memory;
        Ok(())
    }

    /// Can it read what lies in the memory of the host? Then elements of the host need not be copied for work that only reads them.
    fn reads_host(&self) -> bool {
        false
    }

    /// A part of a memory, which is only read: `length` elements from `start` on. Nothing is copied.
    ///
    /// # Safety
    /// The elements are inside of the memory. The part is dropped, and work that reads it is asked for, before the memory is changed or
    /// dropped.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if the memory is of another kind.
    unsafe fn part(&self, memory: &Memory, start: usize, length: usize) -> Result<Memory> {
        // SAFETY: the caller's promise.
        unsafe { memory.as_host()?.part(start, length) }.map(Memory::host)
    }

    /// Keeps the first `length` elements of a memory, of which there are at least as many, and gives the others as a memory of their own.
    /// Nothing is copied.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if the memory is of another kind.
    fn split_off(&self, memory: &mut Memory, length: usize) -> Result<Memory> {
        let rest = memory.as_host_mut()?.split_off(length)?;
        memory.set_length(length);
        Ok(Memory::host(rest))
    }

    /// Puts back what was split off from the end of a memory, without a copy. Gives it back if it is something else.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if a memory is of another kind.
    fn unsplit(&self, memory: &mut Memory, next: Memory) -> Result<Option<Memory>> {
        let length = memory.len() + next.len();
        let next = next
            .into_place::<HostArray>()
            .map_err(|_| memory::elsewhere())?;
        let other = memory.as_host_mut()?.unsplit(next).map(Memory::host);
        if other.is_none() {
            memory.set_length(length);
        }
        Ok(other)
    }

    /// Makes all elements of a memory the same: a number of its type.
    ///
    /// # Errors
    /// Any failure of the device.
    fn fill(&self, memory: &mut Memory, value: Literal) -> Result<()> {
        memory.as_host_mut()?.fill(value)
    }

    /// Frees memory that is kept for later buffers, except `keep` bytes.
    ///
    /// # Errors
    /// Any failure of the device.
    fn trim_memory(&self, keep: usize) -> Result<()> {
        host::trim(keep);
        Ok(())
    }

    /// The memory that is free for arrays, in bytes, what is kept for later buffers included; none where that is not known.
    ///
    /// # Errors
    /// Any failure of the device.
    fn free_memory(&self) -> Result<Option<u64>> {
        Ok(host::free_memory())
    }

    /// Could a block of this kernel run here? Asked before memory for its outputs is made.
    ///
    /// # Errors
    /// [`ErrorKind::CannotRun`] if it could not.
    fn accepts(&self, kernel: &Kernel) -> Result<()> {
        let _ = kernel;
        Ok(())
    }

    /// Makes ready what launches of this kernel need, so that the first one does not wait for it.
    ///
    /// # Errors
    /// [`ErrorKind::CannotRun`] for a kernel that cannot run here, and what a compiler reports.
    fn load(&self, kernel: &Kernel) -> Result<()> {
        let _ = kernel;
        Ok(())
    }

    /// Makes kernels ready that are about to be launched one after another, where that is quicker for all of them together. What is
    /// wrong with one is told by its launch.
    fn load_all(&self, _kernels: &[&Kernel]) {}

    /// Runs a launch, or queues it; with no blocks, only says whether it could.
    ///
    /// # Errors
    /// [`ErrorKind::CannotRun`] for a kernel that cannot run here, [`ErrorKind::Fault`] for what a
    /// kernel may not do.
    fn run(&self, launch: &mut Launch<'_>) -> Result<()>;

    /// Does recorded steps with these arrays, in the order of their numbers. What the device makes of the steps it may keep for the next
    /// time, when the arrays may be other ones.
    ///
    /// # Errors
    /// As [`run`](Backend::run), [`copy`](Backend::copy) and [`fill`](Backend::fill).
    fn replay(&self, steps: &[Step], arrays: &mut [&mut Memory], kept: &mut Kept) -> Result<()> {
        let _ = kept;
        work::one_by_one(self, steps, arrays)
    }

    /// Waits until all that was queued is done.
    ///
    /// # Errors
    /// What went wrong in it.
    fn synchronize(&self) -> Result<()> {
        Ok(())
    }

    /// The same device, which never runs a kernel on another one instead; none where it is one that does not.
    fn strict(&self) -> Option<Arc<dyn Backend>> {
        None
    }

    /// The same device with a queue of its own; none for a device that does everything at once.
    ///
    /// # Errors
    /// The failure that the device reports.
    fn stream(&self) -> Result<Option<Arc<dyn Backend>>> {
        Ok(None)
    }

    /// Marks the end of what was queued so far.
    ///
    /// # Errors
    /// The failure that the device reports.
    fn record(&self) -> Result<Arc<dyn Mark>> {
        Ok(Arc::new(Instant::now()))
    }

    /// Lets what is queued from now on wait for a mark, of this device or another one.
    ///
    /// # Errors
    /// The failure of an operation before the mark, or what the device reports.
    fn wait(&self, mark: &dyn Mark) -> Result<()> {
        mark.synchronize()
    }

    /// An array of the host, all zeros, from which the device copies fast: [`Pages`] of the Rust
    /// type of `ty`.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`]
    fn pages(&self, ty: ScalarType, length: usize) -> Result<Box<dyn Any + Send + Sync>> {
        by_type!(ty, T => {
            let elements = HostArray::zeros(ty, length)?.into_elements::<T>().unwrap_or_default();
            let pages: Pages<T> = Box::new(elements);
            Ok(Box::new(pages))
        })
    }

    /// What the device has; none for one that is not a GPU.
    fn properties(&self) -> Option<&Properties> {
        None
    }

    /// The device as its own type, for what other libraries want of it; none for one that has nothing for them.
    fn as_any(&self) -> Option<&dyn Any> {
        None
    }

    /// What did not work and did no harm so far.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// The same device, whose launches add what they have done to these counts as well; none for
    /// one that does not count.
    fn counting(&self, counts: Arc<Mutex<Counts>>) -> Option<Arc<dyn Backend>> {
        drop(counts);
        None
    }
}

/// What a device has made of recorded steps: nothing at first.
pub type Kept = Option<Box<dyn Any + Send + Sync>>;

/// A launch whose arguments fit the kernel and each other.
#[derive(Debug)]
pub struct Launch<'a> {
    pub(crate) kernel: &'a Kernel,
    pub(crate) blocks: u32,
    pub(crate) limit: Option<u32>,
    pub(crate) parameters: Vec<Parameter<'a>>,
}

/// One parameter of a launch.
#[derive(Debug)]
pub enum Parameter<'a> {
    /// An array that is read.
    Input(&'a Memory),
    /// An array that is read and written.
    InOut(&'a mut Memory),
    /// An array to write.
    Output(Memory),
    /// A number.
    Scalar(Literal),
}

impl<'a> Launch<'a> {
    /// The kernel.
    pub fn kernel(&self) -> &'a Kernel {
        self.kernel
    }

    /// What is known of the kernel: its parameters are those of the launch, in the same order.
    pub fn interface(&self) -> &'a Interface {
        self.kernel.interface()
    }

    /// The number of virtual blocks; 0 means that there is nothing to do.
    pub fn blocks(&self) -> u32 {
        self.blocks
    }

    /// The largest number of real blocks, if there is one; at least 1.
    pub fn limit(&self) -> Option<u32> {
        self.limit
    }

    /// Should only as many real blocks run as the device holds at once? The results are the same
    /// with any number of them.
    pub fn resident(&self) -> bool {
        self.interface().resident
    }

    /// How many real blocks run: as many as there are virtual ones, up to the limit. A device that
    /// holds fewer of a [`resident`](Launch::resident) launch at once runs those.
    pub fn grid(&self) -> u32 {
        self.limit
            .map_or(self.blocks, |limit| limit.min(self.blocks))
    }

    /// Looks at the word of faults of a kernel whose [interface](Launch::interface) has one: its CUDA function is given the address of a word in
    /// which all bits are set.
    ///
    /// # Errors
    /// [`ErrorKind::Fault`] if an access was noted in the word, with its array, index and place.
    pub fn check_faults(&self, word: u64) -> Result<()> {
        match word {
            obsidian_base::launch::NO_FAULT => Ok(()),
            noted => Err(fault::noted(self.kernel, &self.lengths(), noted)),
        }
    }

    /// How many words of 64 bits the CUDA function needs, by which blocks follow each other; 0 if it has no argument for their address.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if a number of blocks has no value.
    pub fn order_words(&self) -> Result<u64> {
        if self.interface().orders.is_empty() {
            return Ok(0);
        }
        let (lengths, arguments) = self.numbers();
        let words = self.interface().order_words(&lengths, &arguments);
        words
            .map_err(|wrong| Error::new(ErrorKind::Internal, format!("a number of blocks {wrong}")))
    }

    /// Fresh memory for what blocks leave for those behind them, on a device whose blocks are not there together: for each ordered loop, an
    /// array for each component of what they have, and as many for what they find.
    pub(crate) fn between(&self) -> Result<Vec<Memory>> {
        let mut memories = Vec::new();
        if self.interface().orders.is_empty() {
            return Ok(memories);
        }
        let (lengths, arguments) = self.numbers();
        for order in self.interface().orders.iter() {
            let blocks = order.blocks.evaluate(&lengths, &arguments);
            let blocks = blocks.map_err(|wrong| {
                Error::new(ErrorKind::Internal, format!("a number of blocks {wrong}"))
            })?;
            let elements = blocks as usize * order.elements as usize;
            let types = order.types.iter().chain(order.types.iter());
            for ty in types {
                memories.push(Memory::host(HostArray::fresh(*ty, elements)?));
            }
        }
        Ok(memories)
    }

    /// The lengths and the values of the parameters, as formulas want them.
    fn numbers(&self) -> (Vec<Option<u64>>, Vec<Option<u64>>) {
        let all = self.parameters.iter();
        all.map(|parameter| match parameter {
            Parameter::Scalar(value) => (None, Some(value.bits())),
            _ => (Some(u64::from(parameter.length())), None),
        })
        .unzip()
    }

    /// The number of elements of each parameter; 0 for a number.
    pub(crate) fn lengths(&self) -> Vec<u32> {
        self.parameters.iter().map(Parameter::length).collect()
    }

    /// The parameters.
    pub fn parameters(&self) -> &[Parameter<'a>] {
        &self.parameters
    }

    /// The parameters, to be written.
    pub fn parameters_mut(&mut self) -> &mut [Parameter<'a>] {
        &mut self.parameters
    }
}

impl Parameter<'_> {
    /// The memory of an array.
    pub fn memory(&self) -> Option<&Memory> {
        match self {
            Parameter::Input(memory) => Some(memory),
            Parameter::InOut(memory) => Some(memory),
            Parameter::Output(memory) => Some(memory),
            Parameter::Scalar(_) => None,
        }
    }

    /// The memory of an array that is written.
    pub fn written(&mut self) -> Option<&mut Memory> {
        match self {
            Parameter::InOut(memory) => Some(memory),
            Parameter::Output(memory) => Some(memory),
            Parameter::Input(_) | Parameter::Scalar(_) => None,
        }
    }

    /// The number of elements; 0 for a number.
    pub(crate) fn length(&self) -> u32 {
        self.memory()
            .and_then(|memory| u32::try_from(memory.len()).ok())
            .unwrap_or(0)
    }
}

/// An error of a backend.
pub fn error(kind: ErrorKind, message: impl Into<String>) -> Error {
    Error::new(kind, message)
}
