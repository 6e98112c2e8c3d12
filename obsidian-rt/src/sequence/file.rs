//! Files of numbers.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use super::source::{Inner, Length, Like, Piece, Reader, Source, Waiting, own};
use crate::element::Element;
use crate::error::{Error, ErrorKind, Result};

/// Numbers that files hold: `u8` to `u64`, `i8` to `i64`, `f32` and `f64`.
///
/// ```
/// use obsidian_rt::sequence::FileNumber;
///
/// fn bytes<T: FileNumber>() -> usize {
///     size_of::<T>()
/// }
///
/// assert_eq!(bytes::<f32>(), 4);
/// ```
#[diagnostic::on_unimplemented(
    message = "files of `{Self}` cannot be read",
    note = "files hold `u8` to `u64`, `i8` to `i64`, `f32` or `f64`; read them as one of these and `map` it"
)]
pub trait FileNumber: Element {
    /// Puts the numbers in some bytes, a whole number of them, behind others.
    #[doc(hidden)]
    fn decode(bytes: &[u8], order: ByteOrder, numbers: &mut Vec<Self>);
    /// Puts the bytes of some numbers behind others.
    #[doc(hidden)]
    fn encode(numbers: &[Self], order: ByteOrder, bytes: &mut Vec<u8>);
}

macro_rules! numbers {
    ($($ty:ident)*) => {$(
        impl FileNumber for $ty {
            fn decode(bytes: &[u8], order: ByteOrder, numbers: &mut Vec<Self>) {
                let (each, _) = bytes.as_chunks::<{ size_of::<$ty>() }>();
                match order {
                    ByteOrder::Little => numbers.extend(each.iter().map(|bytes| <$ty>::from_le_bytes(*bytes))),
                    ByteOrder::Big => numbers.extend(each.iter().map(|bytes| <$ty>::from_be_bytes(*bytes))),
                }
            }
            fn encode(numbers: &[Self], order: ByteOrder, bytes: &mut Vec<u8>) {
                match order {
                    ByteOrder::Little => numbers.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes())),
                    ByteOrder::Big => numbers.iter().for_each(|number| bytes.extend_from_slice(&number.to_be_bytes())),
                }
            }
        }
    )*};
}

numbers!(u8 u16 u32 u64 i8 i16 i32 i64 f32 f64);

/// The order of the bytes of a number.
///
/// ```
/// use obsidian_rt::sequence::{ByteOrder, FileFormat};
///
/// assert_eq!(FileFormat::default().order, ByteOrder::Little);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ByteOrder {
    /// The least significant byte is first, as x86 and Arm store numbers.
    #[default]
    Little,
    /// The most significant byte is first.
    Big,
}

/// How numbers lie in a file: one behind another, behind a header.
///
/// ```
/// use obsidian_rt::sequence::{ByteOrder, FileFormat};
///
/// // As in the MNIST files of labels: 8 bytes, then the labels.
/// let labels = FileFormat { header: 8, order: ByteOrder::Big };
/// assert_ne!(labels, FileFormat::default());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct FileFormat {
    /// The number of bytes before the first number.
    pub header: u64,
    /// The order of the bytes of a number.
    pub order: ByteOrder,
}

/// The numbers of a file.
pub(super) struct Numbers<T> {
    path: PathBuf,
    format: FileFormat,
    inner: Inner,
    numbers: PhantomData<fn() -> T>,
}

impl<T: FileNumber> Numbers<T> {
    /// A file that is there and has a whole number of elements.
    pub(super) fn new(path: &Path, inner: Inner, format: FileFormat) -> Result<Self> {
        let own = Numbers {
            path: path.to_owned(),
            format,
            inner,
            numbers: PhantomData,
        };
        own.opened().map(|_| own)
    }

    fn wrong(&self, what: impl std::fmt::Display) -> Error {
        let message = format!("`{}` {what}", self.path.display());
        Error::new(ErrorKind::File, message)
    }

    /// The bytes of an element.
    fn bytes(&self) -> u64 {
        (self.inner.numbers as u64).saturating_mul(size_of::<T>() as u64)
    }

    /// The file, behind its header, and the number of its elements.
    fn opened(&self) -> Result<(File, u64)> {
        // Opening a pipe waits until somebody writes to it.
        let found = std::fs::metadata(&self.path);
        let found = found.map_err(|error| self.wrong(format!("cannot be read: {error}")))?;
        if !found.is_file() {
            let what = match found.is_dir() {
                true => "a directory",
                false => "no regular file",
            };
            let advice = "read what it gives with `Sequence::from_chunks`";
            return Err(self.wrong(format!("is {what}, whose length is not known; {advice}")));
        }
        let opened = File::open(&self.path);
        let mut file = opened.map_err(|error| self.wrong(format!("cannot be read: {error}")))?;
        let (all, header, each) = (found.len(), self.format.header, self.bytes());
        let rest = all
            .checked_sub(header)
            .ok_or_else(|| self.wrong(format!("has {all} bytes, and a header of {header}")))?;
        if each == 0 {
            let extents = &self.inner.extents;
            return Err(self.wrong(format!(
                "does not tell how many elements it has, as those with the extents {extents:?} have no numbers"
            )));
        }
        if !rest.is_multiple_of(each) {
            let left = rest % each;
            let behind = match header {
                0 => String::new(),
                _ => format!(" behind a header of {header}"),
            };
            let what = format!(
                "has {rest} bytes{behind}, which is no whole number of elements of {each} bytes: {left} are left over"
            );
            let error = self.wrong(what);
            return Err(error.exceeded(rest, each));
        }
        file.seek(SeekFrom::Start(header))
            .map_err(|error| self.wrong(format!("cannot be read: {error}")))?;
        Ok((file, rest / each))
    }
}

impl<T: FileNumber> Source for Numbers<T> {
    fn arrays(&self) -> Vec<Like> {
        self.inner.like::<T>()
    }
    fn length(&self) -> Result<Length> {
        self.opened().map(|(_, count)| Length::Known(count))
    }
    fn open<'a>(&self, skip: u64) -> Result<Box<dyn Reader<'a> + 'a>>
    where
        Self: 'a,
    {
        let (mut file, count) = self.opened()?;
        let skipped = skip.min(count);
        let start = self.format.header + skipped * self.bytes();
        file.seek(SeekFrom::Start(start))
            .map_err(|error| self.wrong(format!("cannot be read: {error}")))?;
        Ok(Box::new(FileReader::<T> {
            file,
            path: self.path.clone(),
            order: self.format.order,
            inner: self.inner.clone(),
            left: count - skipped,
            bytes: Vec::new(),
            waiting: Waiting::new(),
        }))
    }
}

struct FileReader<T> {
    file: File,
    path: PathBuf,
    order: ByteOrder,
    inner: Inner,
    /// The elements that were not read yet.
    left: u64,
    /// Memory for the bytes of a chunk, or of a part of it.
    bytes: Vec<u8>,
    waiting: Waiting<T>,
}

/// The bytes that are read at once: what a second-level cache holds, so that they are decoded from there.
const AT_ONCE: usize = 1 << 18;

impl<'s, T: FileNumber> Reader<'s> for FileReader<T> {
    fn length(&self) -> Length {
        Length::Known(self.left)
    }
    fn ready(&mut self, most: usize) -> Result<usize> {
        let each = self.inner.numbers;
        let missing = most.saturating_sub(self.waiting.len() / each);
        let len = usize::try_from(self.left)
            .unwrap_or(usize::MAX)
            .min(missing);
        let mut left = len.saturating_mul(each);
        let numbers = self.waiting.elements();
        numbers
            .try_reserve_exact(left)
            .map_err(|_| Error::new(ErrorKind::OutOfMemory, "no memory for a chunk of a file"))?;
        while left > 0 {
            let now = left.min(AT_ONCE / size_of::<T>());
            self.bytes.resize(now * size_of::<T>(), 0);
            self.file.read_exact(&mut self.bytes).map_err(|error| {
                let path = self.path.display();
                let message = match error.kind() {
                    std::io::ErrorKind::UnexpectedEof => {
                        format!("`{path}` became shorter while it was read")
                    }
                    _ => format!("`{path}` cannot be read: {error}"),
                };
                Error::new(ErrorKind::Source, message)
            })?;
            T::decode(&self.bytes, self.order, numbers);
            left -= now;
        }
        self.left -= len as u64;
        Ok(most.min(self.waiting.len() / each))
    }
    fn take(&mut self, len: usize) -> Box<dyn Piece<'s> + 's> {
        own(
            self.waiting.take(len.saturating_mul(self.inner.numbers)),
            len,
        )
    }
}
