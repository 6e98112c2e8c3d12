//! All cores of this machine, which run the Rust that the macro has made.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use obsidian_core::emit::cpu;
use obsidian_core::error::Site;

use super::{Backend, HostArray, Launch, Parameter};
use crate::error::{Error, ErrorKind, Result};
use crate::generated::{Call, Outside, Slot};
use crate::kernel::Kernel;

/// Runs of neighbouring blocks per core: enough that no core waits long for the last one.
const RUNS_PER_CORE: usize = 4;

/// The CPU.
#[derive(Debug)]
pub(crate) struct Cpu;

impl Backend for Cpu {
    fn name(&self) -> &str {
        "cpu"
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
        let (lengths, workers) = (
            launch.parameters.iter().map(Parameter::length).collect(),
            workers(launch.limit),
        );
        let mut call = Call::new(slots(&mut launch.parameters)?, lengths, workers);
        let result = catch_unwind(AssertUnwindSafe(|| function(&mut call)));
        let (left, fault) = call.finish();
        give_back(left, &mut launch.parameters)?;
        match (result, fault) {
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

/// How many runs of blocks may go on at the same time.
fn workers(limit: Option<u32>) -> u32 {
    let cores = rayon::current_num_threads();
    let runs = if cores == 1 {
        1
    } else {
        u32::try_from(cores * RUNS_PER_CORE).unwrap_or(u32::MAX)
    };
    limit.map_or(runs, |blocks| blocks.min(runs))
}

/// The parameters as the function sees them. Arrays that it writes move there.
fn slots<'a>(parameters: &mut [Parameter<'a>]) -> Result<Vec<Slot<'a>>> {
    let slot = |parameter: &mut Parameter<'a>| {
        Ok(match parameter {
            Parameter::Input(memory) => Slot::Input((*memory).as_host()?),
            Parameter::InOut(memory) => Slot::Memory(Some(memory.as_host_mut()?.take())),
            Parameter::Output(memory) => Slot::Memory(Some(memory.as_host_mut()?.take())),
            Parameter::Scalar(value) => Slot::Scalar(*value),
        })
    };
    parameters.iter_mut().map(slot).collect()
}

/// Puts arrays back where they came from. What a panic has destroyed is replaced by fresh memory of
/// the same length.
fn give_back(left: Vec<Option<HostArray>>, parameters: &mut [Parameter<'_>]) -> Result<()> {
    for (array, parameter) in left.into_iter().zip(parameters) {
        if let Some(memory) = parameter.written() {
            let (ty, length) = (memory.ty(), memory.len());
            *memory.as_host_mut()? = array.map_or_else(|| HostArray::fresh(ty, length), Ok)?;
        }
    }
    Ok(())
}

/// What a panic said.
pub(crate) fn panic_message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}
