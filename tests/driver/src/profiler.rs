//! A profiler in the manner of NVTX: it hears of the ranges of a program that finds this library in `NVTX_INJECTION64_PATH`, and appends
//! them to the log.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr;

/// A place for a function, as the program gives it.
type Place = *mut *const c_void;
type Tables = extern "C" fn(u32) -> *const c_void;

#[repr(C)]
struct Callbacks {
    bytes: usize,
    of_module: extern "C" fn(c_uint, *mut *const Place, *mut c_uint) -> c_int,
}

/// How many functions each module has in version 3, from module 1 on.
const FUNCTIONS: [c_uint; 6] = [15, 8, 14, 6, 15, 6];

/// What a program calls that finds this library.
///
/// # Safety
/// The function gives the tables of NVTX 3.
// SAFETY: nothing else in this library has the name, which profilers have.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn InitializeInjectionNvtx2(tables: Tables) -> c_int {
    if crate::state::variable("OBSIDIAN_DRIVER_PROFILES", 1) == 0 {
        return 0;
    }
    let callbacks = tables(1).cast::<Callbacks>();
    // SAFETY: null, or what NVTX says that this number gives.
    let Some(callbacks) = (unsafe { callbacks.as_ref() }) else {
        return 0;
    };
    let mut words = Vec::new();
    if callbacks.bytes < size_of::<Callbacks>() || !tables(2).is_null() || tables(3).is_null() {
        words.push("tables".to_owned());
    }
    for (module, functions) in (1..).zip(FUNCTIONS) {
        let (mut table, mut size) = (ptr::null(), 0);
        let there = (callbacks.of_module)(module, &raw mut table, &raw mut size);
        if there != 1 || table.is_null() || size != functions + 1 {
            words.push(format!("module {module}: {there}, {size}"));
            continue;
        }
        for function in 1..=functions as usize {
            let heard: *const c_void = match (module, function) {
                (1, 9) => push as extern "C" fn(*const c_char) -> c_int as *const c_void,
                (1, 11) => pop as extern "C" fn() -> c_int as *const c_void,
                // A function that nothing calls.
                _ => ptr::without_provenance(8),
            };
            // SAFETY: the table has that many places, each of which may be written to.
            unsafe { **table.add(function) = heard };
        }
    }
    let (mut table, mut size) = (ptr::null(), 0);
    for module in [0, 7, c_uint::MAX] {
        if (callbacks.of_module)(module, &raw mut table, &raw mut size) != 0 {
            words.push(format!("module {module}"));
        }
    }
    let words = match words.is_empty() {
        true => "profiler: attached".to_owned(),
        false => format!("profiler: {}", words.join(", ")),
    };
    crate::state::with(|world| world.write(&words));
    1
}

extern "C" fn push(name: *const c_char) -> c_int {
    // SAFETY: a name that a range gets ends with a zero.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    crate::state::with(|world| world.write(&format!("begins: {name}")));
    0
}

extern "C" fn pop() -> c_int {
    crate::state::with(|world| world.write("ends"));
    0
}
