//! Shapes: how long an array is along each of its axes, of which there are 1 to 3.

use super::{Length, common_of};
use crate::error::Origin;
use crate::scalar::{Exp, index};

/// The size of an array, which is its type's second parameter: a length, a pair of height and width, or
/// a triple of depth, height and width, all of them `u32` or all of them `EU32`.
///
/// ```
/// use obsidian_rt::{Device, TypedKernel, language::*};
///
/// /// The array and its squares, of any rank.
/// fn squared<S: Shape>(x: Pull<EU32, S>) -> Pull<EU32, S> {
///     zip_with(|a, b| a * b, x.clone(), x)
/// }
///
/// let squares = TypedKernel::build("squares", 64, |x: DPull<EU32>| {
///     x.split_up(4).as_grid_map(|x| squared(squared(x).in_rows(2)).flat().push())
/// })?;
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4])?;
/// assert_eq!(squares.launch(&device, &x)?.to_vec()?, [1, 16, 81, 256]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub trait Shape: Clone + 'static {
    /// What the size along one axis is: `u32` or `Exp<u32>`.
    type Size: Length;
    /// What names an element: a number, or a tuple of them with the outermost axis first.
    type Index: Clone + 'static;

    /// The sizes, the outermost axis first.
    #[doc(hidden)]
    fn sizes(&self) -> Vec<Self::Size>;
    /// The shape whose size along each axis is `f` of the axis and the size of this one.
    #[doc(hidden)]
    #[must_use]
    fn each(&self, f: impl FnMut(usize, Self::Size) -> Self::Size) -> Self;
    /// The index with these numbers.
    #[doc(hidden)]
    fn index(numbers: &[Exp<u32>]) -> Self::Index;
    /// The numbers of an index.
    #[doc(hidden)]
    fn numbers(index: &Self::Index) -> Vec<Exp<u32>>;

    /// The number of elements; one that no `u32` holds is reported.
    #[doc(hidden)]
    #[track_caller]
    fn elements(&self) -> Self::Size {
        let sizes = self.sizes().into_iter();
        let elements = sizes.reduce(|all, size| all.product(&size));
        elements.unwrap_or_else(|| Length::from_exp(crate::scalar::lit(1)))
    }

    /// The number of elements, for a loop over them.
    #[doc(hidden)]
    fn count(&self) -> Exp<u32> {
        let sizes = self.sizes();
        let sizes = sizes.iter().map(Length::exp);
        sizes.reduce(index::mul).unwrap_or(crate::scalar::lit(1))
    }

    /// The place of an element, row after row.
    #[doc(hidden)]
    fn place(&self, index: &Self::Index) -> Exp<u32> {
        let (sizes, numbers) = (self.sizes(), Self::numbers(index));
        let axes = sizes.iter().zip(numbers);
        let place = axes.map(|(size, i)| (size.exp(), i));
        let place =
            place.reduce(|(all, place), (size, i)| (all, index::add(index::mul(place, size), i)));
        place.map_or(crate::scalar::lit(0), |(_, place)| place)
    }

    /// The index of the element at a place, row after row.
    #[doc(hidden)]
    fn at_place(&self, place: Exp<u32>) -> Self::Index {
        let (mut rest, mut numbers) = (place, Vec::new());
        for size in self.sizes().iter().skip(1).rev() {
            let outer = index::div(rest, size.exp());
            numbers.push(index::rem(rest, size.exp()));
            rest = outer;
        }
        numbers.push(rest);
        numbers.reverse();
        Self::index(&numbers)
    }
}

/// The shape that arrays have in common; sizes that differ are reported, or compared at launch.
#[track_caller]
pub(crate) fn common_shape<S: Shape>(what: &str, shapes: &[(S, Origin)]) -> S {
    let along = |axis: usize| {
        let sizes = shapes.iter().filter_map(|(shape, origin)| {
            let size = shape.sizes().get(axis).cloned();
            Some((size?, *origin))
        });
        sizes.collect::<Vec<_>>()
    };
    let (first, _) = &shapes[0];
    let mut common = Vec::new();
    for axis in 0..first.sizes().len() {
        common.push(common_of(what, &along(axis)));
    }
    first.each(|axis, _| common[axis].clone())
}

impl<N: Length> Shape for (N, N) {
    type Size = N;
    type Index = (Exp<u32>, Exp<u32>);

    fn sizes(&self) -> Vec<N> {
        vec![self.0.clone(), self.1.clone()]
    }
    fn each(&self, mut f: impl FnMut(usize, N) -> N) -> Self {
        (f(0, self.0.clone()), f(1, self.1.clone()))
    }
    fn index(numbers: &[Exp<u32>]) -> Self::Index {
        (nth(numbers, 0), nth(numbers, 1))
    }
    fn numbers(&(y, x): &Self::Index) -> Vec<Exp<u32>> {
        vec![y, x]
    }
}

impl<N: Length> Shape for (N, N, N) {
    type Size = N;
    type Index = (Exp<u32>, Exp<u32>, Exp<u32>);

    fn sizes(&self) -> Vec<N> {
        vec![self.0.clone(), self.1.clone(), self.2.clone()]
    }
    fn each(&self, mut f: impl FnMut(usize, N) -> N) -> Self {
        (
            f(0, self.0.clone()),
            f(1, self.1.clone()),
            f(2, self.2.clone()),
        )
    }
    fn index(numbers: &[Exp<u32>]) -> Self::Index {
        (nth(numbers, 0), nth(numbers, 1), nth(numbers, 2))
    }
    fn numbers(&(z, y, x): &Self::Index) -> Vec<Exp<u32>> {
        vec![z, y, x]
    }
}

pub(super) fn nth(numbers: &[Exp<u32>], n: usize) -> Exp<u32> {
    numbers.get(n).copied().unwrap_or_else(Exp::poison)
}

/// A shape whose rank is known only while a kernel is built: what the evaluator has.
#[derive(Clone, PartialEq, Debug)]
pub struct Sizes<N>(pub Vec<N>);
impl<N: Length> Shape for Sizes<N> {
    type Size = N;
    type Index = Vec<Exp<u32>>;

    fn sizes(&self) -> Vec<N> {
        self.0.clone()
    }
    fn each(&self, mut f: impl FnMut(usize, N) -> N) -> Self {
        let sizes = self.0.iter().cloned().enumerate();
        Sizes(sizes.map(|(axis, size)| f(axis, size)).collect())
    }
    fn index(numbers: &[Exp<u32>]) -> Self::Index {
        numbers.to_vec()
    }
    fn numbers(index: &Self::Index) -> Vec<Exp<u32>> {
        index.clone()
    }
}

/// What names an element of an array with indices `I`: for each axis a `u32` or `EU32`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an index of this array",
    label = "not an index of this array",
    note = "a list has one, `array.at(i)`; a matrix a pair, `array.at((row, column))`; an array of three axes a triple"
)]
pub trait IntoIndex<I> {
    /// The index.
    #[doc(hidden)]
    fn into_index(self) -> I;
}

impl<N: Into<Exp<u32>>> IntoIndex<Exp<u32>> for N {
    fn into_index(self) -> Exp<u32> {
        self.into()
    }
}

impl<A: Into<Exp<u32>>, B: Into<Exp<u32>>> IntoIndex<(Exp<u32>, Exp<u32>)> for (A, B) {
    fn into_index(self) -> (Exp<u32>, Exp<u32>) {
        (self.0.into(), self.1.into())
    }
}

impl<A: Into<Exp<u32>>, B: Into<Exp<u32>>, C: Into<Exp<u32>>>
    IntoIndex<(Exp<u32>, Exp<u32>, Exp<u32>)> for (A, B, C)
{
    fn into_index(self) -> (Exp<u32>, Exp<u32>, Exp<u32>) {
        (self.0.into(), self.1.into(), self.2.into())
    }
}
impl IntoIndex<Vec<Exp<u32>>> for Vec<Exp<u32>> {
    fn into_index(self) -> Vec<Exp<u32>> {
        self
    }
}
