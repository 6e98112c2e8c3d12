//! Launching: everything is checked before anything runs.

mod argument;
mod check;
mod cpu;
mod outputs;
mod simulator;

pub use argument::Argument;
pub(crate) use cpu::panic_message;
pub use outputs::Outputs;

use crate::device::{Device, DeviceKind};
use crate::error::{Error, ErrorKind, Result};
use crate::kernel::Kernel;
use check::Checked;
use outputs::Memories;

/// Runs a kernel on a device, and gives what it has written.
///
/// The arguments are those of the user's function, in order: buffers and numbers, without the outputs.
///
/// # Errors
/// Each way in which the arguments can fail to fit the kernel, the device and each other has its [`ErrorKind`].
pub fn launch(kernel: &Kernel, device: &Device, arguments: &mut [Argument<'_>]) -> Result<Outputs> {
    start(kernel, device, arguments).map_err(|error| error.of(kernel.name()))
}

fn start(kernel: &Kernel, device: &Device, arguments: &mut [Argument<'_>]) -> Result<Outputs> {
    if device.blocks() == Some(0) {
        let message = "a launch needs at least one block to run on, and `with_blocks(0)` leaves none";
        return Err(Error::new(ErrorKind::NoBlocks, message).exceeded(1, 0));
    }
    let checked = Checked::new(kernel.interface(), device, arguments)?;
    let mut memories = Memories::new(kernel.interface(), &checked)?;
    match device.kind() {
        DeviceKind::Cpu => cpu::run(kernel, device, &checked, arguments, &mut memories)?,
        DeviceKind::Simulator => simulator::run(kernel, device, &checked, arguments, &mut memories)?,
    }
    Ok(memories.outputs(device))
}
