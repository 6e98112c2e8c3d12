//! Algorithms in one call: on any device, of any length, for any type of elements.
//!
//! ```
//! use obsidian_rt::{Device, algorithms};
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::best()?;
//! let xs = device.upload(&[0.5f32, -3.0, 2.5])?;
//! assert_eq!(algorithms::sum(&device, &xs)?, 0.0);
//! assert_eq!(algorithms::reduce(&device, &xs, |x, y| x.max(y.abs()), 0.0)?, 3.0);
//! let kept = algorithms::copy_if(&device, &xs, |x| x.gt(0.0))?;
//! assert_eq!(algorithms::inclusive_sum(&device, &kept)?.to_vec()?, [0.5, 3.0]);
//! # Ok(())
//! # }
//! ```
//!
//! They are in the crate with the feature `algorithms`. The [building blocks](blocks) for kernels of your own need no feature.
//!
//! | | |
//! |---|---|
//! | each element | [`map`], [`zip_map`] |
//! | all elements | [`reduce()`], [`sum`], [`min`], [`max`], [`arg_min`], [`arg_max`], [`dot`], [`count_if`], [`histogram()`] |
//! | beginnings | [`inclusive_sum`], [`exclusive_sum`], [`inclusive_scan`], [`exclusive_scan`] |
//! | segments | [`segmented_reduce`], [`segmented_inclusive_scan`], [`segmented_exclusive_scan`] |
//! | runs of equal keys | [`reduce_by_key`], [`inclusive_scan_by_key`], [`exclusive_scan_by_key`], [`unique`] |
//! | some elements | [`copy_if`], [`copy_flagged`], [`partition`] |
//! | other places | [`gather`], [`scatter`], [`transpose`], [`stencil2`] |
//! | sorts, stable | [`sort`], [`sort_by_key`], [`top_k`] |
//! | sorted arrays | [`lower_bound`], [`upper_bound`], [`merge`], [`merge_by_key`] |
//!
//! # What they take and give
//!
//! An input is a `&Buffer`, a `&View`, an array of one axis, or a slice, which is copied to the device first; a pair of inputs is an input of pairs: see
//! [`Elements`]. Results are [`Array`](crate::arrays::Array)s; [`into_buffer`](crate::arrays::Array::into_buffer) gives the buffer of one. A result of one element
//! is a value of the host, for which the call waits. `.._into` writes what is there, [`ElementsMut`], and does not wait: nothing but scratch memory is
//! allocated, and that comes from the device's pool. Where only a run knows how many elements there will be, as of [`copy_if`], there is no `.._into`.
//!
//! # Which order, and what is equal
//!
//! Integers and booleans have one order. Of floats:
//!
//! | function | order of numbers | NaN | -0.0 and 0.0 |
//! |---|---|---|---|
//! | [`sort`], [`sort_by_key`], [`top_k`] | [`f32::total_cmp`] | behind everything; with its sign bit set in front of everything | -0.0 is below 0.0 |
//! | [`lower_bound`], [`upper_bound`], [`merge`], [`merge_by_key`] | the same | the same | the same |
//! | [`min`], [`max`] | `<` | left out where there are numbers | -0.0 is below 0.0 |
//! | [`arg_min`], [`arg_max`] | `<` | behind every number: its index only if there are NaNs alone | equal: the index of the first |
//! | [`unique`], [`reduce_by_key`], [`inclusive_scan_by_key`], [`exclusive_scan_by_key`] | `==` | equals nothing, itself included | equal: the key of the first is given |
//! | comparisons in closures | `<`, `==` as in Rust | as in Rust | equal |
//!
//! So what one function gives another one takes: what is sorted can be searched and merged. Tuples are sorted by their first parts, equal ones by the next.
//!
//! # Closures
//!
//! A closure gets device values ([`language`](crate::language)): numbers with the usual operators and methods, `x.gt(0.0)` for comparisons and
//! [`select`](crate::language::select) for choices. A function of a `#[kernels]` module is written as Rust is, with `x > 0.0`, and can be given in place of a closure:
//!
//! ```
//! use obsidian_rt::algorithms;
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! mod operators {
//!     /// The larger one in absolute value.
//!     pub fn larger(x: EF32, y: EF32) -> EF32 {
//!         select(x.abs() < y.abs(), y, x)
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::best()?;
//! assert_eq!(algorithms::reduce(&device, &[0.5f32, -3.0, 2.5], operators::larger, 0.0)?, -3.0);
//! # Ok(())
//! # }
//! ```
//!
//! The closure runs while its kernels are built, and not for each element. One that captures nothing is built once in a process, and found again by its type; so it
//! must do the same each time, and what it reads from a `static` is as it was then. One that captures a value is built at each call, which takes milliseconds, and
//! on a GPU a compilation. To keep the program, build it by [`program`].
//!
//! # What runs where
//!
//! [`sum`], [`min`], [`max`], [`arg_min`], [`arg_max`], [`dot`], [`inclusive_sum`], [`exclusive_sum`], [`histogram()`], and of single numbers [`sort`], [`copy_flagged`],
//! [`gather`] and [`transpose`] are compiled with this crate; so is [`copy_if`] of single numbers, but for its condition. All others are built when they are first called, as
//! [`ArrayProgram`]s of closures are: on the CPU they run by columns, which takes several times as long as compiled code, so write what has to be fast there as an
//! `#[arrays]` function. For a GPU, all of them are compiled when they are first launched, and kept for the next process.
//!
//! The bits of all results depend on the elements and their number, and not on the device, on threads or on timing. That holds for floats, too: in which order they are
//! added depends on how many there are ([`fold_order`](crate::tutorial::fold_order)).

mod ahead;
pub mod blocks;
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
mod sorts;
mod table;

pub use ahead::Number;
pub use by_key::{
    exclusive_scan_by_key, exclusive_scan_by_key_into, inclusive_scan_by_key,
    inclusive_scan_by_key_into, reduce_by_key,
};
pub use element_wise::{map, map_into, zip_map, zip_map_into};
pub use elements::{Elements, ElementsMut};
pub use histogram::{histogram, histogram_into};
pub use places::{
    Edge, gather, gather_into, scatter, scatter_into, stencil2, stencil2_into, transpose,
    transpose_into,
};
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
pub use sorts::{sort, sort_by_key, sort_into, top_k};

use obsidian_language::arrays::Computed;

use crate::arrays::{ArrayParameters, ArrayProgram, HostItem, HostOf, Run, RunInputs, RunResult};
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};

/// An element `T` as closures see it: a device value, or a tuple of them.
///
/// ```
/// use obsidian_rt::{Device, algorithms::{self, DeviceItem}};
///
/// fn larger(x: DeviceItem<f32>, y: DeviceItem<f32>) -> DeviceItem<f32> {
///     x.max(y)
/// }
///
/// assert_eq!(algorithms::reduce(&Device::cpu(), &[1.0f32, 3.0, 2.0], larger, 0.0)?, 3.0);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub type DeviceItem<T> = <T as HostItem>::Device;

/// What an array has that a closure gives `R` for, as the host has it.
///
/// ```
/// use obsidian_rt::algorithms::Made;
/// use obsidian_rt::language::{EF32, EU32};
///
/// let made: Made<(EU32, EF32)> = (1u32, 0.5f32);
/// assert_eq!(made.0, 1);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub type Made<R> = <<R as Computed>::Value as HostOf>::Host;

/// Where the files of this library are, as places in them begin.
fn library() -> &'static str {
    file!().strip_suffix("mod.rs").unwrap_or(file!())
}

/// What has come of a call: what went wrong inside of the library went wrong at the caller's.
#[track_caller]
fn called<T>(name: &str, result: Result<T>) -> Result<T> {
    let caller = std::panic::Location::caller();
    result.map_err(|error| error.of_algorithm(name, library(), caller))
}

/// Runs the program of an algorithm.
#[track_caller]
fn run<'a, P: ArrayParameters, R: RunResult>(
    name: &str,
    device: &Device,
    program: &'a ArrayProgram<P, R>,
    inputs: impl RunInputs<'a, P>,
) -> Result<R::Arrays> {
    called(name, program.run(device, inputs))
}

/// Runs a program that gives one array, of `rank` axes, into existing elements.
#[track_caller]
fn run_into<'a, 'o: 'a, P: ArrayParameters, R: RunResult>(
    name: &str,
    device: &Device,
    program: &'a ArrayProgram<P, R>,
    inputs: impl RunInputs<'a, P>,
    rank: usize,
    result: impl ElementsMut<'o>,
) -> Result<()> {
    let result = result.lend_mut()?;
    let mut run = Run::new(device, program.parts());
    inputs.give(&mut run);
    if rank == 0 && result.length != 1 {
        let length = result.length;
        let message = format!("the result is one element, and there are {length} for it");
        let error = Error::new(ErrorKind::UnequalLengths, message).exceeded(length as u64, 1);
        return called(name, Err(error));
    }
    let extents = [result.length];
    run.output(extents.get(..rank).unwrap_or_default(), result.buffers);
    called(name, run.finish().map(drop))
}
