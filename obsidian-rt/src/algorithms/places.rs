//! Elements at other places.

use std::sync::Arc;

use obsidian_language::arrays::{Boundary, Computed, Ix1, Ix2, Window};

use super::elements::{Elements, ElementsMut, same_lengths};
use super::{DeviceItem, Made, called, program, run, run_into, table};
use crate::arrays::{Arr2, Array, ArrayProgram, ArrayView, HostItem, HostOf, Value};
use crate::device::Device;
use crate::error::Result;

/// Reads the elements of `xs` at the places `numbers`: as many as there are numbers.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let chosen = algorithms::gather(&device, &[2u32, 0, 2], &[0.5f32, 1.5, 2.5])?;
/// assert_eq!(chosen.to_vec()?, [2.5, 0.5, 2.5]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::Fault`](crate::ErrorKind::Fault) for a number that is not below the number of elements: from this call, or, on a GPU, from the next one
/// that waits. And what a launch reports.
#[doc(alias = "take")]
#[track_caller]
pub fn gather<'a, 'b, X: Elements<'b>>(
    device: &Device,
    numbers: impl Elements<'a, Item = u32>,
    xs: X,
) -> Result<Array<Ix1, X::Item>> {
    let (numbers, xs) = (numbers.lend(device)?, xs.lend(device)?);
    let program = table::fixed("gather", program::gather::<DeviceItem<X::Item>>)?;
    run("gather", device, &program, (numbers.view(), xs.view()))
}

/// [`gather`] into existing elements.
///
/// # Errors
/// As [`gather`], and [`ErrorKind::UnequalLengths`](crate::ErrorKind::UnequalLengths) unless the result has as many elements as there are numbers.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// let device = Device::cpu();
/// let xs = device.upload(&[1u32, 2, 3, 4])?;
/// let mut result = device.zeros(2)?;
/// algorithms::gather_into(&device, &[3u32, 0], &xs, &mut result)?;
/// assert_eq!(result.to_vec()?, [4, 1]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn gather_into<'a, 'b, 'o, X: Elements<'b>>(
    device: &Device,
    numbers: impl Elements<'a, Item = u32>,
    xs: X,
    result: impl ElementsMut<'o, Item = X::Item>,
) -> Result<()> {
    let (numbers, xs) = (numbers.lend(device)?, xs.lend(device)?);
    let program = table::fixed("gather", program::gather::<DeviceItem<X::Item>>)?;
    run_into(
        "gather",
        device,
        &program,
        (numbers.view(), xs.view()),
        1,
        result,
    )
}

/// Transposes a matrix: of shape `(h, w)`, one of shape `(w, h)`.
///
/// ```
/// use obsidian_rt::{Device, algorithms, arrays::ArrayView};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let m = device.array([2, 3], &[1u32, 2, 3, 4, 5, 6])?;
/// let t = algorithms::transpose(&device, &m)?;
/// assert_eq!((t.extents(), t.to_vec()?), ([3, 2], vec![1, 4, 2, 5, 3, 6]));
///
/// let buffer = device.upload(&[1u32, 2, 3, 4])?;
/// let t = algorithms::transpose(&device, ArrayView::of(&buffer, [2, 2])?)?;
/// assert_eq!(t.to_vec()?, [1, 3, 2, 4]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// What a launch reports.
#[track_caller]
pub fn transpose<'a, T: HostItem>(
    device: &Device,
    m: impl Into<ArrayView<'a, Ix2, T>>,
) -> Result<Array<Ix2, T>> {
    let program = table::fixed("transpose", program::transpose::<T::Device>)?;
    run("transpose", device, &program, m.into())
}

/// [`transpose`] into an existing matrix.
///
/// # Errors
/// As [`transpose`], and [`ErrorKind::UnequalLengths`](crate::ErrorKind::UnequalLengths) for a result of another shape.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// let device = Device::cpu();
/// let m = device.array([2, 3], &[1u32, 2, 3, 4, 5, 6])?;
/// let mut result = device.array([3, 2], &[0; 6])?;
/// algorithms::transpose_into(&device, &m, &mut result)?;
/// assert_eq!(result.to_vec()?, [1, 4, 2, 5, 3, 6]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn transpose_into<'a, T: HostItem>(
    device: &Device,
    m: impl Into<ArrayView<'a, Ix2, T>>,
    result: &mut Array<Ix2, T>,
) -> Result<()> {
    let program = table::fixed("transpose", program::transpose::<T::Device>)?;
    called("transpose", program.run_into(device, m.into(), result))
}

/// What [`stencil2`] reads where a neighbour is outside of the matrix: on each axis apart, as [`Boundary`] of array programs.
///
/// ```
/// use obsidian_rt::{Device, algorithms::{self, Edge}};
///
/// let device = Device::cpu();
/// let m = device.array([1, 3], &[1u32, 2, 3])?;
/// let left = |edge| algorithms::stencil2(&device, &m, edge, |w| w.at((0, -1)))?.to_vec();
/// assert_eq!(left(Edge::Clamp)?, [1, 1, 2]);
/// assert_eq!(left(Edge::Wrap)?, [3, 1, 2]);
/// assert_eq!(left(Edge::Mirror)?, [2, 1, 2]);
/// assert_eq!(left(Edge::Constant(9))?, [9, 1, 2]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Edge<T> {
    /// The element at the edge: `a a | a b c | c c`.
    Clamp,
    /// The elements of the other side, as often as needed: `b c | a b c | a b`.
    Wrap,
    /// The elements on this side of the edge, as in a mirror in the outermost element: `c b | a b c | b a`. Beyond the other edge, which only a
    /// neighbour can be that is further away than the matrix is wide, the element there: it is not reflected again.
    Mirror,
    /// A value.
    Constant(T),
}

/// Applies `f` to the neighbourhood of each element of a matrix: `w.at((0, -1))` is the one to the left. `edge` says what is outside of the matrix.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let m = device.array([2, 3], &[1u32, 2, 3, 4, 5, 6])?;
/// let sums = algorithms::stencil2(&device, &m, algorithms::Edge::Constant(100), |w| w.at((0, -1)) + w.at((0, 0)))?;
/// assert_eq!(sums.to_vec()?, [101, 3, 5, 104, 9, 11]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::Build`](crate::ErrorKind::Build) if `f` cannot be built, and what a launch reports.
#[track_caller]
pub fn stencil2<'a, T: HostItem, R: Computed<Value: HostOf>>(
    device: &Device,
    m: impl Into<ArrayView<'a, Ix2, T>>,
    edge: Edge<T>,
    f: impl Fn(Window<Ix2, DeviceItem<T>>) -> R + 'static,
) -> Result<Array<Ix2, Made<R>>> {
    match stencil(edge, f)? {
        Stencil::Bounded(program) => run("stencil2", device, &program, m.into()),
        Stencil::Constant(program, outside) => {
            run("stencil2", device, &program, (m.into(), Value(outside)))
        }
    }
}

/// [`stencil2`] into an existing matrix.
///
/// # Errors
/// As [`stencil2`], and [`ErrorKind::UnequalLengths`](crate::ErrorKind::UnequalLengths) for a result of another shape.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// let device = Device::cpu();
/// let m = device.array([2, 3], &[1u32, 2, 3, 4, 5, 6])?;
/// let mut result = device.array([2, 3], &[0; 6])?;
/// algorithms::stencil2_into(&device, &m, algorithms::Edge::Wrap, |w| w.at((0, 1)), &mut result)?;
/// assert_eq!(result.to_vec()?, [2, 3, 1, 5, 6, 4]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn stencil2_into<'a, T: HostItem, R: Computed<Value: HostOf>>(
    device: &Device,
    m: impl Into<ArrayView<'a, Ix2, T>>,
    edge: Edge<T>,
    f: impl Fn(Window<Ix2, DeviceItem<T>>) -> R + 'static,
    result: &mut Array<Ix2, Made<R>>,
) -> Result<()> {
    match stencil(edge, f)? {
        Stencil::Bounded(program) => called("stencil2", program.run_into(device, m.into(), result)),
        Stencil::Constant(program, outside) => {
            let inputs = (m.into(), Value(outside));
            called("stencil2", program.run_into(device, inputs, result))
        }
    }
}

/// The program of a stencil, and what stands around the matrix, if that is a value.
enum Stencil<T: HostItem, R: Computed> {
    Bounded(Arc<ArrayProgram<(Arr2<T::Device>,), Arr2<R::Value>>>),
    Constant(
        Arc<ArrayProgram<(Arr2<T::Device>, Value<T::Device>), Arr2<R::Value>>>,
        T,
    ),
}

#[track_caller]
fn stencil<T, R, F>(edge: Edge<T>, f: F) -> Result<Stencil<T, R>>
where
    T: HostItem,
    R: Computed<Value: HostOf>,
    F: Fn(Window<Ix2, DeviceItem<T>>) -> R + 'static,
{
    let (name, boundary) = match edge {
        Edge::Clamp => ("stencil2 with Clamp", Boundary::Clamp),
        Edge::Wrap => ("stencil2 with Wrap", Boundary::Wrap),
        Edge::Mirror => ("stencil2 with Mirror", Boundary::Mirror),
        Edge::Constant(outside) => {
            let build = || program::stencil2_constant(f);
            let program = table::program::<F, _, _>("stencil2 with Constant", build)?;
            return Ok(Stencil::Constant(program, outside));
        }
    };
    let program = table::program::<F, _, _>(name, || program::stencil2(boundary, f))?;
    Ok(Stencil::Bounded(program))
}

/// Writes each element of `xs` into a copy of `defaults`, at its place in `places`; of several elements with one place, the last stays.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let placed = algorithms::scatter(&device, &[1.0f32, 2.0, 3.0], &[2u32, 0, 2], &[9.0; 4])?;
/// assert_eq!(placed.to_vec()?, [2.0, 9.0, 3.0, 9.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::UnequalLengths`](crate::ErrorKind::UnequalLengths) unless there are as many places as elements. [`ErrorKind::Fault`](crate::ErrorKind::Fault) for a
/// place that is not below the length of `defaults`: from this call, or, on a GPU, from the next one that waits. And what a launch reports.
#[doc(alias = "put")]
#[track_caller]
pub fn scatter<'a, 'b, 'c, X: Elements<'a>>(
    device: &Device,
    xs: X,
    places: impl Elements<'b, Item = u32>,
    defaults: impl Elements<'c, Item = X::Item>,
) -> Result<Array<Ix1, X::Item>> {
    let (xs, places) = (xs.lend(device)?, places.lend(device)?);
    same_lengths("`scatter`", xs.len(), places.len())?;
    let defaults = defaults.lend(device)?;
    let program = table::fixed("scatter", program::scatter::<DeviceItem<X::Item>>)?;
    run(
        "scatter",
        device,
        &program,
        (xs.view(), places.view(), defaults.view()),
    )
}

/// [`scatter`] into existing elements.
///
/// # Errors
/// As [`scatter`], also unless the result has as many elements as `defaults`.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// let device = Device::cpu();
/// let xs = device.upload(&[1u32, 2, 3, 4])?;
/// let mut result = device.zeros(4)?;
/// algorithms::scatter_into(&device, &xs, &[3u32, 2, 1, 0], &[0u32; 4], &mut result)?;
/// assert_eq!(result.to_vec()?, [4, 3, 2, 1]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn scatter_into<'a, 'b, 'c, 'o, X: Elements<'a>>(
    device: &Device,
    xs: X,
    places: impl Elements<'b, Item = u32>,
    defaults: impl Elements<'c, Item = X::Item>,
    result: impl ElementsMut<'o, Item = X::Item>,
) -> Result<()> {
    let (xs, places) = (xs.lend(device)?, places.lend(device)?);
    same_lengths("`scatter`", xs.len(), places.len())?;
    let defaults = defaults.lend(device)?;
    let program = table::fixed("scatter", program::scatter::<DeviceItem<X::Item>>)?;
    let inputs = (xs.view(), places.view(), defaults.view());
    run_into("scatter", device, &program, inputs, 1, result)
}
