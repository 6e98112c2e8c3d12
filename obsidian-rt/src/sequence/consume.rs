//! What reads a sequence to its end.

use std::any::Any;
use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use obsidian_language::arrays::{Arr, Arr1, Computed, HasInner};
use obsidian_language::scalar::{Exp, Number, lit};

use super::Sequence;
use super::chunk::Chunk;
use super::dealt::{Others, exchanged};
use super::file::{FileFormat, FileNumber};
use super::graph::{Count, Form, GRAIN, Keeper, Kind, Node};
use super::run::Consumed;
use super::runner::panicked;
use super::source::types;
use super::tree::{Combine, Tree};
use crate::arrays::{AnyArray, Array, ArrayExtents, HostItem, HostOf, Rank};
use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, ErrorKind, Result};

/// What takes the results of each chunk.
pub(super) trait Sink {
    /// The results of the next chunk.
    fn take(&mut self, device: &Device, arrays: Vec<AnyArray>) -> Result<()>;
    /// Refuses what cannot be taken anywhere, before anything is read.
    fn check(&self) -> Result<()> {
        Ok(())
    }
    /// Where it puts what it takes, if that is a file.
    fn target(&self) -> Option<&Path> {
        None
    }
    /// Completes what it has taken, so that its end cannot fail when others have ended.
    fn settle(&mut self) -> Result<()> {
        Ok(())
    }
    /// Does it give its result only at the end?
    fn needs_end(&self) -> bool {
        true
    }
    /// It will take a part of a sequence, and then [join](Sink::join) those of others. Gives what it reads, or its name if it cannot.
    fn deal(&mut self) -> std::result::Result<Reads, &'static str>;
    /// Takes what the sinks of other members have taken, in their order.
    fn join(
        &mut self,
        device: &Device,
        kept: &mut Vec<AnyArray>,
        others: &dyn Others,
    ) -> Result<()> {
        let _ = (device, kept, others);
        Ok(())
    }
    /// What all of them give; `kept` is what the node keeps, if it does.
    fn end(self: Box<Self>, device: &Device, kept: Vec<AnyArray>) -> Result<Box<dyn Any>>;
}

/// What of its node a sink takes.
#[derive(Clone, Copy)]
pub(super) enum Reads {
    /// The elements of chunks.
    Elements,
    /// What is made of the grains in front of it.
    Grains,
    /// What it keeps when all chunks are done.
    State,
}

/// What a sequence is consumed by: see [`Sequence::consume`].
///
/// ```
/// use obsidian_rt::{Device, sequence::{Sequence, max, sum}};
///
/// // A tuple of consumers is one: the sequence is read once.
/// let (largest, total) = Sequence::slice(&[3u32, 1, 2]).consume((max(), sum())).run(&Device::cpu())?;
/// assert_eq!((largest, total), (Some(3), 6));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not consume a sequence with chunks `{C}`",
    note = "`fold`, `reduce`, `sum`, `min` and `max` consume sequences of numbers or tuples of them, one array a chunk (`Arr1<EF32>`)",
    note = "other chunks become such by `map_chunks` or `through`, or are consumed by `fold_chunks`",
    note = "a tuple of consumers has two to six of them"
)]
pub trait Consumer<'s, C> {
    /// What a run gives.
    type Output: 'static;
    #[doc(hidden)]
    fn consume(self, sequence: &Sequence<'s, C>) -> Consumed<'s, Self::Output>;
}

/// The consumer that [`fold`] and [`sum`] give.
///
/// ```
/// use obsidian_rt::{language::EU32, sequence::{Fold, sum}};
///
/// let consumer: Fold<EU32> = sum();
/// # drop(consumer);
/// ```
pub struct Fold<T: HostOf> {
    f: Combine<T>,
    initial: T::Host,
}

/// The consumer that [`reduce`], [`min`] and [`max`] give.
///
/// ```
/// use obsidian_rt::{language::EU32, sequence::{Reduce, max}};
///
/// let consumer: Reduce<EU32> = max();
/// # drop(consumer);
/// ```
pub struct Reduce<T: HostOf> {
    f: Combine<T>,
}

/// All elements combined by `f`, with `initial` in front of them. `f` must be associative, for floats up to rounding; it need not be
/// commutative. Bits of the result do not depend on chunks: see the [module](crate::sequence).
///
/// ```
/// use obsidian_rt::{Device, sequence::{Sequence, fold}};
///
/// let product = Sequence::slice(&[3u32, 5, 7]).consume(fold(|x, y| x * y, 2)).run(&Device::cpu())?;
/// assert_eq!(product, 210);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn fold<T: HostOf, R: Computed<Value = T>>(
    f: impl Fn(T, T) -> R + 'static,
    initial: T::Host,
) -> Fold<T> {
    Fold {
        f: Rc::new(move |x, y| f(x, y).value()),
        initial,
    }
}

/// All elements combined by `f`, which is as that of [`fold`]; `None` of a sequence without elements.
///
/// ```
/// use obsidian_rt::{Device, sequence::{Sequence, reduce}};
///
/// let gcd_free = Sequence::slice(&[12u32, 10]).consume(reduce(|x, y| x | y)).run(&Device::cpu())?;
/// assert_eq!(gcd_free, Some(14));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn reduce<T: HostOf, R: Computed<Value = T>>(f: impl Fn(T, T) -> R + 'static) -> Reduce<T> {
    Reduce {
        f: Rc::new(move |x, y| f(x, y).value()),
    }
}

/// The sum of all elements, 0 of none: integers wrap.
///
/// ```
/// use obsidian_rt::{Device, sequence::{Sequence, sum}};
///
/// assert_eq!(Sequence::slice(&[1.5f64, 2.0]).consume(sum()).run(&Device::cpu())?, 3.5);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn sum<T: Number + Element>() -> Fold<Exp<T>> {
    fold(|x, y| x + y, T::default())
}

/// The smallest element; `None` of a sequence without elements. NaNs are left out where there are other elements.
///
/// ```
/// use obsidian_rt::{Device, sequence::{Sequence, min}};
///
/// assert_eq!(Sequence::slice(&[1.5f64, 2.0]).consume(min()).run(&Device::cpu())?, Some(1.5));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn min<T: Number + Element>() -> Reduce<Exp<T>> {
    reduce(|x: Exp<T>, y| x.min(y))
}

/// The largest element; `None` of a sequence without elements. NaNs are left out where there are other elements.
///
/// ```
/// use obsidian_rt::{Device, sequence::{Sequence, max}};
///
/// assert_eq!(Sequence::slice(&[0u8; 0]).consume(max()).run(&Device::cpu())?, None);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn max<T: Number + Element>() -> Reduce<Exp<T>> {
    reduce(|x: Exp<T>, y| x.max(y))
}

/// The results of the grains of a sequence, and what combines them.
pub(super) fn folded<'s, T: HostOf, O: 'static>(
    sequence: &Sequence<'s, Arr1<T>>,
    f: Combine<T>,
    initial: Option<T::Host>,
    needs_elements: Option<&'static str>,
    finish: impl FnOnce(Option<T::Host>) -> Option<O> + 's,
) -> Consumed<'s, O> {
    let combine = f.clone();
    let results = move |arrays: &[obsidian_core::arrays::AnyArr], form: Form| {
        let xs: Arr1<T> = Chunk::of(&mut arrays.iter())?;
        let f = combine.clone();
        let rows = match form {
            Form::Last => xs.reshape((1, xs.len())),
            Form::Whole | Form::Any => xs.reshape((xs.len() / lit(GRAIN), lit(GRAIN))),
        };
        Some(vec![rows.fold1(move |x, y| f(x, y)).untyped()])
    };
    let node = Node {
        kind: Kind::Made(Box::new(results), Count::Kept),
        inputs: vec![sequence.node(Kind::Grains(types::<T::Host>()))],
    };
    let sink = Folding {
        tree: Tree::new(f),
        initial,
        needs_elements,
    };
    Consumed::of(Rc::new(node), Box::new(sink), move |result| {
        let result = result.downcast::<Option<T::Host>>().ok()?;
        finish(*result)
    })
}

struct Folding<T: HostOf> {
    tree: Tree<T>,
    initial: Option<T::Host>,
    /// The name of what there must be an element for.
    needs_elements: Option<&'static str>,
}

impl<T: HostOf> Sink for Folding<T> {
    fn take(&mut self, device: &Device, arrays: Vec<AnyArray>) -> Result<()> {
        for array in arrays {
            self.tree.take(device, array.to_vec::<T::Host>()?)?;
        }
        Ok(())
    }
    fn deal(&mut self) -> std::result::Result<Reads, &'static str> {
        self.tree.wait();
        Ok(Reads::Grains)
    }
    fn join(&mut self, device: &Device, _: &mut Vec<AnyArray>, others: &dyn Others) -> Result<()> {
        self.tree.join(device, others)
    }
    fn end(self: Box<Self>, device: &Device, _: Vec<AnyArray>) -> Result<Box<dyn Any>> {
        let result = self.tree.end(device, self.initial)?;
        if let (None, Some(name)) = (&result, self.needs_elements) {
            let message = format!("`{name}` is a fold of all elements, and the sequence has none");
            return Err(Error::new(ErrorKind::Requirement, message));
        }
        Ok(Box::new(result))
    }
}

impl<'s, T: HostOf> Consumer<'s, Arr1<T>> for Fold<T> {
    type Output = T::Host;
    fn consume(self, sequence: &Sequence<'s, Arr1<T>>) -> Consumed<'s, T::Host> {
        folded(sequence, self.f, Some(self.initial), None, |result| result)
    }
}

impl<'s, T: HostOf> Consumer<'s, Arr1<T>> for Reduce<T> {
    type Output = Option<T::Host>;
    fn consume(self, sequence: &Sequence<'s, Arr1<T>>) -> Consumed<'s, Option<T::Host>> {
        folded(sequence, self.f, None, None, Some)
    }
}

/// The consumer that [`collect`] gives.
///
/// ```
/// use obsidian_rt::sequence::{Collect, collect};
///
/// let consumer: Collect = collect();
/// # drop(consumer);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Collect(());

/// All elements, as an array on the device of the run, which must hold it. Its outermost axis is as long as the sequence; the other extents
/// must be the same in all chunks.
///
/// ```
/// use obsidian_rt::{Device, sequence::{Sequence, collect, sum}};
///
/// let squares = Sequence::generate(3, |i| i).map(|x| x * x);
/// let (all, total) = squares.consume((collect(), sum())).run(&Device::cpu())?;
/// assert_eq!((all.to_vec()?, total), (vec![0, 1, 4], 5));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn collect() -> Collect {
    Collect(())
}

struct Collecting<T> {
    elements: Vec<T>,
    extents: Option<Vec<usize>>,
    /// The number of axes of a chunk.
    rank: usize,
}

impl<T: HostItem> Collecting<T> {
    /// Puts more elements behind those that are there.
    fn more(&mut self, extents: &[usize], more: Vec<T>) -> Result<()> {
        let own = self.extents.get_or_insert_with(|| {
            let mut own = extents.to_vec();
            own.iter_mut().take(1).for_each(|outer| *outer = 0);
            own
        });
        if own.get(1..) != extents.get(1..) {
            let inner = |all: &[usize]| all.get(1..).unwrap_or_default().to_vec();
            let message = format!(
                "`collect` puts chunks behind each other, and their elements have the extents {:?} and {:?}; make them the same, or take \
                 them chunk by chunk with `for_each`",
                inner(own),
                inner(extents)
            );
            return Err(Error::new(ErrorKind::UnequalLengths, message));
        }
        if let (Some(own), Some(more)) = (own.first_mut(), extents.first()) {
            *own += more;
        }
        self.elements.try_reserve(more.len()).map_err(|_| {
            let message = "no memory for the elements that `collect` keeps; take them chunk by chunk with `for_each` or `to_file`";
            Error::new(ErrorKind::OutOfMemory, message)
        })?;
        self.elements.extend(more);
        Ok(())
    }
}

impl<T: HostItem> Sink for Collecting<T> {
    fn take(&mut self, _: &Device, arrays: Vec<AnyArray>) -> Result<()> {
        for array in arrays {
            self.more(array.extents(), array.to_vec::<T>()?)?;
        }
        Ok(())
    }
    fn deal(&mut self) -> std::result::Result<Reads, &'static str> {
        Ok(Reads::Elements)
    }
    fn join(&mut self, _: &Device, _: &mut Vec<AnyArray>, others: &dyn Others) -> Result<()> {
        let own = self.extents.take().unwrap_or_else(|| vec![0; self.rank]);
        let own: Vec<u64> = own.into_iter().map(|extent| extent as u64).collect();
        let extents = exchanged(others, &own)?;
        let elements = exchanged(others, &std::mem::take(&mut self.elements))?;
        // The part of a member that has no elements does not tell the extents of elements.
        for (extents, more) in extents.into_iter().zip(elements) {
            let extents: Vec<usize> = extents.into_iter().map(|extent| extent as usize).collect();
            if extents.first().is_some_and(|rows| *rows > 0) || self.extents.is_none() {
                let is_known = self
                    .extents
                    .as_ref()
                    .is_some_and(|own| own.first() != Some(&0));
                self.extents = self.extents.take().filter(|_| is_known);
                self.more(&extents, more)?;
            }
        }
        Ok(())
    }
    fn end(self: Box<Self>, device: &Device, _: Vec<AnyArray>) -> Result<Box<dyn Any>> {
        let mut buffers = Vec::new();
        T::upload_vec(device, self.elements, &mut buffers)?;
        let extents = self.extents.unwrap_or_else(|| vec![0; self.rank]);
        Ok(Box::new(AnyArray::of(buffers, &extents)?))
    }
}

fn typed_array<Sh: Rank, T: HostItem>(array: Box<dyn Any>) -> Option<Array<Sh, T>> {
    array.downcast::<AnyArray>().ok()?.typed().ok()
}

impl<'s, Sh: HasInner + Rank, T: HostOf> Consumer<'s, Arr<Sh, T>> for Collect {
    type Output = Array<Sh, T::Host>;
    fn consume(self, sequence: &Sequence<'s, Arr<Sh, T>>) -> Consumed<'s, Self::Output> {
        let sink = Collecting::<T::Host> {
            elements: Vec::new(),
            extents: None,
            rank: Sh::Extents::default().as_ref().len(),
        };
        Consumed::of(sequence.own_node(), Box::new(sink), typed_array)
    }
}

/// The consumer that [`for_each`] gives.
///
/// ```
/// use obsidian_rt::sequence::{ForEach, for_each};
///
/// let consumer: ForEach<f32> = for_each(|some: &[f32]| { println!("{some:?}"); Ok::<_, String>(()) });
/// # drop(consumer);
/// ```
pub struct ForEach<'s, T>(Box<Taking<'s, T>>);

type AnyError = Box<dyn std::error::Error + Send + Sync>;
type Taking<'s, T> = dyn FnMut(&[T]) -> std::result::Result<(), AnyError> + 's;

/// Calls `f` with the elements of each chunk, in order, on the thread of the run. Rows lie behind each other.
///
/// An error of `f` ends the run, [`ErrorKind::Sink`], and so does a panic; what `f` has come back from is done.
///
/// ```
/// use obsidian_rt::{Device, sequence::{Sequence, for_each, sum}};
///
/// let mut found = Vec::new();
/// let evens = Sequence::generate(10, |i| i as u32).filter(|x| (x % 2).eq(0));
/// evens
///     .consume((for_each(|some: &[u32]| { found.extend_from_slice(some); Ok::<_, String>(()) }), sum()))
///     .run(&Device::cpu())?;
/// assert_eq!(found, [0, 2, 4, 6, 8]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn for_each<'s, T, E: Into<AnyError>>(
    mut f: impl FnMut(&[T]) -> std::result::Result<(), E> + 's,
) -> ForEach<'s, T> {
    ForEach(Box::new(move |elements| f(elements).map_err(Into::into)))
}

struct Given<'s, T>(Box<Taking<'s, T>>);

impl<T: HostItem> Sink for Given<'_, T> {
    fn take(&mut self, _: &Device, arrays: Vec<AnyArray>) -> Result<()> {
        for array in arrays {
            let elements = array.to_vec::<T>()?;
            if elements.is_empty() {
                continue;
            }
            let call = std::panic::AssertUnwindSafe(|| (self.0)(&elements));
            match std::panic::catch_unwind(call) {
                Ok(Ok(())) => {}
                Ok(Err(error)) => {
                    let message = format!("the sink failed: {error}");
                    return Err(Error::new(ErrorKind::Sink, message));
                }
                Err(panic) => return Err(panicked(ErrorKind::Sink, "the sink", &*panic)),
            }
        }
        Ok(())
    }
    fn needs_end(&self) -> bool {
        false
    }
    fn deal(&mut self) -> std::result::Result<Reads, &'static str> {
        Err("for_each")
    }
    fn end(self: Box<Self>, _: &Device, _: Vec<AnyArray>) -> Result<Box<dyn Any>> {
        Ok(Box::new(()))
    }
}

impl<'s, Sh: HasInner + Rank, T: HostOf> Consumer<'s, Arr<Sh, T>> for ForEach<'s, T::Host> {
    type Output = ();
    fn consume(self, sequence: &Sequence<'s, Arr<Sh, T>>) -> Consumed<'s, ()> {
        Consumed::of(sequence.own_node(), Box::new(Given(self.0)), |_| Some(()))
    }
}

/// The consumer that [`to_file`] gives.
///
/// ```
/// use obsidian_rt::sequence::{ToFile, to_file};
///
/// let consumer: ToFile = to_file("sums.bin"); // nothing is written yet
/// # drop(consumer);
/// ```
#[derive(Clone, Debug)]
pub struct ToFile {
    path: PathBuf,
    format: FileFormat,
}

/// Writes the numbers to a file, least significant bytes first; rows lie behind each other. A run gives how many numbers there are.
///
/// They are written to a file whose name has `.partial` behind it, which gets its name when the run is complete. After an error there is neither; a file that was there before stays.
///
/// ```
/// use obsidian_rt::{Device, sequence::{Sequence, to_file}};
///
/// let path = std::env::temp_dir().join(format!("obsidian-squares-{}.bin", std::process::id()));
/// let squares = Sequence::generate(1000, |i| i as u32).map(|x| x * x);
/// assert_eq!(squares.consume(to_file(&path)).run(&Device::cpu())?, 1000);
/// let read = Sequence::file::<u32>(&path)?;
/// assert_eq!(read.max().run(&Device::cpu())?, Some(998_001));
/// # std::fs::remove_file(path).unwrap();
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn to_file(path: impl AsRef<Path>) -> ToFile {
    to_file_with(path, FileFormat::default())
}

/// As [`to_file`], behind a header of zeros and in an order of bytes of your own.
///
/// ```
/// use obsidian_rt::sequence::{ByteOrder, FileFormat, to_file_with};
///
/// let big = FileFormat { header: 0, order: ByteOrder::Big };
/// let consumer = to_file_with("sums.bin", big);
/// # drop(consumer);
/// ```
pub fn to_file_with(path: impl AsRef<Path>, format: FileFormat) -> ToFile {
    ToFile {
        path: path.as_ref().to_owned(),
        format,
    }
}

/// A file that is being written.
struct Writing<T> {
    target: ToFile,
    /// None before the first chunk, and at the end.
    file: Option<BufWriter<File>>,
    bytes: Vec<u8>,
    count: u64,
    numbers: PhantomData<fn() -> T>,
}

impl ToFile {
    fn partial(&self) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(".partial");
        name.into()
    }

    fn failed(&self, error: &std::io::Error) -> Error {
        let message = format!("`{}` cannot be written: {error}", self.path.display());
        Error::new(ErrorKind::Sink, message)
    }
}

impl<T: FileNumber> Writing<T> {
    fn begun(&mut self) -> std::io::Result<&mut BufWriter<File>> {
        let file = match self.file.take() {
            Some(file) => file,
            None => {
                let mut file = BufWriter::new(File::create(self.target.partial())?);
                std::io::copy(
                    &mut std::io::repeat(0).take(self.target.format.header),
                    &mut file,
                )?;
                file
            }
        };
        Ok(self.file.insert(file))
    }

    fn write(&mut self, numbers: &[T]) -> std::io::Result<()> {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        T::encode(numbers, self.target.format.order, &mut bytes);
        let written = self.begun()?.write_all(&bytes);
        self.bytes = bytes;
        self.count += numbers.len() as u64;
        written
    }

    fn settled(&mut self) -> std::io::Result<()> {
        let file = self.begun()?;
        file.flush()?;
        // A full disk may be told only now.
        file.get_ref().sync_all()
    }
}

impl<T: FileNumber> Sink for Writing<T> {
    fn take(&mut self, _: &Device, arrays: Vec<AnyArray>) -> Result<()> {
        for array in arrays {
            let numbers = array.to_vec::<T>()?;
            let written = self.write(&numbers);
            written.map_err(|error| self.target.failed(&error))?;
        }
        Ok(())
    }
    fn check(&self) -> Result<()> {
        let path = &self.target.path;
        match path.is_dir() {
            true => {
                let message = format!("`{}` is a directory, and no file to write", path.display());
                Err(Error::new(ErrorKind::Sink, message))
            }
            false => Ok(()),
        }
    }
    fn target(&self) -> Option<&Path> {
        Some(&self.target.path)
    }
    fn settle(&mut self) -> Result<()> {
        let settled = self.settled();
        settled.map_err(|error| self.target.failed(&error))
    }
    fn deal(&mut self) -> std::result::Result<Reads, &'static str> {
        Err("to_file")
    }
    fn end(mut self: Box<Self>, _: &Device, _: Vec<AnyArray>) -> Result<Box<dyn Any>> {
        let partial = self.target.partial();
        // It is closed before it gets its name.
        drop(self.file.take());
        if let Err(error) = std::fs::rename(&partial, &self.target.path) {
            let _ = std::fs::remove_file(partial);
            return Err(self.target.failed(&error));
        }
        Ok(Box::new(self.count))
    }
}

impl<T> Drop for Writing<T> {
    fn drop(&mut self) {
        // A run that failed, or was ended: nothing of it stays.
        if self.file.take().is_some() {
            let _ = std::fs::remove_file(self.target.partial());
        }
    }
}

impl<'s, Sh: HasInner + Rank, T: FileNumber> Consumer<'s, Arr<Sh, Exp<T>>> for ToFile {
    type Output = u64;
    fn consume(self, sequence: &Sequence<'s, Arr<Sh, Exp<T>>>) -> Consumed<'s, u64> {
        let sink = Writing::<T> {
            target: self,
            file: None,
            bytes: Vec::new(),
            count: 0,
            numbers: PhantomData,
        };
        Consumed::of(sequence.own_node(), Box::new(sink), |count| {
            count.downcast().ok().map(|count| *count)
        })
    }
}

/// The consumer that [`fold_chunks`] gives.
///
/// ```
/// use obsidian_rt::{arrays::*, language::EU32, sequence::{FoldChunks, fold_chunks}};
///
/// fn longest() -> FoldChunks<Ix0, u32, impl Fn(Arr0<EU32>, Arr1<EU32>) -> Arr0<EU32> + 'static> {
///     fold_chunks([], vec![0], |most: Arr0<EU32>, xs: Arr1<EU32>| most.map(move |most| most.max(xs.len())))
/// }
/// # drop(longest());
/// ```
pub struct FoldChunks<Sh: Rank, T: HostItem, F> {
    extents: Sh::Extents,
    initial: Vec<T>,
    f: F,
}

/// A state that a program makes anew of itself and each chunk, in order; it stays on the device.
///
/// `extents` and `initial` are the state before the first chunk; `f` may give one of other extents. It need not be associative. What it gives may depend on where chunks end;
/// where it must not, `f` has to give the same for two chunks, one after the other, as for both in one.
///
/// ```
/// use obsidian_rt::{Device, arrays::*, language::{EU32, lit}, sequence::{Sequence, fold_chunks}};
///
/// // How often each number occurs.
/// let counts = fold_chunks([4], vec![0u32; 4], |counts: Arr1<EU32>, xs: Arr1<EU32>| {
///     let ones = fill(xs.len(), lit(1u32));
///     let kept = xs.clone();
///     ones.permute(|x, y| x + y, counts, move |i, _| (lit(true), kept.at(i)))
/// });
/// let counts = Sequence::slice(&[3u32, 0, 3, 1]).consume(counts).run(&Device::cpu())?;
/// assert_eq!(counts.to_vec()?, [1, 1, 0, 2]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn fold_chunks<E, T, C, F>(extents: E, initial: Vec<T>, f: F) -> FoldChunks<E::Shape, T, F>
where
    E: ArrayExtents,
    T: HostItem,
    F: Fn(Arr<E::Shape, T::Device>, C) -> Arr<E::Shape, T::Device> + 'static,
{
    FoldChunks {
        extents,
        initial,
        f,
    }
}

impl<Sh: Rank, T: HostItem, F> FoldChunks<Sh, T, F> {
    /// Runs it twice over a sequence, in chunks of two lengths, and compares the states bit by bit: `f` gives the same for two chunks, one after the
    /// other, as for both in one, as far as these chunks show it. The sequence is read twice, which an iterator cannot be.
    ///
    /// # Errors
    /// [`ErrorKind::Requirement`] if the states differ; those of [`run`](Consumed::run).
    ///
    /// ```
    /// use obsidian_rt::{Device, ErrorKind, arrays::*, language::EU32, sequence::{Sequence, fold_chunks}};
    ///
    /// let device = Device::cpu();
    /// let numbers = Sequence::generate(1000, |i| i as u32);
    /// let sums = fold_chunks([], vec![0], |sum: Arr0<EU32>, xs: Arr1<EU32>| zip_with(|x, y| x + y, sum, xs.sum()));
    /// sums.check_law(&numbers, [7, 64], &device)?;
    ///
    /// // The number of chunks depends on the chunks.
    /// let count = fold_chunks([], vec![0], |count: Arr0<EU32>, _: Arr1<EU32>| count.map(|n| n + 1));
    /// let error = count.check_law(&numbers, [7, 64], &device).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Requirement);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn check_law<C: Chunk>(
        &self,
        sequence: &Sequence<'_, C>,
        chunks: [usize; 2],
        device: &Device,
    ) -> Result<()>
    where
        T: std::fmt::Debug,
        F: Fn(Arr<Sh, T::Device>, C) -> Arr<Sh, T::Device> + Clone + 'static,
    {
        let mut states = Vec::new();
        for chunk in chunks {
            let again = FoldChunks {
                extents: self.extents,
                initial: self.initial.clone(),
                f: self.f.clone(),
            };
            let state = again.consume(sequence).chunk(chunk).run(device)?;
            states.push((state.extents(), state.to_vec()?));
        }
        let [(extents, first), (others, second)] = states.as_slice() else {
            return Ok(());
        };
        let law =
            "`f` has to give the same for two chunks, one after the other, as for both in one";
        let [one, other] = chunks;
        let bits = |value: &T| {
            let mut literals = Vec::new();
            value.literals(&mut literals);
            literals
                .iter()
                .map(|literal| literal.bits())
                .collect::<Vec<u64>>()
        };
        let message = match first
            .iter()
            .zip(second)
            .position(|(x, y)| bits(x) != bits(y))
        {
            _ if extents != others => format!(
                "in chunks of {one} elements the state has the extents {extents:?}, and in chunks of {other} {others:?}; {law}"
            ),
            Some(place) => format!(
                "in chunks of {one} elements, element {place} of the state is {:?}, and in chunks of {other} {:?}; {law}",
                first[place], second[place]
            ),
            None => return Ok(()),
        };
        Err(Error::new(ErrorKind::Requirement, message))
    }
}

/// Nothing to do for each chunk: the node keeps what is wanted.
pub(super) enum Keeping {
    State,
    /// Counts, which those of others are added to.
    Counts,
}

impl Sink for Keeping {
    fn take(&mut self, _: &Device, _: Vec<AnyArray>) -> Result<()> {
        Ok(())
    }
    fn deal(&mut self) -> std::result::Result<Reads, &'static str> {
        match self {
            Keeping::State => Err("fold_chunks"),
            Keeping::Counts => Ok(Reads::State),
        }
    }
    fn join(
        &mut self,
        device: &Device,
        kept: &mut Vec<AnyArray>,
        others: &dyn Others,
    ) -> Result<()> {
        for array in kept {
            let mut sums = vec![0u64; array.len()];
            for counts in exchanged(others, &array.to_vec::<u64>()?)? {
                let both = sums.iter_mut().zip(counts);
                both.for_each(|(sum, count)| *sum = sum.wrapping_add(count));
            }
            *array = AnyArray::new(device, &[sums.len()], &sums)?;
        }
        Ok(())
    }
    fn end(self: Box<Self>, _: &Device, kept: Vec<AnyArray>) -> Result<Box<dyn Any>> {
        match kept.into_iter().next() {
            Some(state) => Ok(Box::new(state)),
            None => Err(Error::new(ErrorKind::Internal, "a state is not there")),
        }
    }
}

impl<'s, Sh, T, F, C> Consumer<'s, C> for FoldChunks<Sh, T, F>
where
    Sh: Rank,
    T: HostItem,
    C: Chunk,
    F: Fn(Arr<Sh, T::Device>, C) -> Arr<Sh, T::Device> + 'static,
{
    type Output = Array<Sh, T>;
    fn consume(self, sequence: &Sequence<'s, C>) -> Consumed<'s, Array<Sh, T>> {
        let FoldChunks {
            extents,
            initial,
            f,
        } = self;
        let keeper = Keeper {
            largest: vec![extents.as_ref().to_vec()],
            initial: Box::new(move |device| {
                Ok(vec![AnyArray::new(device, extents.as_ref(), &initial)?])
            }),
            f: Box::new(move |state, chunk, _| {
                let state = state.first()?.ranked::<Sh>().to::<T::Device>();
                let next = f(state, C::of(&mut chunk.iter())?);
                Some((vec![next.untyped()], Vec::new()))
            }),
        };
        let node = sequence.node(Kind::Kept(keeper));
        Consumed::of(node, Box::new(Keeping::State), typed_array)
    }
}

macro_rules! tuples {
    ($(($first:ident $one:ident $($ty:ident $field:ident)+) $nest:pat => $flat:expr;)*) => {$(
        impl<'s, Chunk, $first: Consumer<'s, Chunk>, $($ty: Consumer<'s, Chunk>),+> Consumer<'s, Chunk> for ($first, $($ty),+) {
            type Output = ($first::Output, $($ty::Output),+);
            fn consume(self, sequence: &Sequence<'s, Chunk>) -> Consumed<'s, Self::Output> {
                let ($one, $($field),+) = self;
                let all = $one.consume(sequence)$(.and($field.consume(sequence)))+;
                all.mapped(|$nest| $flat)
            }
        }
    )*};
}

tuples! {
    (A a B b) (a, b) => (a, b);
    (A a B b C c) ((a, b), c) => (a, b, c);
    (A a B b C c D d) (((a, b), c), d) => (a, b, c, d);
    (A a B b C c D d E e) ((((a, b), c), d), e) => (a, b, c, d, e);
    (A a B b C c D d E e F f) (((((a, b), c), d), e), f) => (a, b, c, d, e, f);
}
