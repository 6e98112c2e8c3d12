//! For programs with code in the crate `cust`: its contexts, streams and buffers, and those of a [`Device`], converted both
//! ways (feature `cust`).
//!
//! Both crates use the *primary context* of a GPU, so that memory and streams of one are good for the other.
//!
//! | of `cust` | becomes | and back |
//! |---|---|---|
//! | `Context` | [`Device::from_cust`] | [`Device::cust_context`] |
//! | `Stream` | [`Device::on_cust_stream`] | [`Device::cust_stream`], as `cust` takes no stream that it has not made |
//! | `DeviceBuffer` | [`Buffer::from_cust`] | [`Buffer::into_cust`]; [`Buffer::cust_pointer`] lends it |
//!
//! *Building where there is no CUDA.* The build script of `cust` ends the build where it finds no CUDA installation. There, make a
//! folder with an empty folder `lib64` in it, and name it in `.cargo/config.toml` of your workspace:
//!
//! ```toml
//! [env]
//! CUDA_LIBRARY_PATH = { value = "no-cuda", relative = true }
//! ```
//!
//! With this feature, `obsidian-rt` has the driver's functions that `cust` calls, so that nothing of CUDA is linked. Those of
//! `cust::sys` that `cust` itself never calls are not among them.
//!
//! `examples/cust.rs` of this crate launches a kernel on a stream of `cust`.

pub(crate) mod forward;

use std::sync::Arc;

use ::cust::context::{Context, CurrentContext};
use ::cust::device::Device as Ordinal;
use ::cust::error::CudaError;
use ::cust::memory::{DeviceBuffer, DeviceCopy, DevicePointer};
use ::cust::stream::{Stream, StreamFlags};

use crate::backend::cuda::failure;
use crate::buffer::Buffer;
use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, ErrorKind, Result};

/// What a function of `cust` gave.
fn given<T>(call: &'static str, result: std::result::Result<T, CudaError>) -> Result<T> {
    result.map_err(|error| failure::of(call, error as i32, "cuda"))
}

impl Device {
    /// The GPU of a context of `cust`, with a stream of its own.
    ///
    /// # Errors
    /// [`ErrorKind::WrongDevice`] for a context that is not the primary one of its GPU (those of `cust::context::legacy`), and what the
    /// driver reports.
    pub fn from_cust(context: &Context) -> Result<Device> {
        given("cuCtxSetCurrent", CurrentContext::set_current(context))?;
        let of_context = given("cuCtxGetDevice", CurrentContext::get_device())?;
        for number in 0..Device::cuda_count()? {
            if given("cuDeviceGet", Ordinal::get_device(number))?.as_raw() == of_context.as_raw() {
                let device = Device::cuda(number)?;
                if device.raw_context()? == context.as_raw().cast() {
                    return Ok(device);
                }
            }
        }
        Err(Error::new(
            ErrorKind::WrongDevice,
            "the context of `cust` is not the primary context of its GPU",
        ))
    }

    /// The context of this GPU, as `cust` has it. It stays the primary context: `cust` retains it once more.
    ///
    /// # Errors
    /// [`ErrorKind::CannotRun`] on a device that is no GPU, and what the driver reports.
    pub fn cust_context(&self) -> Result<Context> {
        let number = self.cuda_number()?;
        let ordinal = given("cuDeviceGet", Ordinal::get_device(number))?;
        given("cuDevicePrimaryCtxRetain", Context::new(ordinal))
    }

    /// The same device, whose launches and copies are queued in a stream of `cust`: in order with what `cust` queues there.
    ///
    /// # Errors
    /// [`ErrorKind::CannotRun`] on a device that is no GPU, [`ErrorKind::WrongDevice`] for a stream of another context, and what the
    /// driver reports.
    pub fn on_cust_stream(&self, stream: Arc<Stream>) -> Result<Device> {
        let raw = stream.as_inner().cast();
        // SAFETY: the stream exists as long as its value.
        if !unsafe { self.as_cuda()?.has_stream(raw) }? {
            return Err(self.of_another_context("stream"));
        }
        // SAFETY: the stream is one of this context, and exists until the device that owns it from now on is no more.
        unsafe { self.on_raw_stream(raw, stream) }
    }

    /// A new stream, as `cust` has it, and this device, whose launches and copies are queued in it.
    ///
    /// # Errors
    /// As [`cust_context`](Device::cust_context).
    pub fn cust_stream(&self) -> Result<(Device, Arc<Stream>)> {
        let context = self.cust_context()?;
        given("cuCtxSetCurrent", CurrentContext::set_current(&context))?;
        let stream = Arc::new(given(
            "cuStreamCreateWithPriority",
            Stream::new(StreamFlags::DEFAULT, None),
        )?);
        Ok((self.on_cust_stream(Arc::clone(&stream))?, stream))
    }

    fn of_another_context(&self, what: &str) -> Error {
        let message = format!(
            "the {what} of `cust` is not one of the primary context of `{}`",
            self.name()
        );
        Error::new(ErrorKind::WrongDevice, message)
    }
}

impl<T: Element + DeviceCopy> Buffer<T> {
    /// A buffer that owns the memory of a buffer of `cust`. Waits for all work of the context, as nobody knows which stream has used the
    /// memory last.
    ///
    /// # Errors
    /// [`ErrorKind::CannotRun`] if `device` is no GPU, [`ErrorKind::WrongDevice`] for memory of another context, and what went wrong in
    /// work on the device.
    pub fn from_cust(device: &Device, buffer: DeviceBuffer<T>) -> Result<Buffer<T>> {
        let (pointer, len) = (buffer.as_device_ptr().as_raw(), buffer.len());
        // A buffer of no elements has no memory.
        let cuda = device.as_cuda()?;
        if len > 0 && !cuda.has_memory(pointer)? {
            return Err(device.of_another_context("buffer"));
        }
        let context = device.cust_context()?;
        given("cuCtxSetCurrent", CurrentContext::set_current(&context))?;
        given("cuCtxSynchronize", CurrentContext::synchronize())?;
        // SAFETY: the memory is one of this GPU, and there are `len` elements of the type at the pointer, which the buffer owns until it
        // is dropped with the new one.
        unsafe { device.buffer_from_raw(pointer, len, buffer) }
    }

    /// The memory of this buffer as a buffer of `cust`, which frees it. Waits until the work that uses it is done, because the streams
    /// of `cust` do not wait for ours. The memory is gone with the primary context: a device of this GPU, or a `Context` of `cust`, has
    /// to stay as long as the buffer.
    ///
    /// # Errors
    /// [`ErrorKind::CannotRun`] if the buffer is not on a GPU or is made of memory that something else owns, and what went wrong in the
    /// work.
    pub fn into_cust(self) -> Result<DeviceBuffer<T>> {
        let len = self.len();
        let pointer = self.into_raw()?;
        // SAFETY: the pointer is one of `cuMemAlloc`, with room for `len` elements, and nobody else has it any more.
        Ok(unsafe { DeviceBuffer::from_raw_parts(DevicePointer::from_raw(pointer), len) })
    }

    /// Where the elements lie, for kernels and copies that `cust` queues on the stream of `device`.
    ///
    /// # Errors
    /// As [`raw_pointer`](Buffer::raw_pointer).
    pub fn cust_pointer(&self, device: &Device) -> Result<DevicePointer<T>> {
        self.raw_pointer(device).map(DevicePointer::from_raw)
    }
}
