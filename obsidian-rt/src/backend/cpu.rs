//! All cores of this machine, which run the Rust that the macro has made.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use obsidian_core::emit::cpu;
use obsidian_core::error::Site;

use super::{Backend, HostArray, Launch, Memory, Parameter};
use crate::error::{Error, ErrorKind, Result};
use crate::generated::{Call, Content, Outside, Slot};
use crate::kernel::Kernel;

/// The CPU.
#[derive(Debug)]
pub(crate) struct Cpu;

impl Backend for Cpu {
    fn name(&self) -> &str {
        "cpu"
    }

    fn upload_owned(&self, array: HostArray) -> Result<Memory> {
        Ok(Memory::host(array))
    }

    /// Runs the kernel's CPU function.
    fn run(&self, launch: &mut Launch<'_>) -> Result<()> {
        let Some(function) = launch.kernel.cpu() else {
            let message = "it was built while the program runs, so there is no CPU code for it; `Device::simulator()` runs it";
            return Err(Error::new(ErrorKind::CannotRun, message));
        };
        if launch.blocks == 0 {
            return Ok(());
        }
        let mut call = Call::new(slots(&mut launch.parameters)?, launch.limit);
        let result = catch_unwind(AssertUnwindSafe(|| function(&mut call)));
        match (result, call.finish()) {
            // A function that was given something else than it expects may well panic; the reason
            // is the better message.
            (_, Some(fault)) => Err(Error::new(ErrorKind::Internal, fault)),
            (Err(payload), None) if payload.is::<Outside>() => {
                let outside = payload.downcast_ref::<Outside>();
                Err(outside.map_or_else(
                    || Error::new(ErrorKind::Internal, "an access without a number"),
                    |outside| outside_of_array(launch.kernel, outside),
                ))
            }
            (Err(payload), None) => Err(Error::new(
                ErrorKind::Internal,
                format!("its CPU code panicked: {}", panic_message(&*payload)),
            )),
            (Ok(()), None) => Ok(()),
        }
    }
}

/// An index that the user vouched for, as an error: the array and the place are those of the
/// kernel's native build.
fn outside_of_array(kernel: &Kernel, outside: &Outside) -> Error {
    let Outside {
        index,
        length,
        access,
    } = *outside;
    // A difference may be below 0; it is worked out in the CPU's words.
    let shown = match u32::try_from(index) {
        Ok(index) => index.to_string(),
        Err(_) => (index as i64).to_string(),
    };
    let (mut array, mut place) = ("an array".to_owned(), String::new());
    if let Ok(plan) = kernel.plan() {
        let tables = &plan.lowered().tables;
        if let Some((id, origin)) = cpu::vouched(plan).get(access as usize) {
            if let Some(entry) = tables.arrays.get(id.0 as usize) {
                array = format!("`{}`", entry.name);
            }
            if let Some(Site::Native(at)) = tables.origins.site(*origin) {
                place = format!(" (at {}:{}:{})", at.file(), at.line(), at.column());
            }
        }
    }
    let message = format!(
        "index {shown}, which `unchecked()` vouches for, is outside of {array}, which has length {length}{place}"
    );
    Error::new(ErrorKind::Fault, message).exceeded(index as u64, length as u64)
}

/// The parameters as the function sees them. What it writes stays where it is, so that it comes
/// back whatever the function does.
fn slots<'a>(parameters: &'a mut [Parameter<'_>]) -> Result<Vec<Slot<'a>>> {
    let slot = |parameter: &'a mut Parameter<'_>| {
        let content = match parameter {
            Parameter::Input(memory) => Content::Input(memory.as_host()?),
            Parameter::InOut(memory) => Content::Memory(Some(memory.as_host_mut()?)),
            Parameter::Output(memory) => Content::Memory(Some(memory.as_host_mut()?)),
            Parameter::Scalar(value) => Content::Scalar(*value),
        };
        Ok(Slot::new(content))
    };
    parameters.iter_mut().map(slot).collect()
}

/// What a panic said.
pub(crate) fn panic_message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}
