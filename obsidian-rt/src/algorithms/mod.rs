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
mod by_key;
mod element_wise;
mod elements;
mod histogram;
mod places;
pub mod program;
mod reductions;
mod scans;
mod search;
mod selection;
mod table;

pub use ahead::Number;
pub use by_key::{
    exclusive_scan_by_key, exclusive_scan_by_key_into, inclusive_scan_by_key,
    inclusive_scan_by_key_into, reduce_by_key,
};
pub use element_wise::{map, map_into, zip_map, zip_map_into};
pub use elements::{Elements, ElementsMut};
pub use histogram::{histogram, histogram_into};
pub use places::{gather, gather_into, stencil2, stencil2_into, transpose, transpose_into};
pub use reductions::{
    arg_max, arg_max_into, arg_min, arg_min_into, dot, dot_into, max, max_into, min, min_into,
    reduce, reduce_into, segmented_reduce, segmented_reduce_into, sum, sum_into,
};
pub use scans::{
    exclusive_scan, exclusive_scan_into, exclusive_sum, exclusive_sum_into, inclusive_scan,
    inclusive_scan_into, inclusive_sum, inclusive_sum_into, segmented_exclusive_scan,
    segmented_exclusive_scan_into, segmented_inclusive_scan, segmented_inclusive_scan_into,
};
pub use search::{
    lower_bound, lower_bound_into, merge, merge_by_key, merge_into, upper_bound, upper_bound_into,
};
pub use selection::{copy_flagged, copy_if, count_if, partition, unique};

use obsidian_core::arrays::Computed;

use crate::arrays::{ArrayParameters, ArrayProgram, HostItem, HostOf, Run, RunInputs, RunResult};
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};

/// An element `T` as closures see it: a device value, or a tuple of them.
pub type DeviceItem<T> = <T as HostItem>::Device;

/// What an array has that a closure gives `R` for, as the host has it.
pub type Made<R> = <<R as Computed>::Value as HostOf>::Host;

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
