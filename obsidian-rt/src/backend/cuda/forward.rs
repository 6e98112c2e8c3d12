//! The driver's functions, as the crate `cust` calls them, passed on to the driver that is found
//! while the program runs.
//!
//! `cust` wants to be linked with `libcuda`. The functions of that library are defined here
//! instead: each opens `libcuda.so.1` by name when it is first called, looks for the function of
//! its own name, and calls it. So a program is built where there is no CUDA, and runs where there
//! is no driver. Three things that `cust` cannot do come with it:
//!
//! - `cust` has an enumeration for the codes that a call gives. A newer driver has more of them,
//!   and a value outside of an enumeration is undefined behaviour; codes that it does not know
//!   become 999 here.
//! - Its own errors have fewer kinds than the driver has codes (222 becomes "unknown"), and do not
//!   say which call it was. The last call that failed is [kept](last_failure) here, for each
//!   thread.
//! - A function that the driver does not have is a code too, 500 (`CUDA_ERROR_NOT_FOUND`), and no
//!   abort.

#![allow(non_snake_case, clippy::too_many_arguments)]

use std::cell::Cell;
use std::error::Error as _;
use std::ffi::{c_char, c_int, c_uchar, c_uint, c_void};
use std::ops::RangeInclusive;
use std::sync::OnceLock;

use libloading::Library;

/// The names that the driver may have.
#[cfg(not(windows))]
const NAMES: &[&str] = &["libcuda.so.1", "libcuda.so"];
#[cfg(windows)]
const NAMES: &[&str] = &["nvcuda.dll"];

/// The codes that `cust` knows.
const KNOWN: &[RangeInclusive<c_int>] = &[
    0..=8,
    34..=34,
    100..=102,
    200..=202,
    205..=224,
    300..=304,
    400..=401,
    500..=500,
    600..=600,
    700..=705,
    708..=720,
    800..=809,
    900..=911,
    999..=999,
];
/// What an unknown code becomes.
const UNKNOWN: c_int = 999;
/// A function is not there.
const NOT_FOUND: c_int = 500;
/// An event is not reached yet: no failure.
pub(super) const NOT_READY: c_int = 600;

/// A call of the driver that has failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Failure {
    /// The name of the function.
    pub(super) call: &'static str,
    /// What it gave.
    pub(super) code: i32,
}

thread_local! {
    static LAST: Cell<Option<Failure>> = const { Cell::new(None) };
}

/// The last call of this thread that failed since this was asked for the last time.
pub(super) fn last_failure() -> Option<Failure> {
    LAST.take()
}

/// Opens the driver, once.
///
/// # Errors
/// Why it cannot be opened, in the words of the system.
pub(super) fn open() -> Result<&'static Library, &'static str> {
    static DRIVER: OnceLock<Result<Library, String>> = OnceLock::new();
    let open = || {
        let mut words = Vec::new();
        for name in NAMES {
            // SAFETY: the driver is made to be opened by its name; what it does at that moment is
            // the same as if it was linked.
            match unsafe { Library::new(*name) } {
                Ok(library) => return Ok(library),
                Err(error) => words.push(match error.source() {
                    Some(source) => source.to_string(),
                    None => format!("{name}: {error}"),
                }),
            }
        }
        Err(words.join("; "))
    };
    DRIVER.get_or_init(open).as_ref().map_err(String::as_str)
}

/// Notes a code that is a failure, and makes it one that `cust` knows.
fn noted(call: &'static str, code: c_int) -> c_int {
    if code != 0 && code != NOT_READY {
        LAST.set(Some(Failure { call, code }));
    }
    if KNOWN.iter().any(|codes| codes.contains(&code)) {
        code
    } else {
        UNKNOWN
    }
}

macro_rules! forward {
    ($(fn $name:ident($($argument:ident: $ty:ty),* $(,)?);)*) => {$(
        /// The driver's function of this name.
        ///
        /// # Safety
        /// As the driver says.
        // SAFETY: nothing else of this name is linked: it is the driver's, which is not.
        #[unsafe(no_mangle)]
        pub(super) unsafe extern "C" fn $name($($argument: $ty),*) -> c_int {
            type Function = unsafe extern "C" fn($($ty),*) -> c_int;
            static FUNCTION: OnceLock<Option<Function>> = OnceLock::new();
            let find = || {
                let name = concat!(stringify!($name), "\0");
                // SAFETY: the types are those of the driver's interface, which stay the same for a
                // name.
                open().ok().and_then(|driver| unsafe { driver.get::<Function>(name.as_bytes()) }.ok().map(|function| *function))
            };
            // SAFETY: the caller keeps to what the driver asks of its callers.
            let code = FUNCTION.get_or_init(find).map_or(NOT_FOUND, |function| unsafe { function($($argument),*) });
            noted(stringify!($name), code)
        }
    )*};
}

/// A handle, or a place for one.
type Handle = *mut c_void;

// In this module, not in one of their own: a use of the last failure links them too,
// also to a linker that reads each library once, and `cust` comes later.
forward! {
    fn cuInit(flags: c_uint);
    fn cuDriverGetVersion(version: *mut c_int);
    fn cuDeviceGet(device: *mut c_int, ordinal: c_int);
    fn cuDeviceGetCount(count: *mut c_int);
    fn cuDeviceGetName(name: *mut c_char, length: c_int, device: c_int);
    fn cuDeviceGetAttribute(value: *mut c_int, attribute: c_int, device: c_int);
    fn cuDeviceTotalMem_v2(bytes: *mut usize, device: c_int);
    fn cuDevicePrimaryCtxRetain(context: *mut Handle, device: c_int);
    fn cuDevicePrimaryCtxRelease_v2(device: c_int);
    fn cuDevicePrimaryCtxSetFlags_v2(device: c_int, flags: c_uint);
    fn cuDevicePrimaryCtxReset_v2(device: c_int);
    fn cuCtxSetCurrent(context: Handle);
    fn cuCtxGetCurrent(context: *mut Handle);
    fn cuCtxGetDevice(device: *mut c_int);
    fn cuCtxGetApiVersion(context: Handle, version: *mut c_uint);
    fn cuCtxSynchronize();
    fn cuStreamCreateWithPriority(stream: *mut Handle, flags: c_uint, priority: c_int);
    fn cuStreamDestroy_v2(stream: Handle);
    fn cuStreamSynchronize(stream: Handle);
    fn cuStreamWaitEvent(stream: Handle, event: Handle, flags: c_uint);
    fn cuStreamGetFlags(stream: Handle, flags: *mut c_uint);
    fn cuStreamGetPriority(stream: Handle, priority: *mut c_int);
    fn cuEventCreate(event: *mut Handle, flags: c_uint);
    fn cuEventDestroy_v2(event: Handle);
    fn cuEventRecord(event: Handle, stream: Handle);
    fn cuEventQuery(event: Handle);
    fn cuEventSynchronize(event: Handle);
    fn cuEventElapsedTime(milliseconds: *mut f32, start: Handle, end: Handle);
    fn cuMemAlloc_v2(pointer: *mut u64, bytes: usize);
    fn cuMemFree_v2(pointer: u64);
    fn cuMemAllocAsync(pointer: *mut u64, bytes: usize, stream: Handle);
    fn cuMemFreeAsync(pointer: u64, stream: Handle);
    fn cuMemAllocHost_v2(pointer: *mut Handle, bytes: usize);
    fn cuMemFreeHost(pointer: Handle);
    fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize);
    fn cuMemcpyHtoD_v2(to: u64, from: *const c_void, bytes: usize);
    fn cuMemcpyDtoH_v2(to: Handle, from: u64, bytes: usize);
    fn cuMemcpyDtoD_v2(to: u64, from: u64, bytes: usize);
    fn cuMemcpyHtoDAsync_v2(to: u64, from: *const c_void, bytes: usize, stream: Handle);
    fn cuMemcpyDtoHAsync_v2(to: Handle, from: u64, bytes: usize, stream: Handle);
    fn cuMemcpyDtoDAsync_v2(to: u64, from: u64, bytes: usize, stream: Handle);
    fn cuMemsetD8_v2(to: u64, byte: c_uchar, count: usize);
    fn cuMemsetD8Async(to: u64, byte: c_uchar, count: usize, stream: Handle);
    fn cuModuleLoadData(module: *mut Handle, image: *const c_void);
    fn cuModuleLoadDataEx(module: *mut Handle, image: *const c_void, count: c_uint, options: Handle, values: *mut Handle);
    fn cuModuleUnload(module: Handle);
    fn cuModuleGetFunction(function: *mut Handle, module: Handle, name: *const c_char);
    fn cuFuncGetAttribute(value: *mut c_int, attribute: c_int, function: Handle);
    fn cuFuncSetAttribute(function: Handle, attribute: c_int, value: c_int);
    fn cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks: *mut c_int, function: Handle, threads: c_int, shared_bytes: usize);
    fn cuLaunchKernel(
        function: Handle,
        grid_x: c_uint,
        grid_y: c_uint,
        grid_z: c_uint,
        block_x: c_uint,
        block_y: c_uint,
        block_z: c_uint,
        shared_bytes: c_uint,
        stream: Handle,
        parameters: *mut Handle,
        extra: *mut Handle,
    );
    fn cuGetErrorString(code: c_int, text: *mut *const c_char);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_that_are_not_known_become_one_that_is() {
        for (code, given) in [
            (0, 0),
            (1, 1),
            (222, 222),
            (36, UNKNOWN),
            (225, UNKNOWN),
            (721, UNKNOWN),
            (912, UNKNOWN),
            (-1, UNKNOWN),
        ] {
            assert_eq!(noted("cuInit", code), given, "{code}");
            assert_eq!(
                last_failure(),
                (code != 0).then_some(Failure {
                    call: "cuInit",
                    code
                })
            );
        }
        assert_eq!(
            (noted("cuEventQuery", NOT_READY), last_failure()),
            (NOT_READY, None)
        );
    }
}
