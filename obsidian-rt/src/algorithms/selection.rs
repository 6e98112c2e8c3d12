//! Some of the elements.

use std::sync::Arc;

use obsidian_language::arrays::Ix1;
use obsidian_language::scalar::Exp;

use super::elements::{Elements, same_lengths};
use super::{DeviceItem, ahead, program, run, table};
use crate::arrays::{Arr0, Arr1, Array, ArrayProgram, HostOf};
use crate::device::Device;
use crate::error::Result;

/// Counts the elements for which `p` holds.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// assert_eq!(algorithms::count_if(&device, &[3i32, -1, 4], |x| x.gt(0))?, 2);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::Build`](crate::ErrorKind::Build) if `p` cannot be built, and what a launch and a copy to the host report.
#[track_caller]
pub fn count_if<'a, X: Elements<'a>>(
    device: &Device,
    xs: X,
    p: impl Fn(DeviceItem<X::Item>) -> Exp<bool> + 'static,
) -> Result<usize> {
    let (program, xs) = (counting(p)?, xs.lend(device)?);
    let count = run("count_if", device, &program, xs.view())?.value()?;
    Ok(count as usize)
}

#[track_caller]
fn counting<T: HostOf, F: Fn(T) -> Exp<bool> + 'static>(
    p: F,
) -> Result<Arc<ArrayProgram<(Arr1<T>,), Arr0<Exp<u32>>>>> {
    table::program::<F, _, _>("count_if", || program::count_if(p))
}

/// Copies the elements for which `p` holds, in order.
///
/// It waits until they have been counted, and takes memory for as many as there are.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let kept = algorithms::copy_if(&device, &[3i32, -1, 4], |x| x.gt(0))?;
/// assert_eq!(kept.to_vec()?, [3, 4]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::Build`](crate::ErrorKind::Build) if `p` cannot be built, and what a launch reports.
#[doc(alias = "DeviceSelect")]
#[doc(alias = "select_if")]
#[doc(alias = "filter")]
#[doc(alias = "compact")]
#[track_caller]
pub fn copy_if<'a, X: Elements<'a>>(
    device: &Device,
    xs: X,
    p: impl Fn(DeviceItem<X::Item>) -> Exp<bool> + 'static,
) -> Result<Array<Ix1, X::Item>> {
    let xs = xs.lend(device)?;
    let flagged: Option<&Flagged<DeviceItem<X::Item>>> = ahead::known("copy_flagged");
    // A GPU compiles what it runs in any case, and in one program the flags are stored nowhere.
    if let Some(flagged) = flagged.filter(|_| device.properties().is_none()) {
        let flagging = flagging(p)?;
        let flags = run("copy_if", device, &flagging, xs.view())?;
        return run("copy_if", device, flagged, (xs.view(), &flags));
    }
    let program = copying(p)?;
    run("copy_if", device, &program, xs.view())
}

type Flagged<T> = ArrayProgram<(Arr1<T>, Arr1<Exp<bool>>), Arr1<T>>;

/// Whether `p` holds, for each element: where the rest is compiled ahead, only this is built for a closure.
#[track_caller]
fn flagging<T: HostOf, F: Fn(T) -> Exp<bool> + 'static>(
    p: F,
) -> Result<Arc<ArrayProgram<(Arr1<T>,), Arr1<Exp<bool>>>>> {
    table::program::<F, _, _>("flags", || program::map(p))
}

#[track_caller]
fn copying<T: HostOf, F: Fn(T) -> Exp<bool> + 'static>(
    p: F,
) -> Result<Arc<ArrayProgram<(Arr1<T>,), Arr1<T>>>> {
    table::program::<F, _, _>("copy_if", || program::copy_if(p))
}

/// Copies the elements whose flag is true, in order. See [`copy_if`].
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let kept = algorithms::copy_flagged(&device, &[3i32, -1, 4], &[false, true, true])?;
/// assert_eq!(kept.to_vec()?, [-1, 4]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::UnequalLengths`](crate::ErrorKind::UnequalLengths) unless there are as many flags as elements, and what a launch reports.
#[doc(alias = "flagged")]
#[doc(alias = "compact")]
#[track_caller]
pub fn copy_flagged<'a, 'b, X: Elements<'a>>(
    device: &Device,
    xs: X,
    flags: impl Elements<'b, Item = bool>,
) -> Result<Array<Ix1, X::Item>> {
    let (xs, flags) = (xs.lend(device)?, flags.lend(device)?);
    same_lengths("`copy_flagged`", xs.len(), flags.len())?;
    let program = table::fixed("copy_flagged", program::copy_flagged::<DeviceItem<X::Item>>)?;
    run("copy_flagged", device, &program, (xs.view(), flags.view()))
}

/// Splits the elements into those for which `p` holds and the others, both in order. See [`copy_if`].
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let (small, large) = algorithms::partition(&device, &[3u32, 12, 4], |x| x.lt(10))?;
/// assert_eq!((small.to_vec()?, large.to_vec()?), (vec![3, 4], vec![12]));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`copy_if`].
#[doc(alias = "DevicePartition")]
#[doc(alias = "stable_partition")]
#[doc(alias = "partition_copy")]
#[track_caller]
pub fn partition<'a, X: Elements<'a>>(
    device: &Device,
    xs: X,
    p: impl Fn(DeviceItem<X::Item>) -> Exp<bool> + 'static,
) -> Result<(Array<Ix1, X::Item>, Array<Ix1, X::Item>)> {
    let (program, xs) = (partitioning(p)?, xs.lend(device)?);
    run("partition", device, &program, xs.view())
}

type Partition<T> = ArrayProgram<(Arr1<T>,), (Arr1<T>, Arr1<T>)>;

#[track_caller]
fn partitioning<T: HostOf, F: Fn(T) -> Exp<bool> + 'static>(p: F) -> Result<Arc<Partition<T>>> {
    table::program::<F, _, _>("partition", || program::partition(p))
}

/// The first of each run of equal neighbours: of a sorted array, each element once.
///
/// A NaN equals nothing, so that each stays. -0.0 equals 0.0.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let once = algorithms::unique(&device, &[1u32, 1, 3, 1])?;
/// assert_eq!(once.to_vec()?, [1, 3, 1]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// What a launch reports.
#[doc(alias = "dedup")]
#[track_caller]
pub fn unique<'a, X: Elements<'a>>(device: &Device, xs: X) -> Result<Array<Ix1, X::Item>> {
    let xs = xs.lend(device)?;
    let program = table::fixed("unique", program::unique::<DeviceItem<X::Item>>)?;
    run("unique", device, &program, xs.view())
}
