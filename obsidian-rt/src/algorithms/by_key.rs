//! Algorithms over runs of equal keys.

use std::sync::Arc;

use obsidian_language::arrays::{Computed, Ix1};

use super::elements::{Elements, ElementsMut, same_lengths};
use super::{DeviceItem, program, run, run_into, table};
use crate::arrays::{Arr1, Array, ArrayProgram, HostOf, Value};
use crate::device::Device;
use crate::error::Result;

/// Reduces each run of equal neighbouring keys to the key and its values combined by `f`: two arrays, as long as there are runs.
///
/// `f` must be associative, for floats up to rounding; it need not commute. Equal keys that are no neighbours are runs of their own, so sort first
/// what is to be one run. A NaN equals no key, and -0.0 equals 0.0: of those that are equal, the key of the first is given.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let (keys, values) = ([7u32, 7, 9, 7], [1.0f32, 2.0, 4.0, 8.0]);
/// let (keys, sums) = algorithms::reduce_by_key(&device, &keys, &values, |x, y| x + y)?;
/// assert_eq!((keys.to_vec()?, sums.to_vec()?), (vec![7, 9, 7], vec![3.0, 4.0, 8.0]));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::UnequalLengths`](crate::ErrorKind::UnequalLengths) unless there are as many values as keys, [`ErrorKind::Build`](crate::ErrorKind::Build) if
/// `f` cannot be built, and what a launch reports.
#[track_caller]
pub fn reduce_by_key<
    'a,
    'b,
    K: Elements<'a>,
    X: Elements<'b>,
    R: Computed<Value = DeviceItem<X::Item>>,
>(
    device: &Device,
    keys: K,
    values: X,
    f: impl Fn(DeviceItem<X::Item>, DeviceItem<X::Item>) -> R + 'static,
) -> Result<(Array<Ix1, K::Item>, Array<Ix1, X::Item>)> {
    let (keys, values) = (keys.lend(device)?, values.lend(device)?);
    same_lengths("`reduce_by_key`", keys.len(), values.len())?;
    let program = reduction::<DeviceItem<K::Item>, _, _, _>(f)?;
    run(
        "reduce_by_key",
        device,
        &program,
        (keys.view(), values.view()),
    )
}

type Reduction<K, T> = ArrayProgram<(Arr1<K>, Arr1<T>), (Arr1<K>, Arr1<T>)>;

#[track_caller]
fn reduction<K: HostOf, T: HostOf, R: Computed<Value = T>, F: Fn(T, T) -> R + 'static>(
    f: F,
) -> Result<Arc<Reduction<K, T>>> {
    table::program::<F, _, _>("reduce_by_key", || program::reduce_by_key(f))
}

/// Inclusive scan within runs: each value combined by `f` with those of its run in front of it; a run is of equal neighbouring keys.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let sums = algorithms::inclusive_scan_by_key(&device, &[7u32, 7, 9], &[1i32, 2, 4], |x, y| x + y)?;
/// assert_eq!(sums.to_vec()?, [1, 3, 4]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`reduce_by_key`].
#[doc(alias = "scan_by_key")]
#[track_caller]
pub fn inclusive_scan_by_key<
    'a,
    'b,
    K: Elements<'a>,
    X: Elements<'b>,
    R: Computed<Value = DeviceItem<X::Item>>,
>(
    device: &Device,
    keys: K,
    values: X,
    f: impl Fn(DeviceItem<X::Item>, DeviceItem<X::Item>) -> R + 'static,
) -> Result<Array<Ix1, X::Item>> {
    let (keys, values) = (keys.lend(device)?, values.lend(device)?);
    same_lengths("`inclusive_scan_by_key`", keys.len(), values.len())?;
    let program = inclusive::<DeviceItem<K::Item>, _, _, _>(f)?;
    run(
        "inclusive_scan_by_key",
        device,
        &program,
        (keys.view(), values.view()),
    )
}

/// [`inclusive_scan_by_key`] into existing elements.
///
/// # Errors
/// As [`inclusive_scan_by_key`], also for a result of another length.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// let device = Device::cpu();
/// let xs = device.upload(&[1u32, 2, 3, 4])?;
/// let mut result = device.zeros(4)?;
/// algorithms::inclusive_scan_by_key_into(&device, &[7u32, 7, 8, 8], &xs, |a, b| a + b, &mut result)?;
/// assert_eq!(result.to_vec()?, [1, 3, 3, 7]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn inclusive_scan_by_key_into<
    'a,
    'b,
    'o,
    K: Elements<'a>,
    X: Elements<'b>,
    R: Computed<Value = DeviceItem<X::Item>>,
>(
    device: &Device,
    keys: K,
    values: X,
    f: impl Fn(DeviceItem<X::Item>, DeviceItem<X::Item>) -> R + 'static,
    result: impl ElementsMut<'o, Item = X::Item>,
) -> Result<()> {
    let (keys, values) = (keys.lend(device)?, values.lend(device)?);
    same_lengths("`inclusive_scan_by_key`", keys.len(), values.len())?;
    let program = inclusive::<DeviceItem<K::Item>, _, _, _>(f)?;
    run_into(
        "inclusive_scan_by_key",
        device,
        &program,
        (keys.view(), values.view()),
        1,
        result,
    )
}

type Inclusive<K, T> = ArrayProgram<(Arr1<K>, Arr1<T>), Arr1<T>>;

#[track_caller]
fn inclusive<K: HostOf, T: HostOf, R: Computed<Value = T>, F: Fn(T, T) -> R + 'static>(
    f: F,
) -> Result<Arc<Inclusive<K, T>>> {
    table::program::<F, _, _>("inclusive_scan_by_key", || {
        program::inclusive_scan_by_key(f)
    })
}

/// Exclusive scan within runs: for each value, `initial` and the values of its run in front of it combined by `f`: `initial` for the first of a run of equal neighbouring keys.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let sums = algorithms::exclusive_scan_by_key(&device, &[7u32, 7, 9], &[1i32, 2, 4], |x, y| x + y, 0)?;
/// assert_eq!(sums.to_vec()?, [0, 1, 0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`reduce_by_key`].
#[doc(alias = "scan_by_key")]
#[track_caller]
pub fn exclusive_scan_by_key<
    'a,
    'b,
    K: Elements<'a>,
    X: Elements<'b>,
    R: Computed<Value = DeviceItem<X::Item>>,
>(
    device: &Device,
    keys: K,
    values: X,
    f: impl Fn(DeviceItem<X::Item>, DeviceItem<X::Item>) -> R + 'static,
    initial: X::Item,
) -> Result<Array<Ix1, X::Item>> {
    let (keys, values) = (keys.lend(device)?, values.lend(device)?);
    same_lengths("`exclusive_scan_by_key`", keys.len(), values.len())?;
    let program = exclusive::<DeviceItem<K::Item>, _, _, _>(f)?;
    run(
        "exclusive_scan_by_key",
        device,
        &program,
        (keys.view(), values.view(), Value(initial)),
    )
}

/// [`exclusive_scan_by_key`] into existing elements.
///
/// # Errors
/// As [`exclusive_scan_by_key`], also for a result of another length.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// let device = Device::cpu();
/// let xs = device.upload(&[1u32, 2, 3, 4])?;
/// let mut result = device.zeros(4)?;
/// algorithms::exclusive_scan_by_key_into(&device, &[7u32, 7, 8, 8], &xs, |a, b| a + b, 0, &mut result)?;
/// assert_eq!(result.to_vec()?, [0, 1, 0, 3]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn exclusive_scan_by_key_into<
    'a,
    'b,
    'o,
    K: Elements<'a>,
    X: Elements<'b>,
    R: Computed<Value = DeviceItem<X::Item>>,
>(
    device: &Device,
    keys: K,
    values: X,
    f: impl Fn(DeviceItem<X::Item>, DeviceItem<X::Item>) -> R + 'static,
    initial: X::Item,
    result: impl ElementsMut<'o, Item = X::Item>,
) -> Result<()> {
    let (keys, values) = (keys.lend(device)?, values.lend(device)?);
    same_lengths("`exclusive_scan_by_key`", keys.len(), values.len())?;
    let program = exclusive::<DeviceItem<K::Item>, _, _, _>(f)?;
    let inputs = (keys.view(), values.view(), Value(initial));
    run_into("exclusive_scan_by_key", device, &program, inputs, 1, result)
}

type Exclusive<K, T> = ArrayProgram<(Arr1<K>, Arr1<T>, Value<T>), Arr1<T>>;

#[track_caller]
fn exclusive<K: HostOf, T: HostOf, R: Computed<Value = T>, F: Fn(T, T) -> R + 'static>(
    f: F,
) -> Result<Arc<Exclusive<K, T>>> {
    table::program::<F, _, _>("exclusive_scan_by_key", || {
        program::exclusive_scan_by_key(f)
    })
}
