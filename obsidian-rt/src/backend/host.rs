//! Arrays in the memory of the host.

use std::alloc::{Layout, alloc_zeroed};
use std::any::Any;
use std::fmt;

use obsidian_language::scalar::{Literal, Scalar, ScalarType};
use rayon::prelude::*;

use super::memory::{Elements, ElementsMut, bytes_of, elsewhere};
use super::pieces::Piece;
use super::pool::{POOL, SMALLEST, class_of_request};
use crate::element::{Element, by_type};
use crate::error::{Error, ErrorKind, Result};

/// Bytes from which on all cores copy or fill.
const PARALLEL: usize = if cfg!(miri) { 1 << 12 } else { 4 << 20 };

/// Elements that one core copies at a time.
const RUN: usize = if cfg!(miri) { 1 << 10 } else { 1 << 18 };

/// Elements that another array has, or the caller.
struct Lent<T> {
    start: *const T,
}

// SAFETY: it is read alone, as a shared slice, which any thread may do.
unsafe impl<T: Sync> Send for Lent<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Lent<T> {}

/// An array in the memory of the host: a `Vec`, whatever its element type. Dropped, a large one goes
/// to the pool of the CPU backend.
pub struct HostArray {
    ty: ScalarType,
    length: usize,
    /// A `Vec` of the element type, at least `length` long, or nothing once it was taken out; of elements that are another's, `Lent`; of an
    /// array that was split, a `Piece`.
    elements: Box<dyn Any + Send + Sync>,
}

impl HostArray {
    /// The array of these elements.
    pub fn of<T: Element>(elements: Vec<T>) -> Self {
        HostArray::first(elements.len(), elements)
    }

    /// The first `length` elements of a vector.
    fn first<T: Element>(length: usize, elements: Vec<T>) -> Self {
        HostArray {
            ty: T::TYPE,
            length,
            elements: Box::new(elements),
        }
    }

    /// An array of `length` zeros.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`]
    pub fn zeros(ty: ScalarType, length: usize) -> Result<Self> {
        by_type!(ty, T => {
            let mut room = Room::<T>::new(length)?;
            if room.used {
                fill(&mut room.elements[..length], T::default());
            }
            Ok(HostArray::first(length, room.elements))
        })
    }

    /// `length` elements that a launch will write. Until then their values are arbitrary; in debug
    /// builds a value that shows that they were never written.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`]
    pub fn fresh(ty: ScalarType, length: usize) -> Result<Self> {
        by_type!(ty, T => {
            let mut room = Room::<T>::new(length)?;
            if cfg!(debug_assertions) {
                room.elements[..length].fill(T::POISON);
            }
            Ok(HostArray::first(length, room.elements))
        })
    }

    /// A copy of these elements.
    pub(super) fn copy_of<T: Element>(elements: &[T]) -> Result<Self> {
        let mut room = Room::<T>::new(elements.len())?;
        copy(elements, &mut room.elements[..elements.len()]);
        Ok(HostArray::first(elements.len(), room.elements))
    }

    /// The same elements again.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`]
    pub fn copied(&self) -> Result<Self> {
        by_type!(self.ty, T => self.elements::<T>().map_or_else(|| Err(elsewhere()), HostArray::copy_of))
    }

    /// The type of the elements.
    pub fn ty(&self) -> ScalarType {
        self.ty
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Returns `true` if there are no elements.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The elements, if they are of this type.
    pub fn elements<T: Element>(&self) -> Option<&[T]> {
        if let Some(lent) = self.elements.downcast_ref::<Lent<T>>() {
            // SAFETY: there are as many elements from there on, and they are neither changed nor dropped before the array.
            return Some(unsafe { std::slice::from_raw_parts(lent.start, self.length) });
        }
        if let Some(piece) = self.elements.downcast_ref::<Piece<T>>() {
            return Some(piece.elements(self.length));
        }
        self.elements.downcast_ref::<Vec<T>>()?.get(..self.length)
    }

    /// Where the elements lie, as a number.
    pub(crate) fn address(&self) -> usize {
        by_type!(self.ty, T => {
            self.elements::<T>().map_or(0, |elements| elements.as_ptr().addr())
        })
    }

    /// Keeps the first `length` elements, and gives the others. Nothing is copied, and the memory stays until both are dropped.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if there are fewer elements, or if the array is a part that was lent, or was taken out.
    pub(super) fn split_off(&mut self, length: usize) -> Result<HostArray> {
        let rest = self.length.checked_sub(length).ok_or_else(elsewhere)?;
        by_type!(self.ty, T => {
            if self.elements.is::<Vec<T>>() {
                let all = self.take_out().downcast::<Vec<T>>().map_err(|_| elsewhere())?;
                self.elements = Box::new(Piece::of(*all));
            }
            let piece = self.elements.downcast_ref::<Piece<T>>().ok_or_else(elsewhere)?;
            let next = HostArray { ty: self.ty, length: rest, elements: Box::new(piece.after(length)) };
            self.length = length;
            Ok(next)
        })
    }

    /// Puts back what was split off from the end of this array. Gives it back if it is something else.
    pub(super) fn unsplit(&mut self, mut next: HostArray) -> Option<HostArray> {
        by_type!(self.ty, T => {
            let pieces = (self.elements.downcast_ref::<Piece<T>>(), next.elements.downcast_ref::<Piece<T>>());
            if !matches!(pieces, (Some(piece), Some(behind)) if behind.is_behind(piece, self.length)) {
                return Some(next);
            }
            self.length += std::mem::take(&mut next.length);
            drop(next);
            if let Ok(piece) = self.take_out().downcast::<Piece<T>>() {
                self.elements = piece.whole();
            }
            None
        })
    }

    /// A part of the array, without a copy. It can only be read.
    ///
    /// # Safety
    /// The array is neither changed nor dropped before the part.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if the part is not inside, or the array was taken out.
    pub(super) unsafe fn part(&self, start: usize, length: usize) -> Result<HostArray> {
        by_type!(self.ty, T => {
            let part = self.elements::<T>().and_then(|all| all.get(start..start.checked_add(length)?));
            Ok(HostArray {
                ty: self.ty,
                length,
                elements: Box::new(Lent { start: part.ok_or_else(elsewhere)?.as_ptr() }),
            })
        })
    }

    /// Elements that lie anywhere, without a copy. They can only be read.
    ///
    /// # Safety
    /// They are neither changed nor dropped before the array.
    pub(crate) unsafe fn lent<T: Element>(elements: &[T]) -> HostArray {
        HostArray {
            ty: T::TYPE,
            length: elements.len(),
            elements: Box::new(Lent {
                start: elements.as_ptr(),
            }),
        }
    }

    /// The elements, to be changed.
    pub(crate) fn slice_mut<T: Element>(&mut self) -> Option<&mut [T]> {
        if self.elements.is::<Piece<T>>() {
            return Some(
                self.elements
                    .downcast_mut::<Piece<T>>()?
                    .elements_mut(self.length),
            );
        }
        self.elements
            .downcast_mut::<Vec<T>>()?
            .get_mut(..self.length)
    }

    /// The array as a place for other elements.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if the array was taken out.
    pub fn elements_mut(&mut self) -> Result<Box<dyn ElementsMut + '_>> {
        by_type!(self.ty, T => Ok(Box::new(self.slice_mut::<T>().ok_or_else(elsewhere)?)))
    }

    /// Makes all elements the same.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if the array was taken out or has another type.
    pub fn fill(&mut self, value: Literal) -> Result<()> {
        if value.ty() != self.ty {
            return Err(elsewhere());
        }
        by_type!(self.ty, T => {
            fill(self.slice_mut::<T>().ok_or_else(elsewhere)?, T::from_literal(value));
        });
        Ok(())
    }

    /// The elements themselves, if they are of this type. The vector may have room for some more.
    pub fn into_elements<T: Element>(mut self) -> Option<Vec<T>> {
        if self.elements.is::<Piece<T>>() {
            return self.copied().ok()?.into_elements();
        }
        let mut elements = self.take_out().downcast::<Vec<T>>().ok()?;
        elements.truncate(self.length);
        Some(*elements)
    }

    /// The vector; without it the array can only be dropped.
    fn take_out(&mut self) -> Box<dyn Any + Send + Sync> {
        std::mem::replace(&mut self.elements, Box::new(()))
    }

    /// The bits of each element.
    pub fn bits(&self) -> Vec<u64> {
        by_type!(self.ty, T => {
            self.elements::<T>().into_iter().flatten().map(|element| element.literal().bits()).collect()
        })
    }

    /// The bits of one element; 0 behind the last.
    #[cfg(feature = "explore")]
    pub(crate) fn bits_of(&self, element: usize) -> u64 {
        by_type!(self.ty, T => {
            self.elements::<T>().and_then(|all| all.get(element)).map_or(0, |element| element.literal().bits())
        })
    }

    /// An array of elements with these bits.
    pub fn of_bits(ty: ScalarType, bits: impl IntoIterator<Item = u64>) -> Self {
        by_type!(ty, T => {
            HostArray::of(bits.into_iter().map(|bits| T::from_literal(Literal::from_bits(ty, bits))).collect::<Vec<T>>())
        })
    }
}

impl Elements for HostArray {
    fn ty(&self) -> ScalarType {
        self.ty
    }

    fn count(&self) -> usize {
        self.length
    }

    fn to_host(&self) -> Result<HostArray> {
        self.copied()
    }

    fn copy_to(&self, array: &mut HostArray) -> Result<()> {
        by_type!(self.ty, T => Elements::copy_to(&self.elements::<T>().ok_or_else(elsewhere)?, array))
    }

    fn bytes(&self) -> &[u8] {
        by_type!(self.ty, T => self.elements::<T>().map_or(&[], bytes_of))
    }
}

impl Drop for HostArray {
    fn drop(&mut self) {
        by_type!(self.ty, T => if let Ok(elements) = self.take_out().downcast::<Vec<T>>() {
            give_back(*elements);
        });
    }
}

impl fmt::Debug for HostArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostArray")
            .field("type", &self.ty.name())
            .field("length", &self.length)
            .finish_non_exhaustive()
    }
}

/// Gives a vector that nobody uses any more to the pool, or frees it if it is small.
pub(super) fn give_back<T: Element>(elements: Vec<T>) {
    if size_of_val(elements.as_slice()) >= SMALLEST / 2 {
        POOL.give(elements);
    }
}

/// Frees the memory that is kept for arrays of the host, except `keep` bytes.
pub(super) fn trim(keep: usize) {
    POOL.trim(keep);
}

/// A vector without elements that has room for `len`, if the pool has one: its pages are there.
#[cfg(feature = "sequence")]
pub(crate) fn spare<T: Element>(len: usize) -> Vec<T> {
    let mut spare: Vec<T> = POOL.take(len).unwrap_or_default();
    spare.clear();
    spare
}

/// Elements to be written.
struct Room<T> {
    /// At least as many as were asked for.
    elements: Vec<T>,
    /// Do they have the values of an earlier array? Else they are zeros.
    used: bool,
}

/// The bytes that a program can still have, as Linux tells them: of the machine, or of the control group if that has fewer.
pub(super) fn free_memory() -> Option<u64> {
    let number =
        |path: &str| -> Option<u64> { std::fs::read_to_string(path).ok()?.trim().parse().ok() };
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let available = info
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = available.trim().strip_suffix(" kB")?.parse().ok()?;
    let group = std::fs::read_to_string("/proc/self/cgroup").ok();
    let group = group
        .as_deref()
        .and_then(|text| text.lines().find_map(|line| line.strip_prefix("0::")));
    let limit = group.and_then(|group| {
        let folder = format!("/sys/fs/cgroup{}", group.trim_end_matches('/'));
        let limit = number(&format!("{folder}/memory.max"))?;
        Some(limit.saturating_sub(number(&format!("{folder}/memory.current"))?))
    });
    let machine = kibibytes.saturating_mul(1024);
    Some(limit.map_or(machine, |limit| limit.min(machine)))
}

impl<T: Element> Room<T> {
    fn new(length: usize) -> Result<Self> {
        if length.saturating_mul(size_of::<T>()) < SMALLEST {
            return Ok(Room {
                elements: zeroed(length)?,
                used: false,
            });
        }
        if let Some(elements) = POOL.take(length) {
            return Ok(Room {
                elements,
                used: true,
            });
        }
        let class = class_of_request(length);
        POOL.make_way(class.saturating_mul(size_of::<T>()));
        let elements = zeroed(class).or_else(|_| {
            POOL.trim(0);
            zeroed(length)
        })?;
        Ok(Room {
            elements,
            used: false,
        })
    }
}

/// `length` zeros. For a large array the system provides them without a write: a page is cleared when it
/// is first touched, by the thread that does.
fn zeroed<T: Element>(length: usize) -> Result<Vec<T>> {
    let error = || {
        let message = format!(
            "there is no memory for a buffer of {length} elements of {} bytes",
            size_of::<T>()
        );
        Error::new(ErrorKind::OutOfMemory, message)
    };
    let layout = Layout::array::<T>(length).map_err(|_| error())?;
    if layout.size() == 0 {
        return Ok(Vec::new());
    }
    // SAFETY: the layout has a size above 0.
    let memory = unsafe { alloc_zeroed(layout) };
    if memory.is_null() {
        return Err(error());
    }
    // SAFETY: the memory comes from the global allocator, with the layout of an array of `length`
    // elements, which is that of a vector of this capacity; nobody else has the pointer. An element
    // is an integer, a float or a `bool` (`Element` is sealed), for each of which zero bytes are a
    // value, so all `length` elements are initialised.
    Ok(unsafe { Vec::from_raw_parts(memory.cast::<T>(), length, length) })
}

/// Copies elements to as many others, on all cores if they are many.
pub(super) fn copy<T: Element>(from: &[T], to: &mut [T]) {
    if size_of_val(from) < PARALLEL {
        to.copy_from_slice(from);
    } else {
        let runs = to.par_chunks_mut(RUN).zip(from.par_chunks(RUN));
        runs.for_each(|(to, from)| to.copy_from_slice(from));
    }
}

fn fill<T: Element>(elements: &mut [T], value: T) {
    if size_of_val(elements) < PARALLEL {
        elements.fill(value);
    } else {
        elements.par_chunks_mut(RUN).for_each(|run| run.fill(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_back() {
        let values = vec![0.5f32, -0.0, f32::from_bits(0xffc1_2345)];
        let array = HostArray::of_bits(ScalarType::F32, HostArray::of(values.clone()).bits());
        let back: Vec<u32> = array
            .into_elements::<f32>()
            .into_iter()
            .flatten()
            .map(f32::to_bits)
            .collect();
        assert_eq!(
            back,
            values.into_iter().map(f32::to_bits).collect::<Vec<_>>()
        );
    }

    #[test]
    fn an_array_has_one_type() {
        let array = HostArray::of(vec![1u8, 2]);
        assert_eq!(array.elements::<i8>(), None);
        assert_eq!(array.into_elements::<u8>(), Some(vec![1, 2]));
        assert_eq!(HostArray::of(vec![1u8, 2]).into_elements::<i8>(), None);
    }

    /// Arrays of a size that nothing else in this program has, so that tests at the same time do
    /// not take them.
    fn comes_back_as_something_else<T: Element>(length: usize, value: T) {
        let bits = |array: &HostArray| array.bits();
        drop(HostArray::of(vec![value; length]));
        let fresh = HostArray::fresh(T::TYPE, length - 1);
        let expected = if cfg!(debug_assertions) {
            T::POISON
        } else {
            value
        };
        let expected = vec![expected.literal().bits(); length - 1];
        assert_eq!(fresh.as_ref().map(bits).ok(), Some(expected));
        drop(fresh);
        let zeros = HostArray::zeros(T::TYPE, length);
        assert_eq!(zeros.as_ref().map(bits).ok(), Some(vec![0; length]));
    }

    #[test]
    fn what_comes_from_the_pool_is_poisoned_or_cleared() {
        let n = 14 * SMALLEST;
        comes_back_as_something_else(n, true);
        comes_back_as_something_else(n, 7u8);
        comes_back_as_something_else(n, -7i16);
        comes_back_as_something_else(n, 7u32);
        comes_back_as_something_else(n, 7i64);
        comes_back_as_something_else(n, 7.5f32);
        comes_back_as_something_else(n, -7.5f64);
    }

    #[test]
    fn a_vector_of_a_copy_has_its_length() {
        // Miri takes minutes for a million elements, and copies fewer by several cores.
        let lengths: &[u32] = match cfg!(miri) {
            true => &[0, 1, 4099],
            false => &[0, 1, 65_537, 1_000_003, 3_000_001],
        };
        for &length in lengths {
            let elements: Vec<u32> = (0..length).collect();
            let copy = HostArray::copy_of(&elements).ok();
            assert_eq!(copy.and_then(HostArray::into_elements), Some(elements));
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri ends where memory is exhausted")]
    fn memory_that_no_machine_has_is_an_error() {
        for length in [1 << 46, usize::MAX / 16, usize::MAX / 2, usize::MAX] {
            let error = HostArray::fresh(ScalarType::F64, length).err();
            assert_eq!(
                error.map(|error| error.kind()),
                Some(ErrorKind::OutOfMemory)
            );
        }
    }
}
