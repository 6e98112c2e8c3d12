//! Reductions.

use std::sync::Arc;

use obsidian_language::arrays::Computed;
use obsidian_language::scalar::Exp;

use super::ahead::Number;
use super::elements::{Elements, ElementsMut, Lent, same_lengths};
use super::{DeviceItem, program, run, run_into, table};
use crate::arrays::{Arr0, Arr1, Array, ArrayProgram, HostOf, Ix1, Value};
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};

/// Combines the elements by `f`, starting with `initial`; returns `initial` if there are none.
///
/// `f` must be associative, for floats up to rounding. It need not commute, and `initial` need not be neutral.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let xs = device.upload(&[3u32, 5, 4])?;
/// assert_eq!(algorithms::reduce(&device, &xs, |x, y| x * y, 1)?, 60);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::Build`](crate::ErrorKind::Build) if `f` cannot be built, and what a launch and a copy to the host report.
#[doc(alias = "DeviceReduce")]
#[doc(alias = "fold")]
#[doc(alias = "transform_reduce")]
#[track_caller]
pub fn reduce<'a, X: Elements<'a>, R: Computed<Value = DeviceItem<X::Item>>>(
    device: &Device,
    xs: X,
    f: impl Fn(DeviceItem<X::Item>, DeviceItem<X::Item>) -> R + 'static,
    initial: X::Item,
) -> Result<X::Item> {
    let (program, xs) = (reduction(f)?, xs.lend(device)?);
    run("reduce", device, &program, (xs.view(), Value(initial)))?.value()
}

/// [`reduce`] into one element on the device; the host does not wait.
///
/// # Errors
/// As [`reduce`], and [`ErrorKind::UnequalLengths`](crate::ErrorKind::UnequalLengths) unless `result` has one element.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// let device = Device::cpu();
/// let xs = device.upload(&[1u32, 2, 3, 4])?;
/// let mut result = device.zeros(1)?;
/// algorithms::reduce_into(&device, &xs, |a, b| a * b, 1, &mut result)?;
/// assert_eq!(result.to_vec()?, [24]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn reduce_into<'a, 'o, X: Elements<'a>, R: Computed<Value = DeviceItem<X::Item>>>(
    device: &Device,
    xs: X,
    f: impl Fn(DeviceItem<X::Item>, DeviceItem<X::Item>) -> R + 'static,
    initial: X::Item,
    result: impl ElementsMut<'o, Item = X::Item>,
) -> Result<()> {
    let (program, xs) = (reduction(f)?, xs.lend(device)?);
    run_into(
        "reduce",
        device,
        &program,
        (xs.view(), Value(initial)),
        0,
        result,
    )
}

type Reduction<T> = ArrayProgram<(Arr1<T>, Value<T>), Arr0<T>>;

#[track_caller]
fn reduction<T: HostOf, R: Computed<Value = T>, F: Fn(T, T) -> R + 'static>(
    f: F,
) -> Result<Arc<Reduction<T>>> {
    table::program::<F, _, _>("reduce", || program::reduce(f))
}

/// The sum of the elements, 0 if there are none. Integers wrap. The sum of negative zeros is 0.0.
///
/// Between an element and the sum of `n` floats are at most `k = 72 + n / 524288` additions, so that the error is at most `k * EPSILON / 2` times the sum of the
/// absolute values (to first order). In which [order](crate::tutorial::fold_order) elements are added depends on their number alone: every device gives the same bits.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// assert_eq!(algorithms::sum(&device, &device.upload(&[3i64, -5, 4])?)?, 2);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// What a launch and a copy to the host report.
#[doc(alias = "DeviceReduce")]
#[track_caller]
pub fn sum<'a, T: Number>(device: &Device, xs: impl Elements<'a, Item = T>) -> Result<T> {
    let xs = xs.lend(device)?;
    run("sum", device, (T::AHEAD.sum)(), xs.view())?.value()
}

/// [`sum`] into one element on the device; the host does not wait.
///
/// # Errors
/// As [`sum`], and [`ErrorKind::UnequalLengths`](crate::ErrorKind::UnequalLengths) unless `result` has one element.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// let device = Device::cpu();
/// let xs = device.upload(&[1u32, 2, 3, 4])?;
/// let mut result = device.zeros(1)?;
/// algorithms::sum_into(&device, &xs, &mut result)?;
/// assert_eq!(result.to_vec()?, [10]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn sum_into<'a, 'o, T: Number>(
    device: &Device,
    xs: impl Elements<'a, Item = T>,
    result: impl ElementsMut<'o, Item = T>,
) -> Result<()> {
    let xs = xs.lend(device)?;
    run_into("sum", device, (T::AHEAD.sum)(), xs.view(), 0, result)
}

/// The smallest element, `None` if there are none. NaNs are left out where there are numbers, and -0.0 is below 0.0.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// assert_eq!(algorithms::min(&device, &[3i32, -5, 4])?, Some(-5));
/// assert_eq!(algorithms::min(&device, &[0.0f32; 0])?, None);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// What a launch and a copy to the host report.
#[track_caller]
pub fn min<'a, T: Number>(device: &Device, xs: impl Elements<'a, Item = T>) -> Result<Option<T>> {
    let xs = xs.lend(device)?;
    if xs.is_empty() {
        return Ok(None);
    }
    run("min", device, (T::AHEAD.min)(), xs.view())?
        .value()
        .map(Some)
}

/// [`min`] into one element on the device; the host does not wait.
///
/// # Errors
/// As [`min`], [`ErrorKind::Requirement`](crate::ErrorKind::Requirement) if there are no elements, and
/// [`ErrorKind::UnequalLengths`](crate::ErrorKind::UnequalLengths) unless `result` has one element.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// let device = Device::cpu();
/// let xs = device.upload(&[1u32, 2, 3, 4])?;
/// let mut result = device.zeros(1)?;
/// algorithms::min_into(&device, &xs, &mut result)?;
/// assert_eq!(result.to_vec()?, [1]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn min_into<'a, 'o, T: Number>(
    device: &Device,
    xs: impl Elements<'a, Item = T>,
    result: impl ElementsMut<'o, Item = T>,
) -> Result<()> {
    let xs = xs.lend(device)?;
    run_into("min", device, (T::AHEAD.min)(), xs.view(), 0, result)
}

/// The index of the smallest element, of equal ones the first; `None` if there are none. A number is before a NaN, and -0.0 equals 0.0.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// assert_eq!(algorithms::arg_min(&device, &[3i32, -5, 4, -5])?, Some(1));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// What a launch and a copy to the host report.
#[doc(alias = "min_element")]
#[track_caller]
pub fn arg_min<'a, T: Number>(
    device: &Device,
    xs: impl Elements<'a, Item = T>,
) -> Result<Option<usize>> {
    let xs = xs.lend(device)?;
    if xs.is_empty() {
        return Ok(None);
    }
    let number = run("arg_min", device, (T::AHEAD.arg_min)(), xs.view())?.value()?;
    Ok(Some(number as usize))
}

/// [`arg_min`] into one element on the device; the host does not wait.
///
/// # Errors
/// As [`min_into`].
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// let device = Device::cpu();
/// let xs = device.upload(&[1u32, 2, 3, 4])?;
/// let mut result = device.zeros(1)?;
/// algorithms::arg_min_into(&device, &xs, &mut result)?;
/// assert_eq!(result.to_vec()?, [0]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn arg_min_into<'a, 'o, T: Number>(
    device: &Device,
    xs: impl Elements<'a, Item = T>,
    result: impl ElementsMut<'o, Item = u32>,
) -> Result<()> {
    let xs = xs.lend(device)?;
    run_into(
        "arg_min",
        device,
        (T::AHEAD.arg_min)(),
        xs.view(),
        0,
        result,
    )
}

/// The largest element, `None` if there are none. NaNs are left out where there are numbers, and -0.0 is below 0.0.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// assert_eq!(algorithms::max(&device, &[3i32, -5, 4])?, Some(4));
/// assert_eq!(algorithms::max(&device, &[0.0f32; 0])?, None);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// What a launch and a copy to the host report.
#[track_caller]
pub fn max<'a, T: Number>(device: &Device, xs: impl Elements<'a, Item = T>) -> Result<Option<T>> {
    let xs = xs.lend(device)?;
    if xs.is_empty() {
        return Ok(None);
    }
    run("max", device, (T::AHEAD.max)(), xs.view())?
        .value()
        .map(Some)
}

/// [`max`] into one element on the device; the host does not wait.
///
/// # Errors
/// As [`max`], [`ErrorKind::Requirement`](crate::ErrorKind::Requirement) if there are no elements, and
/// [`ErrorKind::UnequalLengths`](crate::ErrorKind::UnequalLengths) unless `result` has one element.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// let device = Device::cpu();
/// let xs = device.upload(&[1u32, 2, 3, 4])?;
/// let mut result = device.zeros(1)?;
/// algorithms::max_into(&device, &xs, &mut result)?;
/// assert_eq!(result.to_vec()?, [4]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn max_into<'a, 'o, T: Number>(
    device: &Device,
    xs: impl Elements<'a, Item = T>,
    result: impl ElementsMut<'o, Item = T>,
) -> Result<()> {
    let xs = xs.lend(device)?;
    run_into("max", device, (T::AHEAD.max)(), xs.view(), 0, result)
}

/// The index of the largest element, of equal ones the first; `None` if there are none. A number is before a NaN, and -0.0 equals 0.0.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// assert_eq!(algorithms::arg_max(&device, &[3i32, -5, 4, 4])?, Some(2));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// What a launch and a copy to the host report.
#[doc(alias = "max_element")]
#[track_caller]
pub fn arg_max<'a, T: Number>(
    device: &Device,
    xs: impl Elements<'a, Item = T>,
) -> Result<Option<usize>> {
    let xs = xs.lend(device)?;
    if xs.is_empty() {
        return Ok(None);
    }
    let number = run("arg_max", device, (T::AHEAD.arg_max)(), xs.view())?.value()?;
    Ok(Some(number as usize))
}

/// [`arg_max`] into one element on the device; the host does not wait.
///
/// # Errors
/// As [`max_into`].
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// let device = Device::cpu();
/// let xs = device.upload(&[1u32, 2, 3, 4])?;
/// let mut result = device.zeros(1)?;
/// algorithms::arg_max_into(&device, &xs, &mut result)?;
/// assert_eq!(result.to_vec()?, [3]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn arg_max_into<'a, 'o, T: Number>(
    device: &Device,
    xs: impl Elements<'a, Item = T>,
    result: impl ElementsMut<'o, Item = u32>,
) -> Result<()> {
    let xs = xs.lend(device)?;
    run_into(
        "arg_max",
        device,
        (T::AHEAD.arg_max)(),
        xs.view(),
        0,
        result,
    )
}

/// The dot product of two arrays of equal length, 0 if they are empty. Integers wrap; each product of floats is rounded, and then the bound of [`sum`] holds.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// assert_eq!(algorithms::dot(&device, &[1.0f32, 2.0], &[3.0, 4.0])?, 11.0);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::UnequalLengths`](crate::ErrorKind::UnequalLengths), and what a launch and a copy to the host report.
#[doc(alias = "inner_product")]
#[track_caller]
pub fn dot<'a, 'b, T: Number>(
    device: &Device,
    xs: impl Elements<'a, Item = T>,
    ys: impl Elements<'b, Item = T>,
) -> Result<T> {
    let (xs, ys) = (xs.lend(device)?, ys.lend(device)?);
    same_lengths("`dot`", xs.len(), ys.len())?;
    run("dot", device, (T::AHEAD.dot)(), (xs.view(), ys.view()))?.value()
}

/// [`dot`] into one element on the device; the host does not wait.
///
/// # Errors
/// As [`dot`], also unless `result` has one element.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// let device = Device::cpu();
/// let xs = device.upload(&[1u32, 2, 3, 4])?;
/// let mut result = device.zeros(1)?;
/// algorithms::dot_into(&device, &xs, &xs, &mut result)?;
/// assert_eq!(result.to_vec()?, [30]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn dot_into<'a, 'b, 'o, T: Number>(
    device: &Device,
    xs: impl Elements<'a, Item = T>,
    ys: impl Elements<'b, Item = T>,
    result: impl ElementsMut<'o, Item = T>,
) -> Result<()> {
    let (xs, ys) = (xs.lend(device)?, ys.lend(device)?);
    same_lengths("`dot`", xs.len(), ys.len())?;
    run_into(
        "dot",
        device,
        (T::AHEAD.dot)(),
        (xs.view(), ys.view()),
        0,
        result,
    )
}

/// Reduces each segment of the elements by `f`, starting with `initial`; an empty segment gives `initial`.
///
/// Segment `s` has the elements `offsets[s]` to `offsets[s + 1]`, so that there is one segment less than there are offsets. They must ascend; elements before the
/// first and behind the last offset are in no segment. `f` is as that of [`reduce`].
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let sums = algorithms::segmented_reduce(&device, &[1u32, 2, 3, 4], &[0u32, 1, 1, 4], |x, y| x + y, 0)?;
/// assert_eq!(sums.to_vec()?, [1, 0, 9]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::Requirement`](crate::ErrorKind::Requirement) if there is no offset, and [`ErrorKind::Fault`](crate::ErrorKind::Fault) for an offset that is below
/// the one in front of it or above the number of elements: from this call, or, on a GPU, from the next one that waits. And as [`reduce`].
#[doc(alias = "DeviceSegmentedReduce")]
#[doc(alias = "reduce_by_segment")]
#[track_caller]
pub fn segmented_reduce<'a, 'b, X: Elements<'a>, R: Computed<Value = DeviceItem<X::Item>>>(
    device: &Device,
    xs: X,
    offsets: impl Elements<'b, Item = u32>,
    f: impl Fn(DeviceItem<X::Item>, DeviceItem<X::Item>) -> R + 'static,
    initial: X::Item,
) -> Result<Array<Ix1, X::Item>> {
    let (program, xs) = (segmented(f)?, xs.lend(device)?);
    let offsets = some_offset(offsets.lend(device)?)?;
    run(
        "segmented_reduce",
        device,
        &program,
        (xs.view(), offsets.view(), Value(initial)),
    )
}

/// [`segmented_reduce`] into existing elements.
///
/// # Errors
/// As [`segmented_reduce`], and [`ErrorKind::UnequalLengths`](crate::ErrorKind::UnequalLengths) unless the result has as many elements as there are segments.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// let device = Device::cpu();
/// let xs = device.upload(&[1u32, 2, 3, 4])?;
/// let mut result = device.zeros(2)?;
/// algorithms::segmented_reduce_into(&device, &xs, &[0u32, 1, 4], |a, b| a + b, 0, &mut result)?;
/// assert_eq!(result.to_vec()?, [1, 9]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn segmented_reduce_into<
    'a,
    'b,
    'o,
    X: Elements<'a>,
    R: Computed<Value = DeviceItem<X::Item>>,
>(
    device: &Device,
    xs: X,
    offsets: impl Elements<'b, Item = u32>,
    f: impl Fn(DeviceItem<X::Item>, DeviceItem<X::Item>) -> R + 'static,
    initial: X::Item,
    result: impl ElementsMut<'o, Item = X::Item>,
) -> Result<()> {
    let (program, xs) = (segmented(f)?, xs.lend(device)?);
    let offsets = some_offset(offsets.lend(device)?)?;
    let inputs = (xs.view(), offsets.view(), Value(initial));
    run_into("segmented_reduce", device, &program, inputs, 1, result)
}

fn some_offset(offsets: Lent<'_, u32>) -> Result<Lent<'_, u32>> {
    if offsets.is_empty() {
        let message = "segments have one offset more than there are segments, and there is none";
        return Err(Error::new(ErrorKind::Requirement, message).exceeded(0, 1));
    }
    Ok(offsets)
}

type Segmented<T> = ArrayProgram<(Arr1<T>, Arr1<Exp<u32>>, Value<T>), Arr1<T>>;

#[track_caller]
fn segmented<T: HostOf, R: Computed<Value = T>, F: Fn(T, T) -> R + 'static>(
    f: F,
) -> Result<Arc<Segmented<T>>> {
    table::program::<F, _, _>("segmented_reduce", || program::segmented_reduce(f))
}
