//! Where the elements of a sequence come from: slices, iterators, functions.

use std::sync::{Arc, Mutex, PoisonError};

use obsidian_language::scalar::ScalarType;

use super::staging::{Slots, Staged, staged};
use crate::arrays::HostItem;
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};
use crate::view::AnyView;

/// A source, which a run opens.
pub(super) trait Source {
    /// The arrays of a chunk.
    fn arrays(&self) -> Vec<Like>;
    /// Has each of its arrays as many rows as a chunk has elements, unless it tells another number? If not, the last one is where each element begins in the others,
    /// and the end.
    fn has_rows(&self) -> bool {
        true
    }
    /// How many elements there are, where that can be told without reading them.
    fn length(&self) -> Result<Length>;
    /// Can the device read the elements where they are?
    fn is_lent(&self, device: &Device) -> bool {
        let _ = device;
        false
    }
    /// Is it gone when it has been read?
    fn is_read_once(&self) -> bool {
        false
    }
    /// What reads the elements of one run, from an element on.
    fn open<'a>(&self, skip: u64) -> Result<Box<dyn Reader<'a> + 'a>>
    where
        Self: 'a;
}

/// One array of a chunk.
#[derive(Clone, Debug)]
pub(super) struct Like {
    /// The types of the components of a number.
    pub(super) types: Vec<ScalarType>,
    /// The extents of an element: none for numbers, the width for rows.
    pub(super) inner: Vec<usize>,
    /// The extent in front of those, where it is not the number of the elements.
    pub(super) outer: Option<usize>,
}

/// How many elements there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Length {
    Known(u64),
    /// It is known when the last one has been read.
    Unknown,
    Endless,
}

/// Reads the elements of a source, in another thread than the run.
pub(super) trait Reader<'s>: Send {
    fn length(&self) -> Length;
    /// Makes the next elements ready, and gives how many there are: `most`, if there are as many. 0 is the end.
    fn ready(&mut self, most: usize) -> Result<usize>;
    /// Has the first element that is ready more values than a chunk has elements?
    fn is_long(&self, chunk: usize) -> bool {
        let _ = chunk;
        false
    }
    /// Takes as many elements, which are ready.
    fn take(&mut self, len: usize) -> Box<dyn Piece<'s> + 's>;
}

/// Elements of a source that have been read.
pub(super) trait Piece<'s>: Send {
    /// The arrays of the elements on a device: the outermost extent, and a buffer for each component.
    fn give(self: Box<Self>, device: &Device) -> Result<Vec<(usize, Vec<AnyView<'s>>)>>;
    /// The same in page-locked memory, for a device that copies from there; none if nothing is to be copied.
    fn stage(&self, slots: &Slots) -> Result<Option<Vec<StagedArray>>>;
}

/// An array in page-locked memory: the outermost extent, and the components.
pub(super) type StagedArray = (usize, Vec<Box<dyn Staged>>);

/// The extents of elements, and how many numbers each has.
#[derive(Clone, Debug)]
pub(super) struct Inner {
    pub(super) extents: Vec<usize>,
    pub(super) numbers: usize,
}

impl Inner {
    pub(super) fn of(extents: &[usize]) -> Self {
        let numbers = extents.iter().fold(1, |n: usize, e| n.saturating_mul(*e));
        Inner {
            extents: extents.to_vec(),
            numbers,
        }
    }

    pub(super) fn like<T: HostItem>(&self) -> Vec<Like> {
        vec![Like {
            types: types::<T>(),
            inner: self.extents.clone(),
            outer: None,
        }]
    }
}

/// Elements that are lent.
struct Lent<'s, T> {
    elements: &'s [T],
    len: usize,
}

impl<'s, T: HostItem + Send + Sync> Piece<'s> for Lent<'s, T> {
    fn give(self: Box<Self>, device: &Device) -> Result<Vec<(usize, Vec<AnyView<'s>>)>> {
        let mut views = Vec::new();
        T::lend(device, self.elements, &mut views)?;
        Ok(vec![(self.len, views)])
    }
    fn stage(&self, slots: &Slots) -> Result<Option<Vec<StagedArray>>> {
        Ok(Some(vec![(self.len, staged(self.elements, slots)?)]))
    }
}

/// Elements of the run's own.
struct Own<T> {
    elements: Vec<T>,
    len: usize,
}

/// Numbers of `len` elements.
pub(super) fn own<'s, T: HostItem + Send + Sync>(
    elements: Vec<T>,
    len: usize,
) -> Box<dyn Piece<'s> + 's> {
    Box::new(Own { elements, len })
}

/// A vector on a device that is not needed any more.
pub(super) fn uploaded<'s, T: HostItem>(
    device: &Device,
    elements: Vec<T>,
) -> Result<Vec<AnyView<'s>>> {
    let mut buffers = Vec::new();
    T::upload_vec(device, elements, &mut buffers)?;
    Ok(buffers.into_iter().map(AnyView::from).collect())
}

impl<'s, T: HostItem + Send + Sync> Piece<'s> for Own<T> {
    fn give(self: Box<Self>, device: &Device) -> Result<Vec<(usize, Vec<AnyView<'s>>)>> {
        Ok(vec![(self.len, uploaded(device, self.elements)?)])
    }
    fn stage(&self, slots: &Slots) -> Result<Option<Vec<StagedArray>>> {
        Ok(Some(vec![(self.len, staged(&self.elements, slots)?)]))
    }
}

/// The elements of a slice.
pub(super) struct Slice<'s, T> {
    pub(super) elements: &'s [T],
    pub(super) inner: Inner,
}

impl<'s, T: HostItem + Send + Sync> Source for Slice<'s, T> {
    fn arrays(&self) -> Vec<Like> {
        self.inner.like::<T>()
    }
    fn is_lent(&self, device: &Device) -> bool {
        // The components of tuples are copied, each to a buffer.
        device.backend().reads_host() && types::<T>().len() == 1
    }
    fn length(&self) -> Result<Length> {
        Ok(self.open(0)?.length())
    }
    fn open<'a>(&self, skip: u64) -> Result<Box<dyn Reader<'a> + 'a>>
    where
        Self: 'a,
    {
        let (numbers, all) = (self.inner.numbers, self.elements.len());
        if numbers == 0 || !all.is_multiple_of(numbers) {
            let extents = &self.inner.extents;
            let message = match numbers {
                0 => format!(
                    "elements with the extents {extents:?} have no numbers, so that a slice does not tell how many there are"
                ),
                _ => format!(
                    "a slice of {all} numbers is no whole number of elements with the extents {extents:?}, which have {numbers} each"
                ),
            };
            return Err(
                Error::new(ErrorKind::UnequalLengths, message).exceeded(all as u64, numbers as u64)
            );
        }
        let skipped = usize::try_from(skip).unwrap_or(usize::MAX);
        let rest = self.elements.get(skipped.saturating_mul(numbers)..);
        Ok(Box::new(SliceReader {
            rest: rest.unwrap_or(&[]),
            numbers,
        }))
    }
}

struct SliceReader<'s, T> {
    rest: &'s [T],
    /// The numbers of an element; not 0.
    numbers: usize,
}

impl<'s, T: HostItem + Send + Sync> Reader<'s> for SliceReader<'s, T> {
    fn length(&self) -> Length {
        Length::Known((self.rest.len() / self.numbers) as u64)
    }
    fn ready(&mut self, most: usize) -> Result<usize> {
        Ok(most.min(self.rest.len() / self.numbers))
    }
    fn take(&mut self, len: usize) -> Box<dyn Piece<'s> + 's> {
        let numbers = len.saturating_mul(self.numbers).min(self.rest.len());
        let (elements, rest) = self.rest.split_at(numbers);
        self.rest = rest;
        Box::new(Lent { elements, len })
    }
}

/// Elements that were read and not taken yet.
pub(super) struct Waiting<T>(Vec<T>);

impl<T: HostItem> Waiting<T> {
    pub(super) const fn new() -> Self {
        Waiting(Vec::new())
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// What reads puts elements here.
    pub(super) fn elements(&mut self) -> &mut Vec<T> {
        &mut self.0
    }

    /// The first ones; nothing is copied if they are all.
    pub(super) fn take(&mut self, len: usize) -> Vec<T> {
        let rest = match len < self.0.len() {
            true => self.0.get(len..).unwrap_or_default().to_vec(),
            // Memory of chunks that are done, whose pages the system need not clear.
            false => T::spare(len),
        };
        self.0.truncate(len);
        std::mem::replace(&mut self.0, rest)
    }
}

/// The elements of an iterator, which the first run takes.
pub(super) struct Iter<I>(pub(super) Arc<Mutex<Option<I>>>);

fn length_of(iterator: &impl Iterator) -> Length {
    match iterator.size_hint() {
        (least, None) if least == usize::MAX => Length::Endless,
        (least, Some(most)) if least == most => Length::Known(least as u64),
        _ => Length::Unknown,
    }
}

fn taken<I>(iterator: &Mutex<Option<I>>) -> Result<I> {
    let mut iterator = iterator.lock().unwrap_or_else(PoisonError::into_inner);
    iterator.take().ok_or_else(is_gone)
}

fn is_gone() -> Error {
    let message = "an earlier run has read this iterator; slices, files and functions can be read again, and several consumers read a sequence in one run";
    Error::new(ErrorKind::Source, message)
}

impl<I: Iterator<Item: HostItem + Send + Sync> + Send> Source for Iter<I> {
    fn arrays(&self) -> Vec<Like> {
        Inner::of(&[]).like::<I::Item>()
    }
    fn length(&self) -> Result<Length> {
        let iterator = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        iterator.as_ref().map(length_of).ok_or_else(is_gone)
    }
    fn is_read_once(&self) -> bool {
        true
    }
    fn open<'a>(&self, skip: u64) -> Result<Box<dyn Reader<'a> + 'a>>
    where
        Self: 'a,
    {
        let mut iterator = taken(&self.0)?;
        for _ in 0..skip {
            if iterator.next().is_none() {
                break;
            }
        }
        Ok(Box::new(IterReader {
            length: length_of(&iterator),
            iterator,
            waiting: Waiting::new(),
        }))
    }
}

struct IterReader<I: Iterator> {
    iterator: I,
    length: Length,
    waiting: Waiting<I::Item>,
}

impl<'s, I: Iterator<Item: HostItem + Send + Sync> + Send> Reader<'s> for IterReader<I> {
    fn length(&self) -> Length {
        self.length
    }
    fn ready(&mut self, most: usize) -> Result<usize> {
        let missing = most.saturating_sub(self.waiting.len());
        self.waiting
            .elements()
            .extend(self.iterator.by_ref().take(missing));
        Ok(self.waiting.len().min(most))
    }
    fn take(&mut self, len: usize) -> Box<dyn Piece<'s> + 's> {
        own(self.waiting.take(len), len)
    }
}

/// Chunks of a fallible iterator: what each gives is put behind what the one before gave.
pub(super) struct Chunks<I>(pub(super) Arc<Mutex<Option<I>>>);

impl<I, T, E> Source for Chunks<I>
where
    I: Iterator<Item = std::result::Result<Vec<T>, E>> + Send,
    T: HostItem + Send + Sync,
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    fn arrays(&self) -> Vec<Like> {
        Inner::of(&[]).like::<T>()
    }
    fn length(&self) -> Result<Length> {
        Ok(Length::Unknown)
    }
    fn is_read_once(&self) -> bool {
        true
    }
    fn open<'a>(&self, skip: u64) -> Result<Box<dyn Reader<'a> + 'a>>
    where
        Self: 'a,
    {
        Ok(Box::new(ChunksReader {
            iterator: taken(&self.0)?,
            waiting: Waiting::new(),
            skip,
        }))
    }
}

struct ChunksReader<I, T> {
    iterator: I,
    waiting: Waiting<T>,
    skip: u64,
}

impl<'s, I, T, E> Reader<'s> for ChunksReader<I, T>
where
    I: Iterator<Item = std::result::Result<Vec<T>, E>> + Send,
    T: HostItem + Send + Sync,
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    fn length(&self) -> Length {
        Length::Unknown
    }
    fn ready(&mut self, most: usize) -> Result<usize> {
        while self.waiting.len() < most {
            let Some(chunk) = self.iterator.next() else {
                break;
            };
            let mut chunk = chunk.map_err(|error| {
                let error: Box<dyn std::error::Error + Send + Sync> = error.into();
                Error::new(ErrorKind::Source, format!("the source failed: {error}"))
            })?;
            let skipped = usize::try_from(self.skip).unwrap_or(usize::MAX);
            let skipped = skipped.min(chunk.len());
            chunk.drain(..skipped);
            self.skip -= skipped as u64;
            match self.waiting.len() {
                0 => *self.waiting.elements() = chunk,
                _ => self.waiting.elements().append(&mut chunk),
            }
        }
        Ok(self.waiting.len().min(most))
    }
    fn take(&mut self, len: usize) -> Box<dyn Piece<'s> + 's> {
        own(self.waiting.take(len), len)
    }
}

/// Elements that a function of their number gives.
pub(super) struct Generated<F> {
    pub(super) count: u64,
    pub(super) f: Arc<F>,
}

impl<T: HostItem + Send + Sync, F: Fn(u64) -> T + Send + Sync> Source for Generated<F> {
    fn arrays(&self) -> Vec<Like> {
        Inner::of(&[]).like::<T>()
    }
    fn length(&self) -> Result<Length> {
        Ok(Length::Known(self.count))
    }
    fn open<'a>(&self, skip: u64) -> Result<Box<dyn Reader<'a> + 'a>>
    where
        Self: 'a,
    {
        Ok(Box::new(GeneratedReader {
            next: skip.min(self.count),
            count: self.count,
            f: self.f.clone(),
            waiting: Waiting::new(),
        }))
    }
}

struct GeneratedReader<F, T> {
    next: u64,
    count: u64,
    f: Arc<F>,
    waiting: Waiting<T>,
}

impl<'s, T: HostItem + Send + Sync, F: Fn(u64) -> T + Send + Sync> Reader<'s>
    for GeneratedReader<F, T>
{
    fn length(&self) -> Length {
        Length::Known(self.count - self.next)
    }
    fn ready(&mut self, most: usize) -> Result<usize> {
        let missing = most.saturating_sub(self.waiting.len());
        let end = self.next.saturating_add(missing as u64).min(self.count);
        let f = &self.f;
        self.waiting
            .elements()
            .extend((self.next..end).map(|n| f(n)));
        self.next = end;
        Ok(self.waiting.len().min(most))
    }
    fn take(&mut self, len: usize) -> Box<dyn Piece<'s> + 's> {
        own(self.waiting.take(len), len)
    }
}

/// The types of the components of an element.
pub(crate) fn types<T: HostItem>() -> Vec<ScalarType> {
    let mut types = Vec::new();
    T::types(&mut types);
    types
}
