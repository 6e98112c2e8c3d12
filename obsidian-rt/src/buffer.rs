//! Buffers: arrays on a device.

use std::marker::PhantomData;

use crate::backend::Memory;
use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, ErrorKind, Result};
use crate::launch::Argument;
use crate::recording::{may_begin, mixed};
use crate::untyped::AnyBuffer;

/// An array on a device, of at most `u32::MAX` elements.
///
/// A launch that changes a buffer borrows it for that, so that one that is given the same buffer
/// once more does not compile:
///
/// ```compile_fail,E0502
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod sums {
///     #[kernel(threads = 32)]
///     pub fn add(sums: MGlobal<EU32>, terms: DPull<EU32>) -> Program<Grid, ()> {
///         let pieces = terms.split_up(32);
///         distr_par(pieces.len(), |b| for_all(32, |i| sums.atomic_add(i, pieces[b][i]).void()))
///     }
/// }
///
/// fn twice(device: &Device, mut sums: Buffer<u32>) -> obsidian_rt::Result<()> {
///     sums::add::launch(device, &mut sums, &sums)
/// }
/// ```
///
/// Nor does one with a buffer that is no more:
///
/// ```compile_fail,E0382
/// # fn read(buffer: obsidian_rt::Buffer<u32>) -> obsidian_rt::Result<Vec<u32>> {
/// drop(buffer);
/// buffer.to_vec()
/// # }
/// ```
///
/// ```
/// use obsidian_rt::Device;
///
/// let mut x = Device::cpu().upload(&[1, 2, 3])?;
/// x.fill(7)?;
/// assert_eq!((x.len(), x.to_vec()?), (3, vec![7, 7, 7]));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "device_vector")]
#[doc(alias = "CudaSlice")]
#[doc(alias = "DeviceBuffer")]
#[derive(Debug)]
pub struct Buffer<T> {
    any: AnyBuffer,
    elements: PhantomData<T>,
}

impl<T: Element> Buffer<T> {
    /// The buffer without the type of its elements.
    pub(crate) fn any(&self) -> &AnyBuffer {
        &self.any
    }

    #[cfg(all(feature = "algorithms", not(test)))]
    pub(crate) fn any_mut(&mut self) -> &mut AnyBuffer {
        &mut self.any
    }

    /// The buffer over memory of the device, whose elements have this type.
    pub(crate) fn new(device: Device, memory: Memory) -> Self {
        Buffer {
            any: AnyBuffer { device, memory },
            elements: PhantomData,
        }
    }

    /// The number of elements.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// assert_eq!(Device::cpu().upload(&[1, 2, 3])?.len(), 3);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.any.memory.len()
    }

    /// Returns `true` if there are no elements.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// assert!(Device::cpu().zeros::<u32>(0)?.is_empty());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.any.memory.is_empty()
    }

    /// The device on which the elements lie.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let x = Device::simulator().upload(&[1, 2])?;
    /// assert_eq!(x.device().name(), "simulator");
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn device(&self) -> &Device {
        &self.any.device
    }

    /// Copies the elements back, bit for bit.
    ///
    /// # Errors
    /// What the device reports, on a GPU also what went wrong in the launches that write the
    /// buffer; the CPU and the simulator report only that there is no memory for the copy.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let x = Device::cpu().upload(&[1.0, f32::INFINITY])?;
    /// assert_eq!(x.to_vec()?, [1.0, f32::INFINITY]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "cudaMemcpy")]
    #[doc(alias = "cudaMemcpyDeviceToHost")]
    #[doc(alias = "memcpy_dtoh")]
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let copy = self.any.device.backend().download(&self.any.memory)?;
        copy.into_elements().ok_or_else(other_type)
    }

    /// Takes the elements, bit for bit. On the CPU and the simulator nothing is copied; a GPU copies
    /// them.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// # fn main() -> obsidian_rt::Result<()> {
    /// let device = Device::best()?;
    /// let buffer = device.upload_vec(vec![1.5f32; 1000])?;
    /// assert_eq!(buffer.into_vec()?, [1.5; 1000]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`to_vec`](Buffer::to_vec).
    pub fn into_vec(self) -> Result<Vec<T>> {
        let array = self.any.device.backend().download_owned(self.any.memory)?;
        array.into_elements().ok_or_else(other_type)
    }

    /// Copies the elements to a place of the host, such as a [`Pinned`](crate::Pinned) array, bit
    /// for bit.
    ///
    /// # Errors
    /// [`ErrorKind::UnequalLengths`] if the place has another length, and what the device reports.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let x = Device::cpu().upload(&[1, 2])?;
    /// let mut place = [0; 2];
    /// x.copy_to(&mut place)?;
    /// assert_eq!(place, [1, 2]);
    /// assert!(x.copy_to(&mut [0; 3]).is_err());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn copy_to(&self, elements: &mut [T]) -> Result<()> {
        same_length(elements.len(), self.len())?;
        let mut place = elements;
        self.any
            .device
            .backend()
            .download_to(&self.any.memory, &mut place)
    }

    pub(crate) fn memory(&self) -> &Memory {
        &self.any.memory
    }

    pub(crate) fn memory_mut(&mut self) -> &mut Memory {
        &mut self.any.memory
    }

    pub(crate) fn parts_mut(&mut self) -> (&Device, &mut Memory) {
        (&self.any.device, &mut self.any.memory)
    }

    pub(crate) fn into_parts(self) -> (Device, Memory) {
        (self.any.device, self.any.memory)
    }

    /// Copies elements of the host to the buffer, which keeps its memory.
    ///
    /// # Errors
    /// [`ErrorKind::UnequalLengths`] if there are not as many elements as the buffer has, and what the device reports.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let mut x = Device::cpu().zeros(2)?;
    /// x.copy_from(&[1, 2])?;
    /// assert_eq!(x.to_vec()?, [1, 2]);
    /// assert!(x.copy_from(&[1, 2, 3]).is_err());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "cudaMemcpy")]
    pub fn copy_from(&mut self, elements: &[T]) -> Result<()> {
        same_length(elements.len(), self.len())?;
        may_begin(&self.any.device)?;
        self.any
            .device
            .backend()
            .write(&mut self.any.memory, &elements)
    }

    /// Copies the elements of another buffer, of this or any other device, to this one, which keeps its memory. Between buffers of one
    /// GPU nothing waits; between two devices the elements go through the memory of the host.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// # fn main() -> obsidian_rt::Result<()> {
    /// let (device, cpu) = (Device::best()?, Device::cpu());
    /// let mut buffer = device.zeros::<f32>(3)?;
    /// buffer.copy_from_buffer(&cpu.upload(&[1.0, 2.0, 3.0])?)?;
    /// assert_eq!(buffer.to_vec()?, [1.0, 2.0, 3.0]);
    /// buffer.fill(0.5)?;
    /// assert_eq!(buffer.to_vec()?, [0.5; 3]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`copy_from`](Buffer::copy_from).
    #[doc(alias = "cudaMemcpyDeviceToDevice")]
    pub fn copy_from_buffer(&mut self, other: &Buffer<T>) -> Result<()> {
        same_length(other.len(), self.len())?;
        if self.any.device.name() == other.any.device.name() {
            may_begin(&self.any.device)?;
            return self
                .any
                .device
                .backend()
                .copy(&other.any.memory, &mut self.any.memory);
        }
        if let Some(error) = mixed(&self.any.device, &other.any.device, "a buffer") {
            return Err(error);
        }
        may_begin(&self.any.device)?;
        let elements = other.any.device.backend().download(&other.any.memory)?;
        self.any
            .device
            .backend()
            .write(&mut self.any.memory, &elements)
    }

    /// A copy of the buffer on a device, this or any other one.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`], and what the devices report.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let x = Device::cpu().upload(&[1, 2])?;
    /// let copy = x.to_device(&Device::simulator())?;
    /// assert_eq!((copy.device().name(), copy.to_vec()?), ("simulator", vec![1, 2]));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn to_device(&self, device: &Device) -> Result<Buffer<T>> {
        let memory = device.backend().fresh(T::TYPE, self.len())?;
        let mut copy = Buffer::new(device.clone(), memory);
        copy.copy_from_buffer(self)?;
        Ok(copy)
    }

    /// Makes all elements the same. On a GPU nothing waits.
    ///
    /// # Errors
    /// What the device reports.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let mut x = Device::cpu().zeros(3)?;
    /// x.fill(0.5)?;
    /// assert_eq!(x.to_vec()?, [0.5; 3]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "cudaMemset")]
    pub fn fill(&mut self, value: T) -> Result<()> {
        may_begin(&self.any.device)?;
        self.any
            .device
            .backend()
            .fill(&mut self.any.memory, value.literal())
    }

    /// The buffer as the argument of a launch that reads it. For generated code.
    #[doc(hidden)]
    pub fn argument(&self) -> Argument<'_> {
        Argument::input(&self.any.device, &self.any.memory)
    }

    /// The buffer as the argument of a launch that reads and writes it. For generated code.
    #[doc(hidden)]
    pub fn argument_mut(&mut self) -> Argument<'_> {
        Argument::in_out(&self.any.device, &mut self.any.memory)
    }
}

/// Are there as many elements on the one side of a copy as on the other?
pub(crate) fn same_length(given: usize, own: usize) -> Result<()> {
    if own == given {
        return Ok(());
    }
    let message = format!("a copy between a buffer of {own} elements and a place with {given}");
    Err(Error::new(ErrorKind::UnequalLengths, message).exceeded(given as u64, own as u64))
}

fn other_type() -> Error {
    let message = "the device has given back elements of another type";
    Error::new(ErrorKind::Internal, message)
}
