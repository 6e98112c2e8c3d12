//! `Arr`: an array of an array program, as users have it.

use std::marker::PhantomData;
use std::rc::Rc;

use super::claims::{countable, same_extents};
use super::graph::{
    Kind, Made, NodeNumber, add, extents_of, graph, is_below, is_describing, never_store,
    read_number,
};
use super::index::Index;
use super::item::{Computed, Item};
use super::lifted;
use super::local::{is_local, is_special, kept_below};
use super::shape::{Ix0, Ix1, Ix2, Ix3, Ix4, Shape};
use crate::error::Origin;
use crate::scalar::{Exp, lit};

/// An array of an array program, with axes `Sh` and elements `T`: not data in memory, but what will be computed.
///
/// Operations on it describe an array; how they become kernels is decided when the whole program is known.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr2<EU32>| x.map(|x| x * x).sum())?;
/// let device = Device::cpu();
/// let x = device.array([2, 3], &[1, 2, 3, 4, 5, 6])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [14, 77]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub struct Arr<Sh, T> {
    #[doc(hidden)]
    pub number: NodeNumber,
    #[doc(hidden)]
    pub element: Rc<dyn Fn(&Index) -> T>,
    /// How many axes of the node are not seen, in front of those that are.
    #[doc(hidden)]
    pub hidden: usize,
    shape: PhantomData<Sh>,
}

/// One element.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr1<EU32>, n: Arr0<EU32>| x.map(move |x| x * n.the()))?;
/// let device = Device::cpu();
/// let x = device.array([4], &[1, 2, 3, 4])?;
/// let n = device.array([], &[10])?;
/// let result = f.run(&device, (&x, &n))?;
/// assert_eq!(result.to_vec()?, [10, 20, 30, 40]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub type Arr0<T> = Arr<Ix0, T>;
/// A vector.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.reverse())?;
/// let device = Device::cpu();
/// let x = device.array([4], &[1, 2, 3, 4])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [4, 3, 2, 1]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub type Arr1<T> = Arr<Ix1, T>;
/// A matrix of rows and columns.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr2<EU32>| x.transpose())?;
/// let device = Device::cpu();
/// let x = device.array([2, 3], &[1, 2, 3, 4, 5, 6])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.extents(), [3, 2]);
/// assert_eq!(result.to_vec()?, [1, 4, 2, 5, 3, 6]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub type Arr2<T> = Arr<Ix2, T>;
/// An array of three axes.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr3<EU32>| x.sum())?;
/// let device = Device::cpu();
/// let x = device.array([2, 1, 2], &[1, 2, 3, 4])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.extents(), [2, 1]);
/// assert_eq!(result.to_vec()?, [3, 7]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub type Arr3<T> = Arr<Ix3, T>;
/// An array of four axes.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr4<EU32>| each(x, |volume| volume.flatten().sum()))?;
/// let device = Device::cpu();
/// let x = device.array([2, 1, 2, 1], &[1, 2, 3, 4])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [3, 7]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub type Arr4<T> = Arr<Ix4, T>;

impl<Sh, T> Clone for Arr<Sh, T> {
    fn clone(&self) -> Self {
        Arr {
            number: self.number,
            element: self.element.clone(),
            hidden: self.hidden,
            shape: PhantomData,
        }
    }
}

impl<Sh: Shape, T: Item> Arr<Sh, T> {
    /// An array of a node.
    #[doc(hidden)]
    pub fn of(made: Made<T>) -> Self {
        Arr {
            number: made.number,
            element: made.element,
            hidden: made.hidden,
            shape: PhantomData,
        }
    }

    /// An array whose elements are made of the index.
    #[track_caller]
    pub(super) fn delayed(
        operator: &'static str,
        extents: Vec<Exp<u32>>,
        compute: impl Fn(&Index) -> T + 'static,
    ) -> Self {
        Arr::of(add(
            operator,
            extents,
            Kind::Delayed { inline: false },
            compute,
        ))
    }

    /// The extents of the axes, the innermost last.
    #[doc(hidden)]
    pub fn extents(&self) -> Vec<Exp<u32>> {
        let mut extents = extents_of(self.number);
        extents.drain(..self.hidden.min(extents.len()));
        extents
    }

    /// The node and the extents.
    pub(super) fn sized(&self) -> (NodeNumber, Vec<Exp<u32>>) {
        (self.number, self.extents())
    }

    /// The same array with all axes that are open: see [`Lifting`](super::lifted::Lifting).
    #[track_caller]
    pub(super) fn with_open_axes(&self) -> Self {
        lifted::is_whole(self.number, self.hidden);
        let open = lifted::open_axes();
        if !is_describing() || open.is_empty() || lifted::axes_of(self.number) == open {
            return self.clone();
        }
        let element = self.element.clone();
        Arr::delayed("each", self.extents(), move |index| {
            lifted::depend_on_all();
            element(index)
        })
    }

    /// The same array under other types.
    #[doc(hidden)]
    pub fn seen_as<OtherShape, Other: 'static>(
        &self,
        f: impl Fn(T) -> Other + 'static,
    ) -> Arr<OtherShape, Other> {
        let element = self.element.clone();
        Arr {
            number: self.number,
            element: Rc::new(move |index| f(element(index))),
            hidden: self.hidden,
            shape: PhantomData,
        }
    }

    /// The types of the components of its elements.
    #[doc(hidden)]
    pub fn types(&self) -> Vec<crate::scalar::ScalarType> {
        let types = graph(|graph| graph.node(self.number).map(|node| node.types.clone()));
        types.flatten().unwrap_or_default()
    }

    /// A value that is like the elements.
    #[doc(hidden)]
    pub fn some_element(&self) -> T {
        let index = Index::fresh(self.extents().len());
        super::graph::shape_of(|| (self.element)(&index))
    }

    /// A value of the shape of the elements.
    pub(super) fn like(&self) -> T {
        let (element, rank) = (self.element.clone(), self.extents().len());
        T::like(&move || {
            let index = Index::fresh(rank);
            super::graph::shape_of(|| element(&index))
        })
    }

    /// The extents of the axes: `()`, a number, or a tuple of numbers, the innermost axis last.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::{EU32, lit};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr2<EU32>| {
    ///     { let (height, width) = x.shape(); unit(height * lit(100) + width) }
    /// })?;
    /// let device = Device::cpu();
    /// let x = device.array([2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.value()?, 203);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn shape(&self) -> Sh::Index {
        Sh::index(&self.extents())
    }

    /// The number of elements.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr2<EU32>| unit(x.len()))?;
    /// let device = Device::cpu();
    /// let x = device.array([2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.value()?, 6);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[allow(clippy::len_without_is_empty)]
    #[track_caller]
    pub fn len(&self) -> Exp<u32> {
        if is_local(self.number) {
            countable("len", &self.extents(), false);
        }
        product(&self.extents())
    }

    /// The element at an index: in a function of elements, of any array of the program.
    ///
    /// An index that is outside is an error of the run, [`ErrorKind::Fault`] in the runtime, on every device; one that nothing uses, in an arm of a
    /// choice that is not taken, is none.
    ///
    /// [`ErrorKind::Fault`]: https://docs.rs/obsidian-rt/latest/obsidian_rt/enum.ErrorKind.html
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| { let n = x.len(); generate(n, move |i| x.at((i + 1) % n)) })?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[1, 2, 3, 4])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [2, 3, 4, 1]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn at(&self, index: impl IntoIndex<Sh>) -> T {
        self.at_from(crate::scalar::here(), index)
    }

    /// The element at an index that is asked for at a place.
    pub(super) fn at_from(&self, origin: Origin, index: impl IntoIndex<Sh>) -> T {
        if is_describing() {
            crate::scalar::report(crate::error::catalogue::element_before_run().at(origin));
            return T::poison();
        }
        let coordinates = Sh::coordinates(&index.into_index());
        let extents = self.extents();
        if coordinates.len() != extents.len() {
            let (found, wanted) = (coordinates.len(), extents.len());
            let wrong = crate::error::catalogue::index_of_another_rank(found, wanted);
            crate::scalar::report(wrong.at(origin));
            return T::poison();
        }
        let outside =
            |(at, extent): (&Exp<u32>, &Exp<u32>)| match (at.as_literal(), extent.as_literal()) {
                (Some(at), Some(extent)) if at >= extent => Some((at, extent)),
                _ => None,
            };
        let outside = match is_special() {
            true => None,
            false => coordinates.iter().zip(&extents).find_map(outside),
        };
        if let Some((at, extent)) = outside {
            let (at, extent) = (at.into(), extent.into());
            let wrong = crate::error::catalogue::outside_of_array("element", at, extent);
            crate::scalar::report(wrong.at(origin));
            return T::poison();
        }
        // Where an array of an element has none, nothing of what it is made of is read.
        let mut kept: Vec<Exp<bool>> = Vec::new();
        let mut is_inside = |at, extent| {
            let has_some = match is_local(self.number) {
                true if !is_below(at, extent) => kept_below(at, extent),
                _ => return is_below(at, extent),
            };
            kept.extend(has_some);
            has_some.is_some()
        };
        let unknown: Vec<_> = coordinates
            .iter()
            .zip(&extents)
            .filter(|(at, extent)| !is_inside(**at, **extent))
            .collect();
        let whole = || {
            let index = Index::of(coordinates.clone());
            kept.iter()
                .fold(index, |index, has_some| index.guarded(*has_some))
        };
        if unknown.is_empty() && !kept.is_empty() {
            return crate::scalar::indexed_at(origin, || (self.element)(&whole()));
        }
        let index = match (unknown.as_slice(), coordinates.as_slice()) {
            ([], _) => Index::of(coordinates.clone()),
            (_, [i]) => Index::in_vector(*i, extents[0]),
            _ => unknown.iter().fold(whole(), |index, (at, extent)| {
                index.guarded(at.lt(**extent))
            }),
        };
        crate::scalar::indexed_at(origin, || self.element_of_user(origin, &index))
    }

    /// The element at an index that may be outside.
    fn element_of_user(&self, origin: Origin, index: &Index) -> T {
        if index.inside.is_none() {
            return (self.element)(index);
        }
        let before = graph(|graph| std::mem::take(&mut graph.unchecked_leaf)).unwrap_or(false);
        let waiting = crate::program::waiting();
        let value = (self.element)(index);
        // Loops would run where the index is outside.
        let loops = crate::program::waiting() > waiting;
        let is_unnoticed = graph(|graph| {
            let is_unnoticed = graph.unchecked_leaf || loops;
            graph.unchecked_leaf = before;
            if is_unnoticed && !is_local(self.number) {
                let why = "an index may be outside of it";
                graph.must_store.insert(self.number, why);
            }
            is_unnoticed
        });
        if is_unnoticed == Some(true) && is_local(self.number) && !crate::scalar::failed() {
            let wrong = crate::error::catalogue::outside_of_an_element();
            crate::scalar::report(wrong.at(origin));
        }
        value
    }

    /// The array with `f` applied to every element.
    ///
    /// It is stored only where what uses it asks for that: see [`Schedule`](super::Schedule).
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.map(|x| x * x))?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[1, 2, 3, 4])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 4, 9, 16]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn map<R: Computed>(&self, f: impl Fn(T) -> R + 'static) -> Arr<Sh, R::Value> {
        let element = self.element.clone();
        Arr::delayed("map", self.extents(), move |index| {
            f(element(index)).value()
        })
    }

    /// The array with `f` applied to the index of every element and the element.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.imap(|i, x| i * x))?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[1, 2, 3, 4])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [0, 2, 6, 12]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn imap<R: Computed>(&self, f: impl Fn(Sh::Index, T) -> R + 'static) -> Arr<Sh, R::Value> {
        let element = self.element.clone();
        Arr::delayed("imap", self.extents(), move |index| {
            f(Sh::index(&index.coordinates), element(index)).value()
        })
    }

    /// The elements, each with its index.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.indexed().map(|(i, x)| i * x))?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[1, 2, 3, 4])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [0, 2, 6, 12]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn indexed(&self) -> Arr<Sh, (Sh::Index, T)>
    where
        Sh::Index: Item,
        (Sh::Index, T): Item,
    {
        let element = self.element.clone();
        Arr::delayed("indexed", self.extents(), move |index| {
            (Sh::index(&index.coordinates), element(index))
        })
    }

    /// The same array, stored: its elements are computed once, whatever they are used for.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.map(|x| x * x).compute().stencil(Wrap, |w| w.at(-1) + w.at(1)))?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[1, 2, 3, 4])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [20, 10, 20, 10]);
    /// assert_eq!(f.schedule().operators(), 2); // the squares are stored
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn compute(&self) -> Self {
        let element = self.element.clone();
        Arr::of(add("compute", self.extents(), Kind::Stored, move |index| {
            element(index)
        }))
    }

    /// The same array, never stored: its elements are computed wherever they are used. This array itself is not stored either.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.map(|x| x * x).inline().stencil(Wrap, |w| w.at(-1) + w.at(1)))?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[1, 2, 3, 4])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [20, 10, 20, 10]);
    /// assert_eq!(f.schedule().operators(), 1); // the squares are not stored
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn inline(&self) -> Self {
        never_store(self.number);
        let element = self.element.clone();
        let kind = Kind::Delayed { inline: true };
        Arr::of(add("inline", self.extents(), kind, move |index| {
            element(index)
        }))
    }
}

impl<T: Item> Arr<Ix0, T> {
    /// The one element.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| { let largest = x.max(); x.map(move |x| largest.the() - x) })?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[1, 2, 3, 4])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [3, 2, 1, 0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn the(&self) -> T {
        self.at(())
    }
}

impl Arr<Ix0, Exp<u32>> {
    /// The one element as a number of the run, which extents, places and rounds may be made of. It is computed first, and read by the host: what needs it
    /// waits for that.
    ///
    /// A function of elements, which runs on the device, reads it with [`the`](Arr::the).
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::{EU32, lit};
    ///
    /// // How often each number occurs, in as many bins as there have to be.
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| {
    ///     let bins = x.max().known() + 1;
    ///     let (zeros, ones) = (fill(bins, lit(0)), x.map(|_| lit(1u32)));
    ///     ones.permute(|a, b| a + b, zeros, move |i, _| (lit(true), x.at(i)))
    /// })?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[1, 3, 3, 0])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [1, 1, 0, 2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn known(&self) -> Exp<u32> {
        if !is_describing() {
            return self.the();
        }
        // The total of a scan is what a run reads; here it is that of the one element.
        let element = self.element.clone();
        let only = Arr::<Ix1, Exp<u32>>::delayed("known", vec![lit(1)], move |_| {
            element(&Index::of(Vec::new()))
        });
        let (_, total) = only.exclusive_scan_with_total(|x, y| x + y, lit(0));
        read_number("known", total.number)
    }
}

#[diagnostic::do_not_recommend]
impl<Sh: Shape, T: Item, I: IntoIndex<Sh>> crate::library::At<I> for Arr<Sh, T> {
    type Output = T;
    #[track_caller]
    fn at_index(&self, index: I) -> T {
        self.at(index)
    }
}

/// What stands for an index: that of the shape, with numbers of Rust in place of device values.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr2<EU32>| { let (h, w) = x.shape(); generate(h, move |y| x.at((y, w - 1))) })?;
/// let device = Device::cpu();
/// let x = device.array([2, 3], &[1, 2, 3, 4, 5, 6])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [3, 6]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "an element of this array is not numbered by `{Self}`",
    note = "an index has one number for each axis: (), `i`, `(y, x)`, `(z, y, x)`"
)]
pub trait IntoIndex<Sh: Shape> {
    /// The index.
    fn into_index(self) -> Sh::Index;
}

impl<E: super::shape::Extents<Shape = Sh>, Sh: Shape> IntoIndex<Sh> for E {
    fn into_index(self) -> Sh::Index {
        Sh::index(&self.extents())
    }
}

/// The product of extents.
pub fn product(extents: &[Exp<u32>]) -> Exp<u32> {
    let mut extents = extents.iter().copied();
    let first = extents.next().unwrap_or_else(|| crate::scalar::lit(1));
    extents.fold(first, |product, extent| {
        crate::scalar::index::mul(product, extent)
    })
}

/// Asks that arrays have the same extents as the first.
#[track_caller]
pub fn all_same(what: &'static str, arrays: &[(NodeNumber, Vec<Exp<u32>>)]) {
    if let Some((first, rest)) = arrays.split_first() {
        for other in rest {
            same_extents(what, first, other);
        }
    }
}
