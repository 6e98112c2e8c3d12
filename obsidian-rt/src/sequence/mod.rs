//! Data larger than memory: sequences that are read, computed and consumed chunk by chunk.
//!
//! A [`Sequence`] has a source (a slice, an iterator, a function, a file), functions of its chunks, and consumers. Everything that is done with a chunk
//! is one [array program](crate::arrays), built once; its chunk is an array whose outermost axis numbers the elements. While a chunk is computed, a
//! thread reads the next one.
//!
//! ```
//! use obsidian_rt::prelude::*;
//! use obsidian_rt::sequence::{Sequence, max, sum};
//!
//! #[kernels]
//! pub mod chunks {
//!     /// The products of the elements of two vectors.
//!     #[arrays]
//!     pub fn products(xs: Arr1<EF32>, ys: Arr1<EF32>) -> Arr1<EF32> {
//!         zip_with(|x, y| x * y, xs, ys)
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! # let path = |name| std::env::temp_dir().join(format!("obsidian-{}-{name}", std::process::id()));
//! # let (x, y) = (path("x.bin"), path("y.bin"));
//! # for path in [&x, &y] { std::fs::write(path, [0u8; 4000]).unwrap(); }
//! let device = Device::best()?;
//! // The dot product of two files of numbers, which need not fit in memory.
//! let (xs, ys) = (Sequence::file::<f32>(&x)?, Sequence::file::<f32>(&y)?);
//! let dot = xs.clone().zip(ys).through(chunks::products).fold(|a, b| a + b, 0.0).run(&device)?;
//! // Two consumers: one pass over the file, one program a chunk.
//! let (largest, total) = xs.consume((max(), sum())).run(&device)?;
//! # assert_eq!((dot, largest, total), (0.0, Some(0.0), 0.0));
//! # for path in [&x, &y] { std::fs::remove_file(path).unwrap(); }
//! # Ok(())
//! # }
//! ```
//!
//! # What results depend on
//!
//! The bits of a [`fold`], [`reduce`], [`sum`], [`min`] or [`max`] depend on the elements, their order and the device alone: not on
//! [how long](Consumed::chunk) chunks are, nor on how much memory there is. Grains of 4,096 elements are folded in the [order](crate::tutorial::fold_order) of array programs, and the
//! results of the grains in a balanced tree.
//!
//! Functions of a chunk see where it ends: `xs.map_chunks(|xs| xs.inclusive_scan(|x, y| x + y))` begins anew in each chunk. [`fold_chunks`] carries a
//! state from chunk to chunk.
//!
//! # Memory
//!
//! A run holds at most [`slots`](Consumed::slots) chunks, of a size that it chooses or that [`chunk`](Consumed::chunk) gives; [`Consumed::plan`] tells
//! how much that is before anything is read. On the CPU and the simulator, slices are read where they are.
//!
//! A source is read by another thread, which is waited for at the end: a run whose sink fails ends when the source gives its next element. Panics of sources and sinks are errors of
//! the run. A [`Consumed`] stays on its thread, as the functions in it need not be `Send`.
//!
//! # On a GPU
//!
//! The thread that reads puts chunks in page-locked memory. Copies to the device, launches and copies back are in queues of their own: while a chunk
//! is computed, the next one is on its way to the device, and the results of the one before are on their way back. An error of a chunk is known before
//! the next one is launched. From the third chunk on nothing is allocated, as long as chunks are equally long. No GPU has run this yet: the order of
//! the calls, and what each of them may fail with, is held by a driver for tests.

mod chunk;
mod consume;
// Only shards deal sequences out.
#[cfg_attr(not(feature = "shard"), allow(dead_code))]
mod dealt;
mod divided;
mod file;
mod graph;
mod in_chunks;
mod plan;
mod run;
mod runner;
mod scan;
mod segments;
mod source;
mod staging;
mod to_iter;
mod tree;

use std::fmt;
use std::marker::PhantomData;
use std::path::Path;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use obsidian_language::arrays::{
    AnyArr, Arr, Arr1, Arr2, Computed, Elements, HasInner, HasOuter, Ix1, OfElements, at_place,
    each_at_place, generate, undivided, zip_with,
};
use obsidian_language::scalar::{Exp, Number, lit};

pub use chunk::{Chunk, ChunkFn, Zip};
pub use consume::{
    Collect, Consumer, Fold, FoldChunks, ForEach, Reduce, ToFile, collect, fold, fold_chunks,
    for_each, max, min, reduce, sum, to_file, to_file_with,
};
pub use divided::{All, Division, Split};
pub use file::{ByteOrder, FileFormat, FileNumber};
pub use in_chunks::WholeResult;
pub use plan::Plan;
pub use run::{Consumed, Progress};
pub use segments::Segments;
pub(crate) use staging::stage;
#[doc(hidden)]
pub use staging::{Slots, Staged};
pub use to_iter::ToIter;
#[cfg(feature = "shard")]
pub(crate) use {
    dealt::{Others, Results, decoded, exchanged},
    graph::GRAIN,
    runner::panicked,
    scan::constant,
    source::types,
    tree::Tree,
};

use crate::arrays::{AnyProgram, ArrayExtents, HostItem, HostOf, Rank};
use crate::element::Element;
use crate::error::Result;
use consume::Keeping;
use divided::{Axes, Counted, Divided, OnDevice};
use graph::{Count, Kind, Node};
use source::{Chunks, Generated, Inner, Iter, Slice};

/// A sequence of elements, which is read chunk by chunk. `C` is a chunk: an array, or a tuple of arrays, whose outermost axis numbers the elements.
///
/// A clone is the same sequence: however many functions and consumers read it, a run reads its source once.
///
/// ```
/// use obsidian_rt::{Device, sequence::Sequence};
///
/// let xs = Sequence::slice(&[1.0f32, 2.0, 3.0]);
/// let squares = xs.clone().map(|x| x * x);
/// let weighted = squares.zip(xs).map_chunks(|(squares, xs)| obsidian_rt::arrays::zip_with(|s, x| s * x, squares, xs));
/// assert_eq!(weighted.sum().run(&Device::cpu())?, 36.0);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[must_use = "nothing is read before a consumer runs"]
pub struct Sequence<'s, C = ()> {
    node: Rc<Node<'s>>,
    chunk: PhantomData<fn() -> C>,
}

impl<C> Clone for Sequence<'_, C> {
    fn clone(&self) -> Self {
        Sequence {
            node: self.node.clone(),
            chunk: PhantomData,
        }
    }
}

impl<C> fmt::Debug for Sequence<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sequence")
            .field("chunk", &std::any::type_name::<C>())
            .finish_non_exhaustive()
    }
}

/// A sequence whose elements are computed one by one: see [`Sequence::one_by_one`].
///
/// ```
/// use obsidian_rt::{Device, sequence::{OneByOne, Sequence}, arrays::Arr2, language::EU32};
///
/// let rows: OneByOne<Arr2<EU32>> = Sequence::rows(&[3u32, 1, 2, 9, 7, 8], [3]).one_by_one();
/// let sorted = rows.each(|row| row.sort()).collect().run(&Device::cpu())?;
/// assert_eq!(sorted.to_vec()?, [1, 2, 3, 7, 8, 9]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct OneByOne<'s, C>(Sequence<'s, C>);

impl<'s, C: Chunk + Elements> OneByOne<'s, C> {
    /// `f` of each element.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// let rows = Sequence::rows(&[5u32, 1, 9, 3], [2]).one_by_one();
    /// let few = rows.each(|row| row.filter(|x| x.gt(2)).sum());
    /// assert_eq!(few.collect().run(&Device::cpu())?.to_vec()?, [5, 12]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn each<R: OfElements<Arrays: Chunk>>(
        self,
        f: impl Fn(C::Element) -> R + 'static,
    ) -> Sequence<'s, R::Arrays> {
        let place = caller();
        let function = move |arrays: &[AnyArr], _: graph::Form| {
            let chunk = C::of(&mut arrays.iter())?;
            let element = at_place(&place, || chunk.only());
            Some(f(element).alone().parts())
        };
        Sequence::of(Node {
            kind: Kind::Each(Box::new(function), true),
            inputs: vec![self.0.node],
        })
    }
}

/// The place of the caller in the user's code, for errors of the operations that a method makes.
#[track_caller]
fn caller() -> String {
    std::panic::Location::caller().to_string()
}

/// Vectors of `T`.
type Numbers<'s, T> = Sequence<'s, Arr1<<T as HostItem>::Device>>;
/// Arrays of elements of `T` with the extents `E`.
type Rows<'s, E, T> =
    Sequence<'s, Arr<<<E as ArrayExtents>::Shape as HasOuter>::Deeper, <T as HostItem>::Device>>;

impl<'s> Sequence<'s> {
    fn source<C>(source: impl source::Source + 's) -> Sequence<'s, C> {
        Sequence {
            node: Self::source_node(source),
            chunk: PhantomData,
        }
    }

    fn source_node(source: impl source::Source + 's) -> Rc<Node<'s>> {
        Rc::new(Node {
            kind: Kind::Source(Box::new(source)),
            inputs: Vec::new(),
        })
    }

    /// The elements of a slice. The CPU and the simulator read numbers where they are.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// assert_eq!(Sequence::slice(&[1u32, 2, 3]).sum().run(&Device::cpu())?, 6);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn slice<T: HostItem + Send + Sync>(elements: &'s [T]) -> Numbers<'s, T> {
        Sequence::source(Slice {
            elements,
            inner: Inner::of(&[]),
        })
    }

    /// The rows of a slice, each of the extents `[width]`, or its planes `[height, width]`: a chunk is an array with an axis more. They must have a
    /// number; a run says if the slice is no whole number of rows.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// let rows = Sequence::rows(&[1u32, 2, 3, 4, 5, 6], [3]);
    /// let sums = rows.map_chunks(|rows| rows.sum()).collect().run(&Device::cpu())?;
    /// assert_eq!(sums.to_vec()?, [6, 15]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn rows<E, T>(elements: &'s [T], extents: E) -> Rows<'s, E, T>
    where
        E: ArrayExtents<Shape: HasOuter<Deeper: HasInner + Rank>>,
        T: HostItem + Send + Sync,
    {
        Sequence::source(Slice {
            elements,
            inner: Inner::of(extents.as_ref()),
        })
    }

    /// The elements of an iterator, which the first run reads. It may be endless where it is zipped with a sequence that is not.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// let weighted = Sequence::slice(&[5u32, 7]).zip(Sequence::from_iter(1u32..));
    /// let products = weighted.map_chunks(|(xs, numbers)| obsidian_rt::arrays::zip_with(|x, n| x * n, xs, numbers));
    /// assert_eq!(products.sum().run(&Device::cpu())?, 19);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    // A sequence is no collection: `FromIterator` would read the iterator.
    #[allow(clippy::should_implement_trait)]
    pub fn from_iter<I>(elements: I) -> Numbers<'s, I::Item>
    where
        I: IntoIterator<Item: HostItem + Send + Sync, IntoIter: Send + 's>,
    {
        let iterator = Arc::new(Mutex::new(Some(elements.into_iter())));
        Sequence::source(Iter(iterator))
    }

    /// The elements of vectors, one behind another, that an iterator gives: of a network, say. Its errors end the run. The vectors need not be as long as
    /// a chunk.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// let packets = [Ok(vec![1u32, 2]), Ok(vec![]), Err("the line is dead")];
    /// let error = Sequence::from_chunks(packets).sum().run(&Device::cpu()).unwrap_err();
    /// assert!(error.to_string().contains("the line is dead"), "{error}");
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn from_chunks<I, T, E>(chunks: I) -> Numbers<'s, T>
    where
        I: IntoIterator<Item = std::result::Result<Vec<T>, E>, IntoIter: Send + 's>,
        T: HostItem + Send + Sync,
        E: Into<Box<dyn std::error::Error + Send + Sync>> + 's,
    {
        let iterator = Arc::new(Mutex::new(Some(chunks.into_iter())));
        Sequence::source(Chunks(iterator))
    }

    /// `count` elements, each a function of its number, from 0 on. The function is called by the thread that reads.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// assert_eq!(Sequence::generate(100, |i| i).sum().run(&Device::cpu())?, 4950);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn generate<T: HostItem + Send + Sync>(
        count: u64,
        f: impl Fn(u64) -> T + Send + Sync + 's,
    ) -> Numbers<'s, T> {
        Sequence::source(Generated {
            count,
            f: Arc::new(f),
        })
    }

    /// The elements of a slice, an array with some extents, along any axes: [`Split`] or [`All`] for each. `(All, Split)` gives the columns of a matrix,
    /// `(Split, Split, All)` the rows of all planes; where the outermost axes are divided, as in [`rows`](Self::rows), nothing is copied on the CPU.
    ///
    /// # Errors
    /// [`ErrorKind::UnequalLengths`](crate::ErrorKind::UnequalLengths) if the slice does not have as many elements as the extents say.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::{All, Sequence, Split}};
    ///
    /// // Of two planes of two rows of two numbers, the sums over the planes.
    /// let numbers = [1u32, 2, 3, 4, 10, 20, 30, 40];
    /// let stacks = Sequence::divided(&numbers, [2, 2, 2], (All, Split, Split))?;
    /// let sums = stacks.each(|stack| stack.sum()).collect().run(&Device::cpu())?;
    /// assert_eq!(sums.to_vec()?, [11, 22, 33, 44]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn divided<T: HostItem + Send + Sync, D: Division>(
        elements: &'s [T],
        extents: <D::Whole as Rank>::Extents,
        division: D,
    ) -> Result<Sequence<'s, Arr<D::Chunk, T::Device>>> {
        let _ = division;
        divided::has_all(elements.len(), extents.as_ref())?;
        let axes = Axes::of(extents.as_ref(), D::split());
        let inner = Inner::of(&axes.inner());
        Ok(
            match D::split().is_sorted_by(|one, next| one >= next) && inner.numbers > 0 {
                true => Sequence::source(Slice { elements, inner }),
                false => Sequence::source(Divided { elements, axes }),
            },
        )
    }

    /// The elements of an array on the device of the run, along its outermost axis: of a matrix, its rows. Nothing is copied. See
    /// [`array_divided`](Self::array_divided) for other axes.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// let device = Device::cpu();
    /// let matrix = device.array([3, 2], &[1u32, 2, 3, 4, 5, 6])?;
    /// let sums = Sequence::array(&matrix).each(|row| row.sum()).collect().chunk(2).run(&device)?;
    /// assert_eq!(sums.to_vec()?, [3, 7, 11]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn array<Sh: HasInner + Rank, T: HostItem>(
        array: &'s crate::arrays::Array<Sh, T>,
    ) -> Sequence<'s, Arr<Sh, T::Device>> {
        Sequence::source(OnDevice {
            extents: array.extents().as_ref().to_vec(),
            buffers: crate::arrays::ArrayView::from(array).into_buffers(),
        })
    }

    /// The elements of an array on the device of the run, along any axes: see [`divided`](Self::divided). Nothing is copied.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::{All, Sequence, Split}};
    ///
    /// let device = Device::cpu();
    /// let matrix = device.array([3, 2], &[1u32, 2, 3, 4, 5, 6])?;
    /// let columns = Sequence::array_divided(&matrix, (All, Split));
    /// let sums = columns.each(|column| column.sum()).collect().run(&device)?;
    /// assert_eq!(sums.to_vec()?, [9, 12]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn array_divided<T: HostItem, D: Division + 'static>(
        array: &'s crate::arrays::Array<D::Whole, T>,
        division: D,
    ) -> Sequence<'s, Arr<D::Chunk, T::Device>> {
        let _ = division;
        let axes = Axes::of(array.extents().as_ref(), D::split());
        let numbers = Sequence::numbers(axes.count());
        numbers.with(array).map_chunks(move |(numbers, whole)| {
            // Extents as numbers that a run gives: what is proved does not depend on them.
            let whole = whole.untyped();
            let all = whole.shape();
            let of = |wanted: bool| {
                let axes = all.iter().zip(D::split());
                axes.filter(move |(_, is_split)| **is_split == wanted)
                    .map(|(extent, _)| *extent)
            };
            let outer: Vec<Exp<u32>> = of(true).collect();
            let extents: Vec<Exp<u32>> = std::iter::once(numbers.len()).chain(of(false)).collect();
            let whole = whole.untyped();
            let chunk = generate(extents, move |index: Vec<Exp<u32>>| {
                let mut inner = index.iter().skip(1).copied();
                // The coordinates of the divided axes, the innermost first.
                let mut rest = index
                    .first()
                    .map_or(lit(0), |i| numbers.at(*i).cast::<u32>());
                let mut own = Vec::new();
                for extent in outer.iter().rev() {
                    let extent = extent.max(lit(1u32));
                    own.push(rest % extent);
                    rest /= extent;
                }
                let at = D::split().iter().map(|is_split| match is_split {
                    true => own.pop().unwrap_or(lit(0)),
                    false => inner.next().unwrap_or(lit(0)),
                });
                let at: Vec<Exp<u32>> = at.collect();
                whole.at(at)
            });
            chunk.ranked::<D::Chunk>().to::<T::Device>()
        })
    }

    /// The numbers from 0 to `count - 1`. They are computed where they are used: nothing is read, copied or stored.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// // The sum of 1 / n^2 over all n up to 10^6.
    /// let terms = Sequence::numbers(1_000_000).map(|i| {
    ///     let n = i.cast::<f64>() + 1.0;
    ///     1.0 / (n * n)
    /// });
    /// let sum = terms.sum().run(&Device::cpu())?;
    /// assert!((sum - std::f64::consts::PI.powi(2) / 6.0).abs() < 1.1e-6);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn numbers(count: u64) -> Sequence<'s, Arr1<Exp<u64>>> {
        Sequence::counted(count, |len, first| {
            let numbers = generate(len, move |i| first() + i.cast::<u64>());
            numbers.untyped()
        })
    }

    /// What `f` makes of the number of the elements of a chunk and the number of the first one, which is known where elements are computed.
    fn counted<C>(
        count: u64,
        f: impl Fn(Exp<u32>, Box<dyn Fn() -> Exp<u64>>) -> AnyArr + 'static,
    ) -> Sequence<'s, C> {
        let source = Self::source_node(Counted { count });
        let function = move |arrays: &[AnyArr], _: graph::Form| {
            let [empty, first] = arrays else {
                return None;
            };
            let len = empty.shape().first().copied()?;
            let first = first.to::<Exp<u64>>();
            Some(vec![f(len, Box::new(move || first.at(vec![lit(0u32)])))])
        };
        Sequence::of(Node {
            kind: Kind::Made(Box::new(function), Count::Kept),
            inputs: vec![source],
        })
    }

    /// The elements of an array that `f` describes, along its outermost axis. The array is never stored: each chunk computes its part of it. Its extents are numbers.
    ///
    /// It has at most 2^32 - 1 elements, as all arrays. A fold, a scan, a sort or anything else that needs all of an array first is an error of the run, [`ErrorKind::Build`](crate::ErrorKind::Build):
    /// divide first, and fold the sequence.
    ///
    /// # Errors
    /// What is wrong with `f`.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::generate, sequence::Sequence};
    ///
    /// // A table of products, row by row.
    /// let table = Sequence::of_array(|| generate((10_000u32, 50u32), |(i, j)| i * j))?;
    /// let largest = table.each(|row| row.max()).max().run(&Device::cpu())?;
    /// assert_eq!(largest, Some(9_999 * 49));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn of_array<Sh: HasInner + Rank, T: HostOf>(
        f: impl Fn() -> Arr<Sh, T> + 'static,
    ) -> Result<Sequence<'s, Arr<Sh, T>>> {
        let described = AnyProgram::build("sequence", |_| vec![undivided(&f).untyped()])?;
        let extents = described.schedule().results.first().map(|result| {
            let numbers = result
                .extents
                .iter()
                .map(|extent| extent.evaluate(&[], &[]));
            numbers.collect::<std::result::Result<Vec<u32>, _>>().ok()
        });
        let count = extents.flatten().and_then(|all| all.first().copied());
        let Some(count) = count else {
            let message = "the extents of an array that is divided into elements are numbers: `generate((1000, 50), |(i, j)| ..)`";
            return Err(crate::error::Error::new(
                crate::error::ErrorKind::Build,
                message,
            ));
        };
        Ok(Sequence::counted(count.into(), move |len, first| {
            let whole = undivided(&f);
            whole
                .rows_from(move || first().cast::<u32>(), len)
                .untyped()
        }))
    }

    /// Elements of different lengths: `offsets` has the number of values in front of each element, and that of all values at the end.
    ///
    /// A chunk has at most as many values as [`chunk`](Consumed::chunk) says; an element with more of them is a chunk of its own.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// let lists = Sequence::segments(&[1u32, 2, 3], &[0, 2, 2, 3]); // [1, 2], none, [3]
    /// let sums = lists.map_chunks(|lists| lists.fold(|x, y| x + y, 0.into()));
    /// assert_eq!(sums.collect().run(&Device::cpu())?.to_vec()?, [3, 0, 3]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn segments<T: HostItem + Send + Sync>(
        values: &'s [T],
        offsets: &'s [usize],
    ) -> Sequence<'s, Segments<T::Device>> {
        Sequence::source(segments::Parts { values, offsets })
    }

    /// The lines of a text, as bytes, without what ends them. The last one need not be ended.
    ///
    /// # Errors
    /// [`ErrorKind::File`](crate::ErrorKind::File) if it cannot be read.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// # let path = std::env::temp_dir().join(format!("obsidian-lines-{}.txt", std::process::id()));
    /// std::fs::write(&path, "one\n\nthree").unwrap();
    /// let lengths = Sequence::lines(&path)?.map_chunks(|lines| lines.lengths());
    /// assert_eq!(lengths.collect().run(&Device::cpu())?.to_vec()?, [3, 0, 5]);
    /// # std::fs::remove_file(path).unwrap();
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn lines(path: impl AsRef<Path>) -> Result<Sequence<'s, Segments<Exp<u8>>>> {
        let text = segments::Text::new(path.as_ref(), segments::Between::Lines)?;
        Ok(Sequence::source(text))
    }

    /// The words of a text, as bytes: what is between white space of ASCII.
    ///
    /// # Errors
    /// [`ErrorKind::File`](crate::ErrorKind::File) if it cannot be read.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// # let path = std::env::temp_dir().join(format!("obsidian-words-{}.txt", std::process::id()));
    /// std::fs::write(&path, " a few\n\n words ").unwrap();
    /// let longest = Sequence::words(&path)?.map_chunks(|words| words.lengths()).max();
    /// assert_eq!(longest.run(&Device::cpu())?, Some(5));
    /// # std::fs::remove_file(path).unwrap();
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn words(path: impl AsRef<Path>) -> Result<Sequence<'s, Segments<Exp<u8>>>> {
        let text = segments::Text::new(path.as_ref(), segments::Between::Words)?;
        Ok(Sequence::source(text))
    }

    /// The numbers of a file, least significant bytes first. It must not change before the run has ended.
    ///
    /// # Errors
    /// [`ErrorKind::File`](crate::ErrorKind::File) if it cannot be read, is no regular file or has no whole number of elements.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// # let path = std::env::temp_dir().join(format!("obsidian-numbers-{}.bin", std::process::id()));
    /// std::fs::write(&path, [1u8, 0, 2, 0]).unwrap();
    /// assert_eq!(Sequence::file::<u16>(&path)?.sum().run(&Device::cpu())?, 3);
    /// assert!(Sequence::file::<u64>(&path).unwrap_err().to_string().contains("4 bytes"));
    /// # std::fs::remove_file(path).unwrap();
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn file<T: FileNumber>(path: impl AsRef<Path>) -> Result<Numbers<'s, T>> {
        Self::file_with::<T, [usize; 0]>(path, [], FileFormat::default())
    }

    /// The elements of a file, numbers `[]`, rows `[width]` or planes `[height, width]`, behind a header and in an order of bytes of your own.
    ///
    /// # Errors
    /// As [`file`](Sequence::file).
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::{ByteOrder, FileFormat, Sequence}};
    ///
    /// # let path = std::env::temp_dir().join(format!("obsidian-rows-{}.bin", std::process::id()));
    /// std::fs::write(&path, [9u8, 9, 0, 1, 0, 2, 0, 3, 0, 4]).unwrap();
    /// let format = FileFormat { header: 2, order: ByteOrder::Big };
    /// let rows = Sequence::file_with::<u16, _>(&path, [2], format)?;
    /// assert_eq!(rows.map_chunks(|rows| rows.sum()).collect().run(&Device::cpu())?.to_vec()?, [3, 7]);
    /// # std::fs::remove_file(path).unwrap();
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn file_with<T, E>(
        path: impl AsRef<Path>,
        extents: E,
        format: FileFormat,
    ) -> Result<Rows<'s, E, T>>
    where
        T: FileNumber,
        E: ArrayExtents<Shape: HasOuter<Deeper: HasInner + Rank>>,
    {
        let inner = Inner::of(extents.as_ref());
        Ok(Sequence::source(file::Numbers::<T>::new(
            path.as_ref(),
            inner,
            format,
        )?))
    }
}

impl<'s, C> Sequence<'s, C> {
    fn of(node: Node<'s>) -> Self {
        Sequence {
            node: Rc::new(node),
            chunk: PhantomData,
        }
    }

    /// A node that uses this sequence.
    fn node(&self, kind: Kind<'s>) -> Rc<Node<'s>> {
        Rc::new(Node {
            kind,
            inputs: vec![self.node.clone()],
        })
    }

    fn own_node(&self) -> Rc<Node<'s>> {
        self.node.clone()
    }

    /// What consumes the sequence: one of [`fold`], [`reduce`], [`sum`], [`min`], [`max`], [`collect`], [`for_each`], [`to_file`] and [`fold_chunks`], or a
    /// tuple of up to six. All of a tuple are computed in one pass, and are results of one program a chunk.
    ///
    /// A closure whose body uses fields or methods names its type there, which the methods of sequences need not: `fold(|x: (EF32, EF32), y| ..)`.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::{Sequence, fold, min}};
    ///
    /// let numbers = Sequence::slice(&[4u32, 6, 3]);
    /// let (product, smallest) = numbers.consume((fold(|x, y| x * y, 1), min())).run(&Device::cpu())?;
    /// assert_eq!((product, smallest), (72, Some(3)));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn consume<K: Consumer<'s, C>>(self, consumer: K) -> Consumed<'s, K::Output> {
        consumer.consume(&self)
    }
}

impl<'s, C: Chunk> Sequence<'s, C> {
    /// What a function of the arrays of a chunk gives, which has a parameter for each: one of `#[arrays]`, or any other. The results of all chunks are
    /// the elements of the new sequence; there may be more or fewer than in the chunk.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*, language::EF32, sequence::Sequence};
    ///
    /// fn halves(xs: Arr1<EF32>) -> Arr1<EF32> {
    ///     xs.map(|x| x * 0.5)
    /// }
    ///
    /// assert_eq!(Sequence::slice(&[1.0f32, 2.0]).through(halves).sum().run(&Device::cpu())?, 1.5);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn through<R: Chunk>(self, f: impl ChunkFn<C, R>) -> Sequence<'s, R> {
        self.map_chunks(move |chunk| f.apply(chunk))
    }

    /// What a closure makes of a chunk, as [`through`](Sequence::through); of several arrays it is given a tuple.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::zip_with, sequence::Sequence};
    ///
    /// let (xs, ys) = (Sequence::slice(&[5i32, 7]), Sequence::slice(&[1i32, 2]));
    /// let differences = xs.zip(ys).map_chunks(|(xs, ys)| zip_with(|x, y| x - y, xs, ys));
    /// assert_eq!(differences.collect().run(&Device::cpu())?.to_vec()?, [4, 5]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn map_chunks<R: Chunk>(self, f: impl Fn(C) -> R + 'static) -> Sequence<'s, R> {
        let function =
            move |arrays: &[AnyArr], _: graph::Form| Some(f(C::of(&mut arrays.iter())?).parts());
        Sequence::of(Node {
            kind: Kind::Made(Box::new(function), Count::Kept),
            inputs: vec![self.node],
        })
    }

    /// The elements of this sequence and of another one, side by side; the shorter one ends both. Several are zipped one after the other:
    /// `xs.zip(ys).zip(zs)` has chunks `(Arr1<_>, Arr1<_>, Arr1<_>)`.
    ///
    /// It is chunks that are put side by side. Behind [`filter`](Sequence::filter), or a function that gives more or fewer elements, they are not as long
    /// as others, and operations like `zip_with` end the run with an error: filter pairs, as `xs.zip_with(ys, |x, y| (x, y)).filter(..)`.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::Arr2, language::EF32, sequence::Sequence};
    ///
    /// // Rows, and a weight for each.
    /// let rows = Sequence::rows(&[1.0f32, 2.0, 3.0, 4.0], [2]);
    /// let weighted = rows.zip(Sequence::slice(&[10.0f32, 1.0])).map_chunks(|(rows, weights)| {
    ///     obsidian_rt::arrays::zip_with(|sum, w| sum * w, rows.sum(), weights)
    /// });
    /// assert_eq!(weighted.collect().run(&Device::cpu())?.to_vec()?, [30.0, 7.0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn zip<D: Chunk>(self, other: Sequence<'s, D>) -> Sequence<'s, C::Both>
    where
        C: Zip<D>,
    {
        Sequence::of(Node {
            kind: Kind::Beside,
            inputs: vec![self.node, other.node],
        })
    }

    /// An array that is beside each chunk: the same for all of them, on the device of the run.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::zip_with, sequence::Sequence};
    ///
    /// // A matrix that need not fit in memory, times a vector.
    /// let device = Device::cpu();
    /// let v = device.array([2], &[10.0f32, 1.0])?;
    /// let products = Sequence::rows(&[1.0f32, 2.0, 3.0, 4.0], [2]).with(&v).map_chunks(|(rows, v)| {
    ///     let height = rows.shape().0;
    ///     zip_with(|x, y| x * y, rows, v.replicate(height)).sum()
    /// });
    /// assert_eq!(products.collect().run(&device)?.to_vec()?, [12.0, 34.0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn with<Sh: Rank, T: HostItem>(
        self,
        array: &'s crate::arrays::Array<Sh, T>,
    ) -> Sequence<'s, C::Both>
    where
        C: Zip<Arr<Sh, T::Device>>,
    {
        Sequence::of(Node {
            kind: Kind::Beside,
            inputs: vec![self.node, graph::Whole::node(array)],
        })
    }

    /// `f` of each element: of a chunk of rows, of each row. `f` describes one element; all elements of a chunk are computed at once, by about as many
    /// operators as one takes: see [`each`](crate::arrays::each), which says too what `f` cannot do. Of zipped sequences, `f` takes a tuple.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// // Of each row how far its elements are from the row's mean, squared and summed.
    /// let rows = Sequence::rows(&[1.0f32, 3.0, 10.0, 20.0], [2]);
    /// let spread = rows.each(|row| {
    ///     let mean = row.sum().map(|sum| sum / 2.0);
    ///     row.map(move |x| (x - mean.the()) * (x - mean.the())).sum()
    /// });
    /// assert_eq!(spread.collect().run(&Device::cpu())?.to_vec()?, [2.0, 50.0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn each<R: OfElements<Arrays: Chunk>>(
        self,
        f: impl Fn(C::Element) -> R + 'static,
    ) -> Sequence<'s, R::Arrays>
    where
        C: Elements,
    {
        let place = caller();
        let function = move |arrays: &[AnyArr], _: graph::Form| {
            let chunk = C::of(&mut arrays.iter())?;
            let arrays = each_at_place(&place, chunk, &f);
            Some(arrays.parts())
        };
        Sequence::of(Node {
            kind: Kind::Each(Box::new(function), false),
            inputs: vec![self.node],
        })
    }

    /// As [`each`](Sequence::each), with an array that is the same for all elements, and of which `f` is given all.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::zip_with, sequence::Sequence};
    ///
    /// // A matrix that need not fit in memory, times a vector.
    /// let device = Device::cpu();
    /// let v = device.array([2], &[10.0f32, 1.0])?;
    /// let rows = Sequence::rows(&[1.0f32, 2.0, 3.0, 4.0], [2]);
    /// let products = rows.each_with(&v, |row, v| zip_with(|x, y| x * y, row, v).sum());
    /// assert_eq!(products.collect().run(&device)?.to_vec()?, [12.0, 34.0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn each_with<Sh: Rank, T: HostItem, R: OfElements<Arrays: Chunk>>(
        self,
        array: &'s crate::arrays::Array<Sh, T>,
        f: impl Fn(C::Element, Arr<Sh, T::Device>) -> R + 'static,
    ) -> Sequence<'s, R::Arrays>
    where
        C: Elements,
    {
        let place = caller();
        let function = move |arrays: &[AnyArr], _: graph::Form| {
            let mut arrays = arrays.iter();
            let chunk = C::of(&mut arrays)?;
            let whole: Arr<Sh, T::Device> = Chunk::of(&mut arrays)?;
            let arrays = each_at_place(&place, chunk, |element| f(element, whole));
            Some(arrays.parts())
        };
        Sequence::of(Node {
            kind: Kind::Made(Box::new(function), Count::Kept),
            inputs: vec![self.node, graph::Whole::node(array)],
        })
    }

    /// The sequence whose [`each`](OneByOne::each) may do anything that an array program does, one element after the other: a chunk is one element, so
    /// that each costs a launch of all kernels. Elements should be large.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// // The median of each row: a sort takes another course in each.
    /// let rows = Sequence::rows(&[3u32, 1, 2, 9, 7, 8], [3]);
    /// let medians = rows.one_by_one().each(|row| row.sort().slice_inner(1));
    /// assert_eq!(medians.collect().run(&Device::cpu())?.to_vec()?, [2, 8]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn one_by_one(self) -> OneByOne<'s, C> {
        OneByOne(self)
    }

    /// A state that a program makes anew of itself and each chunk: see [`fold_chunks`].
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::zip_with, sequence::Sequence};
    ///
    /// // The sum of each column.
    /// let rows = Sequence::rows(&[1u32, 2, 3, 10, 20, 30], [3]);
    /// let sums = rows.fold_chunks([3], vec![0u32; 3], |sums, rows| zip_with(|x, y| x + y, sums, rows.axis(0).sum()));
    /// assert_eq!(sums.run(&Device::cpu())?.to_vec()?, [11, 22, 33]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn fold_chunks<E: ArrayExtents, T: HostItem>(
        self,
        extents: E,
        initial: Vec<T>,
        f: impl Fn(Arr<E::Shape, T::Device>, C) -> Arr<E::Shape, T::Device> + 'static,
    ) -> Consumed<'s, crate::arrays::Array<E::Shape, T>> {
        self.consume(fold_chunks(extents, initial, f))
    }
}

impl<'s, Sh: HasInner + Rank, T: HostOf> Sequence<'s, Arr<Sh, T>> {
    /// Each number of each element by a function.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// let roots = Sequence::slice(&[1.0f64, 4.0]).map(|x| x.sqrt());
    /// assert_eq!(roots.sum().run(&Device::cpu())?, 3.0);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn map<R: Computed<Value: HostOf>>(
        self,
        f: impl Fn(T) -> R + 'static,
    ) -> Sequence<'s, Arr<Sh, R::Value>> {
        let (f, place) = (Rc::new(f), caller());
        self.map_chunks(move |chunk| {
            let f = f.clone();
            at_place(&place, || chunk.map(move |x| f(x)))
        })
    }

    /// A function of each number of two sequences of the same shape; the shorter one ends both.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// let (xs, ys) = (Sequence::slice(&[2.0f32, 3.0]), Sequence::slice(&[10.0f32, 100.0]));
    /// assert_eq!(xs.zip_with(ys, |x, y| x * y).sum().run(&Device::cpu())?, 320.0);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn zip_with<U: HostOf, R: Computed<Value: HostOf>>(
        self,
        other: Sequence<'s, Arr<Sh, U>>,
        f: impl Fn(T, U) -> R + 'static,
    ) -> Sequence<'s, Arr<Sh, R::Value>> {
        let (f, place) = (Rc::new(f), caller());
        self.zip(other).map_chunks(move |(xs, ys)| {
            let f = f.clone();
            at_place(&place, || zip_with(move |x, y| f(x, y), xs, ys))
        })
    }

    /// All elements, on the device of the run: see [`collect`].
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// let evens = Sequence::generate(7, |i| i as u8).filter(|x| (x % 2).eq(0));
    /// assert_eq!(evens.collect().run(&Device::cpu())?.to_vec()?, [0, 2, 4, 6]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn collect(self) -> Consumed<'s, crate::arrays::Array<Sh, T::Host>> {
        self.consume(collect())
    }

    /// Gives the elements of each chunk to a function: see [`for_each`].
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// let squares = Sequence::generate(5, |i| i as u32).map(|x| x * x);
    /// squares.for_each(|some| { println!("{some:?}"); Ok::<_, String>(()) }).run(&Device::cpu())?;
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn for_each<E: Into<Box<dyn std::error::Error + Send + Sync>>>(
        self,
        f: impl FnMut(&[T::Host]) -> std::result::Result<(), E> + 's,
    ) -> Consumed<'s, ()> {
        self.consume(for_each(f))
    }
}

impl<'s, Sh: HasInner + Rank, T: FileNumber> Sequence<'s, Arr<Sh, Exp<T>>> {
    /// Writes the numbers to a file: see [`to_file`].
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// # let path = std::env::temp_dir().join(format!("obsidian-written-{}.bin", std::process::id()));
    /// Sequence::generate(3, |i| i as u8).to_file(&path).run(&Device::cpu())?;
    /// assert_eq!(std::fs::read(&path).unwrap(), [0, 1, 2]);
    /// # std::fs::remove_file(path).unwrap();
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn to_file(self, path: impl AsRef<Path>) -> Consumed<'s, u64> {
        self.consume(to_file(path))
    }
}

impl<'s, T: HostOf> Sequence<'s, Arr1<T>> {
    /// The running totals: for each element what `f` makes of `initial` and all elements up to it, itself included. `f` must be associative, for floats up
    /// to rounding. Bits of the results do not depend on chunks: see the [module](self).
    ///
    /// Results come in grains of 4,096, so a scan is not zipped with its own source: write `xs.map(|x| (x, x))`, and scan one of the two.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// let totals = Sequence::slice(&[1u32, 2, 3]).scan(|x, y| x + y, 10);
    /// assert_eq!(totals.collect().run(&Device::cpu())?.to_vec()?, [11, 13, 16]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn scan<R: Computed<Value = T>>(
        self,
        f: impl Fn(T, T) -> R + 'static,
        initial: T::Host,
    ) -> Self {
        let place = caller();
        let grains = self.node(Kind::Grains(source::types::<T::Host>()));
        Sequence::of(Node {
            kind: Kind::Kept(scan::keeper(
                Rc::new(move |x, y| f(x, y).value()),
                initial,
                place,
            )),
            inputs: vec![grains],
        })
    }

    /// All windows of `width` neighbouring elements, from the first to the last, those too that lie in two chunks or more. There are as many as elements,
    /// less `width - 1`; of a width of 0, there are none.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// let means = Sequence::slice(&[1.0f32, 2.0, 6.0, 4.0]).windows(2).map_chunks(|windows| windows.sum().map(|sum| sum * 0.5));
    /// assert_eq!(means.collect().chunk(3).run(&Device::cpu())?.to_vec()?, [1.5, 4.0, 5.0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn windows(self, width: u32) -> Sequence<'s, Arr2<T>> {
        Sequence::of(Node {
            kind: Kind::Kept(scan::windows::<T>(width)),
            inputs: vec![self.node],
        })
    }

    /// How often each number below `bins` is what `f` makes of an element; others are not counted.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// let lengths = Sequence::slice(&[1.5f32, 0.5, 1.25]).histogram(3, |x| x.cast::<u32>());
    /// assert_eq!(lengths.run(&Device::cpu())?.to_vec()?, [1, 2, 0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn histogram(
        self,
        bins: u32,
        f: impl Fn(T) -> Exp<u32> + 'static,
    ) -> Consumed<'s, crate::arrays::Array<Ix1, u64>> {
        let f = Rc::new(f);
        let zeros = vec![0u64; bins as usize];
        let counted = self.fold_chunks(
            [bins as usize],
            zeros,
            move |counts: Arr1<Exp<u64>>, chunk| {
                let f = f.clone();
                let places = chunk.map(move |x| f(x));
                let ones = obsidian_language::arrays::fill(places.len(), lit(1u64));
                ones.permute(
                    |x, y| x + y,
                    counts,
                    move |i, _| {
                        let place = places.at(i);
                        (place.lt(bins), place)
                    },
                )
            },
        );
        counted.taken_by(Keeping::Counts)
    }

    /// The elements of which `p` holds, in order.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// let large = Sequence::slice(&[1.0f32, 5.0, 7.0]).filter(|x| x.gt(2.0));
    /// assert_eq!(large.sum().run(&Device::cpu())?, 12.0);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn filter(self, p: impl Fn(T) -> Exp<bool> + 'static) -> Self {
        let (p, place) = (Rc::new(p), caller());
        let function = move |arrays: &[AnyArr], _: graph::Form| {
            let chunk: Arr1<T> = Chunk::of(&mut arrays.iter())?;
            let p = p.clone();
            Some(at_place(&place, || chunk.filter(move |x| p(x))).parts())
        };
        Sequence::of(Node {
            kind: Kind::Made(Box::new(function), Count::Changed("filter")),
            inputs: vec![self.node],
        })
    }

    /// All elements combined by `f`, with `initial` in front: see [`fold`].
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// assert_eq!(Sequence::slice(&[3u32, 5]).fold(|x, y| x * y, 1).run(&Device::cpu())?, 15);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn fold<R: Computed<Value = T>>(
        self,
        f: impl Fn(T, T) -> R + 'static,
        initial: T::Host,
    ) -> Consumed<'s, T::Host> {
        self.consume(fold(f, initial))
    }

    /// All elements combined by `f`; `None` if there are none: see [`reduce`].
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// let widest = Sequence::slice(&[(1u32, 5u32), (3, 4)]).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    /// assert_eq!(widest.run(&Device::cpu())?, Some((1, 5)));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn reduce<R: Computed<Value = T>>(
        self,
        f: impl Fn(T, T) -> R + 'static,
    ) -> Consumed<'s, Option<T::Host>> {
        self.consume(reduce(f))
    }
}

impl<'s, T: Number + Element> Sequence<'s, Arr1<Exp<T>>> {
    /// The sum of all elements, 0 of none: see [`sum`].
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// assert_eq!(Sequence::slice(&[3u32, 5]).sum().run(&Device::cpu())?, 8);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn sum(self) -> Consumed<'s, T> {
        self.consume(sum())
    }

    /// The smallest element, `None` of none: see [`min`].
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// assert_eq!(Sequence::slice(&[3u32, 5]).min().run(&Device::cpu())?, Some(3));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn min(self) -> Consumed<'s, Option<T>> {
        self.consume(min())
    }

    /// The largest element, `None` of none: see [`max`].
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// assert_eq!(Sequence::slice(&[3u32, 5]).max().run(&Device::cpu())?, Some(5));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn max(self) -> Consumed<'s, Option<T>> {
        self.consume(max())
    }
}
