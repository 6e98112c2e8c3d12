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
mod operations;
mod sequences;
mod threads;
mod transport;

use std::fmt;
use std::ops::Range;

use obsidian_language::arrays::{Computed, Ix1};

pub use halo::Edge;
pub use threads::Threads;
pub use transport::{Failure, Transport};

use crate::arrays::{AnyArray, Array, HostItem, HostOf, Rank};
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};
use crate::sequence::{decoded, exchanged};

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
}

impl<Sh: Rank, T> Sharded<Sh, T> {
    /// An array of the same rows, of the first result of a program.
    pub(super) fn like<U: HostItem>(&self, results: Vec<AnyArray>) -> Result<Sharded<Sh, U>> {
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
