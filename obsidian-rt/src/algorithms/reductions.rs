//! Reductions.

use std::sync::Arc;

use super::ahead::Number;
use super::elements::{Elements, ElementsMut};
use super::{DeviceItem, program, run_into, table};
use crate::arrays::{Arr0, Arr1, ArrayProgram, HostOf, Value};
use crate::device::Device;
use crate::error::Result;

/// The elements combined by `f`, behind `initial`; `initial` if there are none.
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
#[doc(alias = "fold")]
#[doc(alias = "transform_reduce")]
#[track_caller]
pub fn reduce<'a, X: Elements<'a>>(
    device: &Device,
    xs: X,
    f: impl Fn(DeviceItem<X::Item>, DeviceItem<X::Item>) -> DeviceItem<X::Item> + 'static,
    initial: X::Item,
) -> Result<X::Item> {
    let (program, xs) = (reduction(f)?, xs.lend(device)?);
    program.run(device, (xs.view(), Value(initial)))?.value()
}

/// [`reduce`] into one element, which stays on the device: nothing waits.
///
/// # Errors
/// As [`reduce`], and [`ErrorKind::UnequalLengths`](crate::ErrorKind::UnequalLengths) unless `result` has one element.
#[track_caller]
pub fn reduce_into<'a, X: Elements<'a>>(
    device: &Device,
    xs: X,
    f: impl Fn(DeviceItem<X::Item>, DeviceItem<X::Item>) -> DeviceItem<X::Item> + 'static,
    initial: X::Item,
    result: impl ElementsMut<'a, Item = X::Item>,
) -> Result<()> {
    let (program, xs) = (reduction(f)?, xs.lend(device)?);
    run_into(device, &program, (xs.view(), Value(initial)), 0, result)
}

type Reduction<T> = ArrayProgram<(Arr1<T>, Value<T>), Arr0<T>>;

#[track_caller]
fn reduction<T: HostOf, F: Fn(T, T) -> T + 'static>(f: F) -> Result<Arc<Reduction<T>>> {
    table::program::<F, _, _>("reduce", || program::reduce(f))
}

/// The sum of the elements, 0 of none. Integers wrap.
///
/// Between an element and the sum of floats are at most 128 additions, so that the error is at most `128 * EPSILON / 2` times the sum of the
/// absolute values (to first order). In which order elements are added depends on their number alone: every device gives the same bits.
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
pub fn sum<'a, T: Number>(device: &Device, xs: impl Elements<'a, Item = T>) -> Result<T> {
    let xs = xs.lend(device)?;
    (T::AHEAD.sum)().run(device, xs.view())?.value()
}

/// [`sum`] into one element, which stays on the device: nothing waits.
///
/// # Errors
/// As [`sum`], and [`ErrorKind::UnequalLengths`](crate::ErrorKind::UnequalLengths) unless `result` has one element.
pub fn sum_into<'a, T: Number>(
    device: &Device,
    xs: impl Elements<'a, Item = T>,
    result: impl ElementsMut<'a, Item = T>,
) -> Result<()> {
    let xs = xs.lend(device)?;
    run_into(device, (T::AHEAD.sum)(), xs.view(), 0, result)
}
