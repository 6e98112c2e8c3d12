//! Elements of different lengths: values, and where the values of each element begin.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use obsidian_language::arrays::{AnyArr, Arr1, Computed, generate};
use obsidian_language::scalar::Exp;

use super::chunk::{Chunk, ChunkFn, Zip};
use super::source::{Inner, Length, Like, Piece, Reader, Source, StagedArray, uploaded};
use super::staging::{Slots, staged};
use crate::arrays::{HostItem, HostOf, Rank};
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};
use crate::view::AnyView;

/// A chunk of elements of different lengths: the values of all of them, and where those of each begin.
///
/// ```
/// use obsidian_rt::{Device, sequence::Sequence};
///
/// // Three elements: [1, 2], none, [3].
/// let lists = Sequence::segments(&[1u32, 2, 3], &[0, 2, 2, 3]);
/// let sums = lists.map_chunks(|lists| lists.map(|x| x * 10).fold(|x, y| x + y, 0.into()));
/// assert_eq!(sums.collect().run(&Device::cpu())?.to_vec()?, [30, 0, 30]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub struct Segments<T> {
    /// The values, one element behind another.
    pub values: Arr1<T>,
    /// The number of values in front of each element, and that of all values: one more than there are elements.
    pub offsets: Arr1<Exp<u32>>,
}

impl<T> Clone for Segments<T> {
    fn clone(&self) -> Self {
        Segments {
            values: self.values.clone(),
            offsets: self.offsets.clone(),
        }
    }
}

impl<T: HostOf> Segments<T> {
    /// The number of elements.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::fill, sequence::Sequence};
    ///
    /// let lists = Sequence::segments(&[1u32, 2, 3], &[0, 2, 2, 3]);
    /// let ones = lists.map_chunks(|lists| fill(lists.count(), 1u32.into()));
    /// assert_eq!(ones.sum().run(&Device::cpu())?, 3);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn count(&self) -> Exp<u32> {
        self.offsets.len() - 1
    }

    /// The number of values of each element.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// let lists = Sequence::segments(&[1u32, 2, 3], &[0, 2, 2, 3]);
    /// let lengths = lists.map_chunks(|lists| lists.lengths());
    /// assert_eq!(lengths.collect().run(&Device::cpu())?.to_vec()?, [2, 0, 1]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn lengths(&self) -> Arr1<Exp<u32>> {
        let offsets = self.offsets.clone();
        generate(self.count(), move |i| offsets.at(i + 1) - offsets.at(i))
    }

    /// Each value by a function.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// let lists = Sequence::segments(&[1u32, 2, 3], &[0, 2, 3]);
    /// let doubled = lists.map_chunks(|lists| lists.map(|x| x * 2).values);
    /// assert_eq!(doubled.collect().run(&Device::cpu())?.to_vec()?, [2, 4, 6]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn map<R: Computed<Value: HostOf>>(
        &self,
        f: impl Fn(T) -> R + 'static,
    ) -> Segments<R::Value> {
        Segments {
            values: self.values.map(f),
            offsets: self.offsets.clone(),
        }
    }

    /// The values of each element combined by `f`, with `initial` in front.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// let lists = Sequence::segments(&[1.0f32, 2.0, 3.0], &[0, 2, 2, 3]);
    /// let largest = lists.map_chunks(|lists| lists.fold(|x, y| x.max(y), 0.0.into()));
    /// assert_eq!(largest.collect().run(&Device::cpu())?.to_vec()?, [2.0, 0.0, 3.0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn fold<R: Computed<Value = T>>(
        &self,
        f: impl Fn(T, T) -> R + 'static,
        initial: T,
    ) -> Arr1<T> {
        self.values.segmented_fold(self.offsets.clone(), f, initial)
    }
}

impl<T: HostOf> Chunk for Segments<T> {
    const HAS_ROWS: bool = false;
    fn parts(&self) -> Vec<AnyArr> {
        vec![self.values.untyped(), self.offsets.untyped()]
    }
    fn of(parts: &mut std::slice::Iter<'_, AnyArr>) -> Option<Self> {
        Some(Segments {
            values: Chunk::of(parts)?,
            offsets: Chunk::of(parts)?,
        })
    }
}

impl<T: HostOf, Sh: Rank, U: HostOf> Zip<obsidian_language::arrays::Arr<Sh, U>> for Segments<T> {
    type Both = (Self, obsidian_language::arrays::Arr<Sh, U>);
}

impl<F: Fn(Segments<T>) -> R + 'static, T: HostOf, R> ChunkFn<Segments<T>, R> for F {
    fn apply(&self, chunk: Segments<T>) -> R {
        self(chunk)
    }
}

fn arrays<T: HostItem>() -> Vec<Like> {
    let inner = Inner::of(&[]);
    [inner.like::<T>(), inner.like::<u32>()].concat()
}

/// What a piece's elements begin at, from 0 on.
fn counted(offsets: &[usize]) -> Vec<u32> {
    let first = offsets.first().copied().unwrap_or(0);
    // Longer values are refused by the launch.
    let from_first = |offset: &usize| u32::try_from(offset - first).unwrap_or(u32::MAX);
    offsets.iter().map(from_first).collect()
}

/// How many elements have at most as many values, but at least one element.
fn fitting(offsets: &[usize], most: usize) -> usize {
    let count = offsets.len().saturating_sub(1).min(most);
    let first = offsets.first().copied().unwrap_or(0);
    let ends = offsets.get(1..=count).unwrap_or_default();
    let fit = ends.partition_point(|end| end - first <= most);
    fit.max(1).min(count)
}

/// Has the first element more values than that?
fn first_is_long(offsets: &[usize], most: usize) -> bool {
    let ends = offsets.first().zip(offsets.get(1));
    ends.is_some_and(|(start, end)| end - start > most)
}

/// Parts of a slice.
pub(super) struct Parts<'s, T> {
    pub(super) values: &'s [T],
    pub(super) offsets: &'s [usize],
}

impl<'s, T: HostItem + Send + Sync> Source for Parts<'s, T> {
    fn has_rows(&self) -> bool {
        false
    }
    fn arrays(&self) -> Vec<Like> {
        arrays::<T>()
    }
    fn length(&self) -> Result<Length> {
        Ok(Length::Known(self.offsets.len().saturating_sub(1) as u64))
    }
    fn open<'a>(&self, skip: u64) -> Result<Box<dyn Reader<'a> + 'a>>
    where
        Self: 'a,
    {
        let (offsets, all) = (self.offsets, self.values.len());
        let is_ascending = offsets.is_sorted() && offsets.first() == Some(&0);
        if !is_ascending || offsets.last() != Some(&all) {
            let message = format!(
                "the offsets of elements begin with 0, do not fall, and end with the number of all values, {all}: `[0, 2, 2, 3]` says that 3 values are those of \
                 3 elements, of which the second has none"
            );
            return Err(Error::new(ErrorKind::UnequalLengths, message));
        }
        let count = offsets.len() - 1;
        let skipped = usize::try_from(skip).unwrap_or(usize::MAX).min(count);
        Ok(Box::new(PartsReader {
            values: self.values,
            offsets: offsets.get(skipped..).unwrap_or_default(),
        }))
    }
}

struct PartsReader<'s, T> {
    values: &'s [T],
    /// Those of the elements that were not taken yet.
    offsets: &'s [usize],
}

impl<'s, T: HostItem + Send + Sync> Reader<'s> for PartsReader<'s, T> {
    fn length(&self) -> Length {
        Length::Known(self.offsets.len().saturating_sub(1) as u64)
    }
    fn ready(&mut self, most: usize) -> Result<usize> {
        Ok(fitting(self.offsets, most))
    }
    fn is_long(&self, chunk: usize) -> bool {
        first_is_long(self.offsets, chunk)
    }
    fn take(&mut self, len: usize) -> Box<dyn Piece<'s> + 's> {
        let offsets = self.offsets.get(..=len).unwrap_or(self.offsets);
        self.offsets = self.offsets.get(len..).unwrap_or_default();
        let ends = offsets.first().zip(offsets.last());
        let values = ends.and_then(|(start, end)| self.values.get(*start..*end));
        Box::new(PartsPiece {
            values: values.unwrap_or_default(),
            offsets: counted(offsets),
        })
    }
}

struct PartsPiece<'s, T> {
    values: &'s [T],
    offsets: Vec<u32>,
}

impl<'s, T: HostItem + Send + Sync> Piece<'s> for PartsPiece<'s, T> {
    fn give(self: Box<Self>, device: &Device) -> Result<Vec<(usize, Vec<AnyView<'s>>)>> {
        let mut values = Vec::new();
        T::lend(device, self.values, &mut values)?;
        let count = self.offsets.len();
        Ok(vec![
            (self.values.len(), values),
            (count, uploaded(device, self.offsets)?),
        ])
    }
    fn stage(&self, slots: &Slots) -> Result<Option<Vec<StagedArray>>> {
        Ok(Some(vec![
            (self.values.len(), staged(self.values, slots)?),
            (self.offsets.len(), staged(&self.offsets, slots)?),
        ]))
    }
}

/// What ends an element of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Between {
    /// The end of a line, which may be that of Windows.
    Lines,
    /// White space of ASCII. There are no words without bytes.
    Words,
}

/// The bytes of the lines or words of a file.
pub(super) struct Text {
    path: PathBuf,
    between: Between,
}

impl Text {
    pub(super) fn new(path: &Path, between: Between) -> Result<Self> {
        let own = Text {
            path: path.to_owned(),
            between,
        };
        own.opened().map(|_| own)
    }

    fn opened(&self) -> Result<BufReader<File>> {
        let wrong = |what: String| {
            let message = format!("`{}` {what}", self.path.display());
            Error::new(ErrorKind::File, message)
        };
        let file = File::open(&self.path);
        let file = file.map_err(|error| wrong(format!("cannot be read: {error}")))?;
        match file.metadata() {
            Ok(found) if found.is_dir() => Err(wrong("is a directory".to_owned())),
            _ => Ok(BufReader::with_capacity(1 << 16, file)),
        }
    }
}

impl Source for Text {
    fn has_rows(&self) -> bool {
        false
    }
    fn arrays(&self) -> Vec<Like> {
        arrays::<u8>()
    }
    fn length(&self) -> Result<Length> {
        Ok(Length::Unknown)
    }
    fn is_read_once(&self) -> bool {
        // A pipe, or what somebody types.
        !std::fs::metadata(&self.path).is_ok_and(|found| found.is_file())
    }
    fn open<'a>(&self, skip: u64) -> Result<Box<dyn Reader<'a> + 'a>>
    where
        Self: 'a,
    {
        Ok(Box::new(TextReader {
            file: self.opened()?,
            path: self.path.clone(),
            between: self.between,
            found: Elements {
                bytes: Vec::new(),
                offsets: vec![0],
                skip,
            },
            is_done: false,
        }))
    }
}

struct TextReader {
    file: BufReader<File>,
    path: PathBuf,
    between: Between,
    found: Elements,
    is_done: bool,
}

/// What was read and not taken. Behind the last element there may be the beginning of the next one.
struct Elements {
    bytes: Vec<u8>,
    offsets: Vec<usize>,
    skip: u64,
}

impl Elements {
    /// Where the last one ends.
    fn end(&self) -> usize {
        self.offsets.last().copied().unwrap_or(0)
    }

    fn are_more_than(&self, most: usize) -> bool {
        self.offsets.len() > most || self.end() > most
    }

    /// Ends an element.
    fn put(&mut self) {
        match self.skip {
            0 => self.offsets.push(self.bytes.len()),
            _ => {
                self.skip -= 1;
                self.bytes.truncate(self.end());
            }
        }
    }
}

impl TextReader {
    /// Reads a line.
    fn line(&mut self) -> std::io::Result<()> {
        let (start, bytes) = (self.found.bytes.len(), &mut self.found.bytes);
        if self.file.read_until(b'\n', bytes)? == 0 {
            self.is_done = true;
            return Ok(());
        }
        let line = bytes.get(start..).unwrap_or_default();
        let line = line
            .strip_suffix(b"\n")
            .map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        let end = line.map_or(bytes.len(), |line| start + line.len());
        bytes.truncate(end);
        self.found.put();
        Ok(())
    }

    /// Takes words out of the buffer, as long as there are not more than `most`.
    fn words(&mut self, most: usize) -> std::io::Result<()> {
        let found = &mut self.found;
        let buffer = match self.file.fill_buf() {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => return Ok(()),
            buffer => buffer?,
        };
        self.is_done = buffer.is_empty();
        let mut rest = buffer;
        while !rest.is_empty() && !found.are_more_than(most) {
            let blank = rest.iter().position(u8::is_ascii_whitespace);
            let (word, behind) = rest.split_at(blank.unwrap_or(rest.len()));
            found.bytes.extend_from_slice(word);
            rest = behind.get(1..).unwrap_or_default();
            if blank.is_some() && found.bytes.len() > found.end() {
                found.put();
            }
        }
        if self.is_done && found.bytes.len() > found.end() {
            found.put();
        }
        let taken = buffer.len() - rest.len();
        self.file.consume(taken);
        Ok(())
    }
}

impl<'s> Reader<'s> for TextReader {
    fn length(&self) -> Length {
        Length::Unknown
    }
    fn ready(&mut self, most: usize) -> Result<usize> {
        while !self.is_done && !self.found.are_more_than(most) {
            let read = match self.between {
                Between::Lines => self.line(),
                Between::Words => self.words(most),
            };
            read.map_err(|error| {
                let message = format!("`{}` cannot be read: {error}", self.path.display());
                Error::new(ErrorKind::Source, message)
            })?;
        }
        Ok(fitting(&self.found.offsets, most))
    }
    fn is_long(&self, chunk: usize) -> bool {
        first_is_long(&self.found.offsets, chunk)
    }
    fn take(&mut self, len: usize) -> Box<dyn Piece<'s> + 's> {
        let Elements { bytes, offsets, .. } = &mut self.found;
        let taken = offsets.get(..=len).unwrap_or_default();
        let (counts, end) = (counted(taken), taken.last().copied().unwrap_or(0));
        let rest = bytes.split_off(end.min(bytes.len()));
        let values = std::mem::replace(bytes, rest);
        offsets.drain(..len.min(offsets.len()));
        offsets.iter_mut().for_each(|offset| *offset -= end);
        Box::new(TextPiece {
            values,
            offsets: counts,
        })
    }
}

struct TextPiece {
    values: Vec<u8>,
    offsets: Vec<u32>,
}

impl<'s> Piece<'s> for TextPiece {
    fn give(self: Box<Self>, device: &Device) -> Result<Vec<(usize, Vec<AnyView<'s>>)>> {
        let (values, offsets) = (self.values.len(), self.offsets.len());
        Ok(vec![
            (values, uploaded(device, self.values)?),
            (offsets, uploaded(device, self.offsets)?),
        ])
    }
    fn stage(&self, slots: &Slots) -> Result<Option<Vec<StagedArray>>> {
        Ok(Some(vec![
            (self.values.len(), staged(&self.values, slots)?),
            (self.offsets.len(), staged(&self.offsets, slots)?),
        ]))
    }
}
