//! A device of the driver, with its primary context: what everything else belongs to.

use std::collections::BTreeMap;
use std::ffi::c_int;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use cust::context::{Context as Primary, CurrentContext};
use cust::device::Device as Ordinal;
use cust::sys::{self, CUdevice_attribute as Attribute};

use super::failure::{Checked, checked, code};
use super::forward::{self, Failure};
use super::module::Loaded;
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
    primary: Primary,
}

/// Starts the driver, and counts its devices.
pub(crate) fn count() -> Result<u32> {
    if let Err(words) = forward::open() {
        let message =
            format!("there is no CUDA driver here ({words}); `OBSIDIAN_DEVICE=cpu` uses the CPU");
        return Err(Error::new(ErrorKind::NoDriver, message));
    }
    let started = checked("cuInit", cust::init(cust::CudaFlags::empty()));
    let count = started.and_then(|()| checked("cuDeviceGetCount", Ordinal::num_devices()));
    count.map_err(|failure| failure.error("cuda"))
}

impl Context {
    /// The device of a number.
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
        Context::open(ordinal, &name)
            .map(Arc::new)
            .map_err(|failure| failure.error(&name))
    }

    fn open(ordinal: u32, name: &str) -> Checked<Context> {
        let device = checked("cuDeviceGet", Ordinal::get_device(ordinal))?;
        let properties = properties(device)?;
        forward::last_failure();
        let primary = checked("cuDevicePrimaryCtxRetain", Primary::new(device))?;
        // `cust` does not look at whether the context became the current one.
        if let Some(failure) = forward::last_failure() {
            return Err(failure);
        }
        let (lost, modules) = (OnceLock::new(), Mutex::default());
        Ok(Context {
            name: name.to_owned(),
            properties,
            lost,
            modules,
            primary,
        })
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
        // What failed here is not the next call's failure.
        forward::last_failure();
    }

    fn enter(&self) -> Checked<()> {
        checked(
            "cuCtxSetCurrent",
            CurrentContext::set_current(&self.primary),
        )
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
    }
}

/// What the device says of itself.
fn properties(device: Ordinal) -> Checked<Properties> {
    use Attribute::*;
    let number = |attribute: Attribute| {
        let mut value: c_int = 0;
        // SAFETY: the place is there for the time of the call, and the device is one that the
        // driver has given.
        code("cuDeviceGetAttribute", unsafe {
            sys::cuDeviceGetAttribute(&raw mut value, attribute, device.as_raw())
        })?;
        Ok(u32::try_from(value).unwrap_or(0))
    };
    let mut driver: c_int = 0;
    // SAFETY: the place is there for the time of the call.
    code("cuDriverGetVersion", unsafe {
        sys::cuDriverGetVersion(&raw mut driver)
    })?;
    Ok(Properties {
        name: checked("cuDeviceGetName", device.name())?,
        memory_bytes: checked("cuDeviceTotalMem_v2", device.total_memory())? as u64,
        compute_capability: (
            number(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            number(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        ),
        driver_version: u32::try_from(driver).unwrap_or(0),
        multiprocessors: number(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
        threads_per_block: number(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
        blocks_per_grid: number(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X)?,
        shared_bytes_per_block: number(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK)?,
        shared_bytes_by_opt_in: number(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?,
    })
}
