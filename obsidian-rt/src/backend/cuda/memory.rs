//! Arrays in the memory of a device, and page-locked arrays of the host.

use std::ffi::c_void;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};

use cust::memory::{DeviceBuffer, DeviceCopy, LockedBuffer};
use cust::sys;

use super::context::Context;
use super::failure::{checked, code};
use super::stream::Stream;
use crate::error::Result;

/// The bytes of an array, freed at the end. An array of no elements has no memory.
pub(super) struct DeviceArray {
    /// There until the end, unless there are no bytes.
    bytes: Option<DeviceBuffer<u8>>,
    /// The stream that has used it last.
    home: Mutex<Arc<Stream>>,
}

impl DeviceArray {
    /// Memory of `bytes` bytes with arbitrary values.
    pub(super) fn new(stream: &Arc<Stream>, bytes: usize) -> Result<DeviceArray> {
        let bytes = match bytes {
            0 => None,
            _ => Some(stream.with(|| {
                // SAFETY: the bytes have no type yet; every reader has written them
                // before.
                let buffer = unsafe { DeviceBuffer::uninitialized(bytes) };
                checked("cuMemAlloc_v2", buffer)
            })?),
        };
        Ok(DeviceArray {
            bytes,
            home: Mutex::new(Arc::clone(stream)),
        })
    }

    /// Where it begins; 0 if there are no bytes.
    pub(super) fn address(&self) -> u64 {
        self.bytes
            .as_ref()
            .map_or(0, |bytes| bytes.as_device_ptr().as_raw())
    }

    /// The number of bytes.
    pub(super) fn len(&self) -> usize {
        self.bytes.as_ref().map_or(0, |bytes| bytes.len())
    }

    /// Orders what comes next on a stream after all that was done with this array on another one.
    pub(super) fn use_on(&self, stream: &Arc<Stream>) -> Result<()> {
        let mut home = self.home.lock().unwrap_or_else(PoisonError::into_inner);
        if !Arc::ptr_eq(&home, stream) {
            stream.follow(&home)?;
            *home = Arc::clone(stream);
        }
        Ok(())
    }

    /// Copies bytes of the host to it, and waits: the bytes are only lent.
    pub(super) fn write(&self, stream: &Arc<Stream>, bytes: &[u8]) -> Result<()> {
        let count = bytes.len().min(self.len());
        if count == 0 {
            return Ok(());
        }
        self.use_on(stream)?;
        stream.with(|| {
            let (to, from) = (self.address(), bytes.as_ptr().cast::<c_void>());
            // SAFETY: both have `count` bytes, and are there until the stream has been waited for.
            code("cuMemcpyHtoDAsync_v2", unsafe {
                sys::cuMemcpyHtoDAsync_v2(to, from, count, stream.raw())
            })?;
            stream.done()
        })
    }

    /// Makes all bytes 0.
    pub(super) fn clear(&self, stream: &Arc<Stream>) -> Result<()> {
        if self.len() == 0 {
            return Ok(());
        }
        stream.with(|| {
            // SAFETY: it has `bytes` bytes, which live until the stream is done, because
            // freeing them waits for it.
            let given =
                unsafe { sys::cuMemsetD8Async(self.address(), 0, self.len(), stream.raw()) };
            code("cuMemsetD8Async", given)
        })
    }

    /// Copies its bytes to the host, and waits.
    pub(super) fn read(&self, stream: &Arc<Stream>, bytes: &mut [u8]) -> Result<()> {
        let count = bytes.len().min(self.len());
        if count == 0 {
            return Ok(());
        }
        self.use_on(stream)?;
        stream.with(|| {
            let to = bytes.as_mut_ptr().cast::<c_void>();
            // SAFETY: both have `count` bytes, and are there until the stream has been waited for.
            // Where waiting fails, the context is lost, or was never there; then no copy goes on.
            code("cuMemcpyDtoHAsync_v2", unsafe {
                sys::cuMemcpyDtoHAsync_v2(to, self.address(), count, stream.raw())
            })?;
            stream.done()
        })
    }
}

impl Drop for DeviceArray {
    fn drop(&mut self) {
        let Some(bytes) = self.bytes.take() else {
            return;
        };
        let home = self.home.get_mut().unwrap_or_else(PoisonError::into_inner);
        // The driver waits until nothing uses it any more.
        home.context().release(|| drop(bytes));
    }
}

/// A page-locked array of the host, freed at the end.
pub(super) struct Locked<T: DeviceCopy> {
    /// There until the end.
    elements: Option<LockedBuffer<T>>,
    context: Arc<Context>,
}

impl<T: DeviceCopy + Default> Locked<T> {
    /// `length` zeros.
    pub(super) fn new(context: &Arc<Context>, length: usize) -> Result<Locked<T>> {
        let elements = match length {
            0 => None,
            _ => Some(context.with(|| {
                checked(
                    "cuMemAllocHost_v2",
                    LockedBuffer::new(&T::default(), length),
                )
            })?),
        };
        Ok(Locked {
            elements,
            context: Arc::clone(context),
        })
    }
}

impl<T: DeviceCopy> Deref for Locked<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        self.elements.as_deref().unwrap_or(&[])
    }
}

impl<T: DeviceCopy> DerefMut for Locked<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.elements.as_deref_mut().unwrap_or(&mut [])
    }
}

impl<T: DeviceCopy> Drop for Locked<T> {
    fn drop(&mut self) {
        if let Some(elements) = self.elements.take() {
            self.context.release(|| drop(elements));
        }
    }
}
