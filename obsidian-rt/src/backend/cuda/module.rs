//! Kernels in the memory of a device.

use std::ffi::c_int;
use std::sync::{Arc, PoisonError};

use cust::module::Module;
use cust::sys::{self, CUfunction, CUfunction_attribute};
use obsidian_core::emit::symbol;

use super::context::Context;
use super::failure::{Checked, checked, code};
use super::ptx::ptx;
use crate::error::{Error, ErrorKind, Result};
use crate::kernel::Kernel;

/// A kernel that the driver has loaded; unloaded at the end.
pub(super) struct Loaded {
    function: CUfunction,
    /// The most threads that a block of it can have, with the registers that it needs.
    threads: u32,
    _module: Module,
}

// SAFETY: the handle of a function is used and dropped with its module, which may be used from any thread.
unsafe impl Send for Loaded {}
// SAFETY: as above.
unsafe impl Sync for Loaded {}

impl Loaded {
    /// The kernel on this device: loaded when it is first asked for.
    pub(super) fn of(context: &Context, kernel: &Kernel) -> Result<Arc<Loaded>> {
        let modules = || context.modules().lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(loaded) = modules().get(kernel.cuda()) {
            return Ok(Arc::clone(loaded));
        }
        context.is_there()?;
        // The compiler takes its time, and nobody else has to wait for it.
        let ptx = ptx(kernel, context.properties().compute_capability)?;
        let loaded = context.with(|| Loaded::new(&ptx, &symbol(kernel.name())))?;
        let needed = kernel.threads();
        if loaded.threads < needed {
            context.release(|| drop(loaded));
            return Err(too_many_threads(needed, context));
        }
        Ok(Arc::clone(modules().entry(kernel.cuda().to_owned()).or_insert(Arc::new(loaded))))
    }

    fn new(ptx: &str, symbol: &str) -> Checked<Loaded> {
        let module = checked("cuModuleLoadDataEx", Module::from_cubin(ptx, &[]))?;
        let function = checked("cuModuleGetFunction", module.get_function(symbol))?.to_raw();
        let mut threads: c_int = 0;
        let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK;
        // SAFETY: the place is there for the time of the call, and the function belongs to the module.
        code("cuFuncGetAttribute", unsafe { sys::cuFuncGetAttribute(&raw mut threads, attribute, function) })?;
        Ok(Loaded { function, threads: u32::try_from(threads).unwrap_or(0), _module: module })
    }

    /// The function of the driver.
    pub(super) fn raw(&self) -> CUfunction {
        self.function
    }
}

fn too_many_threads(needed: u32, context: &Context) -> Error {
    let message = format!("a block of {needed} threads needs more registers than `{}` has; use fewer threads", context.name());
    Error::new(ErrorKind::OutOfResources, message)
}
