//! `each`: a function of one element, for all elements of the outermost axis at once.

use std::rc::Rc;

use crate::arrays::any::at_place;
use crate::arrays::arr::Arr;
use crate::arrays::claims::claim;
use crate::arrays::graph::{Kind, Made, Node, graph, has_to_be_stored};
use crate::arrays::index::Index;
use crate::arrays::item::Item;
use crate::arrays::lifted::{self, Axis};
use crate::arrays::shape::{HasInner, HasOuter};
use crate::error::{Origin, catalogue};
use crate::scalar::{Exp, index, lit};

/// What [`each`] makes of the elements of arrays: `f` of the element with number `i` of each array is element `i` of what it gives. Of a matrix, the
/// elements are its rows, which are vectors; of a vector, they are arrays of no axis.
///
/// `f` runs once, when the program is built, and describes one element: its `len()` and `shape()` are those of an element. All elements are
/// computed by the same operators, which have one more axis; what does not depend on the element is computed once. So `f` takes about as many operators
/// as it does for one element.
///
/// What takes another course in each element cannot be done at once: `filter`, `sort` and what is made of them, `expand`, `permute` by a function that is
/// no atomic operation, loops by `awhile`, choices by `if_then`. Functions that a `fold` or scan combines elements with cannot read arrays of the element. Each is an error of the program; write
/// them for the whole array then, or use the array that a function of elements makes: `generate(n, |i| ..)`.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EF32;
///
/// // Of each row its softmax.
/// let softmax = |row: Arr1<EF32>| {
///     let largest = row.max();
///     let powers = row.map(move |x| (x - largest.the()).exp());
///     let sum = powers.sum();
///     powers.map(move |x| x / sum.the())
/// };
/// let f = ArrayProgram::build("f", move |rows: Arr2<EF32>| each(rows, softmax))?;
/// let device = Device::cpu();
/// let rows = device.array([2, 2], &[1.0, 1.0, 5.0, 5.0])?;
/// assert_eq!(f.run(&device, &rows)?.to_vec()?, [0.5; 4]);
///
/// // Of two matrices, the dot product of each pair of rows.
/// let dots = ArrayProgram::build("dots", |xs: Arr2<EF32>, ys: Arr2<EF32>| {
///     each((xs, ys), |(x, y)| zip_with(|x, y| x * y, x, y).sum())
/// })?;
/// assert_eq!(dots.run(&device, (&rows, &rows))?.to_vec()?, [2.0, 50.0]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn each<A: Elements, R: OfElements>(arrays: A, f: impl FnOnce(A::Element) -> R) -> R::Arrays {
    let (element, opened) = begun(&arrays);
    let result = f(element);
    ended(result, opened)
}

/// The same for a caller that stands elsewhere than the user's call; operations in `f` stand where they are.
#[doc(hidden)]
pub fn each_at_place<A: Elements, R: OfElements>(
    place: &str,
    arrays: A,
    f: impl FnOnce(A::Element) -> R,
) -> R::Arrays {
    let (element, opened) = at_place(place, || begun(&arrays));
    let result = f(element);
    at_place(place, || ended(result, opened))
}

#[track_caller]
fn begun<A: Elements>(arrays: &A) -> (A::Element, (Axis, Exp<u32>)) {
    has_to_be_stored("each");
    let mut extents = Vec::new();
    arrays.extents(&mut extents);
    let extent = extents.first().copied().unwrap_or_else(|| lit(0));
    for other in extents.iter().skip(1) {
        claim("each", [extent, *other], [Origin::UNKNOWN; 2], false);
    }
    let axis = lifted::opened(extent);
    (arrays.element(axis), (axis, extent))
}

#[track_caller]
fn ended<R: OfElements>(result: R, (axis, extent): (Axis, Exp<u32>)) -> R::Arrays {
    lifted::closed(axis);
    result.of_all(axis, extent)
}

/// Arrays whose elements along the outermost axis [`each`] computes with: an array of at least one axis, or a tuple or `Vec` of
/// them with as many elements.
///
/// ```
/// use obsidian_rt::arrays::*;
/// use obsidian_rt::language::EU32;
///
/// fn rows<A: Elements<Element = Arr1<EU32>>>(arrays: A) -> Arr1<EU32> {
///     each(arrays, |row| row.sum())
/// }
/// let f = ArrayProgram::build("f", |xs: Arr2<EU32>| rows(xs))?;
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no elements along an outermost axis",
    note = "an array of at least one axis has (`Arr1`, `Arr2`, ..), and a tuple of them"
)]
pub trait Elements: Clone + 'static {
    /// One element: an array with an axis less, or a tuple of them.
    type Element;
    /// The extents of the outermost axes.
    #[doc(hidden)]
    fn extents(&self, list: &mut Vec<Exp<u32>>);
    /// The element of an open axis.
    #[doc(hidden)]
    fn element(&self, axis: Axis) -> Self::Element;
    /// The element of arrays that have one, and no more.
    #[doc(hidden)]
    fn only(&self) -> Self::Element;
}

/// What a function of [`each`] gives: an array, or a tuple or `Vec` of them.
///
/// ```
/// use obsidian_rt::arrays::*;
/// use obsidian_rt::language::EU32;
///
/// fn of_rows<R: OfElements>(rows: Arr2<EU32>, f: impl Fn(Arr1<EU32>) -> R) -> R::Arrays {
///     each(rows, f)
/// }
/// let f = ArrayProgram::build("f", |xs: Arr2<EU32>| of_rows(xs, |row| (row.sum(), row.reverse())))?;
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be what a function of each element gives",
    note = "an array can (`Arr0`, `Arr1`, ..), and a tuple of them; `unit(row.len())` makes an `Arr0` of a number, and `row.slice_inner(0)` is the first element of a row"
)]
pub trait OfElements {
    /// The same of all elements: arrays with an axis more.
    type Arrays;
    /// The arrays with a closed axis as their outermost one.
    #[doc(hidden)]
    fn of_all(self, axis: Axis, extent: Exp<u32>) -> Self::Arrays;
    /// The arrays with an axis of one element as their outermost one.
    #[doc(hidden)]
    fn alone(self) -> Self::Arrays;
}

impl<Sh: HasInner, T: Item> Elements for Arr<Sh, T> {
    type Element = Arr<Sh::Outer, T>;
    #[track_caller]
    fn extents(&self, list: &mut Vec<Exp<u32>>) {
        self.has_axes("each", 1);
        list.extend(Arr::extents(self).first());
    }
    #[track_caller]
    fn element(&self, axis: Axis) -> Self::Element {
        let inner = Arr::extents(self).split_off(1.min(self.rank()));
        let element = self.element.clone();
        let seen = Arr::delayed("each", inner, move |index: &Index| {
            lifted::joined(&[axis], index, |whole| element(whole))
        });
        lifted::is_same(seen.number, self.number);
        seen
    }
    #[track_caller]
    fn only(&self) -> Self::Element {
        let mut inner = Arr::extents(self);
        if self.has_axes("one_by_one", 1) {
            let count = inner.remove(0);
            claim("one_by_one", [count, lit(1)], [Origin::UNKNOWN; 2], false);
        }
        let element = self.element.clone();
        Arr::delayed("one_by_one", inner, move |index: &Index| {
            let coordinates = std::iter::once(lit(0)).chain(index.coordinates.iter().copied());
            element(&index.moved(coordinates.collect()))
        })
    }
}

impl<Sh: HasOuter, T: Item> OfElements for Arr<Sh, T> {
    type Arrays = Arr<Sh::Deeper, T>;
    #[track_caller]
    fn of_all(self, axis: Axis, extent: Exp<u32>) -> Self::Arrays {
        let (number, hidden, element) = (self.number, self.hidden, self.element.clone());
        let own = Arr::extents(&self);
        let compute = move |index: &Index| lifted::along(axis, index, |own| element(own));
        if lifted::close(number, axis) {
            return Arr::of(Made {
                number,
                element: Rc::new(compute),
                hidden: hidden.saturating_sub(1),
            });
        }
        // An array that does not depend on the element.
        Arr::delayed("each", [vec![extent], own].concat(), compute)
    }
    #[track_caller]
    fn alone(self) -> Self::Arrays {
        self.replicate(1)
    }
}

/// Of as many arrays as the program knows when it is built.
impl<A: Elements> Elements for Vec<A> {
    type Element = Vec<A::Element>;
    #[track_caller]
    fn extents(&self, list: &mut Vec<Exp<u32>>) {
        self.iter().for_each(|part| part.extents(list));
    }
    #[track_caller]
    fn element(&self, axis: Axis) -> Self::Element {
        self.iter().map(|part| part.element(axis)).collect()
    }
    #[track_caller]
    fn only(&self) -> Self::Element {
        self.iter().map(Elements::only).collect()
    }
}

impl<R: OfElements> OfElements for Vec<R> {
    type Arrays = Vec<R::Arrays>;
    #[track_caller]
    fn of_all(self, axis: Axis, extent: Exp<u32>) -> Self::Arrays {
        let parts = self.into_iter();
        parts.map(|part| part.of_all(axis, extent)).collect()
    }
    #[track_caller]
    fn alone(self) -> Self::Arrays {
        self.into_iter().map(OfElements::alone).collect()
    }
}

macro_rules! tuples {
    ($(($($part:ident $n:tt)+);)*) => {$(
        impl<$($part: Elements),+> Elements for ($($part,)+) {
            type Element = ($($part::Element,)+);
            #[track_caller]
            fn extents(&self, list: &mut Vec<Exp<u32>>) {
                $(self.$n.extents(list);)+
            }
            #[track_caller]
            fn element(&self, axis: Axis) -> Self::Element {
                ($(self.$n.element(axis),)+)
            }
            #[track_caller]
            fn only(&self) -> Self::Element {
                ($(self.$n.only(),)+)
            }
        }
        impl<$($part: OfElements),+> OfElements for ($($part,)+) {
            type Arrays = ($($part::Arrays,)+);
            #[track_caller]
            fn of_all(self, axis: Axis, extent: Exp<u32>) -> Self::Arrays {
                ($(self.$n.of_all(axis, extent),)+)
            }
            #[track_caller]
            fn alone(self) -> Self::Arrays {
                ($(self.$n.alone(),)+)
            }
        }
    )*};
}

tuples! {
    (A 0 B 1);
    (A 0 B 1 C 2);
    (A 0 B 1 C 2 D 3);
    (A 0 B 1 C 2 D 3 E 4);
    (A 0 B 1 C 2 D 3 E 4 F 5);
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6);
}

/// What `f` gives, an array of which any part can be computed by itself. Reports what would have to be computed as a whole before.
#[doc(hidden)]
pub fn undivided<Sh: HasInner, T: Item>(f: impl FnOnce() -> Arr<Sh, T>) -> Arr<Sh, T> {
    let before = graph(|graph| graph.nodes.len()).unwrap_or(0);
    let array = f();
    let as_a_whole = graph(|graph| {
        let own = graph.nodes.get(before..).unwrap_or_default();
        let is_whole = |node: &&Rc<Node>| {
            node.kind.is_ready() && !matches!(node.kind, Kind::Input | Kind::Literal(_))
        };
        own.iter().rev().find(is_whole).cloned()
    });
    if let Some(node) = as_a_whole.flatten()
        && !crate::scalar::failed()
    {
        let wrong = catalogue::divide_first(node.operator);
        crate::scalar::report(wrong.at(node.origin));
    }
    array
}

impl<Sh: HasInner, T: Item> Arr<Sh, T> {
    /// The elements along the outermost axis from one on, of which there are `count`. The caller knows that there are.
    #[doc(hidden)]
    #[track_caller]
    pub fn rows_from(&self, start: impl Fn() -> Exp<u32> + 'static, count: Exp<u32>) -> Self {
        let mut extents = Arr::extents(self);
        if let Some(outer) = extents.first_mut() {
            *outer = count;
        }
        let element = self.element.clone();
        Arr::delayed("rows_from", extents, move |index: &Index| {
            let mut coordinates = index.coordinates.clone();
            if let Some(outer) = coordinates.first_mut() {
                *outer = index::add(start(), *outer);
            }
            element(&index.moved(coordinates))
        })
    }

    /// `f` of each element along the outermost axis, of a matrix for each row: see [`each`].
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |rows: Arr2<EU32>| rows.each(|row| row.inclusive_scan(|x, y| x + y)))?;
    /// let device = Device::cpu();
    /// let rows = device.array([2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// assert_eq!(f.run(&device, &rows)?.to_vec()?, [1, 3, 6, 4, 9, 15]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn each<R: OfElements>(&self, f: impl FnOnce(Arr<Sh::Outer, T>) -> R) -> R::Arrays {
        each(self.clone(), f)
    }
}
