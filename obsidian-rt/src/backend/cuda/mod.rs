//! GPUs of NVIDIA, by the CUDA driver.
//!
//! | file | what it holds |
//! |---|---|
//! | [`driver`] | the driver's functions, found while the program runs |
//! | [`failure`] | what a call gave, as an error |
//! | [`context`] | a device, its context and its properties |
//! | [`stream`] | streams and events |
//! | [`memory`] | arrays of the device, page-locked arrays of the host |
//! | [`pool`] | memory that dropped arrays have left on a stream |
//! | [`image`], [`module`] | kernels: compiled, then loaded |
//! | [`launch`] | a launch, checked against the device |
//! | [`order`] | the words by which the blocks of a launch follow each other |
//! | [`graph`] | recorded launches, copies and fills, as one thing for the driver |
//! | [`fallback`] | kernels that cannot be compiled here, on the CPU |
//!
//! Launches come back at once; what goes wrong later is the error of a later call on the device.
//! Copies wait, as they borrow the memory of the host; those that own their page-locked array do not. A buffer remembers the stream that has used
//! it last, and another stream that uses it waits for that one.

mod context;
pub(crate) mod driver;
pub(crate) mod failure;
mod fallback;
mod faults;
mod graph;
mod image;
mod launch;
mod memory;
mod module;
mod order;
mod pool;
mod stream;

use std::any::Any;
use std::ffi::c_void;
use std::fmt;
use std::sync::Arc;

use obsidian_language::scalar::{Literal, ScalarType};

use self::context::Context;
use self::driver::Handle;
use self::fallback::{Fallback, is_no_code};
use self::graph::Replayed;
use self::memory::{DeviceArray, Locked};
use self::module::Loaded;
use self::stream::{BLOCKING, Event, Stream};
use super::work::one_by_one;
use super::{Backend, Elements, ElementsMut, HostArray, Kept, Launch, Mark, Memory, Pages, Step};
use crate::element::by_type;
use crate::error::{Error, ErrorKind, Result};
use crate::kernel::Kernel;
use crate::properties::Properties;

pub(crate) use self::context::count;

/// A CUDA device, and the stream on which its work is queued.
#[derive(Clone)]
pub(crate) struct Cuda {
    stream: Arc<Stream>,
    /// What runs kernels that cannot be compiled, if something does.
    fallback: Option<Arc<Fallback>>,
}

impl Cuda {
    /// The device of a number, with a stream of its own.
    pub(crate) fn new(ordinal: u32) -> Result<Cuda> {
        Ok(Cuda {
            stream: Stream::new(Context::new(ordinal)?)?,
            fallback: None,
        })
    }

    /// The same device, whose kernels run on the CPU where there is no code for the GPU and none can be made here.
    pub(crate) fn or_cpu(self) -> Cuda {
        Cuda {
            fallback: Some(Arc::default()),
            ..self
        }
    }

    /// Copies elements of the host to an array.
    fn write_array(&self, array: &DeviceArray, elements: &dyn Elements) -> Result<()> {
        array.write(&self.stream, elements.bytes())
    }

    fn context(&self) -> &Arc<Context> {
        self.stream.context()
    }

    /// The number of the device.
    #[cfg(feature = "cust")]
    pub(crate) fn number(&self) -> u32 {
        self.context().number()
    }

    /// Is a stream one of this context?
    ///
    /// # Safety
    /// The stream exists.
    #[cfg(feature = "cust")]
    pub(crate) unsafe fn has_stream(&self, stream: *mut c_void) -> Result<bool> {
        // SAFETY: the caller's promise.
        unsafe { self.context().has_stream(Handle(stream)) }
    }

    /// Does memory of the driver lie in this context?
    #[cfg(feature = "cust")]
    pub(crate) fn has_memory(&self, address: u64) -> Result<bool> {
        self.context().has_memory(address)
    }

    /// The primary context, a `CUcontext`.
    pub(crate) fn raw_context(&self) -> *mut c_void {
        self.context().raw().0
    }

    /// The stream, a `CUstream`.
    pub(crate) fn raw_stream(&self) -> *mut c_void {
        self.stream.raw().0
    }

    /// The device with a stream that was made elsewhere.
    ///
    /// # Safety
    /// The stream belongs to this context, and exists until the owner is dropped.
    pub(crate) unsafe fn on_raw_stream(
        &self,
        stream: *mut c_void,
        owner: Box<dyn Any + Send + Sync>,
    ) -> Arc<dyn Backend> {
        // SAFETY: the caller's promise.
        let stream = unsafe { Stream::borrowed(Arc::clone(self.context()), Handle(stream), owner) };
        Arc::new(self.with(stream))
    }

    /// The device with another stream.
    fn with(&self, stream: Arc<Stream>) -> Cuda {
        Cuda {
            stream,
            fallback: self.fallback.clone(),
        }
    }

    /// An array in memory that another owner frees.
    ///
    /// # Safety
    /// There are `length` elements at the address until the owner is dropped, and what was done with them on other streams is waited
    /// for.
    pub(crate) unsafe fn memory_from_raw(
        &self,
        ty: ScalarType,
        address: u64,
        length: usize,
        owner: Box<dyn Any + Send + Sync>,
    ) -> Memory {
        let bytes = length * ty.bytes() as usize;
        // SAFETY: the caller's promise.
        let array = unsafe { DeviceArray::of(&self.stream, address, bytes, owner) };
        Memory::new(ty, length, array)
    }

    /// Where an array lies, once the stream waits for what was done with it elsewhere.
    pub(crate) fn pointer(&self, memory: &Memory) -> Result<u64> {
        let array = launch::array(memory)?;
        array.use_on(&self.stream)?;
        Ok(array.address())
    }

    /// Where an array lies, which from now on is the caller's. Waits for what was done with it.
    pub(crate) fn take_pointer(&self, memory: Memory) -> Result<u64> {
        let array: DeviceArray = memory.into_place().map_err(|_| launch::elsewhere())?;
        array.use_on(&self.stream)?;
        self.stream.synchronize()?;
        array
            .give_away()
            .map(|(address, _)| address)
            .map_err(|array| {
                let why = if array.len() == 0 {
                    "has no elements"
                } else {
                    "is part of another buffer, or something else owns its memory"
                };
                Error::new(
                    ErrorKind::CannotRun,
                    format!("the memory cannot be given away: the buffer {why}"),
                )
            })
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
        self.write_array(launch::array(&memory)?, elements)?;
        Ok(memory)
    }

    fn zeros(&self, ty: ScalarType, length: usize) -> Result<Memory> {
        let memory = self.fresh(ty, length)?;
        launch::array(&memory)?.fill(&self.stream, Literal::from_bits(ty, 0))?;
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

    fn write(&self, memory: &mut Memory, elements: &dyn Elements) -> Result<()> {
        self.write_array(launch::array(memory)?, elements)
    }

    unsafe fn write_later(
        &self,
        memory: &mut Memory,
        elements: &dyn Elements,
    ) -> Result<Arc<dyn Mark>> {
        let array = launch::array(memory)?;
        // SAFETY: the caller's promise.
        Ok(Arc::new(unsafe {
            array.write_later(&self.stream, elements.bytes())
        }?))
    }

    unsafe fn read_later(
        &self,
        memory: &Memory,
        elements: &mut dyn ElementsMut,
    ) -> Result<Arc<dyn Mark>> {
        let array = launch::array(memory)?;
        if let Some(bytes) = elements.bytes_mut() {
            // SAFETY: the caller's promise.
            return Ok(Arc::new(unsafe { array.read_later(&self.stream, bytes) }?));
        }
        // A byte that no kernel has written may be no `bool`: they are looked at.
        self.download_to(memory, elements)?;
        self.record()
    }

    fn copy(&self, from: &Memory, to: &mut Memory) -> Result<()> {
        launch::array(to)?.copy(&self.stream, launch::array(from)?)
    }

    unsafe fn part(&self, memory: &Memory, start: usize, length: usize) -> Result<Memory> {
        let (ty, size) = (memory.ty(), memory.ty().bytes() as usize);
        let part = launch::array(memory)?.part(start * size, length * size);
        Ok(Memory::new(ty, length, part))
    }

    fn split_off(&self, memory: &mut Memory, length: usize) -> Result<Memory> {
        let (ty, all) = (memory.ty(), memory.len());
        let array: &mut DeviceArray = memory.place_mut().ok_or_else(launch::elsewhere)?;
        let rest = array.split_off(length * ty.bytes() as usize);
        memory.set_length(length);
        Ok(Memory::new(ty, all - length, rest))
    }

    fn unsplit(&self, memory: &mut Memory, next: Memory) -> Result<Option<Memory>> {
        let (ty, more) = (next.ty(), next.len());
        let next: DeviceArray = next.into_place().map_err(|_| launch::elsewhere())?;
        let length = memory.len() + more;
        let array: &mut DeviceArray = memory.place_mut().ok_or_else(launch::elsewhere)?;
        let other = array.unsplit(next);
        if other.is_none() {
            memory.set_length(length);
        }
        Ok(other.map(|array| Memory::new(ty, more, array)))
    }

    fn fill(&self, memory: &mut Memory, value: Literal) -> Result<()> {
        launch::array(memory)?.fill(&self.stream, value)
    }

    fn accepts(&self, kernel: &Kernel) -> Result<()> {
        launch::fits(kernel, self.context())
    }

    fn load(&self, kernel: &Kernel) -> Result<()> {
        match Loaded::of(self.context(), kernel) {
            Err(error) if self.fallback.is_some() && is_no_code(&error) => Ok(()),
            loaded => loaded.map(drop),
        }
    }

    fn load_all(&self, kernels: &[&Kernel]) {
        let fallback = self.fallback.as_ref();
        let runs_elsewhere = |kernel: &&Kernel| fallback.is_some_and(|other| other.knows(kernel));
        if !kernels.first().is_some_and(runs_elsewhere) {
            Loaded::all(self.context(), kernels);
        }
    }

    fn run(&self, launch: &mut Launch<'_>) -> Result<()> {
        let Some(fallback) = &self.fallback else {
            return launch::launch(&self.stream, launch);
        };
        if let Some(ran) = fallback.runs(self, launch) {
            return ran;
        }
        let ran = launch::launch(&self.stream, launch);
        ran.or_else(|error| fallback.after(error, self, launch))
    }

    fn replay(&self, steps: &[Step], arrays: &mut [&mut Memory], kept: &mut Kept) -> Result<()> {
        match graph::replay(self, steps, arrays, kept)? {
            Replayed::AsGraph => Ok(()),
            Replayed::Not => one_by_one(self, steps, arrays),
        }
    }

    fn synchronize(&self) -> Result<()> {
        self.stream.synchronize()
    }

    fn strict(&self) -> Option<Arc<dyn Backend>> {
        self.fallback.as_ref()?;
        Some(Arc::new(Cuda {
            stream: Arc::clone(&self.stream),
            fallback: None,
        }))
    }

    fn adopt(&self, memory: &Memory) -> Result<()> {
        // What ran on the CPU is there.
        launch::array(memory).map_or(Ok(()), |array| array.move_to(&self.stream))
    }

    fn stream(&self) -> Result<Option<Arc<dyn Backend>>> {
        let stream = Stream::new(Arc::clone(self.context()))?;
        Ok(Some(Arc::new(self.with(stream))))
    }

    fn record(&self) -> Result<Arc<dyn Mark>> {
        Ok(Arc::new(Event::new(&self.stream, BLOCKING)?))
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

    fn free_memory(&self) -> Result<Option<u64>> {
        memory::available(&self.stream).map(Some)
    }

    fn trim_memory(&self, keep: usize) -> Result<()> {
        self.context().is_there()?;
        memory::trim(self.context(), keep);
        super::host::trim(keep);
        Ok(())
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }

    fn warnings(&self) -> Vec<String> {
        let mut warnings = image::warnings();
        warnings.extend(
            self.fallback
                .iter()
                .flat_map(|fallback| fallback.warnings()),
        );
        warnings
    }
}

impl fmt::Debug for Cuda {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cuda")
            .field("name", &self.name())
            .finish_non_exhaustive()
    }
}
