//! Parts of buffers: views, which are read, and buffers that were split, which are written too.

use std::marker::PhantomData;
use std::ops::{Bound, Deref, RangeBounds};

use crate::backend::{HostArray, Memory};
use crate::buffer::Buffer;
use crate::device::{Device, check_length};
use crate::element::Element;
use crate::error::{Error, ErrorKind, Result};
use crate::recording::may_begin;
use crate::rows::{ColumnsOf, Fields, Row};
#[cfg(any(feature = "algorithms", feature = "sequence"))]
use crate::untyped::AnyBuffer;

/// A part of a [`Buffer`], which lends it: see [`Buffer::slice`].
///
/// It is a buffer wherever one is read: `&view` is an argument of a launch, and has
/// [`to_vec`](Buffer::to_vec), [`slice`](Buffer::slice) and so on.
///
/// ```
/// use obsidian_rt::{Device, View};
///
/// let x = Device::cpu().upload(&[1, 2, 3, 4])?;
/// let middle: View<u32> = x.slice(1..3)?;
/// assert_eq!((middle.len(), middle.to_vec()?), (2, vec![2, 3]));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Debug)]
pub struct View<'a, T: Element> {
    /// Its memory is part of that of the buffer which is lent, or elements of the host. It is never given away, and never changed.
    part: Buffer<T>,
    lent: PhantomData<&'a Buffer<T>>,
}

/// A view without the type of its elements.
#[cfg(any(feature = "algorithms", feature = "sequence"))]
#[doc(hidden)]
#[derive(Debug)]
pub struct AnyView<'a> {
    part: AnyBuffer,
    lent: PhantomData<&'a AnyBuffer>,
}

#[cfg(any(feature = "algorithms", feature = "sequence"))]
impl AnyView<'_> {
    pub(crate) fn buffer(&self) -> &AnyBuffer {
        &self.part
    }
}

#[cfg(any(feature = "algorithms", feature = "sequence"))]
impl From<AnyBuffer> for AnyView<'_> {
    fn from(part: AnyBuffer) -> Self {
        AnyView {
            part,
            lent: PhantomData,
        }
    }
}

#[cfg(any(feature = "algorithms", feature = "sequence"))]
impl<'a, T: Element> From<View<'a, T>> for AnyView<'a> {
    fn from(view: View<'a, T>) -> Self {
        AnyBuffer::from(view.part).into()
    }
}

/// A view of the buffers of an array of `T`.
#[doc(hidden)]
pub struct RowsView<'a, T: Fields> {
    columns: ColumnsOf<T>,
    lent: PhantomData<&'a [T]>,
}

impl<T: Fields> RowsView<'_, T> {
    pub(crate) fn of_columns(columns: ColumnsOf<T>) -> Self {
        RowsView {
            columns,
            lent: PhantomData,
        }
    }
}

impl<T: Fields> Deref for RowsView<'_, T> {
    type Target = ColumnsOf<T>;
    fn deref(&self) -> &ColumnsOf<T> {
        &self.columns
    }
}

impl<'a, T: Element> View<'a, T> {
    /// The same as a view of rows of one column.
    pub(crate) fn rows(self) -> RowsView<'a, T>
    where
        T: Fields<Row = T> + Row<Columns = Buffer<T>>,
    {
        RowsView::of_columns(self.part)
    }
}

impl<T: Element> Deref for View<'_, T> {
    type Target = Buffer<T>;
    fn deref(&self) -> &Buffer<T> {
        &self.part
    }
}

impl Device {
    /// Elements of the host to be read: where the device reads the host's memory they stay where they are, and else they are copied.
    pub(crate) fn lend<'a, T: Element>(&self, elements: &'a [T]) -> Result<View<'a, T>> {
        check_length(elements.len())?;
        let part = if self.backend().reads_host() {
            // SAFETY: the buffer does not outlive the borrow of the elements: a view neither gives it away nor lends it for longer.
            let array = unsafe { HostArray::lent(elements) };
            Buffer::new(self.clone(), Memory::host(array))
        } else {
            self.upload(elements)?
        };
        Ok(View {
            part,
            lent: PhantomData,
        })
    }
}

impl<T: Element> Buffer<T> {
    /// The elements of a range as a view: nothing is copied. As long as it is there, the buffer cannot be changed.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// # #[kernels]
    /// # mod maps {
    /// #     #[kernel(threads = 32)]
    /// #     pub fn doubled(input: DPull<EU32>) -> DPush<Grid, EU32> {
    /// #         input.split_up(4).as_grid_map(|piece| piece.map(|x| x * 2).push::<Block>())
    /// #     }
    /// # }
    /// # fn main() -> obsidian_rt::Result<()> {
    /// let device = Device::best()?;
    /// let numbers = device.upload(&[0u32, 1, 2, 3, 4, 5, 6, 7, 8])?;
    /// let part = numbers.slice(1..5)?;
    /// assert_eq!(maps::doubled::launch(&device, &part)?.to_vec()?, [2, 4, 6, 8]);
    /// let (left, right) = numbers.split_at(4)?;
    /// assert_eq!((left.len(), right.to_vec()?), (4, vec![4, 5, 6, 7, 8]));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// ```compile_fail,E0502
    /// # fn changed(mut buffer: obsidian_rt::Buffer<u32>) -> obsidian_rt::Result<()> {
    /// let part = buffer.slice(..2)?;
    /// buffer.fill(0)?;
    /// println!("{}", part.len());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::TooLong`] if the range leaves the buffer or ends before it begins.
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Result<View<'_, T>> {
        let start = match range.start_bound() {
            Bound::Included(start) => Some(*start),
            Bound::Excluded(start) => start.checked_add(1),
            Bound::Unbounded => Some(0),
        };
        let end = match range.end_bound() {
            Bound::Included(end) => end.checked_add(1),
            Bound::Excluded(end) => Some(*end),
            Bound::Unbounded => Some(self.len()),
        };
        let inside = start
            .zip(end)
            .filter(|(start, end)| start <= end && *end <= self.len());
        let Some((start, end)) = inside else {
            let (start, end) = (start.unwrap_or(usize::MAX), end.unwrap_or(usize::MAX));
            let message = format!(
                "the range {start}..{end} is none of a buffer of {} elements",
                self.len()
            );
            return Err(
                Error::new(ErrorKind::TooLong, message).exceeded(end as u64, self.len() as u64)
            );
        };
        // SAFETY: the range is inside, and the part does not outlive the borrow of this buffer: a view neither
        // gives it away nor lends it for longer.
        let memory = unsafe {
            self.device()
                .backend()
                .part(self.memory(), start, end - start)
        }?;
        Ok(View {
            part: Buffer::new(self.device().clone(), memory),
            lent: PhantomData,
        })
    }

    /// The first `length` elements, and the others.
    ///
    /// # Errors
    /// As [`slice`](Buffer::slice).
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let x = Device::cpu().upload(&[1, 2, 3])?;
    /// let (front, back) = x.split_at(1)?;
    /// assert_eq!((front.to_vec()?, back.to_vec()?), (vec![1], vec![2, 3]));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn split_at(&self, length: usize) -> Result<(View<'_, T>, View<'_, T>)> {
        Ok((self.slice(..length)?, self.slice(length..)?))
    }

    /// Splits the buffer: it keeps the first `length` elements, and the others are a buffer of their own. Nothing is copied. The parts are
    /// independent of each other: a launch may read one and write the other. The memory is free again when both are gone;
    /// [`unsplit`](Buffer::unsplit) puts them together.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// # #[kernels]
    /// # mod maps {
    /// #     #[kernel(threads = 32)]
    /// #     pub fn doubled(input: DPull<EU32>) -> DPush<Grid, EU32> {
    /// #         input.split_up(4).as_grid_map(|piece| piece.map(|x| x * 2).push::<Block>())
    /// #     }
    /// # }
    /// # fn main() -> obsidian_rt::Result<()> {
    /// let device = Device::best()?;
    /// let mut numbers = device.upload(&[1u32, 2, 3, 4, 0, 0, 0, 0, 9])?;
    /// let mut results = numbers.split_off(4)?;
    /// let last = results.split_off(4)?;
    /// maps::doubled::launch_into(&device, &numbers, &mut results)?;
    /// numbers.unsplit(results)?;
    /// numbers.unsplit(last)?;
    /// assert_eq!(numbers.into_vec()?, [1, 2, 3, 4, 2, 4, 6, 8, 9]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::TooLong`] if the buffer has fewer elements.
    pub fn split_off(&mut self, length: usize) -> Result<Buffer<T>> {
        if length > self.len() {
            let own = self.len();
            let message = format!("a buffer of {own} elements cannot be split behind {length}");
            return Err(Error::new(ErrorKind::TooLong, message).exceeded(length as u64, own as u64));
        }
        may_begin(self.device())?;
        let device = self.device().clone();
        let rest = device.backend().split_off(self.memory_mut(), length)?;
        Ok(Buffer::new(device, rest))
    }

    /// Puts the elements of another buffer behind those of this one. If it was [split off](Buffer::split_off) from the end of this one nothing
    /// is copied; else both are copied to new memory.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`], [`ErrorKind::TooLong`] above `u32::MAX` elements, and what the devices report. This buffer has its
    /// elements still; the other one is dropped.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let mut x = Device::cpu().upload(&[1, 2, 3])?;
    /// let back = x.split_off(1)?;
    /// x.unsplit(back)?; // nothing is copied
    /// assert_eq!(x.to_vec()?, [1, 2, 3]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn unsplit(&mut self, other: Buffer<T>) -> Result<()> {
        may_begin(self.device())?;
        let device = self.device().clone();
        let (its_device, next) = other.into_parts();
        let next = match its_device.name() == device.name() {
            true => match device.backend().unsplit(self.memory_mut(), next)? {
                None => return Ok(()),
                Some(next) => next,
            },
            false => next,
        };
        let other = Buffer::new(its_device, next);
        let mut all = device.zeros(self.len() + other.len())?;
        let mut behind = all.split_off(self.len())?;
        all.copy_from_buffer(self)?;
        behind.copy_from_buffer(&other)?;
        all.unsplit(behind)?;
        *self = all;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generated::device::Given;

    fn place<T: Element>(buffer: &Buffer<T>) -> *const T {
        let array = buffer.memory().as_host().unwrap();
        array.elements::<T>().unwrap().as_ptr()
    }

    #[test]
    fn elements_of_the_host_stay_where_they_are() {
        let (xs, flags, nothing) = (vec![3u32, 1, 2], [true, false], [0.5f64; 0]);
        for device in [Device::cpu(), Device::simulator()] {
            let view = device.lend(&xs).unwrap();
            assert_eq!(place(&view), xs.as_ptr());
            assert_eq!((view.len(), view.to_vec().unwrap()), (3, xs.clone()));
            let part = view.slice(1..).unwrap();
            assert_eq!(part.to_vec().unwrap(), [1, 2]);
            // Who takes elements out has a copy.
            let mut own = device.zeros::<u32>(3).unwrap();
            own.copy_from_buffer(&view).unwrap();
            assert_ne!(place(&own), xs.as_ptr());
            assert_eq!(own.into_vec().unwrap(), xs);
            assert!(device.lend(&nothing).unwrap().to_vec().unwrap().is_empty());
            // As the ranges of device functions have them.
            let given = Given::<bool>::given(&flags, &device).unwrap();
            assert_eq!(place(&*given), flags.as_ptr());
            let given = Given::<u32>::given(&xs, &device).unwrap();
            assert_eq!(place(&*given), xs.as_ptr());
        }
        assert_eq!(xs, [3, 1, 2]);
    }

    #[cfg(feature = "algorithms")]
    #[test]
    fn algorithms_read_elements_of_the_host_where_they_are() {
        use crate::arrays::HostItem;
        let xs = [3u32, 1, 2];
        let mut views = Vec::new();
        <u32 as HostItem>::lend(&Device::cpu(), &xs, &mut views).unwrap();
        let found = views[0].buffer().memory.as_host().unwrap();
        assert_eq!(found.elements::<u32>().unwrap().as_ptr(), xs.as_ptr());
    }
}
