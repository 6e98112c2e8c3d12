//! Launching: everything is checked before anything runs.

mod argument;
mod check;
mod outputs;

pub use argument::Argument;
pub use outputs::Outputs;

use argument::Content;
use check::Checked;
use obsidian_core::plan::Interface;

use crate::backend::{Launch, Parameter};
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};
use crate::kernel::Kernel;

/// Runs a kernel on a device, and gives what it has written.
///
/// The arguments are those of the user's function, in order: buffers and numbers, without the
/// outputs.
///
/// # Errors
/// Each way in which the arguments can fail to fit the kernel, the device and each other has its
/// [`ErrorKind`].
pub fn launch(kernel: &Kernel, device: &Device, arguments: &mut [Argument<'_>]) -> Result<Outputs> {
    match device
        .threads()
        .filter(|threads| *threads != kernel.threads())
    {
        Some(threads) => start(&kernel.with_threads(threads)?, device, arguments),
        None => start(kernel, device, arguments),
    }
    .map_err(|error| error.of(kernel.name()))
}

fn start(kernel: &Kernel, device: &Device, arguments: &mut [Argument<'_>]) -> Result<Outputs> {
    if device.blocks() == Some(0) {
        let message =
            "a launch needs at least one block to run on, and `with_blocks(0)` leaves none";
        return Err(Error::new(ErrorKind::NoBlocks, message).exceeded(1, 0));
    }
    let checked = Checked::new(kernel.interface(), device, arguments)?;
    device.backend().accepts(kernel)?;
    let parameters = parameters(kernel.interface(), &checked, device, arguments)?;
    let mut launch = Launch {
        kernel,
        blocks: checked.blocks,
        limit: device.blocks(),
        parameters,
    };
    device.backend().run(&mut launch)?;
    Ok(Outputs::of(device, launch.parameters))
}

/// The parameters by the kernel's interface: the arguments, and fresh memory for each output.
fn parameters<'a>(
    interface: &Interface,
    checked: &Checked,
    device: &Device,
    arguments: &'a mut [Argument<'_>],
) -> Result<Vec<Parameter<'a>>> {
    // An argument stands for one parameter, in the same order.
    let mut arguments = arguments.iter_mut();
    let parameter = |((info, position), length): (
        (&obsidian_core::plan::ParameterInfo, &Option<usize>),
        &u32,
    )| {
        let argument = position.and_then(|_| arguments.next());
        Ok(match argument.map(|argument| &mut argument.content) {
            None => Parameter::Output(device.backend().fresh(info.ty, *length as usize)?),
            Some(Content::Input { memory, .. }) => Parameter::Input(memory),
            Some(Content::InOut { memory, .. }) => Parameter::InOut(memory),
            Some(Content::Scalar(value)) => Parameter::Scalar(*value),
        })
    };
    interface
        .parameters
        .iter()
        .zip(&checked.arguments)
        .zip(&checked.lengths)
        .map(parameter)
        .collect()
}
