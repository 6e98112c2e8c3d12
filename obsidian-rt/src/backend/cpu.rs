//! All cores of this machine, which run the Rust that the macro has made, and any other kernel by columns.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use obsidian_base::launch::Check;

#[cfg(feature = "run-time")]
use super::by_columns::by_columns;
use super::fault;
use super::{Backend, HostArray, Launch, Memory, Parameter};
use crate::error::{Error, ErrorKind, Result};
use crate::generated::device::{Faulted, OutsideSlice};
use crate::generated::{Call, Content, Failed, Function, Outside, Slot};
use crate::kernel::Kernel;

/// The CPU.
#[derive(Debug, Default)]
pub(crate) struct Cpu {
    /// Are all kernels run by columns? For tests.
    by_columns: bool,
}

impl Cpu {
    /// The CPU without what the macro has printed: it runs all kernels by columns. For tests.
    #[cfg(feature = "run-time")]
    pub(crate) fn by_columns() -> Self {
        Cpu { by_columns: true }
    }
}

impl Backend for Cpu {
    fn name(&self) -> &str {
        "cpu"
    }

    fn upload_owned(&self, array: HostArray) -> Result<Memory> {
        Ok(Memory::host(array))
    }

    fn reads_host(&self) -> bool {
        true
    }

    /// Runs the kernel's CPU function; a kernel that has none, by columns.
    fn run(&self, launch: &mut Launch<'_>) -> Result<()> {
        let function = launch.kernel.cpu().filter(|_| !self.by_columns);
        // What blocks leave for those behind them are parameters behind the user's.
        let (between, own) = (launch.between()?, launch.parameters.len());
        launch
            .parameters
            .extend(between.into_iter().map(Parameter::Output));
        let result = match function {
            Some(function) => called(function, launch),
            None => by_columns(launch),
        };
        launch.parameters.truncate(own);
        result
    }
}

/// Runs the function that the macro has printed.
fn called(function: Function, launch: &mut Launch<'_>) -> Result<()> {
    if launch.blocks == 0 {
        return Ok(());
    }
    let mut call = Call::new(slots(&mut launch.parameters)?, launch.limit);
    let result = catch_unwind(AssertUnwindSafe(|| function.call(&mut call)));
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
        // A device function would have panicked.
        (Err(payload), None) if payload.is::<Faulted>() => Err(first_fault(function, launch)?),
        (Err(payload), None) => Err(match payload.downcast_ref::<Failed>() {
            Some(failed) => assertion(launch.kernel, failed),
            None => panicked(&*payload),
        }),
        (Ok(()), None) => Ok(()),
    }
}

/// What runs a kernel that has no function is not here.
#[cfg(not(feature = "run-time"))]
fn by_columns(_: &mut Launch<'_>) -> Result<()> {
    Err(crate::run_time::missing("a kernel without CPU code"))
}

/// The fault of the first element that has one: blocks run at the same time, and which of them stops the others depends on it. So they run once more,
/// in order.
fn first_fault(function: Function, launch: &mut Launch<'_>) -> Result<Error> {
    let kernel = launch.kernel;
    let mut call = Call::new(slots(&mut launch.parameters)?, Some(1));
    let result = catch_unwind(AssertUnwindSafe(|| function.call(&mut call)));
    let payload = result.err();
    let faulted = payload
        .as_ref()
        .and_then(|fault| fault.downcast_ref::<Faulted>());
    let checks = &kernel.checks_of_cpu().cpu;
    let check = faulted.and_then(|faulted| checks.get(faulted.check as usize));
    let Some(Check::Assertion { text, place }) = check else {
        return Ok(Error::new(ErrorKind::Internal, "a fault without a number"));
    };
    let place = place.words();
    let outside = faulted.and_then(|faulted| faulted.outside.as_ref());
    Ok(match outside {
        Some(of) => {
            let array = argument(launch, of).map_or_else(|| "an array".to_owned(), fault::named);
            // A kernel's index that is beyond 32 bits is the largest.
            let index = u32::try_from(of.index).unwrap_or(u32::MAX);
            fault::vouched_outside(&array, place, index.into(), of.length)
        }
        None => fault::asserted(text, place),
    })
}

/// The name of the argument that a slice is, if one alone lies there.
fn argument<'k>(launch: &Launch<'k>, of: &OutsideSlice) -> Option<&'k str> {
    let infos = launch.kernel.interface().parameters.iter();
    let mut found = infos.zip(&launch.parameters).filter(|(_, parameter)| {
        let array = parameter.memory().and_then(|memory| memory.as_host().ok());
        array.is_some_and(|array| array.address() == of.address && array.len() == of.length)
    });
    let (info, _) = found.next()?;
    found.next().is_none().then_some(&*info.name)
}

/// An assertion that does not hold, as an error.
fn assertion(kernel: &Kernel, failed: &Failed) -> Error {
    let check = kernel.checks_of_cpu().cpu.get(failed.check as usize);
    match check {
        Some(check @ Check::Assertion { .. }) => fault::failed(Some(check), 0, 0),
        _ => Error::new(ErrorKind::Internal, "an assertion without a number"),
    }
}

pub(super) fn panicked(payload: &(dyn Any + Send)) -> Error {
    let message = format!("its CPU code panicked: {}", panic_message(payload));
    Error::new(ErrorKind::Internal, message)
}

/// An index that the user vouched for, as an error.
fn outside_of_array(kernel: &Kernel, outside: &Outside) -> Error {
    let Outside {
        index,
        length,
        access,
    } = *outside;
    let checks = &kernel.checks_of_cpu().cpu;
    let is_access = |check: &&Check| matches!(check, Check::Inside { .. });
    let check = checks.get(access as usize).filter(is_access);
    // A difference may be below 0; it is worked out in the CPU's words.
    let index = u32::try_from(index).map_or(index as i64, i64::from);
    fault::failed(check, index, length)
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
