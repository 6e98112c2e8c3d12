//! Stencils: elements made of their neighbours.

use std::cell::Cell;
use std::rc::Rc;

use super::one_of;
use crate::arrays::arr::Arr;
use crate::arrays::index::Index;
use crate::arrays::item::{Computed, Item};
use crate::arrays::shape::{Ix1, Ix2, Ix3, Shape};
use crate::scalar::{Exp, index, lit, select_exp};

/// What a stencil reads where a neighbour is outside of the array.
///
/// On axes apart: a neighbour that is outside on one axis alone has its own place on the others.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::{EU32, lit};
///
/// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.stencil(Constant(lit(0)), |w| w.at(-1) + w.at(1)))?;
/// let device = Device::cpu();
/// let x = device.array([4], &[1, 2, 3, 4])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [2, 4, 6, 3]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub enum Boundary<T, Sh: Neighbours> {
    /// The element at the edge: `a a | a b c | c c`.
    Clamp,
    /// The elements of the other side, as often as needed: `b c | a b c | a b`.
    Wrap,
    /// The elements on this side of the edge, as in a mirror in the outermost element: `c b | a b c | b a`. Beyond the other edge,
    /// which only a neighbour can be that is further away than the array is long, the element there: it is not reflected again.
    Mirror,
    /// A value.
    Constant(T),
    /// What a function makes of the place, whose coordinates may be negative: see [`Function`].
    Function(Rc<dyn Fn(Sh::Place) -> T>),
}

impl<T: Clone, Sh: Neighbours> Clone for Boundary<T, Sh> {
    fn clone(&self) -> Self {
        match self {
            Boundary::Clamp => Boundary::Clamp,
            Boundary::Wrap => Boundary::Wrap,
            Boundary::Mirror => Boundary::Mirror,
            Boundary::Constant(value) => Boundary::Constant(value.clone()),
            Boundary::Function(f) => Boundary::Function(f.clone()),
        }
    }
}

/// Outside of the array, what `f` makes of the place: `Function(|(y, x)| ..)`, of coordinates that may be negative.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::{EI32, EU32};
///
/// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.stencil(Function(|i: EI32| i.cast::<u32>() * 100), |w| w.at(1)))?;
/// let device = Device::cpu();
/// let x = device.array([4], &[1, 2, 3, 4])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [2, 3, 4, 400]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[allow(non_snake_case)]
pub fn Function<T, Sh: Neighbours>(f: impl Fn(Sh::Place) -> T + 'static) -> Boundary<T, Sh> {
    Boundary::Function(Rc::new(f))
}

/// The elements around one of an array.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr2<EU32>| {
///     x.stencil(Clamp, |w: Window<Ix2, EU32>| w.at((0, 1)) - w.at((0, -1)))
/// })?;
/// let device = Device::cpu();
/// let x = device.array([2, 3], &[1, 2, 3, 4, 5, 6])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 2, 1, 1, 2, 1]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub struct Window<Sh: Neighbours, T> {
    arr: Arr<Sh, T>,
    index: Index,
    boundary: Rc<Boundary<T, Sh>>,
    /// Where the farthest neighbour along the outermost axis is noted, if somebody asks for it.
    farthest: Option<Rc<Cell<u32>>>,
}

/// Shapes with places beside an element.
///
/// A matrix has them at pairs of offsets, a vector at one.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr2<EU32>| x.stencil(Wrap, |w| w.at((1, 0))))?;
/// let device = Device::cpu();
/// let x = device.array([2, 3], &[1, 2, 3, 4, 5, 6])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [4, 5, 6, 1, 2, 3]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub trait Neighbours: Shape {
    /// How far away a neighbour is on each axis, the innermost last: `i32`, or a tuple of them.
    type Offset: Clone + 'static;
    /// A place that may be outside: `EI32`, or a tuple of them.
    type Place: Clone + 'static;
    /// The offsets by axis.
    fn offsets(offset: &Self::Offset) -> Vec<i32>;
    /// The place with these coordinates.
    fn place(coordinates: &[Exp<i32>]) -> Self::Place;
}

/// The n-th coordinate; one that is not there, which only a mistake before leads to, is 0.
fn nth(coordinates: &[Exp<i32>], n: usize) -> Exp<i32> {
    coordinates.get(n).copied().unwrap_or_else(Exp::poison)
}

impl Neighbours for Ix1 {
    type Offset = i32;
    type Place = Exp<i32>;
    fn offsets(x: &i32) -> Vec<i32> {
        vec![*x]
    }
    fn place(coordinates: &[Exp<i32>]) -> Exp<i32> {
        nth(coordinates, 0)
    }
}

impl Neighbours for Ix2 {
    type Offset = (i32, i32);
    type Place = (Exp<i32>, Exp<i32>);
    fn offsets(&(y, x): &(i32, i32)) -> Vec<i32> {
        vec![y, x]
    }
    fn place(coordinates: &[Exp<i32>]) -> Self::Place {
        (nth(coordinates, 0), nth(coordinates, 1))
    }
}

impl Neighbours for Ix3 {
    type Offset = (i32, i32, i32);
    type Place = (Exp<i32>, Exp<i32>, Exp<i32>);
    fn offsets(&(z, y, x): &(i32, i32, i32)) -> Vec<i32> {
        vec![z, y, x]
    }
    fn place(coordinates: &[Exp<i32>]) -> Self::Place {
        (
            nth(coordinates, 0),
            nth(coordinates, 1),
            nth(coordinates, 2),
        )
    }
}
impl Neighbours for crate::arrays::AnyShape {
    type Offset = Vec<i32>;
    type Place = Vec<Exp<i32>>;
    fn offsets(offset: &Vec<i32>) -> Vec<i32> {
        offset.clone()
    }
    fn place(coordinates: &[Exp<i32>]) -> Vec<Exp<i32>> {
        coordinates.to_vec()
    }
}

impl<Sh: Neighbours, T> Clone for Window<Sh, T> {
    fn clone(&self) -> Self {
        Window {
            arr: self.arr.clone(),
            index: self.index.clone(),
            boundary: self.boundary.clone(),
            farthest: self.farthest.clone(),
        }
    }
}

impl<Sh: Neighbours, T: Item> Window<Sh, T> {
    /// How many axes it has.
    #[doc(hidden)]
    pub fn axes(&self) -> usize {
        self.index.coordinates.len()
    }

    /// The neighbour at an offset, `w.at(-1)` or `w.at((0, 1))`: the innermost axis is last, and at 0 is the element itself.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.stencil(Clamp, |w| w.at(-1) + w.at(0) + w.at(1)))?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[1, 2, 3, 4])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [4, 6, 9, 11]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn at(&self, offset: Sh::Offset) -> T {
        let (extents, offsets) = (self.arr.extents(), Sh::offsets(&offset));
        if let (Some(farthest), Some(outer)) = (&self.farthest, offsets.first()) {
            farthest.set(farthest.get().max(outer.unsigned_abs()));
        }
        let axes = self.index.coordinates.iter().zip(&extents).zip(offsets);
        let axes: Vec<_> = axes.map(|((i, n), by)| Axis { i: *i, n: *n, by }).collect();
        let places = axes.iter().map(|axis| match *self.boundary {
            Boundary::Clamp | Boundary::Constant(_) | Boundary::Function(_) => axis.clamped(),
            Boundary::Wrap => axis.wrapped(),
            Boundary::Mirror => axis.mirrored(),
        });
        let index = self.index.moved(places.collect());
        let element = || (self.arr.element)(&index);
        let inside = axes.iter().filter_map(Axis::is_inside).reduce(|a, b| a & b);
        match (&*self.boundary, inside) {
            (Boundary::Constant(value), Some(inside)) => one_of(inside, element, || value.clone()),
            (Boundary::Function(f), Some(inside)) => one_of(inside, element, || {
                let place: Vec<_> = axes.iter().map(Axis::signed).collect();
                f(Sh::place(&place))
            }),
            _ => element(),
        }
    }
}

/// A coordinate, its extent, and how far away a neighbour is.
#[derive(Clone, Copy)]
struct Axis {
    i: Exp<u32>,
    n: Exp<u32>,
    by: i32,
}

impl Axis {
    fn distance(self) -> u32 {
        self.by.unsigned_abs()
    }

    /// The neighbour, which may be outside.
    fn signed(&self) -> Exp<i32> {
        self.i.cast::<i32>() + self.by
    }

    /// The places behind this one.
    fn behind(self) -> Exp<u32> {
        index::sub(index::sub(self.n, 1), self.i)
    }

    /// Is the neighbour inside, if that is not certain?
    fn is_inside(&self) -> Option<Exp<bool>> {
        match self.by {
            0 => None,
            1.. => Some(self.behind().ge(lit(self.distance()))),
            _ => Some(self.i.ge(lit(self.distance()))),
        }
    }

    /// The neighbour, or the element at the edge.
    fn clamped(&self) -> Exp<u32> {
        match self.by {
            0 => self.i,
            1.. => index::add(self.i, self.behind().min(self.distance())),
            _ => index::sub(self.i, self.i.min(self.distance())),
        }
    }

    /// The neighbour, where behind the last element comes the first one.
    fn wrapped(&self) -> Exp<u32> {
        if self.by == 0 {
            return self.i;
        }
        let by = index::rem(lit(self.distance()), self.n);
        let (forwards, left) = match self.by {
            1.. => (by, index::sub(self.n, by)),
            _ => (index::sub(self.n, by), by),
        };
        select_exp(
            self.i.lt(left),
            index::add(self.i, forwards),
            index::sub(self.i, left),
        )
    }

    /// The neighbour, where the places behind an edge are those in front of it.
    fn mirrored(&self) -> Exp<u32> {
        let (Some(inside), far) = (self.is_inside(), lit(self.distance())) else {
            return self.i;
        };
        let last = index::sub(self.n, 1);
        match self.by {
            1.. => {
                let over = index::sub(far, far.min(self.behind()));
                let back = index::sub(last, last.min(over));
                select_exp(inside, index::add(self.i, far.min(self.behind())), back)
            }
            _ => {
                let back = index::sub(far, far.min(self.i)).min(last);
                select_exp(inside, index::sub(self.i, far.min(self.i)), back)
            }
        }
    }
}

impl<Sh: Neighbours, T: Item> Arr<Sh, T> {
    /// Each element made by `f` of those around it; `boundary` says what is outside of the array.
    ///
    /// An array whose elements are dear to compute is stored before it is read at several places; [`inline`](Arr::inline) keeps it from that.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.stencil(Wrap, |w| w.at(-1) + w.at(1)))?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[1, 2, 3, 4])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [6, 4, 6, 4]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn stencil<R: Computed>(
        &self,
        boundary: Boundary<T, Sh>,
        f: impl Fn(Window<Sh, T>) -> R + 'static,
    ) -> Arr<Sh, R::Value> {
        self.stencil_noted(boundary, None, f)
    }

    /// The same, which notes how far along the outermost axis `f` reads.
    #[doc(hidden)]
    #[track_caller]
    pub fn stencil_noted<R: Computed>(
        &self,
        boundary: Boundary<T, Sh>,
        farthest: Option<Rc<Cell<u32>>>,
        f: impl Fn(Window<Sh, T>) -> R + 'static,
    ) -> Arr<Sh, R::Value> {
        let (arr, boundary) = (self.clone(), Rc::new(boundary));
        Arr::delayed("stencil", self.extents(), move |index| {
            let window = Window {
                arr: arr.clone(),
                index: index.clone(),
                boundary: boundary.clone(),
                farthest: farthest.clone(),
            };
            f(window).value()
        })
    }
}
