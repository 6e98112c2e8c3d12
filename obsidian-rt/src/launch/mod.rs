//! Launching: everything is checked before anything runs.

mod argument;
mod check;
mod outputs;

pub use argument::Argument;
pub use outputs::Outputs;

use argument::Content;
use check::Checked;
use obsidian_base::launch::Interface;

use crate::backend::{Launch, Parameter};
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};
use crate::kernel::Kernel;
use crate::recording::may_begin;

/// Runs a kernel on a device, and gives what it has written.
///
/// The arguments are those of the user's function, in order: buffers and numbers, without the
/// outputs.
///
/// # Errors
/// Each way in which the arguments can fail to fit the kernel, the device and each other has its
/// [`ErrorKind`].
pub fn launch(kernel: &Kernel, device: &Device, arguments: &mut [Argument<'_>]) -> Result<Outputs> {
    anew(kernel, device, |kernel| {
        start(kernel, device, arguments, None)
    })
}

/// Runs a kernel on a device, into existing buffers: one for each output, in order, each as an argument to change.
///
/// # Errors
/// As [`launch`], and [`ErrorKind::UnequalLengths`] for a buffer that has not as many elements as its output.
pub fn launch_into(
    kernel: &Kernel,
    device: &Device,
    arguments: &mut [Argument<'_>],
    outputs: &mut [Argument<'_>],
) -> Result<()> {
    anew(kernel, device, |kernel| {
        start(kernel, device, arguments, Some(outputs)).map(drop)
    })
}

/// Launches the kernel, built for other threads where the device asks for that.
fn anew<R>(
    kernel: &Kernel,
    device: &Device,
    launch: impl FnOnce(&Kernel) -> Result<R>,
) -> Result<R> {
    #[cfg(feature = "run-time")]
    let others = device
        .threads()
        .filter(|threads| *threads != kernel.threads());
    #[cfg(feature = "run-time")]
    let anew = others
        .map(|threads| kernel.with_threads(threads))
        .transpose()?;
    #[cfg(not(feature = "run-time"))]
    let (anew, _) = (None::<Kernel>, device);
    let result = launch(anew.as_ref().unwrap_or(kernel));
    result.map_err(|error| error.of(kernel.name()))
}

fn start(
    kernel: &Kernel,
    device: &Device,
    arguments: &mut [Argument<'_>],
    given: Option<&mut [Argument<'_>]>,
) -> Result<Outputs> {
    if device.blocks() == Some(0) {
        let message =
            "a launch needs at least one block to run on, and `with_blocks(0)` leaves none";
        return Err(Error::new(ErrorKind::NoBlocks, message).exceeded(1, 0));
    }
    let checked = Checked::new(kernel.interface(), device, arguments)?;
    if let Some(given) = &given {
        checked.outputs(kernel.interface(), device, given)?;
    }
    may_begin(device)?;
    device.backend().accepts(kernel)?;
    let parameters = parameters(kernel.interface(), &checked, device, arguments, given)?;
    let mut launch = Launch {
        kernel,
        blocks: checked.blocks,
        limit: device.blocks(),
        parameters,
    };
    #[cfg(feature = "cuda")]
    let _range =
        (!device.is_recording()).then(|| crate::profiler::range(|| kernel.name().to_owned()));
    device.backend().run(&mut launch)?;
    Ok(Outputs::of(device, launch.parameters))
}

/// The parameters by the kernel's interface: the arguments, and for each output what is given, or fresh memory.
fn parameters<'a>(
    interface: &Interface,
    checked: &Checked,
    device: &Device,
    arguments: &'a mut [Argument<'_>],
    given: Option<&'a mut [Argument<'_>]>,
) -> Result<Vec<Parameter<'a>>> {
    // An argument stands for one parameter, in the same order; so do outputs that are given.
    let mut arguments = arguments.iter_mut();
    let mut given = given.into_iter().flatten();
    let parameter = |((info, position), length): (
        (&obsidian_base::launch::ParameterInfo, &Option<usize>),
        &u32,
    )| {
        let argument = match position {
            Some(_) => arguments.next().map(of_argument),
            None => given.next().map(of_argument),
        };
        match argument {
            Some(parameter) => Ok(parameter),
            None => {
                let memory = device.backend().fresh(info.ty, *length as usize)?;
                Ok(Parameter::Output(memory))
            }
        }
    };
    interface
        .parameters
        .iter()
        .zip(&checked.arguments)
        .zip(&checked.lengths)
        .map(parameter)
        .collect()
}

/// An argument as a parameter.
fn of_argument<'a>(argument: &'a mut Argument<'_>) -> Parameter<'a> {
    match &mut argument.content {
        Content::Input { memory, .. } => Parameter::Input(memory),
        Content::InOut { memory, .. } => Parameter::InOut(memory),
        Content::Scalar(value) => Parameter::Scalar(*value),
    }
}
