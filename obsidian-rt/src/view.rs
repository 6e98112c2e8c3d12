//! Views: parts of buffers that are read.

use std::marker::PhantomData;
use std::ops::{Bound, Deref, RangeBounds};

use crate::buffer::Buffer;
use crate::element::Element;
use crate::error::{Error, ErrorKind, Result};

/// A part of a [`Buffer`], which lends it: see [`Buffer::slice`].
///
/// It is a buffer wherever one is read: `&view` is an argument of a launch, and has
/// [`to_vec`](Buffer::to_vec), [`slice`](Buffer::slice) and so on.
#[derive(Debug)]
pub struct View<'a, T: Element> {
    /// Its memory is part of that of the buffer which is lent. It is never given away, and never changed.
    part: Buffer<T>,
    lent: PhantomData<&'a Buffer<T>>,
}

impl<T: Element> Deref for View<'_, T> {
    type Target = Buffer<T>;
    fn deref(&self) -> &Buffer<T> {
        &self.part
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
    pub fn split_at(&self, length: usize) -> Result<(View<'_, T>, View<'_, T>)> {
        Ok((self.slice(..length)?, self.slice(length..)?))
    }
}
