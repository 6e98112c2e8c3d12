//! Where the elements of a sequence come from: slices, iterators, functions.

use std::sync::{Arc, Mutex, PoisonError};

use obsidian_core::scalar::ScalarType;

use crate::arrays::HostItem;
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};
use crate::view::AnyView;

/// A source, which a run opens.
pub(super) trait Source {
    /// The types of the components of a number.
    fn types(&self) -> Vec<ScalarType>;
    /// The extents of an element: none for numbers, the width for rows.
    fn inner(&self) -> &[usize];
    /// How many elements there are, where that can be told without reading them.
    fn length(&self) -> Result<Length>;
    /// Can a device that reads the memory of the host read the elements where they are?
    fn is_lent(&self) -> bool {
        false
    }
    /// What reads the elements of one run, from an element on.
    fn open<'a>(&'a self, skip: u64) -> Result<Box<dyn Reader<'a> + 'a>>;
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
    /// The next elements: `most` of them, or fewer at the end.
    fn read(&mut self, most: usize) -> Result<Box<dyn Piece<'s> + 's>>;
}

/// Elements of a source that have been read.
pub(super) trait Piece<'s>: Send {
    /// The number of elements.
    fn len(&self) -> usize;
    /// Keeps the first elements.
    fn truncate(&mut self, len: usize);
    /// The elements on a device, a buffer for each component.
    fn give(self: Box<Self>, device: &Device) -> Result<Vec<AnyView<'s>>>;
}

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
}

/// Elements that are lent, or that are the run's own.
enum Elements<'s, T> {
    Lent(&'s [T]),
    Own(Vec<T>),
}

struct Read<'s, T> {
    elements: Elements<'s, T>,
    len: usize,
    numbers: usize,
}

/// Numbers of which each `inner.numbers` are an element. Elements without numbers are as many as `len` says.
pub(super) fn own<'s, T: HostItem + Send + Sync>(
    elements: Vec<T>,
    len: usize,
    inner: &Inner,
) -> Box<dyn Piece<'s> + 's>
where
    T: 's,
{
    Box::new(Read {
        elements: Elements::Own(elements),
        len,
        numbers: inner.numbers,
    })
}

impl<'s, T: HostItem + Send + Sync> Piece<'s> for Read<'s, T> {
    fn len(&self) -> usize {
        self.len
    }
    fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
        let numbers = self.len.saturating_mul(self.numbers);
        match &mut self.elements {
            Elements::Lent(elements) => *elements = elements.get(..numbers).unwrap_or(elements),
            Elements::Own(elements) => elements.truncate(numbers),
        }
    }
    fn give(self: Box<Self>, device: &Device) -> Result<Vec<AnyView<'s>>> {
        match self.elements {
            Elements::Lent(elements) => {
                let mut views = Vec::new();
                T::lend(device, elements, &mut views)?;
                Ok(views)
            }
            Elements::Own(elements) => {
                let mut buffers = Vec::new();
                T::upload_vec(device, elements, &mut buffers)?;
                Ok(buffers.into_iter().map(AnyView::from).collect())
            }
        }
    }
}

/// The elements of a slice.
pub(super) struct Slice<'s, T> {
    pub(super) elements: &'s [T],
    pub(super) inner: Inner,
}

impl<T: HostItem + Send + Sync> Source for Slice<'_, T> {
    fn types(&self) -> Vec<ScalarType> {
        types::<T>()
    }
    fn inner(&self) -> &[usize] {
        &self.inner.extents
    }
    fn is_lent(&self) -> bool {
        true
    }
    fn length(&self) -> Result<Length> {
        Ok(self.open(0)?.length())
    }
    fn open<'a>(&'a self, skip: u64) -> Result<Box<dyn Reader<'a> + 'a>> {
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
    numbers: usize,
}

impl<'s, T: HostItem + Send + Sync> Reader<'s> for SliceReader<'s, T> {
    fn length(&self) -> Length {
        Length::Known((self.rest.len() / self.numbers) as u64)
    }
    fn read(&mut self, most: usize) -> Result<Box<dyn Piece<'s> + 's>> {
        let numbers = most.saturating_mul(self.numbers).min(self.rest.len());
        let (now, rest) = self.rest.split_at(numbers);
        self.rest = rest;
        Ok(Box::new(Read {
            elements: Elements::Lent(now),
            len: numbers / self.numbers,
            numbers: self.numbers,
        }))
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

impl<I: Iterator<Item: HostItem + Send + Sync> + Send> Source for Iter<I> {
    fn types(&self) -> Vec<ScalarType> {
        types::<I::Item>()
    }
    fn inner(&self) -> &[usize] {
        &[]
    }
    fn length(&self) -> Result<Length> {
        let iterator = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(iterator.as_ref().map_or(Length::Unknown, length_of))
    }
    fn open<'a>(&'a self, skip: u64) -> Result<Box<dyn Reader<'a> + 'a>> {
        let mut iterator = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(mut iterator) = iterator.take() else {
            let message = "an earlier run has read this iterator; `Sequence::slice`, `generate` and `file` can be run again, and several \
                consumers read a sequence in one run";
            return Err(Error::new(ErrorKind::Source, message));
        };
        for _ in 0..skip {
            if iterator.next().is_none() {
                break;
            }
        }
        let length = length_of(&iterator);
        Ok(Box::new(IterReader { iterator, length }))
    }
}

struct IterReader<I> {
    iterator: I,
    length: Length,
}

impl<'s, I: Iterator<Item: HostItem + Send + Sync> + Send + 's> Reader<'s> for IterReader<I> {
    fn length(&self) -> Length {
        self.length
    }
    fn read(&mut self, most: usize) -> Result<Box<dyn Piece<'s> + 's>> {
        let elements: Vec<I::Item> = self.iterator.by_ref().take(most).collect();
        let len = elements.len();
        Ok(own(elements, len, &Inner::of(&[])))
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
    fn types(&self) -> Vec<ScalarType> {
        types::<T>()
    }
    fn inner(&self) -> &[usize] {
        &[]
    }
    fn length(&self) -> Result<Length> {
        Ok(Length::Unknown)
    }
    fn open<'a>(&'a self, skip: u64) -> Result<Box<dyn Reader<'a> + 'a>> {
        let mut iterator = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(iterator) = iterator.take() else {
            let message = "an earlier run has read this iterator of chunks; several consumers read a sequence in one run";
            return Err(Error::new(ErrorKind::Source, message));
        };
        Ok(Box::new(ChunksReader {
            iterator,
            left: Vec::new(),
            skip,
        }))
    }
}

struct ChunksReader<I, T> {
    iterator: I,
    /// What was given and not read yet.
    left: Vec<T>,
    skip: u64,
}

impl<'s, I, T, E> Reader<'s> for ChunksReader<I, T>
where
    I: Iterator<Item = std::result::Result<Vec<T>, E>> + Send + 's,
    T: HostItem + Send + Sync,
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    fn length(&self) -> Length {
        Length::Unknown
    }
    fn read(&mut self, most: usize) -> Result<Box<dyn Piece<'s> + 's>> {
        while self.left.len() < most {
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
            match self.left.is_empty() {
                true => self.left = chunk,
                false => self.left.append(&mut chunk),
            }
        }
        let rest = self.left.split_off(most.min(self.left.len()));
        let now = std::mem::replace(&mut self.left, rest);
        let len = now.len();
        Ok(own(now, len, &Inner::of(&[])))
    }
}

/// Elements that a function of their number gives.
pub(super) struct Generated<F> {
    pub(super) count: u64,
    pub(super) f: Arc<F>,
}

impl<T: HostItem + Send + Sync, F: Fn(u64) -> T + Send + Sync> Source for Generated<F> {
    fn types(&self) -> Vec<ScalarType> {
        types::<T>()
    }
    fn inner(&self) -> &[usize] {
        &[]
    }
    fn length(&self) -> Result<Length> {
        Ok(Length::Known(self.count))
    }
    fn open<'a>(&'a self, skip: u64) -> Result<Box<dyn Reader<'a> + 'a>> {
        Ok(Box::new(GeneratedReader {
            next: skip.min(self.count),
            count: self.count,
            f: self.f.clone(),
        }))
    }
}

struct GeneratedReader<F> {
    next: u64,
    count: u64,
    f: Arc<F>,
}

impl<'s, T: HostItem + Send + Sync, F: Fn(u64) -> T + Send + Sync + 's> Reader<'s>
    for GeneratedReader<F>
{
    fn length(&self) -> Length {
        Length::Known(self.count - self.next)
    }
    fn read(&mut self, most: usize) -> Result<Box<dyn Piece<'s> + 's>> {
        let end = self.next.saturating_add(most as u64).min(self.count);
        let elements: Vec<T> = (self.next..end).map(|n| (self.f)(n)).collect();
        self.next = end;
        let len = elements.len();
        Ok(own(elements, len, &Inner::of(&[])))
    }
}

/// The types of the components of an element.
pub(super) fn types<T: HostItem>() -> Vec<ScalarType> {
    let mut types = Vec::new();
    T::types(&mut types);
    types
}
