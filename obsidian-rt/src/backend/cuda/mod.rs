//! GPUs of NVIDIA, by the CUDA driver, over the crate `cust`.
//!
//! | file | what it holds |
//! |---|---|
//! | [`forward`] | the driver's functions, found while the program runs |
//! | [`failure`] | what a call gave, as an error |
//! | [`context`] | a device, its context and its properties |
//! | [`stream`] | streams and events |
//! | [`memory`] | arrays of the device, page-locked arrays of the host |
//! | [`image`], [`module`] | kernels: compiled, then loaded |
//! | [`launch`] | a launch, checked against the device |
//!
//! Launches come back at once; what goes wrong later is the error of a later call on the device.
//! Copies wait, as they borrow the memory of the host. A buffer remembers the stream that has used
//! it last, and another stream that uses it waits for that one.

mod context;
mod failure;
mod forward;
mod image;
mod launch;
mod memory;
mod module;
mod stream;

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use obsidian_core::scalar::ScalarType;

use self::context::Context;
use self::memory::{DeviceArray, Locked};
use self::stream::{Event, Stream};
use super::{Backend, Elements, ElementsMut, HostArray, Launch, Mark, Memory, Pages};
use crate::element::by_type;
use crate::error::{Error, ErrorKind, Result};
use crate::kernel::Kernel;
use crate::properties::Properties;

pub(crate) use self::context::count;

/// A CUDA device, and the stream on which its work is queued.
#[derive(Clone)]
pub(crate) struct Cuda {
    stream: Arc<Stream>,
}

impl Cuda {
    /// The device of a number, with a stream of its own.
    pub(crate) fn new(ordinal: u32) -> Result<Cuda> {
        Ok(Cuda {
            stream: Stream::new(Context::new(ordinal)?)?,
        })
    }

    fn context(&self) -> &Arc<Context> {
        self.stream.context()
    }

    /// The bytes of `length` elements, if the device could have them.
    fn bytes(&self, ty: ScalarType, length: usize) -> Result<usize> {
        let (bytes, limit) = (
            length as u128 * u128::from(ty.bytes()),
            self.context().properties().memory_bytes,
        );
        match usize::try_from(bytes) {
            Ok(fitting) if bytes <= u128::from(limit) => Ok(fitting),
            _ => {
                let message = format!(
                    "a buffer of {bytes} bytes is larger than the memory of `{}`, which has {limit}",
                    self.name()
                );
                let needed = u64::try_from(bytes).unwrap_or(u64::MAX);
                Err(Error::new(ErrorKind::OutOfMemory, message).exceeded(needed, limit))
            }
        }
    }
}

impl Backend for Cuda {
    fn name(&self) -> &str {
        self.context().name()
    }

    fn model(&self) -> &str {
        &self.context().properties().name
    }

    fn upload(&self, elements: &dyn Elements) -> Result<Memory> {
        let memory = self.fresh(elements.ty(), elements.count())?;
        launch::array(&memory)?.write(&self.stream, elements.bytes())?;
        Ok(memory)
    }

    fn zeros(&self, ty: ScalarType, length: usize) -> Result<Memory> {
        let memory = self.fresh(ty, length)?;
        launch::array(&memory)?.clear(&self.stream)?;
        Ok(memory)
    }

    fn fresh(&self, ty: ScalarType, length: usize) -> Result<Memory> {
        let array = DeviceArray::new(&self.stream, self.bytes(ty, length)?)?;
        Ok(Memory::new(ty, length, array))
    }

    fn download(&self, memory: &Memory) -> Result<HostArray> {
        let mut array = HostArray::fresh(memory.ty(), memory.len())?;
        self.download_to(memory, &mut *array.elements_mut()?)?;
        Ok(array)
    }

    fn download_to(&self, memory: &Memory, elements: &mut dyn ElementsMut) -> Result<()> {
        let array = launch::array(memory)?;
        if let Some(bytes) = elements.bytes_mut() {
            return array.read(&self.stream, bytes);
        }
        // A byte that no kernel has written may be no `bool`.
        let mut bytes = vec![0u8; array.len()];
        array.read(&self.stream, &mut bytes)?;
        elements.set(&HostArray::of(
            bytes
                .into_iter()
                .map(|byte| byte != 0)
                .collect::<Vec<bool>>(),
        ))
    }

    fn accepts(&self, kernel: &Kernel) -> Result<()> {
        launch::fits(kernel, self.context())
    }

    fn run(&self, launch: &mut Launch<'_>) -> Result<()> {
        launch::launch(&self.stream, launch)
    }

    fn synchronize(&self) -> Result<()> {
        self.stream.synchronize()
    }

    fn stream(&self) -> Result<Option<Arc<dyn Backend>>> {
        Ok(Some(Arc::new(Cuda {
            stream: Stream::new(Arc::clone(self.context()))?,
        })))
    }

    fn record(&self) -> Result<Arc<dyn Mark>> {
        Ok(Arc::new(Event::new(&self.stream, false)?))
    }

    fn wait(&self, mark: &dyn Mark) -> Result<()> {
        match mark.as_any().downcast_ref::<Event>() {
            Some(event) => self.stream.wait(event),
            // Another kind of device cannot be waited for by this one, but by the host.
            None => mark.synchronize(),
        }
    }

    fn pages(&self, ty: ScalarType, length: usize) -> Result<Box<dyn Any + Send + Sync>> {
        by_type!(ty, T => {
            let pages: Pages<T> = Box::new(Locked::<T>::new(self.context(), length)?);
            Ok(Box::new(pages))
        })
    }

    fn properties(&self) -> Option<&Properties> {
        Some(self.context().properties())
    }

    fn warnings(&self) -> Vec<String> {
        image::warnings()
    }
}

impl fmt::Debug for Cuda {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cuda")
            .field("name", &self.name())
            .finish_non_exhaustive()
    }
}
