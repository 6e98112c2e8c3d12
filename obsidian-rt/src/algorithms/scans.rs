//! Scans: of all elements, and of segments.

use std::sync::Arc;

use obsidian_language::arrays::{Computed, Ix1};
use obsidian_language::scalar::Exp;

use super::elements::{Elements, ElementsMut, same_lengths};
use super::{DeviceItem, Number, program, run, run_into, table};
use crate::arrays::{Arr1, Array, ArrayProgram, HostOf, Value};
use crate::device::Device;
use crate::error::Result;

/// Inclusive prefix sums: for each element, the sum of all up to it and itself. Integers wrap.
///
/// Between an element and a sum of floats are at most `24 + n / 2^16` additions. The bits depend on the number of elements alone, not on the device.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let sums = algorithms::inclusive_sum(&device, &[3u32, 1, 4])?;
/// assert_eq!(sums.to_vec()?, [3, 4, 8]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// What a launch reports.
#[doc(alias = "DeviceScan")]
#[doc(alias = "prefix_sum")]
#[doc(alias = "cumsum")]
#[track_caller]
pub fn inclusive_sum<'a, T: Number>(
    device: &Device,
    xs: impl Elements<'a, Item = T>,
) -> Result<Array<Ix1, T>> {
    let xs = xs.lend(device)?;
    run(
        "inclusive_sum",
        device,
        (T::AHEAD.inclusive_sum)(),
        xs.view(),
    )
}

/// [`inclusive_sum`] into existing elements.
///
/// # Errors
/// What a launch reports, and [`ErrorKind::UnequalLengths`](crate::ErrorKind::UnequalLengths) for a result of another length.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// let device = Device::cpu();
/// let xs = device.upload(&[1u32, 2, 3, 4])?;
/// let mut result = device.zeros(4)?;
/// algorithms::inclusive_sum_into(&device, &xs, &mut result)?;
/// assert_eq!(result.to_vec()?, [1, 3, 6, 10]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn inclusive_sum_into<'a, 'o, T: Number>(
    device: &Device,
    xs: impl Elements<'a, Item = T>,
    result: impl ElementsMut<'o, Item = T>,
) -> Result<()> {
    let xs = xs.lend(device)?;
    run_into(
        "inclusive_sum",
        device,
        (T::AHEAD.inclusive_sum)(),
        xs.view(),
        1,
        result,
    )
}

/// Exclusive prefix sums: for each element, the sum of all in front of it, 0 for the first. Otherwise as [`inclusive_sum`].
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let starts = algorithms::exclusive_sum(&device, &[3u32, 1, 4])?;
/// assert_eq!(starts.to_vec()?, [0, 3, 4]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// What a launch reports.
#[doc(alias = "DeviceScan")]
#[doc(alias = "prefix_sum")]
#[track_caller]
pub fn exclusive_sum<'a, T: Number>(
    device: &Device,
    xs: impl Elements<'a, Item = T>,
) -> Result<Array<Ix1, T>> {
    let xs = xs.lend(device)?;
    run(
        "exclusive_sum",
        device,
        (T::AHEAD.exclusive_sum)(),
        xs.view(),
    )
}

/// [`exclusive_sum`] into existing elements.
///
/// # Errors
/// As [`inclusive_sum_into`].
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// let device = Device::cpu();
/// let xs = device.upload(&[1u32, 2, 3, 4])?;
/// let mut result = device.zeros(4)?;
/// algorithms::exclusive_sum_into(&device, &xs, &mut result)?;
/// assert_eq!(result.to_vec()?, [0, 1, 3, 6]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn exclusive_sum_into<'a, 'o, T: Number>(
    device: &Device,
    xs: impl Elements<'a, Item = T>,
    result: impl ElementsMut<'o, Item = T>,
) -> Result<()> {
    let xs = xs.lend(device)?;
    run_into(
        "exclusive_sum",
        device,
        (T::AHEAD.exclusive_sum)(),
        xs.view(),
        1,
        result,
    )
}

/// Inclusive scan: for each element, all up to it and itself combined by `f`.
///
/// `f` must be associative, for floats up to rounding. It need not commute.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let largest = algorithms::inclusive_scan(&device, &[3i32, 1, 4], |x, y| x.max(y))?;
/// assert_eq!(largest.to_vec()?, [3, 3, 4]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::Build`](crate::ErrorKind::Build) if `f` cannot be built, and what a launch reports.
#[doc(alias = "DeviceScan")]
#[track_caller]
pub fn inclusive_scan<'a, X: Elements<'a>, R: Computed<Value = DeviceItem<X::Item>>>(
    device: &Device,
    xs: X,
    f: impl Fn(DeviceItem<X::Item>, DeviceItem<X::Item>) -> R + 'static,
) -> Result<Array<Ix1, X::Item>> {
    let (program, xs) = (inclusive(f)?, xs.lend(device)?);
    run("inclusive_scan", device, &program, xs.view())
}

/// [`inclusive_scan`] into existing elements.
///
/// # Errors
/// As [`inclusive_scan`], and [`ErrorKind::UnequalLengths`](crate::ErrorKind::UnequalLengths) for a result of another length.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// let device = Device::cpu();
/// let xs = device.upload(&[1u32, 2, 3, 4])?;
/// let mut result = device.zeros(4)?;
/// algorithms::inclusive_scan_into(&device, &xs, |a, b| a * b, &mut result)?;
/// assert_eq!(result.to_vec()?, [1, 2, 6, 24]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn inclusive_scan_into<'a, 'o, X: Elements<'a>, R: Computed<Value = DeviceItem<X::Item>>>(
    device: &Device,
    xs: X,
    f: impl Fn(DeviceItem<X::Item>, DeviceItem<X::Item>) -> R + 'static,
    result: impl ElementsMut<'o, Item = X::Item>,
) -> Result<()> {
    let (program, xs) = (inclusive(f)?, xs.lend(device)?);
    run_into("inclusive_scan", device, &program, xs.view(), 1, result)
}

#[track_caller]
fn inclusive<T: HostOf, R: Computed<Value = T>, F: Fn(T, T) -> R + 'static>(
    f: F,
) -> Result<Arc<ArrayProgram<(Arr1<T>,), Arr1<T>>>> {
    table::program::<F, _, _>("inclusive_scan", || program::inclusive_scan(f))
}

/// Exclusive scan: for each element, `initial` and all in front of it combined by `f`; `initial` for the first.
///
/// `f` must be associative, for floats up to rounding. It need not commute, and `initial` need not be neutral.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let products = algorithms::exclusive_scan(&device, &[3u32, 1, 4], |x, y| x * y, 10)?;
/// assert_eq!(products.to_vec()?, [10, 30, 30]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`inclusive_scan`].
#[doc(alias = "DeviceScan")]
#[track_caller]
pub fn exclusive_scan<'a, X: Elements<'a>, R: Computed<Value = DeviceItem<X::Item>>>(
    device: &Device,
    xs: X,
    f: impl Fn(DeviceItem<X::Item>, DeviceItem<X::Item>) -> R + 'static,
    initial: X::Item,
) -> Result<Array<Ix1, X::Item>> {
    let (program, xs) = (exclusive(f)?, xs.lend(device)?);
    run(
        "exclusive_scan",
        device,
        &program,
        (xs.view(), Value(initial)),
    )
}

/// [`exclusive_scan`] into existing elements.
///
/// # Errors
/// As [`inclusive_scan_into`].
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// let device = Device::cpu();
/// let xs = device.upload(&[1u32, 2, 3, 4])?;
/// let mut result = device.zeros(4)?;
/// algorithms::exclusive_scan_into(&device, &xs, |a, b| a * b, 1, &mut result)?;
/// assert_eq!(result.to_vec()?, [1, 1, 2, 6]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn exclusive_scan_into<'a, 'o, X: Elements<'a>, R: Computed<Value = DeviceItem<X::Item>>>(
    device: &Device,
    xs: X,
    f: impl Fn(DeviceItem<X::Item>, DeviceItem<X::Item>) -> R + 'static,
    initial: X::Item,
    result: impl ElementsMut<'o, Item = X::Item>,
) -> Result<()> {
    let (program, xs) = (exclusive(f)?, xs.lend(device)?);
    run_into(
        "exclusive_scan",
        device,
        &program,
        (xs.view(), Value(initial)),
        1,
        result,
    )
}

#[track_caller]
fn exclusive<T: HostOf, R: Computed<Value = T>, F: Fn(T, T) -> R + 'static>(
    f: F,
) -> Result<Arc<ArrayProgram<(Arr1<T>, Value<T>), Arr1<T>>>> {
    table::program::<F, _, _>("exclusive_scan", || program::exclusive_scan(f))
}

/// The [`inclusive_scan`] of each segment. A segment begins at the first element, and at each element whose flag is true.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let begins = [false, false, true, false];
/// let sums = algorithms::segmented_inclusive_scan(&device, &[1u32, 2, 3, 4], &begins, |x, y| x + y)?;
/// assert_eq!(sums.to_vec()?, [1, 3, 3, 7]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::UnequalLengths`](crate::ErrorKind::UnequalLengths) unless there are as many flags as elements, and as [`inclusive_scan`].
#[track_caller]
pub fn segmented_inclusive_scan<
    'a,
    'b,
    X: Elements<'a>,
    R: Computed<Value = DeviceItem<X::Item>>,
>(
    device: &Device,
    xs: X,
    begins: impl Elements<'b, Item = bool>,
    f: impl Fn(DeviceItem<X::Item>, DeviceItem<X::Item>) -> R + 'static,
) -> Result<Array<Ix1, X::Item>> {
    let (program, xs) = (segmented_inclusive(f)?, xs.lend(device)?);
    let begins = begins.lend(device)?;
    same_lengths("a segmented scan", xs.len(), begins.len())?;
    run(
        "segmented_inclusive_scan",
        device,
        &program,
        (xs.view(), begins.view()),
    )
}

/// [`segmented_inclusive_scan`] into existing elements.
///
/// # Errors
/// As [`segmented_inclusive_scan`], also for a result of another length.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// let device = Device::cpu();
/// let xs = device.upload(&[1u32, 2, 3, 4])?;
/// let mut result = device.zeros(4)?;
/// algorithms::segmented_inclusive_scan_into(&device, &xs, &[true, false, true, false], |a, b| a + b, &mut result)?;
/// assert_eq!(result.to_vec()?, [1, 3, 3, 7]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn segmented_inclusive_scan_into<
    'a,
    'b,
    'o,
    X: Elements<'a>,
    R: Computed<Value = DeviceItem<X::Item>>,
>(
    device: &Device,
    xs: X,
    begins: impl Elements<'b, Item = bool>,
    f: impl Fn(DeviceItem<X::Item>, DeviceItem<X::Item>) -> R + 'static,
    result: impl ElementsMut<'o, Item = X::Item>,
) -> Result<()> {
    let (program, xs) = (segmented_inclusive(f)?, xs.lend(device)?);
    let begins = begins.lend(device)?;
    same_lengths("a segmented scan", xs.len(), begins.len())?;
    run_into(
        "segmented_inclusive_scan",
        device,
        &program,
        (xs.view(), begins.view()),
        1,
        result,
    )
}

type Flagged<T> = ArrayProgram<(Arr1<T>, Arr1<Exp<bool>>), Arr1<T>>;

#[track_caller]
fn segmented_inclusive<T: HostOf, R: Computed<Value = T>, F: Fn(T, T) -> R + 'static>(
    f: F,
) -> Result<Arc<Flagged<T>>> {
    table::program::<F, _, _>("segmented_inclusive_scan", || {
        program::segmented_inclusive_scan(f)
    })
}

/// The [`exclusive_scan`] of each segment, each behind `initial`. A segment begins at the first element, and at each element whose flag is true.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let begins = [false, false, true, false];
/// let sums = algorithms::segmented_exclusive_scan(&device, &[1u32, 2, 3, 4], &begins, |x, y| x + y, 10)?;
/// assert_eq!(sums.to_vec()?, [10, 11, 10, 13]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`segmented_inclusive_scan`].
#[track_caller]
pub fn segmented_exclusive_scan<
    'a,
    'b,
    X: Elements<'a>,
    R: Computed<Value = DeviceItem<X::Item>>,
>(
    device: &Device,
    xs: X,
    begins: impl Elements<'b, Item = bool>,
    f: impl Fn(DeviceItem<X::Item>, DeviceItem<X::Item>) -> R + 'static,
    initial: X::Item,
) -> Result<Array<Ix1, X::Item>> {
    let (program, xs) = (segmented_exclusive(f)?, xs.lend(device)?);
    let begins = begins.lend(device)?;
    same_lengths("a segmented scan", xs.len(), begins.len())?;
    run(
        "segmented_exclusive_scan",
        device,
        &program,
        (xs.view(), begins.view(), Value(initial)),
    )
}

/// [`segmented_exclusive_scan`] into existing elements.
///
/// # Errors
/// As [`segmented_inclusive_scan_into`].
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// let device = Device::cpu();
/// let xs = device.upload(&[1u32, 2, 3, 4])?;
/// let mut result = device.zeros(4)?;
/// algorithms::segmented_exclusive_scan_into(&device, &xs, &[true, false, true, false], |a, b| a + b, 0, &mut result)?;
/// assert_eq!(result.to_vec()?, [0, 1, 0, 3]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn segmented_exclusive_scan_into<
    'a,
    'b,
    'o,
    X: Elements<'a>,
    R: Computed<Value = DeviceItem<X::Item>>,
>(
    device: &Device,
    xs: X,
    begins: impl Elements<'b, Item = bool>,
    f: impl Fn(DeviceItem<X::Item>, DeviceItem<X::Item>) -> R + 'static,
    initial: X::Item,
    result: impl ElementsMut<'o, Item = X::Item>,
) -> Result<()> {
    let (program, xs) = (segmented_exclusive(f)?, xs.lend(device)?);
    let begins = begins.lend(device)?;
    same_lengths("a segmented scan", xs.len(), begins.len())?;
    let inputs = (xs.view(), begins.view(), Value(initial));
    run_into(
        "segmented_exclusive_scan",
        device,
        &program,
        inputs,
        1,
        result,
    )
}

type FlaggedBehind<T> = ArrayProgram<(Arr1<T>, Arr1<Exp<bool>>, Value<T>), Arr1<T>>;

#[track_caller]
fn segmented_exclusive<T: HostOf, R: Computed<Value = T>, F: Fn(T, T) -> R + 'static>(
    f: F,
) -> Result<Arc<FlaggedBehind<T>>> {
    table::program::<F, _, _>("segmented_exclusive_scan", || {
        program::segmented_exclusive_scan(f)
    })
}
