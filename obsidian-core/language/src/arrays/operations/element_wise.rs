//! Operations on elements that stand at one index of several arrays.

use crate::arrays::arr::{Arr, all_same};
use crate::arrays::item::{Computed, Item};
use crate::arrays::shape::Shape;

/// `f` of the elements of two arrays, which must have the same extents.
///
/// Other extents are an error of the run.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr1<EU32>, y: Arr1<EU32>| zip_with(|x, y| x * y, x, y))?;
/// let device = Device::cpu();
/// let x = device.array([2], &[1, 2])?;
/// let y = device.array([2], &[10, 20])?;
/// let result = f.run(&device, (&x, &y))?;
/// assert_eq!(result.to_vec()?, [10, 40]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn zip_with<Sh: Shape, A: Item, B: Item, R: Computed>(
    f: impl Fn(A, B) -> R + 'static,
    a: Arr<Sh, A>,
    b: Arr<Sh, B>,
) -> Arr<Sh, R::Value> {
    all_same("zip_with", &[a.sized(), b.sized()]);
    Arr::delayed("zip_with", a.extents(), move |index| {
        f((a.element)(index), (b.element)(index)).value()
    })
}

/// `f` of the elements of three arrays, which must have the same extents.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr1<EU32>| zip_with3(|a, b, c| a * b + c, x.clone(), x.reverse(), x))?;
/// let device = Device::cpu();
/// let x = device.array([4], &[1, 2, 3, 4])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [5, 8, 9, 8]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn zip_with3<Sh: Shape, A: Item, B: Item, C: Item, R: Computed>(
    f: impl Fn(A, B, C) -> R + 'static,
    a: Arr<Sh, A>,
    b: Arr<Sh, B>,
    c: Arr<Sh, C>,
) -> Arr<Sh, R::Value> {
    all_same("zip_with3", &[a.sized(), b.sized(), c.sized()]);
    Arr::delayed("zip_with3", a.extents(), move |index| {
        f((a.element)(index), (b.element)(index), (c.element)(index)).value()
    })
}

/// `f` of the elements of four arrays, which must have the same extents.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr1<EU32>| {
///     zip_with4(|a, b, c, d| a * b + c - d, x.clone(), x.reverse(), x.clone(), x)
/// })?;
/// let device = Device::cpu();
/// let x = device.array([4], &[1, 2, 3, 4])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [4, 6, 6, 4]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn zip_with4<Sh: Shape, A: Item, B: Item, C: Item, D: Item, R: Computed>(
    f: impl Fn(A, B, C, D) -> R + 'static,
    a: Arr<Sh, A>,
    b: Arr<Sh, B>,
    c: Arr<Sh, C>,
    d: Arr<Sh, D>,
) -> Arr<Sh, R::Value> {
    all_same("zip_with4", &[a.sized(), b.sized(), c.sized(), d.sized()]);
    Arr::delayed("zip_with4", a.extents(), move |index| {
        f(
            (a.element)(index),
            (b.element)(index),
            (c.element)(index),
            (d.element)(index),
        )
        .value()
    })
}

/// The pairs of elements of two arrays, which must have the same extents.
///
/// Other extents are an error of the run.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr1<EU32>| zip(x.clone(), x.reverse()).map(|(a, b)| a * b))?;
/// let device = Device::cpu();
/// let x = device.array([4], &[1, 2, 3, 4])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [4, 6, 6, 4]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn zip<Sh: Shape, A: Item, B: Item>(a: Arr<Sh, A>, b: Arr<Sh, B>) -> Arr<Sh, (A, B)>
where
    (A, B): Item,
{
    all_same("zip", &[a.sized(), b.sized()]);
    Arr::delayed("zip", a.extents(), move |index| {
        ((a.element)(index), (b.element)(index))
    })
}

/// The triples of elements of three arrays, which must have the same extents.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr1<EU32>| zip3(x.clone(), x.reverse(), x).map(|(a, b, c)| a * b + c))?;
/// let device = Device::cpu();
/// let x = device.array([4], &[1, 2, 3, 4])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [5, 8, 9, 8]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn zip3<Sh: Shape, A: Item, B: Item, C: Item>(
    a: Arr<Sh, A>,
    b: Arr<Sh, B>,
    c: Arr<Sh, C>,
) -> Arr<Sh, (A, B, C)>
where
    (A, B, C): Item,
{
    all_same("zip3", &[a.sized(), b.sized(), c.sized()]);
    Arr::delayed("zip3", a.extents(), move |index| {
        ((a.element)(index), (b.element)(index), (c.element)(index))
    })
}

/// The first and second parts of an array of pairs, as arrays.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr1<EU32>| {
///     { let (places, x) = unzip(x.indexed()); zip_with(|i, x| i + x, places, x) }
/// })?;
/// let device = Device::cpu();
/// let x = device.array([4], &[1, 2, 3, 4])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 3, 5, 7]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn unzip<Sh: Shape, A: Item, B: Item>(pairs: Arr<Sh, (A, B)>) -> (Arr<Sh, A>, Arr<Sh, B>)
where
    (A, B): Item,
{
    let (first, second) = (pairs.element.clone(), pairs.element.clone());
    (
        Arr::delayed("unzip", pairs.extents(), move |index| first(index).0),
        Arr::delayed("unzip", pairs.extents(), move |index| second(index).1),
    )
}

/// The three parts of an array of triples, as arrays.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr1<EU32>| {
///     { let (a, _, c) = unzip3(x.map(|x| (x, x * 2, x * 3))); zip_with(|a, c| a + c, a, c) }
/// })?;
/// let device = Device::cpu();
/// let x = device.array([4], &[1, 2, 3, 4])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [4, 8, 12, 16]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn unzip3<Sh: Shape, A: Item, B: Item, C: Item>(
    triples: Arr<Sh, (A, B, C)>,
) -> (Arr<Sh, A>, Arr<Sh, B>, Arr<Sh, C>)
where
    (A, B, C): Item,
{
    let [first, second, third] = [0; 3].map(|_| triples.element.clone());
    (
        Arr::delayed("unzip3", triples.extents(), move |index| first(index).0),
        Arr::delayed("unzip3", triples.extents(), move |index| second(index).1),
        Arr::delayed("unzip3", triples.extents(), move |index| third(index).2),
    )
}
