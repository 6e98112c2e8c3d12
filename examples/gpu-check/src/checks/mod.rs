//! The checks: a kernel, or a program of several launches, and what it should give, computed one
//! element after another.

mod algorithms;
pub(crate) mod arrays;
pub(crate) mod data;
mod floats;
mod orders;
mod scans;
mod sums;

use std::fmt;

use obsidian_rt::prelude::*;

pub(crate) use floats::prices_are_right;

/// A check of one kernel or program.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// Crate and kernel.
    pub name: &'static str,
    /// The lengths that it takes.
    pub lengths: fn() -> Vec<usize>,
    /// Runs it for a length, and compares.
    pub run: fn(&Device, usize) -> Result<(), Wrong>,
}

impl Check {
    /// Is it of an array program, which has several kernels?
    pub(crate) fn is_program(&self) -> bool {
        self.name.starts_with("arrays: ")
    }

    /// Is it of algorithms of one call, whose kernels are compiled when they are called?
    pub(crate) fn is_compiled_there(&self) -> bool {
        self.name.starts_with("algorithms: ")
    }
}

/// Why a case is wrong.
#[derive(Debug)]
pub enum Wrong {
    /// A launch failed.
    Launch(Error),
    /// A result has so many elements too many or too few, or one that differs.
    Result(String),
}

impl From<Error> for Wrong {
    fn from(error: Error) -> Self {
        Wrong::Launch(error)
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::Launch(error) => error.fmt(f),
            Wrong::Result(words) => f.write_str(words),
        }
    }
}

/// Every check, in the order in which they run.
pub fn all() -> Vec<Check> {
    [
        sums::CHECKS,
        scans::CHECKS,
        orders::CHECKS,
        floats::CHECKS,
        arrays::CHECKS,
        algorithms::CHECKS,
    ]
    .concat()
}

/// Holds a result to what it should be; names the first element that differs.
pub(crate) fn same<T: PartialEq + fmt::Debug>(found: &[T], expected: &[T]) -> Result<(), Wrong> {
    if found.len() != expected.len() {
        return Err(Wrong::Result(format!(
            "{} elements, and it should be {}",
            found.len(),
            expected.len()
        )));
    }
    match (0..found.len()).find(|&i| found[i] != expected[i]) {
        None => Ok(()),
        Some(i) => Err(Wrong::Result(format!(
            "element {i} is {:?}, and it should be {:?}",
            found[i], expected[i]
        ))),
    }
}

/// Holds what a launch makes of so many numbers to what it should make of them.
fn of_numbers<T: Element + PartialEq>(
    device: &Device,
    n: usize,
    launch: impl Fn(&Device, &Buffer<u32>) -> obsidian_rt::Result<Buffer<T>>,
    expected: impl Fn(&[u32]) -> Vec<T>,
) -> Result<(), Wrong> {
    let input = data::numbers(n);
    same(
        &launch(device, &device.upload(&input)?)?.to_vec()?,
        &expected(&input),
    )
}

/// Any length: none, one, primes, around runs and blocks, and many blocks.
fn any() -> Vec<usize> {
    vec![
        0, 1, 2, 31, 255, 257, 997, 1023, 1024, 1025, 4096, 4099, 70_001,
    ]
}
