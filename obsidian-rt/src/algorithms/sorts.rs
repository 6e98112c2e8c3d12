//! Sorts.

use obsidian_language::arrays::Ix1;

use super::elements::{Elements, ElementsMut, same_lengths};
use super::{DeviceItem, Number, program, run, run_into, table};
use crate::arrays::Array;
use crate::device::Device;
use crate::error::Result;

/// Sorts the elements in ascending order: tuples by their first parts, equal ones by the next.
///
/// Floats are ordered as by [`f32::total_cmp`]: -0.0 in front of 0.0, and NaNs behind everything, or in front of it if their sign bit is set. A radix sort: its
/// time depends on the number of elements and on their type, not on their values.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let sorted = algorithms::sort(&device, &[3i32, -5, 4])?;
/// assert_eq!(sorted.to_vec()?, [-5, 3, 4]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// What a launch reports.
#[doc(alias = "DeviceRadixSort")]
#[doc(alias = "sort_keys")]
#[doc(alias = "radix_sort")]
#[track_caller]
pub fn sort<'a, X: Elements<'a>>(device: &Device, xs: X) -> Result<Array<Ix1, X::Item>> {
    let xs = xs.lend(device)?;
    let program = table::fixed("sort", program::sort::<DeviceItem<X::Item>>)?;
    run("sort", device, &program, xs.view())
}

/// [`sort`] into existing elements.
///
/// # Errors
/// What a launch reports, and [`ErrorKind::UnequalLengths`](crate::ErrorKind::UnequalLengths) for a result of another length.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// let device = Device::cpu();
/// let xs = device.upload(&[3u32, 1, 4, 1])?;
/// let mut result = device.zeros(4)?;
/// algorithms::sort_into(&device, &xs, &mut result)?;
/// assert_eq!(result.to_vec()?, [1, 1, 3, 4]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn sort_into<'a, 'o, X: Elements<'a>>(
    device: &Device,
    xs: X,
    result: impl ElementsMut<'o, Item = X::Item>,
) -> Result<()> {
    let xs = xs.lend(device)?;
    let program = table::fixed("sort", program::sort::<DeviceItem<X::Item>>)?;
    run_into("sort", device, &program, xs.view(), 1, result)
}

/// Sorts keys in ascending order as [`sort`] does, and their values with them. Values of equal keys stay in their order.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let (keys, values) = algorithms::sort_by_key(&device, &[7u32, 3, 7], &[0.1f32, 0.2, 0.3])?;
/// assert_eq!((keys.to_vec()?, values.to_vec()?), (vec![3, 7, 7], vec![0.2, 0.1, 0.3]));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::UnequalLengths`](crate::ErrorKind::UnequalLengths) unless there are as many values as keys, and what a launch reports.
#[doc(alias = "sort_pairs")]
#[doc(alias = "stable_sort_by_key")]
#[track_caller]
pub fn sort_by_key<'a, 'b, K: Elements<'a>, X: Elements<'b>>(
    device: &Device,
    keys: K,
    values: X,
) -> Result<(Array<Ix1, K::Item>, Array<Ix1, X::Item>)> {
    let (keys, values) = (keys.lend(device)?, values.lend(device)?);
    same_lengths("`sort_by_key`", keys.len(), values.len())?;
    let build = program::sort_by_key::<DeviceItem<K::Item>, DeviceItem<X::Item>>;
    let program = table::fixed("sort_by_key", build)?;
    run(
        "sort_by_key",
        device,
        &program,
        (keys.view(), values.view()),
    )
}

/// The `k` largest elements from the largest down, and their indices; of equal ones, the first come first. All of fewer than `k` elements.
///
/// The order is that of [`sort`]: a NaN without sign is above all numbers. It sorts all elements.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let (largest, numbers) = algorithms::top_k(&device, &[3i32, 9, -5, 9], 3)?;
/// assert_eq!((largest.to_vec()?, numbers.to_vec()?), (vec![9, 9, 3], vec![1, 3, 0]));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// What a launch reports.
#[track_caller]
pub fn top_k<'a, T: Number>(
    device: &Device,
    xs: impl Elements<'a, Item = T>,
    k: usize,
) -> Result<(Array<Ix1, T>, Array<Ix1, u32>)> {
    let xs = xs.lend(device)?;
    // Buffers have at most `u32::MAX` elements.
    let k = u32::try_from(k.min(xs.len())).unwrap_or(u32::MAX);
    let program = table::fixed("top_k", program::top_k::<T>)?;
    run("top_k", device, &program, (xs.view(), k))
}
