//! Modules, functions and launches.
#![allow(non_snake_case)]

use std::ffi::{CStr, c_char, c_void};

use super::device::SHARED_BY_OPT_IN;
use super::memory::stream_exists;
use super::{calls, give};
use crate::ptx::{Argument, Entry};
use crate::runner::{Content, Runner};
use crate::state::{
    Given, INVALID_HANDLE, INVALID_PTX, INVALID_VALUE, LAUNCH_FAILED, NOT_FOUND, OUT_OF_RESOURCES,
    Object, World, in_context, variable,
};

calls! {
    fn cuModuleLoadDataEx(world, module: *mut u64, image: *const c_char, count: u32, options: *mut i32, values: *mut *mut c_void) {
        in_context(world)?;
        // SAFETY: PTX is a text that ends with a zero.
        let ptx = unsafe { CStr::from_ptr(image) }.to_string_lossy();
        let Some(entry) = Entry::of(&ptx) else {
            // SAFETY: as above.
            unsafe { say(count, options, values) };
            return Err(INVALID_PTX);
        };
        let new = world.add(Object::Module(entry));
        // SAFETY: the caller's promise; so for the others.
        unsafe { give(module, new) }
    }

    fn cuModuleUnload(world, module: u64) {
        in_context(world)?;
        if !matches!(world.objects.get(&module), Some(Object::Module(_))) {
            return Err(INVALID_HANDLE);
        }
        world.objects.retain(|handle, object| *handle != module && !matches!(object, Object::Function { module: of, .. } if *of == module));
        Ok(())
    }

    fn cuModuleGetFunction(world, function: *mut u64, module: u64, name: *const c_char) {
        in_context(world)?;
        // SAFETY: a name is a text that ends with a zero.
        let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
        match world.objects.get(&module) {
            Some(Object::Module(entry)) if entry.symbol == name => {}
            Some(Object::Module(_)) => return Err(NOT_FOUND),
            _ => return Err(INVALID_HANDLE),
        }
        let new = world.add(Object::Function { module, shared: 48 << 10 });
        // SAFETY: as above.
        unsafe { give(function, new) }
    }

    fn cuFuncGetAttribute(world, value: *mut i32, attribute: i32, function: u64) {
        in_context(world)?;
        let entry = entry(world, function)?;
        // The one that is asked for: the most threads of a block.
        if attribute != 0 {
            return Err(INVALID_VALUE);
        }
        // SAFETY: as above.
        unsafe { give(value, entry.threads as i32) }
    }

    fn cuFuncSetAttribute(world, function: u64, attribute: i32, value: i32) {
        in_context(world)?;
        match world.objects.get_mut(&function) {
            // The one that is set: the most bytes of shared memory that a launch asks for.
            Some(Object::Function { shared, .. }) if attribute == 8 => {
                *shared = u32::try_from(value).ok().filter(|bytes| *bytes <= SHARED_BY_OPT_IN).ok_or(INVALID_VALUE)?;
                Ok(())
            }
            Some(Object::Function { .. }) => Err(INVALID_VALUE),
            _ => Err(INVALID_HANDLE),
        }
    }

    fn cuOccupancyMaxActiveBlocksPerMultiprocessor(world, blocks: *mut i32, function: u64, threads: i32, shared_bytes: usize) {
        in_context(world)?;
        let entry = entry(world, function)?;
        if threads != entry.threads as i32 || shared_bytes != entry.dynamic_shared_bytes as usize {
            return Err(INVALID_VALUE);
        }
        // SAFETY: as above.
        unsafe { give(blocks, RESIDENT) }
    }

    fn cuLaunchKernel(
        world,
        function: u64,
        grid_x: u32,
        grid_y: u32,
        grid_z: u32,
        block_x: u32,
        block_y: u32,
        block_z: u32,
        shared_bytes: u32,
        stream: u64,
        parameters: *mut *mut c_void,
        _extra: *mut *mut c_void
    ) {
        in_context(world)?;
        stream_exists(world, stream)?;
        let entry = entry(world, function)?;
        if [grid_y, grid_z, block_y, block_z] != [1; 4] {
            return Err(INVALID_VALUE);
        }
        allowed(world, function, &entry, [grid_x, block_x], shared_bytes)?;
        // SAFETY: the caller promises a place for each argument of the function.
        let values = unsafe { values(&entry, parameters) };
        launch(world, &Launch { entry, values, grid: grid_x, threads: block_x })
    }
}

/// A launch that may be run.
#[derive(Clone)]
pub(super) struct Launch {
    pub(super) entry: Entry,
    /// The bytes of each argument.
    pub(super) values: Vec<Vec<u8>>,
    pub(super) grid: u32,
    pub(super) threads: u32,
}

/// Refuses a launch of a function with numbers of blocks, threads or bytes that the device or the function does not allow.
pub(super) fn allowed(
    world: &World,
    function: u64,
    entry: &Entry,
    [grid, threads]: [u32; 2],
    shared_bytes: u32,
) -> Given {
    if grid == 0 || threads == 0 {
        return Err(INVALID_VALUE);
    }
    if threads > entry.threads || threads > variable("OBSIDIAN_DRIVER_THREADS", 1024) as u32 {
        return Err(OUT_OF_RESOURCES);
    }
    match world.objects.get(&function) {
        Some(Object::Function { shared, .. })
            if shared_bytes <= *shared && shared_bytes == entry.dynamic_shared_bytes =>
        {
            Ok(())
        }
        _ => Err(INVALID_VALUE),
    }
}

/// How many blocks of any kernel a multiprocessor holds at once.
const RESIDENT: i32 = 2;

/// The option whose value is a place for words.
const WORDS: i32 = 5;
/// The option whose value is the number of its bytes.
const LENGTH: i32 = 6;

/// Says what is wrong with PTX, where the caller wants to know.
///
/// # Safety
/// There are so many options and values; the place for words has as many bytes as is said.
unsafe fn say(count: u32, options: *mut i32, values: *mut *mut c_void) {
    let text = b"there is no CUDA text of this kernel\0";
    // SAFETY: the caller's promise.
    let all = (0..count as usize).map(|n| unsafe { (*options.add(n), *values.add(n)) });
    let value = |wanted: i32| {
        all.clone()
            .find(|(option, _)| *option == wanted)
            .map(|(_, value)| value)
    };
    if let (Some(place), Some(length)) = (value(WORDS), value(LENGTH))
        && length.addr() >= text.len()
    {
        // SAFETY: the place is large enough.
        unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), place.cast(), text.len()) };
    }
}

pub(super) fn entry(world: &World, function: u64) -> Result<Entry, i32> {
    let Some(Object::Function { module, .. }) = world.objects.get(&function) else {
        return Err(INVALID_HANDLE);
    };
    let Some(Object::Module(entry)) = world.objects.get(module) else {
        return Err(INVALID_HANDLE);
    };
    Ok(entry.clone())
}

/// The bytes of each argument.
///
/// # Safety
/// There is a pointer for each argument, to a place of its size.
pub(super) unsafe fn values(entry: &Entry, parameters: *mut *mut c_void) -> Vec<Vec<u8>> {
    let value = |(n, argument): (usize, &Argument)| {
        let size = match argument {
            Argument::Pointer { .. } => 8,
            Argument::Value(size) => *size,
        };
        // SAFETY: the caller's promise.
        unsafe { std::slice::from_raw_parts((*parameters.add(n)).cast::<u8>(), size) }.to_vec()
    };
    entry.arguments.iter().enumerate().map(value).collect()
}

fn address(value: &[u8]) -> u64 {
    value
        .iter()
        .rev()
        .fold(0, |address, byte| address << 8 | u64::from(*byte))
}

/// Runs a kernel. What it does wrong is told by the calls that follow.
pub(super) fn launch(world: &mut World, of: &Launch) -> Given {
    let Launch {
        entry,
        values,
        grid,
        threads,
    } = of;
    world.grid = *grid;
    let content = |(argument, value): (&Argument, &Vec<u8>)| match argument {
        Argument::Value(_) => Content::Value(value.clone()),
        Argument::Pointer { written } => {
            // A null pointer is an array of no elements; else it is somewhere in a piece of memory. A
            // kernel may go to the end of that.
            let bytes = world
                .reached(address(value))
                .map(|bytes| bytes.to_vec())
                .unwrap_or_default();
            if *written {
                Content::InOut(bytes)
            } else {
                Content::Input(bytes)
            }
        }
    };
    let contents: Vec<Content> = entry.arguments.iter().zip(values).map(content).collect();
    if world.runner.is_none() {
        world.runner = Runner::start()
            .map_err(|error| world.write(&format!("runner: {error}")))
            .ok();
    }
    let ran = world
        .runner
        .as_mut()
        .map(|runner| runner.run(entry, *grid, *threads, &contents));
    let said = match ran {
        Some(Ok(Ok(results))) => {
            let written = entry
                .arguments
                .iter()
                .zip(values)
                .zip(&contents)
                .filter_map(|((_, value), content)| match content {
                    Content::InOut(before) => Some((address(value), before)),
                    _ => None,
                });
            for ((address, before), result) in written.zip(results) {
                // What has changed alone: two arguments may be parts of one piece.
                let memory = world.reached(address).unwrap_or_default();
                for ((byte, before), after) in memory.iter_mut().zip(before).zip(result) {
                    if *before != after {
                        *byte = after;
                    }
                }
            }
            return Ok(());
        }
        Some(Ok(Err(said))) => said,
        Some(Err(error)) => error.to_string(),
        None => "there is no runner".to_owned(),
    };
    world.write(&format!(
        "kernel {}: {}",
        entry.symbol,
        said.replace('\n', " ")
    ));
    world.runner = None;
    world.faults.sticky = Some(LAUNCH_FAILED);
    Ok(())
}
