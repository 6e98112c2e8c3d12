//! An index that the user vouches for, outside of its array, and an assertion that does not hold: one error on every device.

use obsidian_base::launch::{Check, CheckedLength, Place};
use obsidian_language::ir::Report;

use crate::error::{Error, ErrorKind};
use crate::kernel::Kernel;

/// An index that is outside of an array, which the user vouches for.
pub(super) fn vouched_outside(array: &str, place: String, index: i64, length: usize) -> Error {
    let message = format!("index {index} is outside of {array}, which has length {length}");
    let error = Error::new(ErrorKind::Fault, message).exceeded(index as u64, length as u64);
    error.placed(place)
}

/// An assertion that does not hold.
pub(super) fn asserted(text: &str, place: String) -> Error {
    Error::new(ErrorKind::Fault, Report::failed(text)).placed(place)
}

/// A check that has failed, as an error: an access with the index and the number of elements.
pub(super) fn failed(check: Option<&Check>, index: i64, length: usize) -> Error {
    match check {
        Some(Check::Assertion { text, place }) => asserted(text, place.words()),
        Some(Check::Inside { array, place, .. }) => {
            vouched_outside(&named(array), place.words(), index, length)
        }
        None => vouched_outside("an array", Place::Unknown.words(), index, length),
    }
}

/// An array by its name.
pub(super) fn named(array: &str) -> String {
    format!("`{array}`")
}

/// What a CUDA function has noted in its word of faults, as an error: `lengths` are those of the parameters, 0 for a number.
pub(super) fn noted(kernel: &Kernel, lengths: &[u32], word: u64) -> Error {
    let error = match kernel.checks().noted(word) {
        Some((check, index)) => failed(Some(check), index, length(check, lengths)),
        None => Error::new(
            ErrorKind::Fault,
            "an index that `unchecked()` vouches for is outside of its array, or an assertion does not hold",
        ),
    };
    error.of(kernel.name())
}

/// The number of elements of the array of an access.
fn length(check: &Check, lengths: &[u32]) -> usize {
    match check {
        Check::Inside {
            length: CheckedLength::Parameter(n),
            ..
        } => lengths.get(*n).map_or(0, |length| *length as usize),
        Check::Inside {
            length: CheckedLength::Number(n),
            ..
        } => *n as usize,
        Check::Assertion { .. } => 0,
    }
}
