//! Kernels in the memory of a device.

use std::collections::BTreeMap;
use std::ffi::{CString, c_int, c_void};
use std::ptr;
use std::sync::{Arc, OnceLock, PoisonError};

use super::context::Context;
use super::driver::{self, Checked, Handle};
use super::fallback::is_no_code_of_driver;
use super::image::{Image, built, compiled, compiled_together, image};
use super::stream::Stream;
use crate::error::{Error, ErrorKind, Result};
use crate::kernel::Kernel;

/// The most threads of a block of a function.
const MAX_THREADS_PER_BLOCK: c_int = 0;
/// The most bytes of shared memory that a launch of a function asks for.
const MAX_DYNAMIC_SHARED_SIZE_BYTES: c_int = 8;
/// The option whose value is a place for what is wrong with PTX.
const JIT_ERROR_LOG_BUFFER: c_int = 5;
/// The option whose value is the number of bytes of that place.
const JIT_ERROR_LOG_BUFFER_SIZE_BYTES: c_int = 6;

/// Bytes for what the driver says of PTX that it does not take.
const WORDS: usize = 4096;

/// A module of the driver; unloaded at the end.
struct Module(Handle);

impl Module {
    /// Loads PTX or a cubin; what the driver says of it, where it has something to say, is put into
    /// `words`.
    fn new(image: &Image, words: &mut String) -> Checked<Module> {
        // PTX ends with a zero; a cubin knows its own length.
        let image = [&image.bytes[..], &[0]].concat();
        let (mut module, mut said) = (Handle::NONE, vec![0u8; WORDS]);
        let mut options = [JIT_ERROR_LOG_BUFFER, JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
        // A size is given as if it was a pointer.
        let mut values: [*mut c_void; 2] =
            [said.as_mut_ptr().cast(), ptr::without_provenance_mut(WORDS)];
        let (count, image) = (options.len() as u32, image.as_ptr().cast());
        // SAFETY: the image is a text that ends with a zero, or a whole cubin, of a build script or
        // a compiler; each option has its value, and the place for words has as many bytes as is
        // said.
        let given = unsafe {
            driver::cuModuleLoadDataEx(
                &raw mut module,
                image,
                count,
                options.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        let length = said.iter().position(|byte| *byte == 0).unwrap_or(WORDS);
        words.push_str(String::from_utf8_lossy(said.get(..length).unwrap_or_default()).trim());
        given.map(|()| Module(module))
    }

    /// The function of a name.
    fn function(&self, name: &str) -> Checked<Handle> {
        let (name, mut function) = (CString::new(name).unwrap_or_default(), Handle::NONE);
        // SAFETY: the place is there for the time of the call, the module exists, and the name ends
        // with a zero.
        unsafe { driver::cuModuleGetFunction(&raw mut function, self.0, name.as_ptr()) }?;
        Ok(function)
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: nobody has it any more: a launch that still runs is waited for by the driver.
        let _ = unsafe { driver::cuModuleUnload(self.0) };
    }
}

/// A kernel that the driver has loaded. It is dropped while its context is current.
pub(super) struct Loaded {
    function: Handle,
    /// The most threads that a block of it can have, with the registers that it needs.
    threads: u32,
    /// How many blocks of it a multiprocessor holds at once, where a launch has asked for that.
    resident: OnceLock<u32>,
    /// Kept loaded, and shared with the other kernels of its image.
    module: Arc<Module>,
}

impl Loaded {
    /// The kernel on this device: loaded when it is first asked for.
    pub(super) fn of(context: &Context, kernel: &Kernel) -> Result<Arc<Loaded>> {
        let modules = || {
            context
                .modules()
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        if let Some(loaded) = modules().get(kernel.cuda()) {
            return Ok(Arc::clone(loaded));
        }
        context.is_there()?;
        // The compiler takes its time, and nobody else has to wait for it.
        let image = image(kernel, context)?;
        let loaded = match Loaded::load(context, kernel, &image, None) {
            // PTX of a newer nvcc than the driver: a compiler that is here may know the driver.
            Err(error) if image.built && is_no_code_of_driver(&error) => {
                let image = compiled(kernel, context)
                    .map_err(|second| error.with_words(second.message()))?;
                Loaded::load(context, kernel, &image, None)?
            }
            loaded => loaded?,
        };
        let needed = kernel.threads();
        if loaded.threads < needed {
            context.release(|| drop(loaded));
            return Err(too_many_threads(needed, context));
        }
        Ok(Arc::clone(
            modules()
                .entry(kernel.cuda().to_owned())
                .or_insert(Arc::new(loaded)),
        ))
    }

    /// Loads what is not there yet of kernels that are about to be launched: those that have to be compiled are compiled together, on
    /// all cores, and those of one image are one module. A kernel of which this does not come to anything is left to its launch, which
    /// tells why.
    pub(super) fn all(context: &Context, kernels: &[&Kernel]) {
        let modules = || {
            context
                .modules()
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        let is_loaded = |kernel: &&Kernel| modules().contains_key(kernel.cuda());
        let (Some(first), Some(last)) = (kernels.first(), kernels.last()) else {
            return;
        };
        // Where both are there, the others have been here with them.
        if is_loaded(first) && is_loaded(last) || context.is_there().is_err() {
            return;
        }
        let is_missing = |kernel: &&Kernel| !is_loaded(kernel) && built(kernel, context).is_none();
        let missing: Vec<&Kernel> = kernels.iter().copied().filter(is_missing).collect();
        if missing.len() < 2 {
            return;
        }
        let images = compiled_together(&missing, context);
        let mut shared: BTreeMap<Arc<[u8]>, Arc<Module>> = BTreeMap::new();
        for (kernel, image) in missing.into_iter().zip(images) {
            let Some(image) = image else {
                continue;
            };
            let module = shared.get(&image.bytes).cloned();
            let Ok(loaded) = Loaded::load(context, kernel, &image, module) else {
                continue;
            };
            if loaded.threads < kernel.threads() {
                context.release(|| drop(loaded));
                continue;
            }
            shared.insert(image.bytes, Arc::clone(&loaded.module));
            modules()
                .entry(kernel.cuda().to_owned())
                .or_insert(Arc::new(loaded));
        }
        context.release(|| drop(shared));
    }

    /// The kernel in an image, which may be a module already.
    fn load(
        context: &Context,
        kernel: &Kernel,
        image: &Image,
        module: Option<Arc<Module>>,
    ) -> Result<Loaded> {
        let (shared, mut words) = (kernel.interface().dynamic_shared_bytes(), String::new());
        let loaded = context.with(|| Loaded::new(image, shared, module, &mut words));
        loaded.map_err(|error| error.with_words(&words))
    }

    fn new(
        image: &Image,
        shared: u32,
        module: Option<Arc<Module>>,
        words: &mut String,
    ) -> Checked<Loaded> {
        let module = match module {
            Some(module) => module,
            None => Arc::new(Module::new(image, words)?),
        };
        let function = module.function(&image.entry)?;
        if shared > 0 {
            let attribute = MAX_DYNAMIC_SHARED_SIZE_BYTES;
            // SAFETY: the function belongs to the module.
            unsafe { driver::cuFuncSetAttribute(function, attribute, shared as c_int) }?;
        }
        let mut threads: c_int = 0;
        let attribute = MAX_THREADS_PER_BLOCK;
        // SAFETY: the place is there for the time of the call, and the function belongs to the
        // module.
        unsafe { driver::cuFuncGetAttribute(&raw mut threads, attribute, function) }?;
        Ok(Loaded {
            function,
            threads: u32::try_from(threads).unwrap_or(0),
            resident: OnceLock::new(),
            module,
        })
    }

    /// How many blocks of the kernel a multiprocessor holds at once, as the driver works it out from
    /// the registers, the threads and the shared memory of one. The driver is asked once.
    pub(super) fn resident(&self, stream: &Stream, kernel: &Kernel) -> Result<u32> {
        if let Some(blocks) = self.resident.get() {
            return Ok(*blocks);
        }
        let (threads, shared) = (kernel.threads(), kernel.interface().dynamic_shared_bytes());
        let blocks = stream.with(|| {
            let mut blocks: c_int = 0;
            // SAFETY: the place is there for the time of the call, and the function belongs to the
            // module.
            unsafe {
                driver::cuOccupancyMaxActiveBlocksPerMultiprocessor(
                    &raw mut blocks,
                    self.function,
                    threads as c_int,
                    shared as usize,
                )
            }?;
            Ok(u32::try_from(blocks).unwrap_or(0))
        })?;
        Ok(*self.resident.get_or_init(|| blocks))
    }

    /// The function of the driver.
    pub(super) fn raw(&self) -> Handle {
        self.function
    }
}

fn too_many_threads(needed: u32, context: &Context) -> Error {
    let message = format!(
        "a block of {needed} threads needs more registers than `{}` has; use fewer threads",
        context.name()
    );
    Error::new(ErrorKind::OutOfResources, message)
}
