//! Binary search in sorted arrays, and merging them.

use obsidian_language::arrays::Ix1;

use super::elements::{Elements, ElementsMut, same_lengths};
use super::{DeviceItem, Number, program, run, run_into, table};
use crate::arrays::Array;
use crate::device::Device;
use crate::error::Result;

/// For each value how many elements of a sorted array are below it: where it can be put in front of equal ones.
///
/// `sorted` must ascend as [`sort`](super::sort) has it, by [`f32::total_cmp`] for floats; of another array the results are between 0 and its length, and mean
/// nothing.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let places = algorithms::lower_bound(&device, &[10u32, 20, 20, 30], &[20, 5, 99])?;
/// assert_eq!(places.to_vec()?, [1, 0, 4]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// What a launch reports.
#[doc(alias = "search_sorted")]
#[doc(alias = "searchsorted")]
#[doc(alias = "binary_search")]
#[doc(alias = "partition_point")]
#[track_caller]
pub fn lower_bound<'a, 'b, T: Number>(
    device: &Device,
    sorted: impl Elements<'a, Item = T>,
    values: impl Elements<'b, Item = T>,
) -> Result<Array<Ix1, u32>> {
    let (sorted, values) = (sorted.lend(device)?, values.lend(device)?);
    let program = table::fixed("lower_bound", program::lower_bound::<T>)?;
    run(
        "lower_bound",
        device,
        &program,
        (sorted.view(), values.view()),
    )
}

/// [`lower_bound`] into existing numbers.
///
/// # Errors
/// As [`lower_bound`], and [`ErrorKind::UnequalLengths`](crate::ErrorKind::UnequalLengths) unless the result has as many elements as there are values.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// let device = Device::cpu();
/// let xs = device.upload(&[1u32, 2, 3, 4])?;
/// let mut result = device.zeros(3)?;
/// algorithms::lower_bound_into(&device, &xs, &[0u32, 3, 9], &mut result)?;
/// assert_eq!(result.to_vec()?, [0, 2, 4]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn lower_bound_into<'a, 'b, 'o, T: Number>(
    device: &Device,
    sorted: impl Elements<'a, Item = T>,
    values: impl Elements<'b, Item = T>,
    result: impl ElementsMut<'o, Item = u32>,
) -> Result<()> {
    let (sorted, values) = (sorted.lend(device)?, values.lend(device)?);
    let program = table::fixed("lower_bound", program::lower_bound::<T>)?;
    run_into(
        "lower_bound",
        device,
        &program,
        (sorted.view(), values.view()),
        1,
        result,
    )
}

/// For each value how many elements of a sorted array are not above it: where it can be put behind equal ones. Otherwise as [`lower_bound`].
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let places = algorithms::upper_bound(&device, &[10u32, 20, 20, 30], &[20, 5, 99])?;
/// assert_eq!(places.to_vec()?, [3, 0, 4]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// What a launch reports.
#[doc(alias = "search_sorted")]
#[doc(alias = "searchsorted")]
#[doc(alias = "binary_search")]
#[doc(alias = "partition_point")]
#[track_caller]
pub fn upper_bound<'a, 'b, T: Number>(
    device: &Device,
    sorted: impl Elements<'a, Item = T>,
    values: impl Elements<'b, Item = T>,
) -> Result<Array<Ix1, u32>> {
    let (sorted, values) = (sorted.lend(device)?, values.lend(device)?);
    let program = table::fixed("upper_bound", program::upper_bound::<T>)?;
    run(
        "upper_bound",
        device,
        &program,
        (sorted.view(), values.view()),
    )
}

/// [`upper_bound`] into existing numbers.
///
/// # Errors
/// As [`lower_bound_into`].
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// let device = Device::cpu();
/// let xs = device.upload(&[1u32, 2, 3, 4])?;
/// let mut result = device.zeros(3)?;
/// algorithms::upper_bound_into(&device, &xs, &[0u32, 3, 9], &mut result)?;
/// assert_eq!(result.to_vec()?, [0, 3, 4]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn upper_bound_into<'a, 'b, 'o, T: Number>(
    device: &Device,
    sorted: impl Elements<'a, Item = T>,
    values: impl Elements<'b, Item = T>,
    result: impl ElementsMut<'o, Item = u32>,
) -> Result<()> {
    let (sorted, values) = (sorted.lend(device)?, values.lend(device)?);
    let program = table::fixed("upper_bound", program::upper_bound::<T>)?;
    run_into(
        "upper_bound",
        device,
        &program,
        (sorted.view(), values.view()),
        1,
        result,
    )
}

/// Merges two sorted arrays into one. Of equal elements, those of the first array come first.
///
/// Both must ascend as [`sort`](super::sort) has it, by [`f32::total_cmp`] for floats; so does the result. Of other arrays the result has elements of them, in any
/// order.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let merged = algorithms::merge(&device, &[1i32, 4, 6], &[2, 4])?;
/// assert_eq!(merged.to_vec()?, [1, 2, 4, 4, 6]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::NoLength`](crate::ErrorKind::NoLength) or [`ErrorKind::TooLong`](crate::ErrorKind::TooLong) above `u32::MAX` elements in all, and what a
/// launch reports.
#[doc(alias = "DeviceMerge")]
#[track_caller]
pub fn merge<'a, 'b, T: Number>(
    device: &Device,
    first: impl Elements<'a, Item = T>,
    second: impl Elements<'b, Item = T>,
) -> Result<Array<Ix1, T>> {
    let (first, second) = (first.lend(device)?, second.lend(device)?);
    let program = table::fixed("merge", program::merge::<T>)?;
    run("merge", device, &program, (first.view(), second.view()))
}

/// [`merge`] into existing elements.
///
/// # Errors
/// As [`merge`], and [`ErrorKind::UnequalLengths`](crate::ErrorKind::UnequalLengths) unless the result has as many elements as both arrays together.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// let device = Device::cpu();
/// let xs = device.upload(&[1u32, 2, 3, 4])?;
/// let mut result = device.zeros(6)?;
/// algorithms::merge_into(&device, &xs, &[0u32, 3], &mut result)?;
/// assert_eq!(result.to_vec()?, [0, 1, 2, 3, 3, 4]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn merge_into<'a, 'b, 'o, T: Number>(
    device: &Device,
    first: impl Elements<'a, Item = T>,
    second: impl Elements<'b, Item = T>,
    result: impl ElementsMut<'o, Item = T>,
) -> Result<()> {
    let (first, second) = (first.lend(device)?, second.lend(device)?);
    let program = table::fixed("merge", program::merge::<T>)?;
    run_into(
        "merge",
        device,
        &program,
        (first.view(), second.view()),
        1,
        result,
    )
}

/// Merges two sorted arrays of keys, and their values with them.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let first = (&[1u32, 4], &[0.1f32, 0.4]);
/// let second = (&[1u32, 2], &[10.1f32, 10.2]);
/// let (keys, values) = algorithms::merge_by_key(&device, first, second)?;
/// assert_eq!((keys.to_vec()?, values.to_vec()?), (vec![1, 1, 2, 4], vec![0.1, 10.1, 10.2, 0.4]));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::UnequalLengths`](crate::ErrorKind::UnequalLengths) unless there is a value for each key, and as [`merge`].
#[track_caller]
pub fn merge_by_key<'a, 'b, 'c, 'd, K: Number, X: Elements<'b>>(
    device: &Device,
    (first_keys, first_values): (impl Elements<'a, Item = K>, X),
    (second_keys, second_values): (
        impl Elements<'c, Item = K>,
        impl Elements<'d, Item = X::Item>,
    ),
) -> Result<(Array<Ix1, K>, Array<Ix1, X::Item>)> {
    let (first_keys, first_values) = (first_keys.lend(device)?, first_values.lend(device)?);
    let (second_keys, second_values) = (second_keys.lend(device)?, second_values.lend(device)?);
    same_lengths("`merge_by_key`", first_keys.len(), first_values.len())?;
    same_lengths("`merge_by_key`", second_keys.len(), second_values.len())?;
    let build = program::merge_by_key::<K, DeviceItem<X::Item>>;
    let program = table::fixed("merge_by_key", build)?;
    let inputs = (
        first_keys.view(),
        first_values.view(),
        second_keys.view(),
        second_values.view(),
    );
    run("merge_by_key", device, &program, inputs)
}
