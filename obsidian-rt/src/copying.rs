//! Copies between page-locked arrays and buffers that go on while the host does something else.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::buffer::{Buffer, same_length};
use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, ErrorKind, Result};
use crate::event::Event;
use crate::pinned::Pinned;
use crate::recording::may_begin;

/// A copy between a [`Pinned`] array and a buffer: see [`Buffer::copy_from_pinned`].
///
/// It owns the array while the device copies, so that nobody changes or frees it meanwhile. [`wait`](Copying::wait) gives it back; so does
/// awaiting the copy, which is a [`Future`] as an [`Event`] is. Dropped, it waits for the copy and frees the array.
///
/// The buffer needs no such care: launches and copies that use it come after this copy, on every stream.
///
/// ```
/// use obsidian_rt::Device;
///
/// let device = Device::best()?;
/// let mut array = device.pinned(2)?;
/// array.copy_from_slice(&[1, 2]);
/// let (buffer, copying) = device.upload_pinned(array)?;
/// let array = copying.wait()?; // here the host could work first
/// assert_eq!((array[..].to_vec(), buffer.to_vec()?), (vec![1, 2], vec![1, 2]));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[must_use = "dropping it waits for the copy"]
pub struct Copying<T> {
    /// There until it is given back.
    array: Option<Pinned<T>>,
    event: Event,
    /// In whose queue the copy is.
    device: Device,
}

impl<T: Element> Copying<T> {
    /// Returns `true` if the copy is done.
    ///
    /// # Errors
    /// The failure of the copy, or of work that came before it.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let device = Device::best()?;
    /// let (_, copying) = device.upload_pinned(device.pinned::<f32>(100)?)?;
    /// while !copying.is_done()? {
    ///     std::hint::spin_loop();
    /// }
    /// assert_eq!(copying.wait()?.len(), 100);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn is_done(&self) -> Result<bool> {
        self.event.is_done()
    }

    /// Waits until the copy is done, and gives the array back.
    ///
    /// # Errors
    /// The failure of the copy, or of work that came before it. The array is dropped.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let device = Device::best()?;
    /// let (_, copying) = device.upload_pinned(device.pinned::<f32>(100)?)?;
    /// assert_eq!(copying.wait()?.len(), 100);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn wait(mut self) -> Result<Pinned<T>> {
        self.event.synchronize()?;
        self.done()
    }

    fn done(&mut self) -> Result<Pinned<T>> {
        self.array.take().ok_or_else(|| {
            let message = "a copy that has given its array back was awaited once more";
            Error::new(ErrorKind::CannotRun, message)
        })
    }
}

impl<T: Element> Future for Copying<T> {
    type Output = Result<Pinned<T>>;

    fn poll(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Result<Pinned<T>>> {
        let copying = self.get_mut();
        let event = Pin::new(&mut copying.event).poll(task);
        event.map(|reached| reached.and_then(|()| copying.done()))
    }
}

impl<T> Drop for Copying<T> {
    fn drop(&mut self) {
        // Without the array nothing is under way. Where the event cannot be waited for, its queue is; where that fails too, the device's
        // context is lost and no copy goes on.
        if self.array.is_some() && self.event.settle().is_err() {
            let _ = self.device.synchronize();
        }
    }
}

impl<T> fmt::Debug for Copying<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Copying")
            .field("array", &self.array)
            .field("device", &self.device.name())
            .finish_non_exhaustive()
    }
}

impl Device {
    /// Copies a page-locked array to the device, and comes back before that is done. The array comes back from
    /// [`Copying::wait`]; the buffer can be used at once.
    ///
    /// # Errors
    /// As [`upload`](Device::upload). The array is dropped then.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let device = Device::best()?;
    /// let mut array = device.pinned(2)?;
    /// array.copy_from_slice(&[1.5, 2.5]);
    /// let (buffer, copying) = device.upload_pinned(array)?;
    /// assert_eq!(buffer.to_vec()?, [1.5, 2.5]);
    /// let _array = copying.wait()?; // it can be filled again
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn upload_pinned<T: Element>(&self, array: Pinned<T>) -> Result<(Buffer<T>, Copying<T>)> {
        crate::device::check_length(array.len())?;
        let memory = self.backend().fresh(T::TYPE, array.len())?;
        let mut buffer = Buffer::new(self.clone(), memory);
        let copying = buffer.copy_from_pinned(array)?;
        Ok((buffer, copying))
    }
}

/// A buffer with the first `len` elements of a page-locked array, into which they are copied while the host goes on.
#[cfg(feature = "sequence")]
pub(crate) fn upload_first<T: Element>(
    device: &Device,
    array: Pinned<T>,
    len: usize,
) -> Result<(Buffer<T>, Copying<T>)> {
    crate::device::check_length(len)?;
    let memory = device.backend().fresh(T::TYPE, len)?;
    let mut buffer = Buffer::new(device.clone(), memory);
    let copying = buffer.copy_from_first(array)?;
    Ok((buffer, copying))
}

impl<T: Element> Buffer<T> {
    /// Copies a page-locked array to the buffer, and comes back before that is done: the copy is queued in the stream on which the buffer
    /// was made. While it goes on, the host fills the next array, and kernels run that use other buffers in other streams. A stream that
    /// takes a buffer over waits for everything queued so far in the stream that used it last. On the CPU and the simulator the copy is done at
    /// once.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// # #[kernels]
    /// # mod maps {
    /// #     #[kernel(threads = 32)]
    /// #     pub fn doubled(input: DPull<EU32>) -> DPush<Grid, EU32> {
    /// #         input.split_up(32).as_grid_map(|piece| piece.map(|x| x * 2).push::<Block>())
    /// #     }
    /// # }
    /// # fn main() -> obsidian_rt::Result<()> {
    /// let device = Device::best()?;
    /// // Each turn has a stream and buffers of its own.
    /// let streams = [device.stream()?, device.stream()?];
    /// let of_turn = |turn: usize| streams[turn].device().zeros::<u32>(1024);
    /// let mut inputs = [of_turn(0)?, of_turn(1)?];
    /// let mut outputs = [of_turn(0)?, of_turn(1)?];
    /// let mut copying = [None, None];
    /// for step in 0..10u32 {
    ///     // While one array is copied, the other one is filled.
    ///     let turn = step as usize % 2;
    ///     let mut array = match copying[turn].take() {
    ///         Some(before) => Copying::wait(before)?,
    ///         None => device.pinned(1024)?,
    ///     };
    ///     array.fill(step);
    ///     copying[turn] = Some(inputs[turn].copy_from_pinned(array)?);
    ///     // Queued behind the copy, beside the launch of the other turn.
    ///     maps::doubled::launch_into(streams[turn].device(), &inputs[turn], &mut outputs[turn])?;
    /// }
    /// assert_eq!(outputs[1].to_vec()?, [18; 1024]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// The array belongs to the copy until it is done:
    ///
    /// ```compile_fail,E0382
    /// # use obsidian_rt::{Buffer, Pinned};
    /// # fn changed(mut buffer: Buffer<u32>, mut array: Pinned<u32>) -> obsidian_rt::Result<()> {
    /// let copying = buffer.copy_from_pinned(array)?;
    /// array.fill(0);
    /// # copying.wait().map(drop)
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::UnequalLengths`] if the array has another length than the buffer, and what the device reports. The array is dropped
    /// then.
    #[doc(alias = "cudaMemcpyAsync")]
    pub fn copy_from_pinned(&mut self, array: Pinned<T>) -> Result<Copying<T>> {
        same_length(array.len(), self.len())?;
        self.copy_from_first(array)
    }

    /// The same of the first elements of a longer array.
    fn copy_from_first(&mut self, array: Pinned<T>) -> Result<Copying<T>> {
        may_begin(self.device())?;
        let (device, len) = (self.device().clone(), self.len().min(array.len()));
        // SAFETY: `Copying` owns the array until the mark was waited for, or else the device. The array lies behind a pointer, so that
        // it stays in its place when its owner moves. If `Copying` is never dropped, neither is the array.
        let mark = unsafe {
            let backend = device.backend();
            backend.write_later(self.memory_mut(), &&array[..len])
        }?;
        Ok(Copying {
            array: Some(array),
            event: Event::new(mark),
            device,
        })
    }

    /// Copies the elements to a page-locked array, and comes back before that is done, as
    /// [`copy_from_pinned`](Buffer::copy_from_pinned) does. Read the array once it was given back. (A GPU that copies `bool`s is
    /// waited for, as each byte has to be looked at.)
    ///
    /// # Errors
    /// As [`copy_from_pinned`](Buffer::copy_from_pinned).
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let device = Device::best()?;
    /// let buffer = device.upload(&[1, 2, 3])?;
    /// let copying = buffer.copy_to_pinned(device.pinned(3)?)?;
    /// assert_eq!(copying.wait()?[..], [1, 2, 3]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn copy_to_pinned(&self, mut array: Pinned<T>) -> Result<Copying<T>> {
        same_length(array.len(), self.len())?;
        let device = self.device().clone();
        // SAFETY: as above.
        let mark = unsafe {
            let backend = device.backend();
            backend.read_later(self.memory(), &mut &mut array[..])
        }?;
        Ok(Copying {
            array: Some(array),
            event: Event::new(mark),
            device,
        })
    }
}
