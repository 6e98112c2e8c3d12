//! Arrays whose shapes and elements are known when a program is built, and not by Rust's types: for programs that read other programs.

use super::arr::Arr;
use super::graph::graph;
use super::item::{Item, leaves, types};
use super::shape::{AnyShape, Shape};
use crate::array::{Allocator, Choice, Storable};
use crate::error::catalogue;
use crate::program::{Thread, Trace};
use crate::scalar::{AnyExp, ArrayId, Exp, Literal, ScalarType, report};

/// An array of any number of axes, up to [`MOST_AXES`], and of any elements.
///
/// All operations of [`Arr`] work on it. [`Arr::untyped`] makes one of an array whose types Rust knows; [`to`](Arr::to) and [`ranked`](Arr::ranked) go
/// the other way, and report what does not fit as an error of the program. None of them adds an operation to the program.
///
/// ```
/// use obsidian_rt::{Device, ScalarType, arrays::*, language::EI32};
///
/// let program = AnyProgram::build("sums", |inputs| {
///     let x: AnyArr = inputs.array(4, &[ScalarType::I32]);
///     vec![x.to::<EI32>().sum().untyped()]
/// })?;
/// let device = Device::cpu();
/// let x = AnyArray::new(&device, &[1, 2, 1, 2], &[1i32, 2, 3, 4])?;
/// let sums = program.run(&device, &[&x])?;
/// assert_eq!((sums[0].extents(), sums[0].to_vec::<i32>()?), (&[1, 2, 1][..], vec![3, 7]));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub type AnyArr = Arr<AnyShape, AnyElement>;

/// The most axes that an array has.
pub const MOST_AXES: usize = 8;

/// An element of any type: the device values that it is made of, one of a number, two of a pair.
///
/// ```
/// use obsidian_rt::{Device, ScalarType, arrays::*, language::{EF64, EI32}};
///
/// let program = AnyProgram::build("halves", |inputs| {
///     let x = inputs.array(1, &[ScalarType::I32]);
///     vec![x.map(|x| AnyElement::of(x.to::<EI32>().cast::<f64>() * 0.5))]
/// })?;
/// let device = Device::cpu();
/// let halves = program.run(&device, &[&AnyArray::new(&device, &[2], &[1i32, 2])?])?;
/// assert_eq!(halves[0].to_vec::<f64>()?, [0.5, 1.0]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct AnyElement(#[doc(hidden)] pub Vec<AnyExp>);

impl Item for AnyElement {
    fn like(one: &dyn Fn() -> Self) -> Self {
        one()
    }
}

impl super::item::Computed for AnyElement {
    type Value = Self;
    fn value(self) -> Self {
        self
    }
}

impl AnyElement {
    /// An element whose type Rust knows: a device value or a tuple of them.
    ///
    /// ```
    /// use obsidian_rt::{ScalarType, arrays::*, language::lit};
    ///
    /// let pair = AnyElement::of((lit(1u32), lit(0.5f64)));
    /// assert_eq!(pair.types(), [ScalarType::U32, ScalarType::F64]);
    /// ```
    pub fn of<T: Item>(value: T) -> Self {
        AnyElement(leaves(&value))
    }

    /// An element of several parts, in order.
    ///
    /// ```
    /// use obsidian_rt::{ScalarType, arrays::*, language::lit};
    ///
    /// let (x, y) = (AnyElement::of(lit(1u32)), AnyElement::of((lit(true), lit(2i8))));
    /// assert_eq!(AnyElement::joined([x, y]).types(), [ScalarType::U32, ScalarType::Bool, ScalarType::I8]);
    /// ```
    pub fn joined(parts: impl IntoIterator<Item = AnyElement>) -> Self {
        AnyElement(parts.into_iter().flat_map(|part| part.0).collect())
    }

    /// The types of the device values that it is made of.
    ///
    /// ```
    /// use obsidian_rt::{ScalarType, arrays::*, language::lit};
    ///
    /// assert_eq!(AnyElement::of((lit(1u32), lit(true))).types(), [ScalarType::U32, ScalarType::Bool]);
    /// ```
    pub fn types(&self) -> Vec<ScalarType> {
        types(&self.0)
    }

    /// The device values with the numbers of a range, as an element. Of numbers that are not there there is nothing in it.
    ///
    /// ```
    /// use obsidian_rt::{ScalarType, arrays::*, language::lit};
    ///
    /// let pair = AnyElement::of((lit(1u32), lit(0.5f64)));
    /// assert_eq!(pair.parts(1..2).types(), [ScalarType::F64]);
    /// ```
    #[must_use]
    pub fn parts(&self, range: std::ops::Range<usize>) -> Self {
        let (start, end) = (range.start.min(self.0.len()), range.end.min(self.0.len()));
        AnyElement(self.0.get(start..end).unwrap_or_default().to_vec())
    }

    /// The element as one of a type that Rust knows. Another type is an error of the program, at the place of the call or that of
    /// [`at_place`].
    ///
    /// ```
    /// use obsidian_rt::{ScalarType, arrays::*, language::EF32};
    ///
    /// let wrong = AnyProgram::build("f", |inputs| {
    ///     let x = inputs.array(1, &[ScalarType::I32]);
    ///     vec![x.map(|x| at_place("f.apl:3:7", || AnyElement::of(x.to::<EF32>().sqrt())))]
    /// });
    /// let message = wrong.unwrap_err().to_string();
    /// assert!(message.contains("f.apl:3:7: an element is i32, and f32 is asked for"), "{message}");
    /// ```
    #[track_caller]
    pub fn to<T: Item>(&self) -> T {
        let wanted = types(&leaves(&T::poison()));
        let found = self.types();
        if found != wanted {
            report(
                catalogue::element_of_other_types(&named_types(&found), &named_types(&wanted))
                    .at(crate::scalar::here()),
            );
            return T::poison();
        }
        T::poison().rebuild(&mut self.0.iter().copied())
    }

    /// The zeros of some types.
    #[doc(hidden)]
    pub fn zeros(types: &[ScalarType]) -> Self {
        let zero = |ty: &ScalarType| AnyExp::literal(Literal::zero(*ty));
        AnyElement(types.iter().map(zero).collect())
    }
}

impl<Sh: Shape, T: Item> Arr<Sh, T> {
    /// The array under types that tell neither its axes nor its elements.
    ///
    /// ```
    /// use obsidian_rt::{arrays::*, language::EU32};
    ///
    /// let program = ArrayProgram::build("f", |x: Arr2<EU32>| x.untyped().along(0, |x| x.reverse()).ranked::<Ix2>().to::<EU32>())?;
    /// let device = obsidian_rt::Device::cpu();
    /// assert_eq!(program.run(&device, &device.array([2, 2], &[1, 2, 3, 4])?)?.to_vec()?, [3, 4, 1, 2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn untyped(&self) -> AnyArr {
        self.seen_as(|value| AnyElement(leaves(&value)))
    }

    /// The number of axes.
    ///
    /// ```
    /// use obsidian_rt::{ScalarType, arrays::*};
    ///
    /// AnyProgram::build("f", |inputs| {
    ///     let x = inputs.array(5, &[ScalarType::U8]);
    ///     assert_eq!((x.rank(), x.axis(4).flatten().rank()), (5, 1));
    ///     vec![x]
    /// })?;
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn rank(&self) -> usize {
        self.extents().len()
    }

    /// Reports, at the place of the call, that an operation needs more axes than there are. Gives whether there are enough.
    #[track_caller]
    pub(super) fn has_axes(&self, operator: &str, least: usize) -> bool {
        let rank = self.rank();
        if rank < least {
            let wrong = catalogue::wrong_rank(operator, &(least..=3), rank);
            report(wrong.at(crate::scalar::here()));
        }
        rank >= least
    }
}

impl<T: Item> Arr<AnyShape, T> {
    /// The array as one of a shape that Rust knows. Another number of axes is an error of the program, at the place of the call or that of
    /// [`at_place`].
    ///
    /// ```
    /// use obsidian_rt::{ScalarType, arrays::*, language::EU32};
    ///
    /// let wrong = AnyProgram::build("f", |inputs| {
    ///     let x = inputs.array(2, &[ScalarType::U32]).to::<EU32>();
    ///     vec![at_place("f.apl:2:1", || x.ranked::<Ix1>()).sort().untyped()]
    /// });
    /// let message = wrong.unwrap_err().to_string();
    /// assert!(message.contains("f.apl:2:1: an array has 2 axes, and 1 axis is asked for"), "{message}");
    /// ```
    #[track_caller]
    pub fn ranked<Sh: Shape>(&self) -> Arr<Sh, T> {
        let (found, wanted) = (self.rank(), Sh::RANK.unwrap_or_else(|| self.rank()));
        if found != wanted {
            report(catalogue::other_rank(found, wanted).at(crate::scalar::here()));
            // What stands for it has the axes that are asked for.
            let like = self.like();
            let extents = vec![crate::scalar::lit(0); wanted];
            return Arr::delayed("ranked", extents, move |_| like.clone());
        }
        self.seen_as(|value| value)
    }
}

impl<Sh: Shape> Arr<Sh, AnyElement> {
    /// The array with elements of a type that Rust knows. Another type is an error of the program, at the place of the call or that of
    /// [`at_place`].
    ///
    /// ```
    /// use obsidian_rt::{Device, ScalarType, arrays::*, language::EF64};
    ///
    /// let program = AnyProgram::build("norms", |inputs| {
    ///     let x = inputs.array(2, &[ScalarType::F64; 2]).to::<(EF64, EF64)>();
    ///     vec![x.map(|(re, im)| re * re + im * im).sum().untyped()]
    /// })?;
    /// let device = Device::cpu();
    /// let x = AnyArray::new(&device, &[1, 2], &[(3.0, 4.0), (1.0, 1.0)])?;
    /// assert_eq!(program.run(&device, &[&x])?[0].to_vec::<f64>()?, [27.0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn to<T: Item>(&self) -> Arr<Sh, T> {
        let (found, wanted) = (self.types(), types(&leaves(&T::poison())));
        if found != wanted {
            report(
                catalogue::element_of_other_types(&named_types(&found), &named_types(&wanted))
                    .at(crate::scalar::here()),
            );
            return Arr::delayed("to", self.extents(), |_| T::poison());
        }
        self.seen_as(|value: AnyElement| T::poison().rebuild(&mut value.0.into_iter()))
    }
}

/// Runs `f`, whose operations then stand at a place that the program names, such as the line and column of a text that it has read. All
/// errors that are about them name it. Those of building begin with it.
///
/// ```
/// use obsidian_rt::{Device, ScalarType, arrays::*, language::EI32};
///
/// let program = AnyProgram::build("sums", |inputs| {
///     let [x, y] = [0; 2].map(|_| inputs.array(1, &[ScalarType::I32]).to::<EI32>());
///     vec![at_place("sums.apl:1:3", || zip_with(|x, y| x + y, x, y)).untyped()]
/// })?;
/// let device = Device::cpu();
/// let (x, y) = (AnyArray::new(&device, &[2], &[1i32, 2])?, AnyArray::new(&device, &[3], &[1i32, 2, 3])?);
/// let message = program.run(&device, &[&x, &y]).unwrap_err().to_string();
/// assert!(message.contains("`zip_with` of arrays with the extents 2 and 3 (at sums.apl:1:3"), "{message}");
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn at_place<R>(place: &str, f: impl FnOnce() -> R) -> R {
    crate::scalar::with_place(place, f)
}

impl Choice for AnyElement {
    #[track_caller]
    fn choose(condition: Exp<bool>, then: Self, otherwise: Self) -> Self {
        let (one, other) = (then.types(), otherwise.types());
        if one != other {
            report(
                catalogue::unequal_elements("select", &named_types(&one), &named_types(&other))
                    .at(crate::scalar::here()),
            );
            return then;
        }
        let pairs = then.0.into_iter().zip(otherwise.0);
        AnyElement(
            pairs
                .map(|(x, y)| AnyExp::select(condition, x, y))
                .collect(),
        )
    }
}

impl Storable for AnyElement {
    type Handle = Vec<(ArrayId, ScalarType)>;
    fn alloc(&self, allocator: &mut Allocator) -> Self::Handle {
        let one = |leaf: &AnyExp| (allocator.array(leaf.ty()), leaf.ty());
        self.0.iter().map(one).collect()
    }
    fn store(&self, handle: &Self::Handle, index: Exp<u32>, trace: &mut Trace<Thread>) {
        for (leaf, (array, _)) in self.0.iter().zip(handle) {
            crate::array::store_any(*array, index, *leaf, trace);
        }
    }
    fn load(handle: &Self::Handle, index: Exp<u32>) -> Self {
        let one = |(array, ty): &(ArrayId, ScalarType)| crate::array::load_any(*array, *ty, index);
        AnyElement(handle.iter().map(one).collect())
    }
    fn read(handle: &Self::Handle, index: Exp<u32>, trace: &mut Trace<Thread>) -> Self {
        let mut fields = Vec::new();
        for (array, ty) in handle {
            fields.push(crate::program::read(*array, *ty, index).run(trace));
        }
        AnyElement(fields)
    }
    fn leaves(&self, list: &mut Vec<AnyExp>) {
        list.extend(&self.0);
    }
    fn rebuild(&self, leaves: &mut dyn Iterator<Item = AnyExp>) -> Self {
        AnyElement(leaves.take(self.0.len()).collect())
    }
    fn poison() -> Self {
        AnyElement::default()
    }
}

/// The types of an element, as messages have them.
#[doc(hidden)]
pub fn named_types(types: &[ScalarType]) -> String {
    match types {
        [] => "nothing".to_owned(),
        [one] => one.name().to_owned(),
        several => {
            let names: Vec<_> = several.iter().map(|ty| ty.name()).collect();
            format!("({})", names.join(", "))
        }
    }
}

impl Arr<AnyShape, AnyElement> {
    /// The same array, of which each chunk has all: see `by_rows` of the compiler.
    #[doc(hidden)]
    #[must_use]
    pub fn beside(self) -> Self {
        graph(|graph| graph.beside.insert(self.number));
        self
    }

    /// The same array, which has as many rows as a chunk has elements: see `by_rows` of the compiler.
    #[doc(hidden)]
    #[must_use]
    pub fn counted(self) -> Self {
        let outer = self.extents().first().map(|outer| outer.node());
        graph(|graph| graph.counted.extend(outer));
        self
    }

    /// The same array, which has one row more than a chunk has elements: where each of them begins, and the end.
    #[doc(hidden)]
    #[must_use]
    pub fn counted_with_end(self) -> Self {
        let count = self.extents().first().map(|outer| (*outer - 1).node());
        graph(|graph| graph.counted.extend(count));
        self
    }
}
