//! One computation on several devices, or several machines.
//!
//! A [`Member`] is one device of those that work together: a thread of a process ([`Threads`]), or a process of its own with a [`Transport`] to the
//! others. All members run the same function, as in MPI. A [`Sharded`] array has a block of rows in each of them; maps are local, folds exchange a few
//! partial results, scans one value for each grain of 4,096 elements, stencils the rows at the borders.
//!
//! ```
//! use obsidian_rt::{Device, shard::{Edge, Threads}};
//!
//! let devices = vec![Device::cpu(); 3];
//! let results = Threads::new(devices).run(|member| {
//!     // Each member makes its own part of the vector.
//!     let mut xs = member.vector(10_000, |range| range.map(|i| (i % 7) as f32).collect())?;
//!     for _ in 0..5 {
//!         xs = member.stencil(&xs, 1, Edge::Constant(0.0), |w| (w.at(-1) + w.at(0) + w.at(1)) * 0.25)?;
//!     }
//!     member.fold(&xs, |x, y| x + y, 0.0)
//! })?;
//! assert_eq!(results[0], results[2]); // all members know the sum
//! # Ok::<(), obsidian_rt::Error>(())
//! ```
//!
//! # What results depend on
//!
//! Where the devices are alike, the bits of results do not depend on the number of members: vectors are cut at grains, whose results are combined in the order of
//! [sequences](crate::sequence).

mod halo;
mod threads;
mod transport;

use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::rc::Rc;

use obsidian_core::arrays::{AnyArr, Arr, Arr1, Computed, HasInner, Ix1, Ix2, zip_with};
use obsidian_core::scalar::{Exp, ScalarType, lit};

pub use halo::Edge;
pub use threads::Threads;
pub use transport::{Failure, Transport};

use crate::arrays::{AnyArray, AnyProgram, Array, ArrayView, HostItem, HostOf, Rank};
use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, ErrorKind, Result};
use crate::sequence::{Consumed, FileNumber, Others, Sequence, Tree, constant, decoded, exchanged};
use crate::untyped::AnyBuffer;

/// The number of elements of a grain, as in sequences.
const GRAIN: usize = crate::sequence::GRAIN as usize;

/// One device of those that work together. All members make the same calls, in the same order.
///
/// ```
/// use obsidian_rt::{Device, shard::Threads};
///
/// let products = Threads::new(vec![Device::cpu(); 2]).run(|member| {
///     let xs = member.vector(1000, |range| range.map(|i| i as u64).collect())?;
///     let ys = member.map(&xs, |x| x + 1)?;
///     member.dot(&xs, &ys)
/// })?;
/// assert_eq!(products, [(0..1000).map(|i| i * (i + 1)).sum::<u64>(); 2]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub struct Member<'t> {
    transport: Box<dyn Transport + 't>,
    device: Device,
}

impl fmt::Debug for Member<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Member")
            .field("rank", &self.rank())
            .field("members", &self.members())
            .field("device", &self.device.name())
            .finish_non_exhaustive()
    }
}

/// An array of which each member has a block of rows, on its device; of a vector, elements.
///
/// ```
/// use obsidian_rt::{Device, arrays::Ix2, shard::{Sharded, Threads}};
///
/// let heights = Threads::new(vec![Device::cpu(); 2]).run(|member| {
///     let rows: Sharded<Ix2, u32> = member.rows([5, 3], |rows| vec![1; rows.len() * 3])?;
///     Ok((rows.rows(), rows.local().extents()))
/// })?;
/// assert_eq!(heights, [(0..2, [2, 3]), (2..5, [3, 3])]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Debug)]
pub struct Sharded<Sh: Rank, T> {
    /// The extents of all of it.
    extents: Sh::Extents,
    rows: Range<usize>,
    local: Array<Sh, T>,
}

impl<Sh: Rank, T> Sharded<Sh, T> {
    /// The extents of the whole array.
    ///
    /// ```
    /// use obsidian_rt::{Device, shard::Threads};
    ///
    /// let extents = Threads::new([Device::cpu()]).run(|member| Ok(member.vector(7, |range| vec![0u8; range.len()])?.extents()))?;
    /// assert_eq!(extents, [[7]]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn extents(&self) -> Sh::Extents {
        self.extents
    }

    /// The rows that this member has.
    ///
    /// ```
    /// use obsidian_rt::{Device, shard::Threads};
    ///
    /// // A vector is cut at multiples of 4,096 elements.
    /// let rows = Threads::new(vec![Device::cpu(); 2]).run(|member| Ok(member.vector(9000, |range| vec![0u8; range.len()])?.rows()))?;
    /// assert_eq!(rows, [0..4096, 4096..9000]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn rows(&self) -> Range<usize> {
        self.rows.clone()
    }

    /// The block of this member, for anything else that is to be done with it here.
    ///
    /// ```
    /// use obsidian_rt::{Device, shard::Threads};
    ///
    /// let local = Threads::new([Device::cpu()]).run(|member| member.vector(3, |range| range.map(|i| i as u32).collect())?.local().to_vec())?;
    /// assert_eq!(local, [[0, 1, 2]]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn local(&self) -> &Array<Sh, T> {
        &self.local
    }
}

/// Is an error about another member, which has one of its own?
fn gone(error: &Error) -> bool {
    error.kind() == ErrorKind::Member && error.to_string().contains("and the others wait")
}

/// What a function of elements gives, as the host has it.
pub(crate) type HostValue<R> = <<R as Computed>::Value as HostOf>::Host;

fn failed(failure: &Failure) -> Error {
    Error::new(ErrorKind::Member, failure.to_string())
}

fn encoded<T: HostItem>(elements: &[T]) -> Vec<u8> {
    let mut bytes = Vec::new();
    T::encode(elements, &mut bytes);
    bytes
}

/// The blocks of rows of all members: those of vectors are cut at grains.
fn blocks(extents: &[usize], members: usize) -> Vec<Range<usize>> {
    let rows = extents.first().copied().unwrap_or(0);
    let unit = if extents.len() == 1 { GRAIN } else { 1 };
    let units = rows.div_ceil(unit) as u128;
    let cut = |n: usize| {
        let place = units * n as u128 / members as u128 * unit as u128;
        usize::try_from(place).unwrap_or(usize::MAX).min(rows)
    };
    (0..members).map(|n| cut(n)..cut(n + 1)).collect()
}

impl<'t> Member<'t> {
    /// A member with its end of a transport and its device.
    ///
    /// See [`Transport`] for an example.
    ///
    /// ```
    /// use obsidian_rt::{Device, shard::{Member, Transport}};
    ///
    /// fn member<'t>(transport: impl Transport + 't) -> Member<'t> {
    ///     Member::new(transport, Device::cpu())
    /// }
    /// ```
    pub fn new(transport: impl Transport + 't, device: Device) -> Self {
        Member {
            transport: Box::new(transport),
            device,
        }
    }

    /// The number of this member, from 0.
    ///
    /// ```
    /// use obsidian_rt::{Device, shard::Threads};
    ///
    /// assert_eq!(Threads::new([Device::cpu()]).run(|member| Ok(member.rank()))?, [0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn rank(&self) -> usize {
        self.transport.rank()
    }

    /// How many members there are.
    ///
    /// ```
    /// use obsidian_rt::{Device, shard::Threads};
    ///
    /// assert_eq!(Threads::new([Device::cpu()]).run(|member| Ok(member.members()))?, [1]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn members(&self) -> usize {
        self.transport.members().max(1)
    }

    /// The device of this member.
    ///
    /// ```
    /// use obsidian_rt::{Device, shard::Threads};
    ///
    /// let names = Threads::new([Device::simulator()]).run(|member| Ok(member.device().name().to_owned()))?;
    /// assert_eq!(names, ["simulator"]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// An error of this member's own, for what it does beside the calls here: of the kind [`ErrorKind::Member`], with the number of the member.
    ///
    /// ```
    /// use obsidian_rt::{Device, shard::Threads};
    ///
    /// let read = Threads::new([Device::cpu()]).run(|member| {
    ///     std::fs::read_to_string("nowhere/at/all").map_err(|error| member.failed(error))
    /// });
    /// assert!(read.unwrap_err().to_string().starts_with("member 0: "));
    /// ```
    pub fn failed(&self, why: impl Into<Failure>) -> Error {
        let message = format!("member {}: {}", self.rank(), why.into());
        Error::new(ErrorKind::Member, message)
    }

    /// How it talks to the others: for calls of your own, or to put a transport around it that counts what goes over the network.
    ///
    /// ```
    /// use obsidian_rt::{Device, shard::Threads};
    ///
    /// let words = Threads::new(vec![Device::cpu(); 2]).run(|member| {
    ///     let all = member.transport().all_gather(format!("I am {}", member.rank()).as_bytes());
    ///     Ok(all.unwrap().concat())
    /// })?;
    /// assert_eq!(words[0], b"I am 0I am 1");
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn transport(&self) -> &(dyn Transport + 't) {
        &*self.transport
    }

    /// Waits until all members are here.
    ///
    /// # Errors
    /// [`ErrorKind::Member`] if one is gone, or does not answer.
    ///
    /// ```
    /// use obsidian_rt::{Device, shard::Threads};
    ///
    /// Threads::new(vec![Device::cpu(); 2]).run(|member| member.barrier())?;
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn barrier(&self) -> Result<()> {
        self.transport.barrier().map_err(|failure| failed(&failure))
    }

    /// The numbers that all members give, by their ranks.
    ///
    /// # Errors
    /// As [`barrier`](Member::barrier).
    ///
    /// ```
    /// use obsidian_rt::{Device, shard::Threads};
    ///
    /// let all = Threads::new(vec![Device::cpu(); 2]).run(|member| member.all_gather(&[member.rank() as u32 * 10]))?;
    /// assert_eq!(all[0], [[0], [10]]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn all_gather<T: HostItem>(&self, own: &[T]) -> Result<Vec<Vec<T>>> {
        exchanged(self, own)
    }

    /// The numbers that one member gives; those of the others are not looked at.
    ///
    /// # Errors
    /// As [`barrier`](Member::barrier).
    ///
    /// ```
    /// use obsidian_rt::{Device, shard::Threads};
    ///
    /// let all = Threads::new(vec![Device::cpu(); 2]).run(|member| member.broadcast(1, &[member.rank() as u32 * 10]))?;
    /// assert_eq!(all, [[10], [10]]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn broadcast<T: HostItem>(&self, from: usize, own: &[T]) -> Result<Vec<T>> {
        if from >= self.members() {
            let message = format!("there is no member {from}: there are {}", self.members());
            return Err(Error::new(ErrorKind::Member, message));
        }
        let bytes = self.transport.broadcast(from, &encoded(own));
        decoded(&bytes.map_err(|failure| failed(&failure))?)
    }

    /// A vector of `len` elements. `f` gives those of a range, this member's.
    ///
    /// # Errors
    /// [`ErrorKind::UnequalLengths`] if `f` gives another number of elements; those of the device.
    ///
    /// ```
    /// use obsidian_rt::{Device, shard::Threads};
    ///
    /// let sums = Threads::new(vec![Device::cpu(); 2]).run(|member| {
    ///     let xs = member.vector(10_000, |range| range.map(|i| i as u64).collect())?;
    ///     member.fold(&xs, |x, y| x + y, 0)
    /// })?;
    /// assert_eq!(sums, [49_995_000; 2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn vector<T: HostItem>(
        &self,
        len: usize,
        f: impl FnOnce(Range<usize>) -> Vec<T>,
    ) -> Result<Sharded<Ix1, T>> {
        self.sharded::<Ix1, T>([len], f)
    }

    /// An array of some extents, cut at any of its rows. `f` gives the elements of a range of rows.
    ///
    /// # Errors
    /// As [`vector`](Member::vector).
    ///
    /// ```
    /// use obsidian_rt::{Device, shard::Threads};
    ///
    /// let matrix = Threads::new(vec![Device::cpu(); 2]).run(|member| {
    ///     let rows = member.rows([3, 2], |rows| rows.flat_map(|y| [y as u32, 10]).collect())?;
    ///     member.gather_all(&rows)
    /// })?;
    /// assert_eq!(matrix[1], [0, 10, 1, 10, 2, 10]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn rows<E, T>(
        &self,
        extents: E,
        f: impl FnOnce(Range<usize>) -> Vec<T>,
    ) -> Result<Sharded<E::Shape, T>>
    where
        E: crate::arrays::ArrayExtents,
        T: HostItem,
    {
        self.sharded::<E::Shape, T>(extents, f)
    }

    fn sharded<Sh: Rank, T: HostItem>(
        &self,
        extents: Sh::Extents,
        f: impl FnOnce(Range<usize>) -> Vec<T>,
    ) -> Result<Sharded<Sh, T>> {
        let all = extents.as_ref();
        if all.is_empty() {
            let message = "an array without axes has no rows";
            return Err(Error::new(ErrorKind::UnequalLengths, message));
        }
        let rows = self.block(all);
        let numbers = all
            .iter()
            .fold(1usize, |n, extent| n.saturating_mul((*extent).max(1)));
        if numbers > isize::MAX as usize {
            let message =
                format!("an array with the extents {all:?} has more elements than can be counted");
            return Err(Error::new(ErrorKind::TooLong, message));
        }
        let elements = f(rows.clone());
        let mut own: Vec<usize> = all.to_vec();
        own.iter_mut().take(1).for_each(|outer| *outer = rows.len());
        let local = AnyArray::new(&self.device, &own, &elements)?.typed()?;
        Ok(Sharded {
            extents,
            rows,
            local,
        })
    }

    /// A file of numbers, of which each member reads its part: see [`Sequence::file`].
    ///
    /// # Errors
    /// [`ErrorKind::File`] and [`ErrorKind::Source`] for a file that cannot be read; those of the device.
    ///
    /// ```
    /// use obsidian_rt::{Device, shard::Threads};
    ///
    /// # let path = std::env::temp_dir().join(format!("obsidian-shard-{}.bin", std::process::id()));
    /// std::fs::write(&path, [1u8, 2, 3]).unwrap();
    /// let sums = Threads::new(vec![Device::cpu(); 2]).run(|member| {
    ///     let bytes = member.from_file::<u8>(&path)?;
    ///     member.fold(&bytes, |x, y| x + y, 0)
    /// })?;
    /// assert_eq!(sums, [6, 6]);
    /// # std::fs::remove_file(path).unwrap();
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    // It makes an array, and not a member.
    #[allow(clippy::wrong_self_convention)]
    pub fn from_file<T: FileNumber>(&self, path: impl AsRef<Path>) -> Result<Sharded<Ix1, T>> {
        self.collect(Sequence::file::<T>(path)?)
    }

    /// The elements of a sequence, of which each member computes its part. Of a sequence of rows, each member has some rows.
    ///
    /// All members give the same sequence, whole. A source that does not tell how many elements it has, such as lines of text, is read once more to count
    /// them.
    ///
    /// # Errors
    /// [`ErrorKind::Requirement`] if a function of chunks gives other numbers of elements than it is given; those of [`run`](Member::run).
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence, shard::Threads};
    ///
    /// let sizes = Threads::new(vec![Device::cpu(); 2]).run(|member| {
    ///     let squares = member.collect(Sequence::generate(10_000, |i| i).map(|x| x * x))?;
    ///     Ok(squares.local().len())
    /// })?;
    /// assert_eq!(sizes, [4096, 5904]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn collect<Sh: HasInner + Rank, T: HostOf>(
        &self,
        sequence: Sequence<'_, Arr<Sh, T>>,
    ) -> Result<Sharded<Sh, T::Host>> {
        let like = Sh::Extents::default();
        let dealt = sequence
            .collect()
            .dealt(self, like.as_ref().len() == 1, false)?;
        let local = dealt.run(&self.device)?;
        let own: Vec<u64> = local
            .extents()
            .as_ref()
            .iter()
            .map(|extent| *extent as u64)
            .collect();
        let all = self.all_gather(&own)?;
        let inner = |extents: &Vec<u64>| extents.get(1..).unwrap_or_default().to_vec();
        // The part of a member without rows does not tell the extents of rows.
        let mut with_rows = all.iter().filter(|extents| extents.first() != Some(&0));
        let like = with_rows
            .next()
            .or(all.first())
            .map(inner)
            .unwrap_or_default();
        if let Some(other) = with_rows.map(inner).find(|other| *other != like) {
            let message = format!(
                "the rows of members have the extents {like:?} and {other:?}; make them the same"
            );
            return Err(Error::new(ErrorKind::UnequalLengths, message));
        }
        let counts = || all.iter().filter_map(|extents| extents.first());
        let before = counts().take(self.rank()).sum::<u64>() as usize;
        let mut extents = local.extents();
        let whole = std::iter::once(counts().sum()).chain(like);
        extents
            .as_mut()
            .iter_mut()
            .zip(whole)
            .for_each(|(extent, whole)| *extent = whole as usize);
        let rows = before..before + own.first().copied().unwrap_or(0) as usize;
        if self.block(extents.as_ref()) != rows {
            let message = "a function of chunks gives other numbers of elements than it is given, so the parts that members have are not the blocks of an array; \
                           `member.run(sequence.collect())` gives all of them to each member";
            return Err(Error::new(ErrorKind::Requirement, message));
        }
        let local = match rows.is_empty() {
            false => local,
            true => {
                let mut own = extents.as_ref().to_vec();
                own.iter_mut().take(1).for_each(|outer| *outer = 0);
                AnyArray::new(&self.device, &own, &[] as &[T::Host])?.typed()?
            }
        };
        Ok(Sharded {
            extents,
            rows,
            local,
        })
    }

    /// Runs what consumes a sequence, of which each member reads a part; all members have the result, that of one member alone, bit for bit. They make the
    /// same sequence, whole: an array of which each has a block is for [`fold`](Member::fold) and its like.
    ///
    /// `fold`, `reduce`, `sum`, `min`, `max`, `histogram` and `collect` consume sequences here, and tuples of them; for folds a part begins at a grain of 4,096 elements. A
    /// source that does not tell how many elements it has, such as lines of text, is read once more to count them.
    ///
    /// # Errors
    /// [`ErrorKind::Requirement`] for what depends on chunks in front (`filter`, `scan` and `windows` in a sequence; `fold_chunks`, `for_each` and `to_file` behind it) and
    /// for iterators without a known end; those of [`Consumed::run`], and as [`barrier`](Member::barrier).
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::{Sequence, max, sum}, shard::Threads};
    ///
    /// let terms = || Sequence::generate(1_000_000, |i| 1.0 / (i + 1) as f32);
    /// let both = Threads::new(vec![Device::cpu(); 2]).run(|member| member.run(terms().consume((max(), sum()))))?;
    /// // The same bits as without members.
    /// assert_eq!(both[0], terms().consume((max(), sum())).run(&Device::cpu())?);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn run<O: 'static>(&self, consumed: Consumed<'_, O>) -> Result<O> {
        consumed.dealt(self, true, true)?.run(&self.device)
    }

    /// The elements of a vector of `len` that this member has: also a part of a sequence for what [`run`](Member::run) does not take.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence, shard::Threads};
    ///
    /// // Each member writes a file of its own.
    /// let written = Threads::new(vec![Device::cpu(); 2]).run(|member| {
    ///     let part = member.part(10_000);
    ///     let path = std::env::temp_dir().join(format!("obsidian-part-{}-{}.bin", std::process::id(), member.rank()));
    ///     let squares = Sequence::generate(10_000, |i| i).map(|x| x * x);
    ///     let own = squares.to_file(&path).skip(part.start as u64).take(part.len() as u64);
    ///     let written = own.run(member.device())?;
    /// #   std::fs::remove_file(path).unwrap();
    ///     Ok(written)
    /// })?;
    /// assert_eq!(written, [4096, 5904]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn part(&self, len: usize) -> Range<usize> {
        self.block(&[len])
    }

    /// The rows of an array of some extents that this member has.
    fn block(&self, extents: &[usize]) -> Range<usize> {
        let len = extents.first().copied().unwrap_or(0);
        let own = blocks(extents, self.members()).get(self.rank()).cloned();
        own.unwrap_or(len..len)
    }

    /// Refuses an array that is not divided among these members.
    fn owns<Sh: Rank, T>(&self, xs: &Sharded<Sh, T>) -> Result<()> {
        if self.block(xs.extents.as_ref()) == xs.rows {
            return Ok(());
        }
        let message = format!(
            "an array is used whose rows {:?} are not those of member {} of {}: it was divided by other members",
            xs.rows,
            self.rank(),
            self.members()
        );
        Err(Error::new(ErrorKind::UnequalLengths, message))
    }

    /// Runs an array program on this member's device.
    fn local(
        &self,
        name: &str,
        inputs: &[&dyn Input],
        build: impl Fn(&[AnyArr]) -> Vec<AnyArr>,
    ) -> Result<Vec<AnyArray>> {
        let types = inputs.iter().map(|input| {
            let (extents, buffers) = input.parts();
            let types = buffers.iter().map(|buffer| buffer.element_type());
            (extents.len(), types.collect())
        });
        let program = Local::new(name, &types.collect::<Vec<_>>(), build)?;
        program.run(&self.device, inputs)
    }

    /// `f` of each element.
    ///
    /// # Errors
    /// What is wrong with `f`, and what the launch reports.
    ///
    /// ```
    /// use obsidian_rt::{Device, shard::Threads};
    ///
    /// let squares = Threads::new(vec![Device::cpu(); 2]).run(|member| {
    ///     let xs = member.vector(4, |range| range.map(|i| i as u32).collect())?;
    ///     member.gather_all(&member.map(&xs, |x| x * x)?)
    /// })?;
    /// assert_eq!(squares[0], [0, 1, 4, 9]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn map<Sh: Rank, T: HostItem, R: Computed<Value: HostOf>>(
        &self,
        xs: &Sharded<Sh, T>,
        f: impl Fn(T::Device) -> R + Clone + 'static,
    ) -> Result<Sharded<Sh, HostValue<R>>> {
        self.owns(xs)?;
        let results = self.local("map", &[&xs.local], |arrays| {
            arrays
                .iter()
                .map(|xs| {
                    let xs = xs.ranked::<Sh>().to::<T::Device>();
                    xs.map(f.clone()).untyped()
                })
                .collect()
        })?;
        xs.like(results)
    }

    /// `f` of the elements of two arrays of the same extents.
    ///
    /// # Errors
    /// [`ErrorKind::UnequalLengths`] if the extents differ; as [`map`](Member::map).
    ///
    /// ```
    /// use obsidian_rt::{Device, shard::Threads};
    ///
    /// let sums = Threads::new(vec![Device::cpu(); 2]).run(|member| {
    ///     let xs = member.vector(3, |range| range.map(|i| i as u32).collect())?;
    ///     let both = member.zip_with(&xs, &member.map(&xs, |x| x * 10)?, |x, y| x + y)?;
    ///     member.gather_all(&both)
    /// })?;
    /// assert_eq!(sums[0], [0, 11, 22]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn zip_with<Sh: Rank, T: HostItem, U: HostItem, R: Computed<Value: HostOf>>(
        &self,
        xs: &Sharded<Sh, T>,
        ys: &Sharded<Sh, U>,
        f: impl Fn(T::Device, U::Device) -> R + Clone + 'static,
    ) -> Result<Sharded<Sh, HostValue<R>>> {
        if xs.extents != ys.extents {
            let message = format!(
                "`zip_with` of arrays with the extents {:?} and {:?}",
                xs.extents, ys.extents
            );
            return Err(Error::new(ErrorKind::UnequalLengths, message));
        }
        self.owns(xs)?;
        self.owns(ys)?;
        let results = self.local("zip_with", &[&xs.local, &ys.local], |arrays| match arrays {
            [xs, ys] => {
                let (xs, ys) = (
                    xs.ranked::<Sh>().to::<T::Device>(),
                    ys.ranked::<Sh>().to::<U::Device>(),
                );
                vec![zip_with(f.clone(), xs, ys).untyped()]
            }
            _ => Vec::new(),
        })?;
        xs.like(results)
    }

    /// All elements combined, with `initial` in front. `f` is associative, for floats up to rounding; the bits are those of
    /// [`Sequence::fold`], whatever the number of members is.
    ///
    /// # Errors
    /// As [`map`](Member::map) and [`barrier`](Member::barrier).
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence, shard::Threads};
    ///
    /// let term = |i: usize| 1.0 / (i + 1) as f32;
    /// let sums = Threads::new(vec![Device::cpu(); 3]).run(|member| {
    ///     let xs = member.vector(50_000, |range| range.map(term).collect())?;
    ///     member.fold(&xs, |x, y| x + y, 0.0)
    /// })?;
    /// assert_eq!(sums[1], Sequence::generate(50_000, |i| term(i as usize)).sum().run(&Device::cpu())?);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn fold<T: HostItem, R: Computed<Value = T::Device>>(
        &self,
        xs: &Sharded<Ix1, T>,
        f: impl Fn(T::Device, T::Device) -> R + Clone + 'static,
        initial: T,
    ) -> Result<T> {
        let own = self.of_grains(xs, {
            let f = f.clone();
            move |rows: Arr<Ix2, T::Device>| rows.fold1(f.clone())
        })?;
        let mut tree: Tree<T::Device> = Tree::new(Rc::new(move |x, y| f(x, y).value()));
        tree.wait();
        tree.take(&self.device, own)?;
        tree.join(&self.device, self)?;
        let folded = tree.end(&self.device, Some(initial))?;
        Ok(folded.unwrap_or(initial))
    }

    /// What `f` makes of each grain, of which only the last one of all may be shorter.
    fn of_grains<T: HostItem>(
        &self,
        xs: &Sharded<Ix1, T>,
        f: impl Fn(Arr<Ix2, T::Device>) -> Arr1<T::Device>,
    ) -> Result<Vec<T>> {
        self.owns(xs)?;
        let len = xs.rows.len();
        let (whole, rest) = (len / GRAIN, len % GRAIN);
        let number = |n: usize| lit(n as u32);
        let results = self.local("grains", &[&xs.local], |arrays| {
            let all = arrays.iter().map(|xs| xs.ranked::<Ix1>().to::<T::Device>());
            let parts = all.flat_map(|xs| {
                let grains = xs.len() / number(GRAIN);
                let begun = grains * number(GRAIN);
                let whole = (whole > 0).then(|| f(xs.take(begun).reshape((grains, number(GRAIN)))));
                let rest = (rest > 0).then(|| {
                    let rest = xs.drop(begun);
                    f(rest.reshape((1, rest.len())))
                });
                [whole, rest]
            });
            parts.flatten().map(|array| array.untyped()).collect()
        });
        let mut all = Vec::new();
        if len > 0 {
            for array in results? {
                all.extend(array.to_vec::<T>()?);
            }
        }
        Ok(all)
    }

    /// The sum of the products of the elements of two vectors.
    ///
    /// # Errors
    /// As [`zip_with`](Member::zip_with) and [`fold`](Member::fold).
    ///
    /// ```
    /// use obsidian_rt::{Device, shard::Threads};
    ///
    /// let dots = Threads::new(vec![Device::cpu(); 2]).run(|member| {
    ///     let xs = member.vector(3, |range| range.map(|i| i as f64).collect())?;
    ///     member.dot(&xs, &xs)
    /// })?;
    /// assert_eq!(dots, [5.0, 5.0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn dot<T: Element + obsidian_core::scalar::Number>(
        &self,
        xs: &Sharded<Ix1, T>,
        ys: &Sharded<Ix1, T>,
    ) -> Result<T> {
        let products = self.zip_with(xs, ys, |x, y| x * y)?;
        self.fold(&products, |x, y| x + y, T::default())
    }

    /// Each element combined with those in front of it and `initial`, as [`Sequence::scan`] does it, bit for bit.
    ///
    /// # Errors
    /// As [`fold`](Member::fold).
    ///
    /// ```
    /// use obsidian_rt::{Device, shard::Threads};
    ///
    /// let last = Threads::new(vec![Device::cpu(); 3]).run(|member| {
    ///     let ones = member.vector(10_000, |range| vec![1u32; range.len()])?;
    ///     let sums = member.scan(&ones, |x, y| x + y, 100)?;
    ///     Ok(sums.local().to_vec()?.last().copied())
    /// })?;
    /// assert_eq!(last, [Some(4_196), Some(8_292), Some(10_100)]); // 4,096 elements, as many, and the rest
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn scan<T: HostItem, R: Computed<Value = T::Device>>(
        &self,
        xs: &Sharded<Ix1, T>,
        f: impl Fn(T::Device, T::Device) -> R + Clone + 'static,
        initial: T,
    ) -> Result<Sharded<Ix1, T>> {
        let totals = self.of_grains(xs, {
            let f = f.clone();
            move |rows: Arr<Ix2, T::Device>| {
                let scanned = rows.inclusive_scan(f.clone());
                let (_, width) = scanned.shape();
                scanned.slice_inner(width - 1)
            }
        })?;
        let all = self.all_gather(&totals)?;
        let before: Vec<T> = all.into_iter().take(self.rank()).flatten().collect();
        let carry = match before.is_empty() {
            true => initial,
            false => {
                let totals = self.device.array([before.len()], &before)?;
                let carry = self.local("carry", &[&totals], |arrays| {
                    let f = f.clone();
                    let first: T::Device = constant(initial);
                    let all = arrays.iter().map(|xs| xs.ranked::<Ix1>().to::<T::Device>());
                    all.map(|xs| xs.fold_in_order(f.clone(), first.clone()).untyped())
                        .collect()
                })?;
                let carry: Vec<T> = carry.first().map_or(Ok(Vec::new()), AnyArray::to_vec)?;
                carry.first().copied().unwrap_or(initial)
            }
        };
        let local = Sequence::array(&xs.local)
            .scan(f, carry)
            .collect()
            .run(&self.device)?;
        Ok(Sharded {
            extents: xs.extents,
            rows: xs.rows(),
            local,
        })
    }

    /// How many elements `f` gives each of the numbers below `bins`; other numbers are not counted.
    ///
    /// # Errors
    /// As [`fold`](Member::fold).
    ///
    /// ```
    /// use obsidian_rt::{Device, shard::Threads};
    ///
    /// let counts = Threads::new(vec![Device::cpu(); 2]).run(|member| {
    ///     let xs = member.vector(10, |range| range.map(|i| i as u32).collect())?;
    ///     member.histogram(&xs, 3, |x| x % 3)
    /// })?;
    /// assert_eq!(counts[0], [4, 3, 3]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn histogram<Sh: HasInner + Rank, T: HostItem>(
        &self,
        xs: &Sharded<Sh, T>,
        bins: u32,
        f: impl Fn(T::Device) -> Exp<u32> + 'static,
    ) -> Result<Vec<u64>> {
        self.owns(xs)?;
        let own = Sequence::array(&xs.local)
            .map_chunks(|xs| xs.flatten())
            .histogram(bins, f);
        let own = own.run(&self.device)?.to_vec()?;
        let mut all = vec![0u64; bins as usize];
        for counts in self.all_gather(&own)? {
            all.iter_mut()
                .zip(counts)
                .for_each(|(sum, count)| *sum += count);
        }
        Ok(all)
    }

    /// All elements, in each member.
    ///
    /// # Errors
    /// As [`barrier`](Member::barrier), and those of the device.
    ///
    /// ```
    /// use obsidian_rt::{Device, shard::Threads};
    ///
    /// let all = Threads::new(vec![Device::cpu(); 2]).run(|member| {
    ///     let xs = member.vector(3, |range| range.map(|i| i as u8).collect())?;
    ///     member.gather_all(&xs)
    /// })?;
    /// assert_eq!(all, [[0, 1, 2], [0, 1, 2]]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn gather_all<Sh: Rank, T: HostItem>(&self, xs: &Sharded<Sh, T>) -> Result<Vec<T>> {
        self.owns(xs)?;
        Ok(self.all_gather(&xs.local.to_vec()?)?.concat())
    }
}

impl Others for Member<'_> {
    fn rank(&self) -> usize {
        self.transport.rank()
    }
    fn all_gather(&self, own: &[u8]) -> Result<Vec<Vec<u8>>> {
        let all = self.transport.all_gather(own);
        all.map_err(|failure| failed(&failure))
    }
    fn works(&self) {
        self.transport.works();
    }
    fn part(&self, len: usize, is_vector: bool) -> Range<usize> {
        match is_vector {
            true => self.block(&[len]),
            false => self.block(&[len, 1]),
        }
    }
}

impl<Sh: Rank, T> Sharded<Sh, T> {
    /// An array of the same rows, of the first result of a program.
    fn like<U: HostItem>(&self, results: Vec<AnyArray>) -> Result<Sharded<Sh, U>> {
        let Some(local) = results.into_iter().next() else {
            return Err(Error::new(
                ErrorKind::Internal,
                "a program of a member has no result",
            ));
        };
        Ok(Sharded {
            extents: self.extents,
            rows: self.rows(),
            local: local.typed()?,
        })
    }
}

/// An array program of a member.
struct Local(AnyProgram);

impl Local {
    /// Of arrays with numbers of axes and types of components.
    fn new(
        name: &str,
        inputs: &[(usize, Vec<ScalarType>)],
        build: impl Fn(&[AnyArr]) -> Vec<AnyArr>,
    ) -> Result<Self> {
        let program = AnyProgram::build(name, |parameters| {
            let arrays = inputs
                .iter()
                .map(|(rank, types)| parameters.array(*rank, types));
            build(&arrays.collect::<Vec<_>>())
        })?;
        Ok(Local(program))
    }

    fn run(&self, device: &Device, inputs: &[&dyn Input]) -> Result<Vec<AnyArray>> {
        let lent: Vec<_> = inputs.iter().map(|input| input.parts()).collect();
        let lent = lent
            .iter()
            .map(|(extents, buffers)| (extents.as_slice(), buffers.clone()));
        self.0.run_lent(device, lent)
    }
}

/// An array that a program reads.
trait Input {
    fn parts(&self) -> (Vec<usize>, Vec<&AnyBuffer>);
}

impl<Sh: Rank, T: HostItem> Input for Array<Sh, T> {
    fn parts(&self) -> (Vec<usize>, Vec<&AnyBuffer>) {
        (
            self.extents().as_ref().to_vec(),
            ArrayView::from(self).into_buffers(),
        )
    }
}
