//! Recorded work: launches, copies and fills of numbered arrays, which can be done again and again.
//!
//! A [`Recorder`](super::Recorder) writes it down. The arrays are given anew each time, in the order of their numbers.

use obsidian_language::scalar::Literal;

use super::{Backend, Launch, Memory, Parameter};
use crate::error::{Error, ErrorKind, Result};
use crate::kernel::Kernel;

/// One step of recorded work. The array that it writes is another one than those that it reads.
#[derive(Debug)]
pub enum Step {
    /// A launch.
    Launch(RecordedLaunch),
    /// The elements of a part are copied to an array of the same type and length.
    Copy {
        /// What is read.
        from: Part,
        /// The array that is written.
        to: usize,
    },
    /// All elements of an array become a number.
    Fill {
        /// The array.
        array: usize,
        /// The number.
        value: Literal,
    },
}

/// A launch without its arrays.
#[derive(Debug)]
pub struct RecordedLaunch {
    pub(crate) kernel: Kernel,
    pub(crate) blocks: u32,
    pub(crate) limit: Option<u32>,
    pub(crate) arguments: Vec<RecordedArgument>,
}

/// An argument of a recorded launch.
#[derive(Clone, Copy, Debug)]
pub enum RecordedArgument {
    /// An array, or a part of one, that is read.
    Read(Part),
    /// An array that is written, and may be read.
    Written(usize),
    /// A number.
    Scalar(Literal),
}

/// Neighbouring elements of an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// The number of the array.
    pub array: usize,
    /// The first element.
    pub start: usize,
    /// How many there are.
    pub length: usize,
}

impl Part {
    /// The part as memory of its own; none if it is the whole array.
    fn of<B: Backend + ?Sized>(self, backend: &B, whole: &Memory) -> Result<Option<Memory>> {
        if self.start == 0 && self.length == whole.len() {
            return Ok(None);
        }
        if self
            .start
            .checked_add(self.length)
            .is_none_or(|end| end > whole.len())
        {
            return Err(unfit("a part of it is outside of its array"));
        }
        // SAFETY: the part is inside, as was looked at. Its user asks for the work that reads it and drops it, while the array is
        // borrowed; that work writes other arrays.
        unsafe { backend.part(whole, self.start, self.length) }.map(Some)
    }
}

/// Does the steps one after the other.
///
/// # Errors
/// The first failure; the steps behind it are not done.
pub(crate) fn one_by_one<B: Backend + ?Sized>(
    backend: &B,
    steps: &[Step],
    arrays: &mut [&mut Memory],
) -> Result<()> {
    for step in steps {
        match step {
            Step::Launch(launch) => {
                #[cfg(feature = "cuda")]
                let _range = crate::profiler::range(|| launch.kernel.name().to_owned());
                launch
                    .with(backend, arrays, |launch| backend.run(launch))
                    .map_err(|error| error.of(launch.kernel.name()))?;
            }
            Step::Copy { from, to } => {
                let (from_array, to) = two(arrays, from.array, *to)?;
                match from.of(backend, from_array)? {
                    Some(part) => backend.copy(&part, to)?,
                    None => backend.copy(from_array, to)?,
                }
            }
            Step::Fill { array, value } => {
                backend.fill(arrays.get_mut(*array).ok_or_else(missing)?, *value)?;
            }
        }
    }
    Ok(())
}

impl RecordedLaunch {
    /// Does something with the launch of these arrays.
    pub(crate) fn with<B: Backend + ?Sized, R>(
        &self,
        backend: &B,
        arrays: &mut [&mut Memory],
        run: impl FnOnce(&mut Launch<'_>) -> Result<R>,
    ) -> Result<R> {
        let mut parts = Vec::new();
        for argument in &self.arguments {
            parts.push(match argument {
                RecordedArgument::Read(part) => {
                    part.of(backend, arrays.get(part.array).ok_or_else(missing)?)?
                }
                _ => None,
            });
        }
        // An array is lent once to be written, or as often as is needed to be read.
        let mut unused: Vec<Option<&mut Memory>> =
            arrays.iter_mut().map(|array| Some(&mut **array)).collect();
        let mut read: Vec<Option<&Memory>> = vec![None; unused.len()];
        let mut parameters = Vec::with_capacity(self.arguments.len());
        for (argument, part) in self.arguments.iter().zip(&parts) {
            parameters.push(match (argument, part) {
                (RecordedArgument::Scalar(value), _) => Parameter::Scalar(*value),
                (RecordedArgument::Written(array), _) => Parameter::InOut(
                    unused
                        .get_mut(*array)
                        .and_then(Option::take)
                        .ok_or_else(missing)?,
                ),
                (RecordedArgument::Read(of), part) => {
                    // A part is read: nobody writes its array meanwhile.
                    let whole = match read.get(of.array).copied().flatten() {
                        Some(whole) => whole,
                        None => &*unused
                            .get_mut(of.array)
                            .and_then(Option::take)
                            .ok_or_else(missing)?,
                    };
                    if let Some(known) = read.get_mut(of.array) {
                        *known = Some(whole);
                    }
                    Parameter::Input(part.as_ref().unwrap_or(whole))
                }
            });
        }
        run(&mut Launch {
            kernel: &self.kernel,
            blocks: self.blocks,
            limit: self.limit,
            parameters,
        })
    }
}

/// Two arrays, the second one to be changed.
pub(super) fn two<'a>(
    arrays: &'a mut [&mut Memory],
    first: usize,
    second: usize,
) -> Result<(&'a Memory, &'a mut Memory)> {
    match arrays.get_disjoint_mut([first, second]) {
        Ok([first, second]) => Ok((first, second)),
        Err(_) => Err(missing()),
    }
}

fn missing() -> Error {
    unfit("an array is written while it is read, or is not there")
}

fn unfit(why: &str) -> Error {
    Error::new(
        ErrorKind::Internal,
        format!("the recorded work cannot be done: {why}"),
    )
}
