//! An index that the user vouches for, outside of its array, and an assertion that does not hold: one error on every device.

use obsidian_core::emit;
use obsidian_core::error::Origin;
use obsidian_core::ir::{ParameterKind, Report};
use obsidian_core::plan::Plan;
use obsidian_core::scalar::ArrayId;

use crate::error::{Error, ErrorKind};
use crate::kernel::Kernel;

/// The error, whose place is that of the kernel's native build.
pub(super) fn vouched_outside(
    kernel: &Kernel,
    found: Option<(ArrayId, Origin)>,
    index: i64,
    length: usize,
) -> Error {
    let unknown = || ("an array".to_owned(), String::new());
    let (array, place) = found.map_or_else(unknown, |(array, origin)| place(kernel, array, origin));
    let message = format!("index {index} is outside of {array}, which has length {length}");
    let error = Error::new(ErrorKind::Fault, message).exceeded(index as u64, length as u64);
    error.placed(place)
}

/// An assertion that does not hold.
pub(super) fn asserted(kernel: &Kernel, text: &str, origin: Origin) -> Error {
    Error::new(ErrorKind::Fault, Report::failed(text)).placed(at(kernel, origin))
}

/// A place in the user's source, as far as it is known.
fn at(kernel: &Kernel, origin: Origin) -> String {
    let plan = kernel.plan().ok();
    let place = plan.and_then(|plan| plan.lowered().tables.origins.place(origin));
    place.unwrap_or_default()
}

/// The name of an array, and where it was accessed, as far as they are known.
pub(super) fn place(kernel: &Kernel, array: ArrayId, origin: Origin) -> (String, String) {
    let plan = kernel.plan().ok();
    let entry = plan.and_then(|plan| plan.lowered().tables.arrays.get(array.0 as usize));
    let name = entry.map_or("an array".to_owned(), |entry| format!("`{}`", entry.name));
    (name, at(kernel, origin))
}

/// What a CUDA function has noted in its word of faults, as an error: `lengths` are those of the parameters, 0 for a number.
pub(super) fn noted(kernel: &Kernel, lengths: &[u32], word: u64) -> Error {
    let plan = match kernel.plan() {
        Ok(plan) => plan,
        Err(error) => return error,
    };
    let error = match emit::fault(plan, word) {
        Some(emit::Fault::Outside {
            array,
            index,
            origin,
        }) => vouched_outside(
            kernel,
            Some((array, origin)),
            index,
            length(plan, array, lengths),
        ),
        Some(emit::Fault::Assertion { text, origin }) => asserted(kernel, &text, origin),
        None => Error::new(
            ErrorKind::Fault,
            "an index that `unchecked()` vouches for is outside of its array, or an assertion does not hold",
        ),
    };
    error.of(kernel.name())
}

/// The number of elements of an array.
fn length(plan: &Plan, array: ArrayId, lengths: &[u32]) -> usize {
    let mut parameters = plan.kernel().parameters.iter().zip(lengths);
    let parameter = parameters.find(|(parameter, _)| parameter.kind == ParameterKind::Array(array));
    let tables = &plan.kernel().tables;
    let own = || tables.stored_length(tables.array(array));
    parameter.map_or_else(own, |(_, length)| *length) as usize
}
