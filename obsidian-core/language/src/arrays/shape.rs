//! Shapes: how many axes an array has, as types, and what its elements are numbered by.

use crate::scalar::Exp;

/// The number of axes of an array: [`Ix0`] to [`Ix4`].
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr2<EU32>| x.sum())?;
/// let device = Device::cpu();
/// let x = device.array([2, 3], &[1, 2, 3, 4, 5, 6])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [6, 15]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number of axes",
    note = "arrays have 0 to 4 axes: Ix0, Ix1, Ix2, Ix3, Ix4"
)]
pub trait Shape: Clone + 'static {
    /// What an element is numbered by: `()`, `EU32`, or a tuple of them, the innermost axis last.
    type Index: Clone + 'static;
    /// The number of axes, where the type tells it.
    const RANK: Option<usize>;
    /// The index with these coordinates.
    fn index(coordinates: &[Exp<u32>]) -> Self::Index;
    /// The coordinates of an index.
    fn coordinates(index: &Self::Index) -> Vec<Exp<u32>>;
}

/// Shapes with an innermost axis, which folds take away.
///
/// Here from `Ix2` to `Ix1`.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr2<EU32>| x.sum())?;
/// let device = Device::cpu();
/// let x = device.array([2, 3], &[1, 2, 3, 4, 5, 6])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [6, 15]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub trait HasInner: Shape {
    /// The shape of the rows.
    type Outer: HasOuter<Deeper = Self>;
}

/// Shapes that may get one more axis.
///
/// Here from `Ix1` to `Ix2`.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.replicate(2))?;
/// let device = Device::cpu();
/// let x = device.array([2], &[1, 2])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.extents(), [2, 2]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub trait HasOuter: Shape {
    /// The shape with one more axis.
    type Deeper: Shape;
}

/// No axis: one element.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr<Ix0, EU32>| x.map(|x| x + 1))?;
/// let device = Device::cpu();
/// let x = device.array([], &[5])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.value()?, 6);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Ix0;
/// One axis: a vector.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr<Ix1, EU32>| x.map(|x| x + 1))?;
/// let device = Device::cpu();
/// let x = device.array([4], &[1, 2, 3, 4])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [2, 3, 4, 5]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Ix1;
/// Two axes: a matrix of rows and columns.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr<Ix2, EU32>| x.sum())?;
/// let device = Device::cpu();
/// let x = device.array([2, 3], &[1, 2, 3, 4, 5, 6])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [6, 15]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Ix2;
/// Three axes.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr<Ix3, EU32>| x.flatten().sum())?;
/// let device = Device::cpu();
/// let x = device.array([1, 2, 2], &[1, 2, 3, 4])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.value()?, 10);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Ix3;
/// Four axes: the elements of a sequence of arrays of three axes, say.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr<Ix4, EU32>| x.sum().sum())?;
/// let device = Device::cpu();
/// let x = device.array([2, 1, 2, 1], &[1, 2, 3, 4])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [3, 7]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Ix4;

/// Any number of axes, known when a program is built and not by Rust's types. Extents and indices are a `Vec` of one number for each axis.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
///
/// let program = AnyProgram::build("f", |_| vec![generate(vec![2u32, 1, 1, 2], |i| i[0] * 10 + i[3]).untyped()])?;
/// assert_eq!(program.run(&Device::cpu(), &[])?[0].to_vec::<u32>()?, [0, 1, 10, 11]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct AnyShape;

/// The n-th coordinate; a coordinate that is not there, which only a mistake before leads to, is 0.
fn nth(coordinates: &[Exp<u32>], n: usize) -> Exp<u32> {
    coordinates.get(n).copied().unwrap_or_else(Exp::poison)
}

impl Shape for Ix0 {
    type Index = ();
    const RANK: Option<usize> = Some(0);
    fn index(_: &[Exp<u32>]) {}
    fn coordinates((): &()) -> Vec<Exp<u32>> {
        Vec::new()
    }
}

impl Shape for Ix1 {
    type Index = Exp<u32>;
    const RANK: Option<usize> = Some(1);
    fn index(coordinates: &[Exp<u32>]) -> Exp<u32> {
        nth(coordinates, 0)
    }
    fn coordinates(index: &Exp<u32>) -> Vec<Exp<u32>> {
        vec![*index]
    }
}

impl Shape for Ix2 {
    type Index = (Exp<u32>, Exp<u32>);
    const RANK: Option<usize> = Some(2);
    fn index(coordinates: &[Exp<u32>]) -> Self::Index {
        (nth(coordinates, 0), nth(coordinates, 1))
    }
    fn coordinates(&(y, x): &Self::Index) -> Vec<Exp<u32>> {
        vec![y, x]
    }
}

impl Shape for Ix3 {
    type Index = (Exp<u32>, Exp<u32>, Exp<u32>);
    const RANK: Option<usize> = Some(3);
    fn index(coordinates: &[Exp<u32>]) -> Self::Index {
        (
            nth(coordinates, 0),
            nth(coordinates, 1),
            nth(coordinates, 2),
        )
    }
    fn coordinates(&(z, y, x): &Self::Index) -> Vec<Exp<u32>> {
        vec![z, y, x]
    }
}

impl Shape for Ix4 {
    type Index = (Exp<u32>, Exp<u32>, Exp<u32>, Exp<u32>);
    const RANK: Option<usize> = Some(4);
    fn index(coordinates: &[Exp<u32>]) -> Self::Index {
        (
            nth(coordinates, 0),
            nth(coordinates, 1),
            nth(coordinates, 2),
            nth(coordinates, 3),
        )
    }
    fn coordinates(&(w, z, y, x): &Self::Index) -> Vec<Exp<u32>> {
        vec![w, z, y, x]
    }
}

impl Shape for AnyShape {
    type Index = Vec<Exp<u32>>;
    const RANK: Option<usize> = None;
    fn index(coordinates: &[Exp<u32>]) -> Vec<Exp<u32>> {
        coordinates.to_vec()
    }
    fn coordinates(index: &Vec<Exp<u32>>) -> Vec<Exp<u32>> {
        index.clone()
    }
}

impl HasInner for AnyShape {
    type Outer = AnyShape;
}
impl HasOuter for AnyShape {
    type Deeper = AnyShape;
}
impl HasInner for Ix1 {
    type Outer = Ix0;
}
impl HasInner for Ix2 {
    type Outer = Ix1;
}
impl HasInner for Ix3 {
    type Outer = Ix2;
}
impl HasInner for Ix4 {
    type Outer = Ix3;
}
impl HasOuter for Ix0 {
    type Deeper = Ix1;
}
impl HasOuter for Ix1 {
    type Deeper = Ix2;
}
impl HasOuter for Ix2 {
    type Deeper = Ix3;
}
impl HasOuter for Ix3 {
    type Deeper = Ix4;
}

/// The extents of an array, and indices, as users write them: `()`, `n`, `(h, w)`, up to four numbers of `u32` and `EU32`.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::{EU32, lit};
///
/// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.reshape((2, x.len() / lit(2))).sum())?;
/// let device = Device::cpu();
/// let x = device.array([4], &[1, 2, 3, 4])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [3, 7]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` are no extents of an array",
    note = "extents are (), a number, or a tuple of two to four: `n`, `(h, w)`; numbers are u32 or EU32"
)]
pub trait Extents {
    /// The shape of an array with these extents.
    type Shape: Shape;
    /// The extents as device values.
    fn extents(&self) -> Vec<Exp<u32>>;
}

/// One extent: `u32` or `EU32`.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr1<EU32>| append(iota(2), iota(x.len())))?;
/// let device = Device::cpu();
/// let x = device.array([3], &[9, 9, 9])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [0, 1, 0, 1, 2]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub trait OneExtent: Clone {
    /// The extent as a device value.
    fn extent(&self) -> Exp<u32>;
}

impl OneExtent for u32 {
    fn extent(&self) -> Exp<u32> {
        crate::scalar::lit(*self)
    }
}

impl OneExtent for Exp<u32> {
    fn extent(&self) -> Exp<u32> {
        *self
    }
}

impl Extents for () {
    type Shape = Ix0;
    fn extents(&self) -> Vec<Exp<u32>> {
        Vec::new()
    }
}

impl Extents for u32 {
    type Shape = Ix1;
    fn extents(&self) -> Vec<Exp<u32>> {
        vec![self.extent()]
    }
}

impl Extents for Exp<u32> {
    type Shape = Ix1;
    fn extents(&self) -> Vec<Exp<u32>> {
        vec![*self]
    }
}

impl<E: OneExtent> Extents for Vec<E> {
    type Shape = AnyShape;
    fn extents(&self) -> Vec<Exp<u32>> {
        self.iter().map(OneExtent::extent).collect()
    }
}

impl<E: OneExtent> Extents for &[E] {
    type Shape = AnyShape;
    fn extents(&self) -> Vec<Exp<u32>> {
        self.iter().map(OneExtent::extent).collect()
    }
}

impl<A: OneExtent, B: OneExtent> Extents for (A, B) {
    type Shape = Ix2;
    fn extents(&self) -> Vec<Exp<u32>> {
        vec![self.0.extent(), self.1.extent()]
    }
}

impl<A: OneExtent, B: OneExtent, C: OneExtent> Extents for (A, B, C) {
    type Shape = Ix3;
    fn extents(&self) -> Vec<Exp<u32>> {
        vec![self.0.extent(), self.1.extent(), self.2.extent()]
    }
}

impl<A: OneExtent, B: OneExtent, C: OneExtent, D: OneExtent> Extents for (A, B, C, D) {
    type Shape = Ix4;
    fn extents(&self) -> Vec<Exp<u32>> {
        vec![
            self.0.extent(),
            self.1.extent(),
            self.2.extent(),
            self.3.extent(),
        ]
    }
}
