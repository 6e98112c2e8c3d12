//! Algorithms in one call, on any device.
//!
//! ```
//! use obsidian_rt::{Device, algorithms};
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::best()?;
//! let xs = device.upload(&[0.5f32, -3.0, 2.5])?;
//! assert_eq!(algorithms::sum(&device, &xs)?, 0.0);
//! assert_eq!(algorithms::reduce(&device, &xs, |x, y| x.max(y.abs()), 0.0)?, 3.0);
//! # Ok(())
//! # }
//! ```

mod ahead;
mod elements;
pub mod program;
mod reductions;
mod table;

pub use ahead::Number;
pub use elements::{Elements, ElementsMut};
pub use reductions::{reduce, reduce_into, sum, sum_into};

use crate::arrays::{ArrayParameters, ArrayProgram, HostItem, Run, RunInputs, RunResult};
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};

/// An element `T` as closures see it: a device value, or a tuple of them.
pub type DeviceItem<T> = <T as HostItem>::Device;

/// Runs a program that gives one array, of `rank` axes, into existing elements.
fn run_into<'a, 'o: 'a, P: ArrayParameters, R: RunResult>(
    device: &Device,
    program: &'a ArrayProgram<P, R>,
    inputs: impl RunInputs<'a, P>,
    rank: usize,
    result: impl ElementsMut<'o>,
) -> Result<()> {
    let result = result.lend_mut()?;
    let mut run = Run::new(device, program.schedule(), program.kernels());
    inputs.give(&mut run);
    if rank == 0 && result.length != 1 {
        let length = result.length;
        let message = format!("the result is one element, and there are {length} for it");
        let error = Error::new(ErrorKind::UnequalLengths, message).of(&program.schedule().name);
        return Err(error.exceeded(length as u64, 1));
    }
    let extents = [result.length];
    run.output(extents.get(..rank).unwrap_or_default(), result.buffers);
    run.finish().map(drop)
}
