//! Kernels that this machine cannot compile, on the CPU: for the device that `Device::best` has chosen.
//!
//! A machine with a driver and no compiler is an ordinary machine. Kernels with PTX of a build script run on its GPU. Whether
//! a kernel has none is known only at its first launch. Then its arrays are copied to the host, the CPU runs it, and the results are
//! copied back. The device says so once for each kernel, in its warnings.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use obsidian_base::launch::ParameterRole;

use super::Cuda;
use super::launch::{array, checked};
use crate::backend::{Backend, Cpu, HostArray, Launch, Memory, Parameter};
use crate::error::{Error, ErrorKind, Result};
use crate::kernel::Kernel;

/// The CPU, for what the GPU cannot be given.
#[derive(Default)]
pub(super) struct Fallback {
    cpu: Cpu,
    /// Why a kernel runs here, by its text.
    why: Mutex<BTreeMap<String, String>>,
}

impl Fallback {
    /// Was it found before that the GPU cannot be given a kernel?
    pub(super) fn knows(&self, kernel: &Kernel) -> bool {
        self.why().contains_key(kernel.cuda())
    }

    /// Runs a launch here, if it was found before that the GPU cannot be given its kernel.
    pub(super) fn runs(&self, cuda: &Cuda, launch: &mut Launch<'_>) -> Option<Result<()>> {
        self.knows(launch.kernel).then(|| self.run(cuda, launch))
    }

    /// Runs a launch here if an error says that the GPU cannot be given its kernel; else it is the error.
    pub(super) fn after(&self, error: Error, cuda: &Cuda, launch: &mut Launch<'_>) -> Result<()> {
        if !is_no_code(&error) {
            return Err(error);
        }
        let kernel = launch.kernel;
        let why = format!(
            "kernel `{}` runs on the CPU, with copies from and to `{}`: {}",
            kernel.name(),
            cuda.name(),
            error.message()
        );
        self.why().insert(kernel.cuda().to_owned(), why);
        self.run(cuda, launch)
    }

    /// Why kernels run here.
    pub(super) fn warnings(&self) -> Vec<String> {
        self.why().values().cloned().collect()
    }

    fn why(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.why.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self, cuda: &Cuda, launch: &mut Launch<'_>) -> Result<()> {
        if !checked(cuda.context(), launch)? {
            return Ok(());
        }
        let roles = launch.interface().parameters.iter().map(|info| info.role);
        let mut copies = roles
            .zip(&launch.parameters)
            .map(|(role, parameter)| copied(cuda, role, parameter))
            .collect::<Result<Vec<_>>>()?;
        let parameters = launch.parameters.iter().zip(&mut copies);
        let mut here = Launch {
            kernel: launch.kernel,
            blocks: launch.blocks,
            limit: launch.limit,
            parameters: parameters
                .map(|(parameter, copy)| beside(parameter, copy))
                .collect::<Result<_>>()?,
        };
        self.cpu.run(&mut here)?;
        drop(here);
        for (parameter, copy) in launch.parameters.iter_mut().zip(&copies) {
            if let (Some(memory), Some(copy)) = (parameter.written(), copy) {
                cuda.write_array(array(memory)?, copy.as_host()?)?;
            }
        }
        Ok(())
    }
}

/// Says an error that there is no code of the kernel for the GPU, and that none can be made here?
pub(super) fn is_no_code(error: &Error) -> bool {
    error.kind() == ErrorKind::NoCompiler || is_no_code_of_driver(error)
}

/// Says the driver that the PTX is not for this device or this driver?
pub(super) fn is_no_code_of_driver(error: &Error) -> bool {
    matches!(error.driver_code(), Some(209 | 221..=223))
}

/// An array on the host, with its elements unless it is an output, which is written only; none for a number.
fn copied(cuda: &Cuda, role: ParameterRole, parameter: &Parameter<'_>) -> Result<Option<Memory>> {
    let copy = match (parameter.memory(), role) {
        (None, _) => return Ok(None),
        (Some(memory), ParameterRole::Output) => HostArray::fresh(memory.ty(), memory.len())?,
        (Some(memory), _) => cuda.download(memory)?,
    };
    Ok(Some(Memory::host(copy)))
}

/// The parameter with its copy. Written parameters are changed in their copies.
fn beside<'a>(parameter: &Parameter<'_>, copy: &'a mut Option<Memory>) -> Result<Parameter<'a>> {
    match (parameter, copy) {
        (Parameter::Scalar(value), _) => Ok(Parameter::Scalar(*value)),
        (Parameter::Input(_), Some(copy)) => Ok(Parameter::Input(copy)),
        (Parameter::InOut(_) | Parameter::Output(_), Some(copy)) => Ok(Parameter::InOut(copy)),
        (_, None) => Err(Error::new(ErrorKind::Internal, "an array has no copy")),
    }
}
