//! Launching on the CPU.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use obsidian_core::scalar::ScalarType;

use super::argument::{Argument, Content};
use super::check::Checked;
use super::outputs::{Memories, fresh};
use crate::device::Device;
use crate::element::by_type;
use crate::error::{Error, ErrorKind, Result};
use crate::generated::Call;
use crate::generated::Slot;
use crate::kernel::Kernel;

/// Runs of neighbouring blocks per core: enough that no core waits long for the last one.
const RUNS_PER_CORE: usize = 4;

/// Runs the kernel's CPU function.
pub(super) fn run(
    kernel: &Kernel,
    device: &Device,
    checked: &Checked,
    arguments: &mut [Argument<'_>],
    memories: &mut Memories,
) -> Result<()> {
    let Some(function) = kernel.cpu() else {
        let message = "it was built while the program runs, so there is no CPU code for it; `Device::simulator()` runs it";
        return Err(Error::new(ErrorKind::CannotRun, message));
    };
    if checked.blocks == 0 {
        return Ok(());
    }
    let slots = slots(checked, arguments, memories);
    let mut call = Call::new(slots, checked.lengths.clone(), workers(device));
    let result = catch_unwind(AssertUnwindSafe(|| function(&mut call)));
    let (left, fault) = call.finish();
    give_back(left, checked, arguments, memories)?;
    match (result, fault) {
        // A function that was given something else than it expects may well panic; the reason is the better message.
        (_, Some(fault)) => Err(Error::new(ErrorKind::Internal, fault)),
        (Err(payload), None) => Err(Error::new(ErrorKind::Internal, format!("its CPU code panicked: {}", panic_message(&*payload)))),
        (Ok(()), None) => Ok(()),
    }
}

/// How many runs of blocks may go on at the same time.
fn workers(device: &Device) -> u32 {
    let cores = rayon::current_num_threads();
    let runs = if cores == 1 { 1 } else { u32::try_from(cores * RUNS_PER_CORE).unwrap_or(u32::MAX) };
    device.blocks().map_or(runs, |blocks| blocks.min(runs))
}

/// The parameters as the function sees them. Arrays to change move there, and outputs.
fn slots<'a>(checked: &Checked, arguments: &'a mut [Argument<'_>], memories: &mut Memories) -> Vec<Slot<'a>> {
    let mut arguments = arguments.iter_mut();
    let slot = |(position, memory): (&Option<usize>, &mut Option<Box<dyn Any + Send>>)| match position {
        None => Slot::Memory(memory.take()),
        Some(_) => match arguments.next() {
            None => Slot::Memory(None),
            Some(argument) => match &mut argument.content {
                Content::Input { memory, .. } => Slot::Input(*memory),
                Content::InOut { memory, .. } => Slot::Memory(taken(argument.ty, *memory)),
                Content::Scalar(value) => Slot::Scalar(*value),
            },
        },
    };
    checked.arguments.iter().zip(&mut memories.memories).map(slot).collect()
}

/// The `Vec` of an array to change; an empty one stays.
fn taken(ty: ScalarType, memory: &mut (dyn Any + Send)) -> Option<Box<dyn Any + Send>> {
    by_type!(ty, T => memory.downcast_mut::<Vec<T>>().map(|elements| Box::new(std::mem::take(elements)) as Box<dyn Any + Send>))
}

/// Puts arrays back where they came from. What a panic has destroyed is replaced by fresh memory of the same length.
fn give_back(
    left: Vec<Option<Box<dyn Any + Send>>>,
    checked: &Checked,
    arguments: &mut [Argument<'_>],
    memories: &mut Memories,
) -> Result<()> {
    for (n, memory) in left.into_iter().enumerate() {
        let length = checked.lengths.get(n).copied().unwrap_or(0);
        match checked.arguments.get(n).copied().flatten().and_then(|position| arguments.get_mut(position)) {
            None => memories.memories[n] = memory,
            Some(Argument { ty, content: Content::InOut { memory: home, .. } }) => {
                let memory = memory.map_or_else(|| fresh(*ty, length), Ok)?;
                put(*ty, *home, memory);
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// Replaces the `Vec` of an array.
pub(super) fn put(ty: ScalarType, home: &mut (dyn Any + Send), memory: Box<dyn Any + Send>) {
    by_type!(ty, T => {
        if let (Some(home), Ok(memory)) = (home.downcast_mut::<Vec<T>>(), memory.downcast::<Vec<T>>()) {
            *home = *memory;
        }
    });
}

/// What a panic said.
pub(crate) fn panic_message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
