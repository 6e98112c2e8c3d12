//! Kernels that the CPU runs [by columns](super::columns): those without a function of the macro's.

use std::panic::{AssertUnwindSafe, catch_unwind};

use obsidian_language::error::Origin;
use obsidian_language::scalar::ArrayId;

use super::cpu::panicked;
use super::fault::{asserted, named, vouched_outside};
use super::{Launch, columns};
use crate::error::{Error, ErrorKind, Result};
use crate::kernel::Kernel;

/// Runs the kernel by columns.
pub(super) fn by_columns(launch: &mut Launch<'_>) -> Result<()> {
    let kernel = launch.kernel;
    let program = kernel.columns()?;
    if launch.blocks == 0 {
        return Ok(());
    }
    let result = catch_unwind(AssertUnwindSafe(|| columns::run(program, launch)));
    let Some(fault) = result.unwrap_or_else(|payload| Err(panicked(&*payload)))? else {
        return Ok(());
    };
    let place = at(kernel, fault.origin);
    if let Some(text) = &fault.assertion {
        return Err(asserted(text, place));
    }
    let array = array(kernel, fault.array);
    if fault.vouched {
        let index = fault.index.into();
        return Err(vouched_outside(&array, place, index, fault.length));
    }
    let message = format!(
        "index {} is outside of {array}, which has length {}",
        fault.index, fault.length
    );
    Err(Error::new(ErrorKind::Internal, message).placed(place))
}

/// A place in the user's source, as far as it is known.
fn at(kernel: &Kernel, origin: Origin) -> String {
    let plan = kernel.plan().ok();
    let place = plan.and_then(|plan| plan.lowered().tables.origins.place(origin));
    place.unwrap_or_default()
}

/// The name of an array, as far as it is known.
fn array(kernel: &Kernel, array: ArrayId) -> String {
    let plan = kernel.plan().ok();
    let entry = plan.and_then(|plan| plan.lowered().tables.arrays.get(array.0 as usize));
    entry.map_or("an array".to_owned(), |entry| named(&entry.name))
}
