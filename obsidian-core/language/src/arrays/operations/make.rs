//! Arrays from nothing but extents.

use crate::arrays::arr::Arr;
use crate::arrays::graph::{constants, graph};
use crate::arrays::index::Index;
use crate::arrays::item::{Computed, Item};
use crate::arrays::shape::{Extents, Ix0, Ix1, OneExtent, Shape};
use crate::scalar::{Exp, Scalar, lit, select_exp};

/// Notes a function of the index that may be asked for an index outside.
fn leaf(index: &Index) {
    if index.inside.is_some() {
        graph(|graph| graph.unchecked_leaf = true);
    }
}

/// The array of some extents whose element at an index is `f` of the index.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr1<EU32>| {
///     { let n = x.len(); generate((n, n), move |(row, column)| x.at(row) * x.at(column)) }
/// })?;
/// let device = Device::cpu();
/// let x = device.array([2], &[3, 4])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [9, 12, 12, 16]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn generate<E: Extents, R: Computed>(
    extents: E,
    f: impl Fn(<E::Shape as Shape>::Index) -> R + 'static,
) -> Arr<E::Shape, R::Value> {
    Arr::delayed("generate", extents.extents(), move |index| {
        leaf(index);
        f(E::Shape::index(&index.coordinates)).value()
    })
}

/// The array of some extents whose elements are all one value.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::{EU32, lit};
///
/// let f = ArrayProgram::build("f", |x: Arr1<EU32>| append(x, fill(2, lit(9))))?;
/// let device = Device::cpu();
/// let x = device.array([4], &[1, 2, 3, 4])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 2, 3, 4, 9, 9]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn fill<E: Extents, T: Item>(extents: E, value: T) -> Arr<E::Shape, T> {
    Arr::delayed("fill", extents.extents(), move |index| {
        leaf(index);
        value.clone()
    })
}

/// The vector 0, 1, 2, .. of a length.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr1<EU32>| zip_with(|x, i| x * i, x.clone(), iota(x.len())))?;
/// let device = Device::cpu();
/// let x = device.array([4], &[1, 2, 3, 4])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [0, 2, 6, 12]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn iota<N: OneExtent>(n: N) -> Arr<Ix1, Exp<u32>> {
    Arr::delayed("iota", vec![n.extent()], |index| {
        leaf(index);
        Ix1::index(&index.coordinates)
    })
}

/// The vector `start`, `start + step`, `start + 2 * step`, .. of a length, wrapping.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr1<EU32>| append(x, enum_from_step(3, 10, 5)))?;
/// let device = Device::cpu();
/// let x = device.array([1], &[0])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [0, 10, 15, 20]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn enum_from_step<N: OneExtent>(
    n: N,
    start: impl Into<Exp<u32>>,
    step: impl Into<Exp<u32>>,
) -> Arr<Ix1, Exp<u32>> {
    let (start, step) = (start.into(), step.into());
    Arr::delayed("enum_from_step", vec![n.extent()], move |index| {
        leaf(index);
        start + Ix1::index(&index.coordinates) * step
    })
}

/// The array of one element.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr1<EU32>| unit(x.len()))?;
/// let device = Device::cpu();
/// let x = device.array([4], &[1, 2, 3, 4])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.value()?, 4);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn unit<R: Computed + Clone>(value: R) -> Arr<Ix0, R::Value> {
    Arr::delayed("unit", Vec::new(), move |_| value.clone().value())
}

/// The most elements of a [`literal`] that are constants of the kernels.
const MOST_CONSTANTS: usize = 16;

/// A vector that stands in the program.
///
/// Up to 16 elements are constants of the kernels that read them. More are memory, which a device gets when the program first runs on it, and
/// which is released with the program; [`Schedule::literals`](super::super::Schedule::literals) has them. [`reshape`](Arr::reshape) makes an
/// array of any shape of it. In a function of elements it is one array of the program, too.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EF32;
///
/// let f = ArrayProgram::build("f", |x: Arr1<EF32>| zip_with(|x, w| x * w, x, literal(&[0.25, 0.5, 0.25])).sum())?;
/// let device = Device::cpu();
/// let x = device.array([3], &[1.0, 2.0, 4.0])?;
/// assert_eq!(f.run(&device, &x)?.value()?, 2.25);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn literal<T: Scalar>(elements: &[T]) -> Arr<Ix1, Exp<T>> {
    let extent = lit(u32::try_from(elements.len()).unwrap_or(u32::MAX));
    if elements.len() <= MOST_CONSTANTS {
        let elements = elements.to_vec();
        return Arr::delayed("literal", vec![extent], move |index: &Index| {
            leaf(index);
            let at = index.coordinates.first().copied();
            one_of_constants(&elements, at.unwrap_or_else(|| lit(0)), 0)
        });
    }
    let literals = elements.iter().map(|element| element.literal()).collect();
    Arr::of(constants("literal", vec![extent], literals))
}

/// The element with a number, by comparisons with the middle of what is left. `first` is the number of the first of these elements.
fn one_of_constants<T: Scalar>(elements: &[T], at: Exp<u32>, first: usize) -> Exp<T> {
    let number = at
        .as_literal()
        .and_then(|at| (at as usize).checked_sub(first));
    if let Some(element) = number.and_then(|number| elements.get(number)) {
        return lit(*element);
    }
    match elements {
        [] => lit(T::default()),
        [one] => lit(*one),
        _ => {
            let (left, right) = elements.split_at(elements.len() / 2);
            let border = first + left.len();
            let is_left = at.lt(border as u32);
            let (left, right) = (
                one_of_constants(left, at, first),
                one_of_constants(right, at, border),
            );
            select_exp(is_left, left, right)
        }
    }
}
