//! Arrays as sources: on a device, on the host along any axes, and computed ones.

use obsidian_language::arrays::{Ix1, Ix2, Ix3};
use obsidian_language::scalar::ScalarType;

use super::source::{Inner, Length, Like, Piece, Reader, Source, StagedArray, own, uploaded};
use super::staging::Slots;
use crate::arrays::{HostItem, Rank};
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};
use crate::untyped::AnyBuffer;
use crate::view::AnyView;

/// An axis along which an array is divided into elements: see [`Sequence::divided`](super::Sequence::divided).
///
/// ```
/// use obsidian_rt::{Device, sequence::{All, Sequence, Split}};
///
/// // The columns of a matrix of two rows.
/// let columns = Sequence::divided(&[1u32, 2, 3, 10, 20, 30], [2, 3], (All, Split))?;
/// let sums = columns.each(|column| column.sum()).collect().run(&Device::cpu())?;
/// assert_eq!(sums.to_vec()?, [11, 22, 33]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Split;

/// An axis that each element has all of: see [`Split`].
///
/// ```
/// use obsidian_rt::{Device, sequence::{All, Sequence, Split}};
///
/// let numbers = Sequence::divided(&[1u32, 2, 3, 4], [2, 2], (Split, Split))?;
/// assert_eq!(numbers.sum().run(&Device::cpu())?, 10);
/// let rows = Sequence::divided(&[1u32, 2, 3, 4], [2, 2], (Split, All))?;
/// assert_eq!(rows.each(|row| row.max()).sum().run(&Device::cpu())?, 2 + 4);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct All;

/// How an array is divided into elements: [`Split`] or [`All`] for each of its axes, and at least one `Split`. Elements are in the order of the array.
///
/// ```
/// use obsidian_rt::sequence::{All, Division, Split};
///
/// fn axes<D: Division>(_: D) -> Vec<bool> {
///     D::split().to_vec()
/// }
/// assert_eq!(axes((All, Split, All)), [false, true, false]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not divide an array into elements",
    note = "`Split` or `All` for each of one to three axes does, of which one is `Split`: `(All, Split)` gives the columns of a matrix"
)]
pub trait Division {
    /// The shape of the array.
    type Whole: Rank;
    /// The shape of a chunk: the elements, and their axes.
    type Chunk: Rank;
    /// Whether each axis is divided.
    fn split() -> &'static [bool];
}

macro_rules! divisions {
    ($(($($axis:ident),+): $whole:ident => $chunk:ident [$($split:literal),+];)*) => {$(
        impl Division for ($($axis,)+) {
            type Whole = $whole;
            type Chunk = $chunk;
            fn split() -> &'static [bool] {
                &[$($split),+]
            }
        }
    )*};
}

impl Division for Split {
    type Whole = Ix1;
    type Chunk = Ix1;
    fn split() -> &'static [bool] {
        &[true]
    }
}

divisions! {
    (Split, Split): Ix2 => Ix1 [true, true];
    (Split, All): Ix2 => Ix2 [true, false];
    (All, Split): Ix2 => Ix2 [false, true];
    (Split, Split, Split): Ix3 => Ix1 [true, true, true];
    (Split, Split, All): Ix3 => Ix2 [true, true, false];
    (Split, All, Split): Ix3 => Ix2 [true, false, true];
    (All, Split, Split): Ix3 => Ix2 [false, true, true];
    (Split, All, All): Ix3 => Ix3 [true, false, false];
    (All, Split, All): Ix3 => Ix3 [false, true, false];
    (All, All, Split): Ix3 => Ix3 [false, false, true];
}

/// The axes of an array that is divided: their extents, and how far apart neighbours along them lie.
#[derive(Clone, Debug)]
pub(super) struct Axes {
    /// Those that number the elements.
    split: Vec<(usize, usize)>,
    /// Those of an element.
    all: Vec<(usize, usize)>,
}

impl Axes {
    pub(super) fn of(extents: &[usize], is_split: &[bool]) -> Self {
        let (mut split, mut all) = (Vec::new(), Vec::new());
        let mut stride = 1usize;
        for (extent, is_split) in extents.iter().zip(is_split).rev() {
            match is_split {
                true => split.push((*extent, stride)),
                false => all.push((*extent, stride)),
            }
            stride = stride.saturating_mul(*extent);
        }
        split.reverse();
        all.reverse();
        Axes { split, all }
    }

    /// The number of elements.
    pub(super) fn count(&self) -> u64 {
        self.split
            .iter()
            .map(|(extent, _)| *extent as u64)
            .product()
    }

    /// The extents of an element.
    pub(super) fn inner(&self) -> Vec<usize> {
        self.all.iter().map(|(extent, _)| *extent).collect()
    }
}

/// Where the number with a number is, among axes.
fn offset(axes: &[(usize, usize)], mut number: usize) -> usize {
    let mut offset = 0;
    for (extent, stride) in axes.iter().rev() {
        offset += number % extent * stride;
        number /= extent;
    }
    offset
}

/// The elements of a slice along any axes: they are put behind each other, a chunk after the other.
pub(super) struct Divided<'s, T> {
    pub(super) elements: &'s [T],
    pub(super) axes: Axes,
}

impl<'s, T: HostItem + Send + Sync> Source for Divided<'s, T> {
    fn arrays(&self) -> Vec<Like> {
        Inner::of(&self.axes.inner()).like::<T>()
    }
    fn length(&self) -> Result<Length> {
        Ok(Length::Known(self.axes.count()))
    }
    fn open<'a>(&self, skip: u64) -> Result<Box<dyn Reader<'a> + 'a>>
    where
        Self: 'a,
    {
        Ok(Box::new(DividedReader {
            elements: self.elements,
            axes: self.axes.clone(),
            next: skip.min(self.axes.count()),
        }))
    }
}

struct DividedReader<'s, T> {
    elements: &'s [T],
    axes: Axes,
    next: u64,
}

impl<'s, T: HostItem + Send + Sync> Reader<'s> for DividedReader<'s, T> {
    fn length(&self) -> Length {
        Length::Known(self.axes.count() - self.next)
    }
    fn ready(&mut self, most: usize) -> Result<usize> {
        let left = self.axes.count() - self.next;
        Ok(usize::try_from(left).unwrap_or(usize::MAX).min(most))
    }
    fn take(&mut self, len: usize) -> Box<dyn Piece<'s> + 's> {
        let numbers: usize = self.axes.inner().iter().product();
        let first = self.next as usize;
        self.next += len as u64;
        let mut all: Vec<T> = Vec::with_capacity(len.saturating_mul(numbers));
        for element in first..first + len {
            let start = offset(&self.axes.split, element);
            let places = (0..numbers).map(|number| start + offset(&self.axes.all, number));
            all.extend(places.filter_map(|place| self.elements.get(place)));
        }
        own(all, len)
    }
}

/// An array on a device, along its outermost axis.
pub(super) struct OnDevice<'s> {
    pub(super) extents: Vec<usize>,
    pub(super) buffers: Vec<&'s AnyBuffer>,
}

impl<'s> Source for OnDevice<'s> {
    fn arrays(&self) -> Vec<Like> {
        let types = self.buffers.iter().map(|buffer| buffer.element_type());
        vec![Like {
            types: types.collect(),
            inner: self.extents.get(1..).unwrap_or_default().to_vec(),
            outer: None,
        }]
    }
    fn is_lent(&self, _: &Device) -> bool {
        true
    }
    fn length(&self) -> Result<Length> {
        Ok(Length::Known(
            self.extents.first().copied().unwrap_or(0) as u64
        ))
    }
    fn open<'a>(&self, skip: u64) -> Result<Box<dyn Reader<'a> + 'a>>
    where
        Self: 'a,
    {
        let count = self.extents.first().copied().unwrap_or(0);
        let next = usize::try_from(skip).unwrap_or(usize::MAX).min(count);
        Ok(Box::new(OnDeviceReader {
            buffers: self.buffers.clone(),
            numbers: self.extents.iter().skip(1).product(),
            next,
            count,
        }))
    }
}

struct OnDeviceReader<'s> {
    buffers: Vec<&'s AnyBuffer>,
    /// The numbers of an element.
    numbers: usize,
    next: usize,
    count: usize,
}

impl<'s> Reader<'s> for OnDeviceReader<'s> {
    fn length(&self) -> Length {
        Length::Known((self.count - self.next) as u64)
    }
    fn ready(&mut self, most: usize) -> Result<usize> {
        Ok(most.min(self.count - self.next))
    }
    fn take(&mut self, len: usize) -> Box<dyn Piece<'s> + 's> {
        let first = self.next;
        self.next += len;
        Box::new(Part {
            buffers: self.buffers.clone(),
            start: first * self.numbers,
            numbers: len * self.numbers,
            len,
        })
    }
}

/// Elements of an array on a device.
struct Part<'s> {
    buffers: Vec<&'s AnyBuffer>,
    start: usize,
    numbers: usize,
    len: usize,
}

impl<'s> Piece<'s> for Part<'s> {
    fn give(self: Box<Self>, _: &Device) -> Result<Vec<(usize, Vec<AnyView<'s>>)>> {
        let parts = self
            .buffers
            .iter()
            .map(|buffer| buffer.part(self.start, self.numbers));
        Ok(vec![(self.len, parts.collect::<Result<_>>()?)])
    }
    fn stage(&self, _: &Slots) -> Result<Option<Vec<StagedArray>>> {
        Ok(None)
    }
}

/// The numbers of the elements of a chunk: an array that has as many elements, each of no numbers, and the first number.
pub(super) struct Counted {
    pub(super) count: u64,
}

impl Source for Counted {
    fn arrays(&self) -> Vec<Like> {
        vec![
            Like {
                types: vec![ScalarType::U8],
                inner: vec![0],
                outer: None,
            },
            Like {
                types: vec![ScalarType::U64],
                inner: Vec::new(),
                outer: Some(1),
            },
        ]
    }
    fn is_lent(&self, _: &Device) -> bool {
        true
    }
    fn length(&self) -> Result<Length> {
        Ok(Length::Known(self.count))
    }
    fn open<'a>(&self, skip: u64) -> Result<Box<dyn Reader<'a> + 'a>>
    where
        Self: 'a,
    {
        Ok(Box::new(Count {
            next: skip.min(self.count),
            count: self.count,
        }))
    }
}

struct Count {
    next: u64,
    count: u64,
}

impl<'s> Reader<'s> for Count {
    fn length(&self) -> Length {
        Length::Known(self.count - self.next)
    }
    fn ready(&mut self, most: usize) -> Result<usize> {
        let left = usize::try_from(self.count - self.next);
        Ok(left.unwrap_or(usize::MAX).min(most))
    }
    fn take(&mut self, len: usize) -> Box<dyn Piece<'s> + 's> {
        let first = self.next;
        self.next += len as u64;
        Box::new(Numbered { first, len })
    }
}

struct Numbered {
    first: u64,
    len: usize,
}

impl<'s> Piece<'s> for Numbered {
    fn give(self: Box<Self>, device: &Device) -> Result<Vec<(usize, Vec<AnyView<'s>>)>> {
        Ok(vec![
            (self.len, uploaded::<u8>(device, Vec::new())?),
            (1, uploaded(device, vec![self.first])?),
        ])
    }
    fn stage(&self, _: &Slots) -> Result<Option<Vec<StagedArray>>> {
        Ok(None)
    }
}

/// Refuses a slice that does not have as many elements as an array of some extents.
pub(super) fn has_all(found: usize, extents: &[usize]) -> Result<()> {
    let wanted = extents
        .iter()
        .fold(1usize, |n, extent| n.saturating_mul(*extent));
    let mut some = extents.iter().filter(|extent| **extent > 0);
    let is_countable = some.try_fold(1usize, |n, extent| n.checked_mul(*extent));
    if found == wanted && is_countable.is_some() {
        return Ok(());
    }
    let message = format!(
        "an array with the extents {extents:?} has {wanted} elements, and the slice has {found}"
    );
    Err(Error::new(ErrorKind::UnequalLengths, message).exceeded(found as u64, wanted as u64))
}
