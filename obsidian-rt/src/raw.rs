//! Contexts, streams and memory of a GPU as handles of the driver, for other libraries.
//!
//! Everything is in the primary context of the GPU, which CUDA's runtime, cuBLAS, cudarc and others use too.

use std::any::Any;
use std::ffi::c_void;

use crate::backend::cuda::Cuda;
use crate::buffer::Buffer;
use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, ErrorKind, Result};

/// Handles of the driver: with the feature `cuda`.
impl Device {
    /// The primary context of this GPU, a `CUcontext`. It is there as long as the device or something on it.
    ///
    /// # Errors
    /// [`ErrorKind::CannotRun`] on a device that is no GPU.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// assert!(Device::cpu().raw_context().is_err()); // it is no GPU
    /// if let Ok(gpu) = Device::cuda(0) {
    ///     assert!(!gpu.raw_context()?.is_null());
    /// }
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn raw_context(&self) -> Result<*mut c_void> {
        self.as_cuda().map(Cuda::raw_context)
    }

    /// The stream in which launches and copies of this device are queued, a `CUstream`, for libraries such as cuBLAS. What they queue
    /// there is in order with launches. It is there as long as the device or something on it.
    ///
    /// # Errors
    /// As [`raw_context`](Device::raw_context).
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// assert!(Device::cpu().raw_stream().is_err()); // it is no GPU
    /// if let Ok(gpu) = Device::cuda(0) {
    ///     let _stream = gpu.raw_stream()?; // for a library such as cuBLAS
    /// }
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn raw_stream(&self) -> Result<*mut c_void> {
        self.as_cuda().map(Cuda::raw_stream)
    }

    /// The same device, whose launches and copies are queued in a stream that was made elsewhere, a `CUstream`. `owner` is dropped when
    /// nothing uses the stream any more; it may be `()`.
    ///
    /// # Safety
    /// The stream belongs to the primary context of this GPU, and exists until `owner` is dropped. With `()` that is until the device,
    /// all that was made on it and every buffer that was used on it are dropped; other threads may use the stream until then, as they
    /// take over memory that was used there. Prefer an owner. It is not `CU_STREAM_PER_THREAD`, which is another stream on each thread, and it
    /// is not being captured while the device uses it.
    ///
    /// # Errors
    /// As [`raw_context`](Device::raw_context).
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// if let Ok(gpu) = Device::cuda(0) {
    ///     let owner = gpu.stream()?;
    ///     let stream = owner.device().raw_stream()?;
    ///     // SAFETY: it is a stream of this GPU, and it is there until its owner is dropped.
    ///     let device = unsafe { gpu.on_raw_stream(stream, owner)? };
    ///     assert_eq!(device.upload(&[1, 2])?.to_vec()?, [1, 2]);
    /// }
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub unsafe fn on_raw_stream(
        &self,
        stream: *mut c_void,
        owner: impl Any + Send + Sync,
    ) -> Result<Device> {
        // SAFETY: the caller's promise.
        let backend = unsafe { self.as_cuda()?.on_raw_stream(stream, Box::new(owner)) };
        Ok(self.with_backend(backend))
    }

    /// A buffer over memory that another owner frees, from a `CUdeviceptr` on. `owner` is dropped when nothing uses the memory any more:
    /// the buffer waits for the work that uses it, and the primary context is current. It may be `()`; this crate does not free the memory.
    ///
    /// # Safety
    /// There are `len` elements of type `T` at the pointer, in memory of this GPU, until `owner` is dropped: with `()`, until the
    /// buffer is dropped and the work that uses it is done. Nobody else writes them meanwhile, but in the stream of this device. Work
    /// that uses them in other streams is done, or the stream of this device waits for it.
    ///
    /// # Errors
    /// [`ErrorKind::TooLong`] above `u32::MAX` elements, [`ErrorKind::CannotRun`] for a pointer that is not a multiple of the size of an
    /// element, and as [`raw_context`](Device::raw_context).
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// if let Ok(gpu) = Device::cuda(0) {
    ///     let owner = gpu.upload(&[1u32, 2, 3])?;
    ///     let pointer = owner.raw_pointer(&gpu)?;
    ///     // SAFETY: there are three elements, until their owner is dropped; nobody else uses them.
    ///     let buffer = unsafe { gpu.buffer_from_raw::<u32>(pointer, 3, owner)? };
    ///     assert_eq!(buffer.to_vec()?, [1, 2, 3]);
    /// }
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub unsafe fn buffer_from_raw<T: Element>(
        &self,
        pointer: u64,
        len: usize,
        owner: impl Any + Send + Sync,
    ) -> Result<Buffer<T>> {
        crate::device::check_length(len)?;
        let cuda = self.as_cuda()?;
        let size = size_of::<T>() as u64;
        if !pointer.is_multiple_of(size) {
            let message = format!(
                "the pointer {pointer:#x} is not a multiple of {size}, as those of elements of {size} bytes are"
            );
            return Err(Error::new(ErrorKind::CannotRun, message));
        }
        // SAFETY: the caller's promise.
        let memory = unsafe { cuda.memory_from_raw(T::TYPE, pointer, len, Box::new(owner)) };
        Ok(Buffer::new(self.clone(), memory))
    }

    /// The number of this GPU.
    #[cfg(feature = "cust")]
    pub(crate) fn cuda_number(&self) -> Result<u32> {
        self.as_cuda().map(Cuda::number)
    }

    pub(crate) fn as_cuda(&self) -> Result<&Cuda> {
        let cuda = self.backend().as_any().and_then(|any| any.downcast_ref());
        cuda.ok_or_else(|| {
            if self.is_recording() && crate::recording::is_observing() {
                let message = "work of other libraries in the function of a candidate is not measured: leave it to launches";
                return Error::new(ErrorKind::WrongAnswer, message);
            }
            let message = if self.is_recording() {
                "work of other libraries is not recorded: end the recording in front of it, and begin another one behind it".to_owned()
            } else {
                format!(
                    "`{}` is no GPU: it has no handles of the CUDA driver",
                    self.name()
                )
            };
            Error::new(ErrorKind::CannotRun, message)
        })
    }
}

/// Pointers of the driver: with the feature `cuda`.
impl<T: Element> Buffer<T> {
    /// The address of the elements, a `CUdeviceptr`, for work that other libraries queue in the [stream](Device::raw_stream) of `device`:
    /// that stream waits for the work that has used the buffer in others. 0 for a buffer of no elements.
    ///
    /// The pointer is good until the buffer is dropped; what was queued in that stream before the drop is still done with it. Queue the
    /// work before the buffer is used on another stream: only then does that one wait for it. To write there, hold the buffer
    /// exclusively, as for a launch that changes it.
    ///
    /// # Errors
    /// [`ErrorKind::WrongDevice`] if the buffer lies on another device, [`ErrorKind::CannotRun`] if it is no GPU, and what the driver
    /// reports.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let device = Device::cpu();
    /// assert!(device.upload(&[1u32])?.raw_pointer(&device).is_err()); // it is no GPU
    /// if let Ok(gpu) = Device::cuda(0) {
    ///     assert_ne!(gpu.upload(&[1u32])?.raw_pointer(&gpu)?, 0);
    /// }
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "CUdeviceptr")]
    pub fn raw_pointer(&self, device: &Device) -> Result<u64> {
        let cuda = device.as_cuda()?;
        if self.device().name() != device.name() {
            let message = format!(
                "the buffer lies on the device `{}`, and the stream is of `{}`",
                self.device().name(),
                device.name()
            );
            return Err(Error::new(ErrorKind::WrongDevice, message));
        }
        cuda.pointer(self.memory())
    }

    /// The memory of the buffer, a `CUdeviceptr` of `cuMemAlloc`. The caller frees it with `cuMemFree`. Waits until the work that uses
    /// it is done. The memory is gone with the primary context, so that a device of this GPU, or something else that retains its
    /// context, has to stay as long as the memory is used.
    ///
    /// # Errors
    /// [`ErrorKind::CannotRun`] if the buffer is not on a GPU, has no elements, or is part of another one or made of memory that
    /// something else owns; and what went wrong in the work.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// assert!(Device::cpu().upload(&[1u32])?.into_raw().is_err()); // it is no GPU
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn into_raw(self) -> Result<u64> {
        let (device, memory) = self.into_parts();
        device.as_cuda()?.take_pointer(memory)
    }
}
