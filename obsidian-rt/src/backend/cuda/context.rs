//! A device of the driver, with its primary context: what everything else belongs to.

use std::collections::BTreeMap;
use std::ffi::{CStr, c_int};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use super::driver::{self, Checked, Failure, Handle};
use super::module::Loaded;
use super::stream::Stream;
use crate::error::{Error, ErrorKind, Result};
use crate::properties::Properties;

/// A device with its primary context, which is released at the end.
pub(super) struct Context {
    name: String,
    properties: Properties,
    /// What lost the context.
    lost: OnceLock<Failure>,
    /// The kernels that are loaded, by their texts.
    modules: Mutex<BTreeMap<String, Arc<Loaded>>>,
    /// Its streams, for what their pools keep.
    streams: Mutex<Vec<Weak<Stream>>>,
    #[cfg(feature = "cust")]
    number: u32,
    device: c_int,
    primary: Handle,
}

/// Starts the driver, and counts its devices.
pub(crate) fn count() -> Result<u32> {
    if let Err(words) = driver::open() {
        let message =
            format!("there is no CUDA driver here ({words}); `OBSIDIAN_DEVICE=cpu` uses the CPU");
        return Err(Error::new(ErrorKind::NoDriver, message));
    }
    let counted = || {
        let mut count: c_int = 0;
        // SAFETY: there are no flags, and the place is there for the time of the call.
        unsafe {
            driver::cuInit(0)?;
            driver::cuDeviceGetCount(&raw mut count)?;
        }
        Ok(u32::try_from(count).unwrap_or(0))
    };
    counted().map_err(|failure: Failure| failure.error("cuda"))
}

/// The contexts of this process, by the numbers of their devices: kernels and pools are theirs, and a lost one is lost for all.
static CONTEXTS: Mutex<BTreeMap<u32, Weak<Context>>> = Mutex::new(BTreeMap::new());

impl Context {
    /// The device of a number: the one that is there already, if there is one.
    pub(super) fn new(ordinal: u32) -> Result<Arc<Context>> {
        let (count, name) = (count()?, format!("cuda:{ordinal}"));
        if ordinal >= count {
            let there = if count == 1 {
                "there is one".to_owned()
            } else {
                format!("there are {count}")
            };
            let message = format!("there is no CUDA device {ordinal}: {there}, counted from 0");
            return Err(Error::new(ErrorKind::DeviceUnavailable, message)
                .exceeded(ordinal.into(), count.into()));
        }
        let mut contexts = CONTEXTS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(context) = contexts.get(&ordinal).and_then(Weak::upgrade) {
            return Ok(context);
        }
        let context = Context::open(ordinal, &name)
            .map(Arc::new)
            .map_err(|failure| failure.error(&name))?;
        contexts.insert(ordinal, Arc::downgrade(&context));
        Ok(context)
    }

    fn open(ordinal: u32, name: &str) -> Checked<Context> {
        let (mut device, mut primary): (c_int, Handle) = (0, Handle::NONE);
        // SAFETY: the place is there for the time of the call.
        unsafe { driver::cuDeviceGet(&raw mut device, ordinal as c_int) }?;
        let properties = properties(device)?;
        // SAFETY: as above, and the device is one that the driver has given.
        unsafe { driver::cuDevicePrimaryCtxRetain(&raw mut primary, device) }?;
        // From here on it is released, whatever happens.
        let context = Context {
            name: name.to_owned(),
            properties,
            lost: OnceLock::new(),
            modules: Mutex::default(),
            streams: Mutex::default(),
            #[cfg(feature = "cust")]
            number: ordinal,
            device,
            primary,
        };
        context.enter()?;
        Ok(context)
    }

    /// The name: `cuda:` and the number.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// What the device has.
    pub(super) fn properties(&self) -> &Properties {
        &self.properties
    }

    /// The kernels that are loaded.
    pub(super) fn modules(&self) -> &Mutex<BTreeMap<String, Arc<Loaded>>> {
        &self.modules
    }

    /// The number of the device.
    #[cfg(feature = "cust")]
    pub(super) fn number(&self) -> u32 {
        self.number
    }

    /// The context, as the driver calls it.
    pub(super) fn raw(&self) -> Handle {
        self.primary
    }

    /// Is a stream one of this context?
    ///
    /// # Safety
    /// The stream exists.
    #[cfg(feature = "cust")]
    pub(super) unsafe fn has_stream(&self, stream: Handle) -> Result<bool> {
        let mut context = Handle::NONE;
        // SAFETY: the place is there for the time of the call, and the stream exists.
        self.with(|| unsafe { driver::cuStreamGetCtx(stream, &raw mut context) })?;
        Ok(context == self.primary)
    }

    /// Does memory of the driver lie in this context? That of the driver's own pools belongs to no context, but to a device.
    #[cfg(feature = "cust")]
    pub(super) fn has_memory(&self, address: u64) -> Result<bool> {
        let (mut context, mut number): (Handle, c_int) = (Handle::NONE, -1);
        self.with(|| {
            let place = (&raw mut context).cast();
            // SAFETY: the place is one for a context, and there for the time of the call; so for the number below.
            unsafe { driver::cuPointerGetAttribute(place, POINTER_CONTEXT, address) }?;
            if context == Handle::NONE {
                let place = (&raw mut number).cast();
                // SAFETY: as above.
                unsafe { driver::cuPointerGetAttribute(place, POINTER_DEVICE, address) }?;
            }
            Ok(())
        })?;
        Ok(context == self.primary || u32::try_from(number) == Ok(self.number))
    }

    /// Notes a stream.
    pub(super) fn add(&self, stream: &Arc<Stream>) {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        streams.retain(|stream| stream.strong_count() > 0);
        streams.push(Arc::downgrade(stream));
    }

    /// The streams that still exist.
    pub(super) fn streams(&self) -> Vec<Arc<Stream>> {
        let streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        streams.iter().filter_map(Weak::upgrade).collect()
    }

    /// Makes it the thread's current context, and makes calls of the driver in it. A context that
    /// is lost is not asked any more.
    pub(super) fn with<T>(&self, calls: impl FnOnce() -> Checked<T>) -> Result<T> {
        self.is_there()?;
        self.enter().and_then(|()| calls()).map_err(|failure| {
            if failure.loses_the_context() {
                // Another thread may have been first; the error is this one's all the same.
                let _ = self.lost.set(failure);
            }
            failure.error(&self.name)
        })
    }

    /// Was the context not lost?
    pub(super) fn is_there(&self) -> Result<()> {
        self.lost
            .get()
            .map_or(Ok(()), |lost| Err(lost.lost(&self.name)))
    }

    /// Makes calls of the driver that give something back, whatever the state of the context. There
    /// is nobody to tell if one fails.
    pub(super) fn release(&self, calls: impl FnOnce()) {
        let _ = self.enter();
        calls();
    }

    fn enter(&self) -> Checked<()> {
        // SAFETY: the context is retained until this value is no more.
        unsafe { driver::cuCtxSetCurrent(self.primary) }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        let modules = std::mem::take(
            self.modules
                .get_mut()
                .unwrap_or_else(PoisonError::into_inner),
        );
        self.release(|| drop(modules));
        // SAFETY: it was retained once, and everything this crate made in it is gone.
        let _ = unsafe { driver::cuDevicePrimaryCtxRelease_v2(self.device) };
    }
}

/// The context of a pointer.
#[cfg(feature = "cust")]
const POINTER_CONTEXT: c_int = 1;
/// The number of the device of a pointer.
#[cfg(feature = "cust")]
const POINTER_DEVICE: c_int = 9;

/// The most bytes of the name of a model.
const NAME: usize = 256;

/// The numbers of attributes of a device, as the driver's interface has them.
mod attribute {
    use std::ffi::c_int;

    pub(super) const MAX_THREADS_PER_BLOCK: c_int = 1;
    pub(super) const MAX_GRID_DIM_X: c_int = 5;
    pub(super) const MAX_SHARED_MEMORY_PER_BLOCK: c_int = 8;
    pub(super) const MULTIPROCESSOR_COUNT: c_int = 16;
    pub(super) const COMPUTE_CAPABILITY_MAJOR: c_int = 75;
    pub(super) const COMPUTE_CAPABILITY_MINOR: c_int = 76;
    pub(super) const MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: c_int = 97;
}

/// What the device says of itself.
fn properties(device: c_int) -> Checked<Properties> {
    use attribute::*;
    let number = |attribute: c_int| {
        let mut value: c_int = 0;
        // SAFETY: the place is there for the time of the call, and the device is one that the
        // driver has given; so for the others.
        unsafe { driver::cuDeviceGetAttribute(&raw mut value, attribute, device) }?;
        Ok(u32::try_from(value).unwrap_or(0))
    };
    let (mut driver, mut memory): (c_int, usize) = (0, 0);
    let mut name = [0u8; NAME];
    // SAFETY: as above, and the place for the name has as many bytes as is said.
    unsafe {
        driver::cuDriverGetVersion(&raw mut driver)?;
        driver::cuDeviceGetName(name.as_mut_ptr().cast(), NAME as c_int, device)?;
        driver::cuDeviceTotalMem_v2(&raw mut memory, device)?;
    }
    let name = CStr::from_bytes_until_nul(&name).unwrap_or_default();
    Ok(Properties {
        name: name.to_string_lossy().into_owned(),
        memory_bytes: memory as u64,
        compute_capability: (
            number(COMPUTE_CAPABILITY_MAJOR)?,
            number(COMPUTE_CAPABILITY_MINOR)?,
        ),
        driver_version: u32::try_from(driver).unwrap_or(0),
        multiprocessors: number(MULTIPROCESSOR_COUNT)?,
        threads_per_block: number(MAX_THREADS_PER_BLOCK)?,
        blocks_per_grid: number(MAX_GRID_DIM_X)?,
        shared_bytes_per_block: number(MAX_SHARED_MEMORY_PER_BLOCK)?,
        shared_bytes_by_opt_in: number(MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?,
    })
}
