//! A function of each element.

use std::sync::Arc;

use obsidian_language::arrays::{Computed, Ix1};

use super::elements::{Elements, ElementsMut, same_lengths};
use super::{DeviceItem, Made, program, run, run_into, table};
use crate::arrays::{Arr1, Array, ArrayProgram, HostOf};
use crate::device::Device;
use crate::error::Result;

/// Applies `f` to each element.
///
/// `f` may give a tuple, or a program of one thread, such as [`seq_until`](crate::language::seq_until).
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let roots = algorithms::map(&device, &[4.0f32, 9.0], |x| x.sqrt())?;
/// assert_eq!(roots.to_vec()?, [2.0, 3.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::Build`](crate::ErrorKind::Build) if `f` cannot be built, and what a launch reports.
#[doc(alias = "transform")]
#[track_caller]
pub fn map<'a, X: Elements<'a>, R: Computed<Value: HostOf>>(
    device: &Device,
    xs: X,
    f: impl Fn(DeviceItem<X::Item>) -> R + 'static,
) -> Result<Array<Ix1, Made<R>>> {
    let (program, xs) = (mapped(f)?, xs.lend(device)?);
    run("map", device, &program, xs.view())
}

/// [`map`] into existing elements.
///
/// # Errors
/// As [`map`], and [`ErrorKind::UnequalLengths`](crate::ErrorKind::UnequalLengths) for a result of another length.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// let device = Device::cpu();
/// let xs = device.upload(&[1u32, 2, 3, 4])?;
/// let mut result = device.zeros(4)?;
/// algorithms::map_into(&device, &xs, |x| x * 2, &mut result)?;
/// assert_eq!(result.to_vec()?, [2, 4, 6, 8]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn map_into<'a, 'o, X: Elements<'a>, R: Computed<Value: HostOf>>(
    device: &Device,
    xs: X,
    f: impl Fn(DeviceItem<X::Item>) -> R + 'static,
    result: impl ElementsMut<'o, Item = Made<R>>,
) -> Result<()> {
    let (program, xs) = (mapped(f)?, xs.lend(device)?);
    run_into("map", device, &program, xs.view(), 1, result)
}

#[track_caller]
fn mapped<T: HostOf, R: Computed<Value: HostOf>, F: Fn(T) -> R + 'static>(
    f: F,
) -> Result<Arc<ArrayProgram<(Arr1<T>,), Arr1<R::Value>>>> {
    table::program::<F, _, _>("map", || program::map(f))
}

/// Applies `f` to the elements of two arrays of equal length.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let larger = algorithms::zip_map(&device, &[1u32, 5], &[4, 2], |x, y| x.max(y))?;
/// assert_eq!(larger.to_vec()?, [4, 5]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::UnequalLengths`](crate::ErrorKind::UnequalLengths), and as [`map`].
#[doc(alias = "transform")]
#[track_caller]
pub fn zip_map<'a, 'b, X: Elements<'a>, Y: Elements<'b>, R: Computed<Value: HostOf>>(
    device: &Device,
    xs: X,
    ys: Y,
    f: impl Fn(DeviceItem<X::Item>, DeviceItem<Y::Item>) -> R + 'static,
) -> Result<Array<Ix1, Made<R>>> {
    let (program, xs, ys) = (zip_mapped(f)?, xs.lend(device)?, ys.lend(device)?);
    same_lengths("`zip_map`", xs.len(), ys.len())?;
    run("zip_map", device, &program, (xs.view(), ys.view()))
}

/// [`zip_map`] into existing elements.
///
/// # Errors
/// As [`zip_map`], also for a result of another length.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// let device = Device::cpu();
/// let xs = device.upload(&[1u32, 2, 3, 4])?;
/// let mut result = device.zeros(4)?;
/// algorithms::zip_map_into(&device, &xs, &xs, |x, y| x * y, &mut result)?;
/// assert_eq!(result.to_vec()?, [1, 4, 9, 16]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn zip_map_into<'a, 'b, 'o, X: Elements<'a>, Y: Elements<'b>, R: Computed<Value: HostOf>>(
    device: &Device,
    xs: X,
    ys: Y,
    f: impl Fn(DeviceItem<X::Item>, DeviceItem<Y::Item>) -> R + 'static,
    result: impl ElementsMut<'o, Item = Made<R>>,
) -> Result<()> {
    let (program, xs, ys) = (zip_mapped(f)?, xs.lend(device)?, ys.lend(device)?);
    same_lengths("`zip_map`", xs.len(), ys.len())?;
    run_into(
        "zip_map",
        device,
        &program,
        (xs.view(), ys.view()),
        1,
        result,
    )
}

#[track_caller]
fn zip_mapped<A: HostOf, B: HostOf, R: Computed<Value: HostOf>, F: Fn(A, B) -> R + 'static>(
    f: F,
) -> Result<Arc<ArrayProgram<(Arr1<A>, Arr1<B>), Arr1<R::Value>>>> {
    table::program::<F, _, _>("zip_map", || program::zip_map(f))
}
