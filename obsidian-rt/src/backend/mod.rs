//! What stands behind a [`Device`](crate::Device): where arrays lie, and who runs a launch that has been checked.
//!
//! The CPU and the simulator are two [`Backend`]s, whose arrays lie in the memory of the host. A crate may bring another one, with
//! [`Device::from_backend`](crate::Device::from_backend), so that kernels run there by their usual typed launches. Public for such
//! crates, and no part of the documented interface.

mod cpu;
mod memory;
mod simulator;

pub(crate) use cpu::{Cpu, panic_message};
pub use memory::{Elements, HostArray, Memory};
pub(crate) use simulator::Simulator;

use std::fmt;
use std::sync::{Arc, Mutex};

use obsidian_core::plan::Interface;
use obsidian_core::scalar::{Literal, ScalarType};
use obsidian_core::simulate::Counts;

use crate::error::{Error, ErrorKind, Result};
use crate::kernel::Kernel;

/// What a device does. Without more, its arrays lie in the memory of the host.
///
/// A device whose memory is elsewhere makes [`Memory`] of its own kind in all of `upload`, `zeros` and `fresh`, and reads it in `download`.
pub trait Backend: fmt::Debug + Send + Sync {
    /// The name of the device. Devices of one name can use each other's memory.
    fn name(&self) -> &str;

    /// What kind of device it is, as tuned files name it: for a GPU that of its model, which devices share.
    fn model(&self) -> &str {
        self.name()
    }

    /// Memory with these elements.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`], and what else the device reports; so for the others.
    fn upload(&self, elements: &dyn Elements) -> Result<Memory> {
        elements.to_host().map(Memory::host)
    }

    /// Memory of so many zeros.
    #[allow(missing_docs, clippy::missing_errors_doc)]
    fn zeros(&self, ty: ScalarType, length: usize) -> Result<Memory> {
        HostArray::zeros(ty, length).map(Memory::host)
    }

    /// Memory for so many elements that a launch will write.
    #[allow(clippy::missing_errors_doc)]
    fn fresh(&self, ty: ScalarType, length: usize) -> Result<Memory> {
        HostArray::fresh(ty, length).map(Memory::host)
    }

    /// The elements in a memory, copied.
    #[allow(clippy::missing_errors_doc)]
    fn download(&self, memory: &Memory) -> Result<HostArray> {
        memory.as_host()?.copied()
    }

    /// Runs a launch; with no blocks, only says whether it could.
    ///
    /// # Errors
    /// [`ErrorKind::CannotRun`] for a kernel that cannot run here, [`ErrorKind::Fault`] for what a kernel may not do.
    fn run(&self, launch: &mut Launch<'_>) -> Result<()>;

    /// The same device, whose launches add what they have done to these counts as well; none for one that does not count.
    fn counting(&self, counts: Arc<Mutex<Counts>>) -> Option<Arc<dyn Backend>> {
        drop(counts);
        None
    }
}

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

    /// How many real blocks run: as many as there are virtual ones, up to the limit.
    pub fn grid(&self) -> u32 {
        self.limit.map_or(self.blocks, |limit| limit.min(self.blocks))
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
        self.memory().and_then(|memory| u32::try_from(memory.len()).ok()).unwrap_or(0)
    }
}

/// An error of a backend.
pub fn error(kind: ErrorKind, message: impl Into<String>) -> Error {
    Error::new(kind, message)
}
