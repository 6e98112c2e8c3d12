//! The driver's functions, in a table of our own: each is found by its name in the library that is opened while the program runs.
//!
//! So a program is built where there is no CUDA, and starts where there is no driver. A function that the driver does not have is an
//! ordinary code, 500 (`CUDA_ERROR_NOT_FOUND`): drivers are older and newer than this list. A code is an `i32`, as newer drivers have
//! more of them, and each failure names the function that gave it.

#![allow(non_snake_case, clippy::too_many_arguments)]

use std::error::Error as _;
use std::ffi::{c_char, c_int, c_uchar, c_uint, c_ushort, c_void};
use std::sync::OnceLock;

use libloading::Library;

/// The names that the driver may have. (nvcuda.dll is installed into the folder of the system, where Windows looks.)
#[cfg(not(windows))]
const NAMES: &[&str] = &["libcuda.so.1", "libcuda.so"];
#[cfg(windows)]
const NAMES: &[&str] = &["nvcuda.dll"];

/// A function is not there.
pub(crate) const NOT_FOUND: c_int = 500;
/// The driver or the device cannot do that.
pub(super) const NOT_SUPPORTED: c_int = 801;
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

/// What a call of the driver gives.
pub(super) type Checked<T> = Result<T, Failure>;

/// What the driver calls a context, a stream, an event, a module or a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub(super) struct Handle(pub(super) *mut c_void);

impl Handle {
    /// No handle: the place for one, or the default stream.
    pub(super) const NONE: Handle = Handle(std::ptr::null_mut());
}

// SAFETY: a handle is a name to which the driver gives meaning. Nothing is read or written through it here, and the driver's
// functions may be called from any thread.
unsafe impl Send for Handle {}
// SAFETY: as above.
unsafe impl Sync for Handle {}

/// Opens the driver, once.
///
/// # Errors
/// Why it cannot be opened, in the words of the system.
pub(crate) fn open() -> Result<&'static Library, &'static str> {
    static DRIVER: OnceLock<Result<Library, String>> = OnceLock::new();
    #[cfg(feature = "cust")]
    crate::cust::forward::link();
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

/// What a function gave.
fn checked(call: &'static str, code: c_int) -> Checked<()> {
    match code {
        0 => Ok(()),
        code => Err(Failure { call, code }),
    }
}

macro_rules! table {
    ($($(#[$attribute:meta])* fn $name:ident($($argument:ident: $ty:ty),* $(,)?);)*) => {$(
        $(#[$attribute])*
        /// The driver's function of this name.
        ///
        /// # Safety
        /// As the driver says: pointers lead to places of their type, handles are those that were given.
        pub(super) unsafe fn $name($($argument: $ty),*) -> Checked<()> {
            type Function = unsafe extern "C" fn($($ty),*) -> c_int;
            static FUNCTION: OnceLock<Option<Function>> = OnceLock::new();
            let find = || {
                let name = concat!(stringify!($name), "\0");
                // SAFETY: the types are those of the driver's interface, which stay the same for a name.
                open().ok().and_then(|driver| unsafe { driver.get::<Function>(name.as_bytes()) }.ok().map(|function| *function))
            };
            // SAFETY: the caller keeps to what the driver asks of its callers.
            let code = FUNCTION.get_or_init(find).map_or(NOT_FOUND, |function| unsafe { function($($argument),*) });
            checked(stringify!($name), code)
        }
    )*};
}

table! {
    fn cuInit(flags: c_uint);
    fn cuDriverGetVersion(version: *mut c_int);
    fn cuDeviceGet(device: *mut c_int, ordinal: c_int);
    fn cuDeviceGetCount(count: *mut c_int);
    fn cuDeviceGetName(name: *mut c_char, length: c_int, device: c_int);
    fn cuDeviceGetAttribute(value: *mut c_int, attribute: c_int, device: c_int);
    fn cuDeviceTotalMem_v2(bytes: *mut usize, device: c_int);
    fn cuDevicePrimaryCtxRetain(context: *mut Handle, device: c_int);
    fn cuDevicePrimaryCtxRelease_v2(device: c_int);
    fn cuCtxSetCurrent(context: Handle);
    fn cuStreamCreateWithPriority(stream: *mut Handle, flags: c_uint, priority: c_int);
    fn cuStreamDestroy_v2(stream: Handle);
    fn cuStreamSynchronize(stream: Handle);
    fn cuStreamWaitEvent(stream: Handle, event: Handle, flags: c_uint);
    #[cfg(feature = "cust")]
    fn cuStreamGetCtx(stream: Handle, context: *mut Handle);
    fn cuEventCreate(event: *mut Handle, flags: c_uint);
    fn cuEventDestroy_v2(event: Handle);
    fn cuEventRecord(event: Handle, stream: Handle);
    fn cuEventQuery(event: Handle);
    fn cuEventSynchronize(event: Handle);
    fn cuEventElapsedTime(milliseconds: *mut f32, start: Handle, end: Handle);
    fn cuMemAlloc_v2(pointer: *mut u64, bytes: usize);
    fn cuMemFree_v2(pointer: u64);
    fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize);
    fn cuMemAllocHost_v2(pointer: *mut *mut c_void, bytes: usize);
    fn cuMemFreeHost(pointer: *mut c_void);
    #[cfg(feature = "cust")]
    fn cuPointerGetAttribute(value: *mut c_void, attribute: c_int, pointer: u64);
    fn cuMemcpyHtoDAsync_v2(to: u64, from: *const c_void, bytes: usize, stream: Handle);
    fn cuMemcpyDtoHAsync_v2(to: *mut c_void, from: u64, bytes: usize, stream: Handle);
    fn cuMemsetD8Async(to: u64, byte: c_uchar, count: usize, stream: Handle);
    fn cuMemsetD16Async(to: u64, value: c_ushort, count: usize, stream: Handle);
    fn cuMemsetD32Async(to: u64, value: c_uint, count: usize, stream: Handle);
    fn cuMemsetD2D32Async(to: u64, pitch: usize, value: c_uint, width: usize, height: usize, stream: Handle);
    fn cuMemcpyDtoDAsync_v2(to: u64, from: u64, bytes: usize, stream: Handle);
    fn cuModuleLoadDataEx(module: *mut Handle, image: *const c_void, count: c_uint, options: *mut c_int, values: *mut *mut c_void);
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
        parameters: *mut *mut c_void,
        extra: *mut *mut c_void,
    );
    fn cuGraphCreate(graph: *mut Handle, flags: c_uint);
    fn cuGraphDestroy(graph: Handle);
    fn cuGraphAddKernelNode(node: *mut Handle, graph: Handle, before: *const Handle, count: usize, launch: *const KernelNode);
    fn cuGraphAddMemcpyNode(node: *mut Handle, graph: Handle, before: *const Handle, count: usize, copy: *const CopyNode, context: Handle);
    fn cuGraphAddMemsetNode(node: *mut Handle, graph: Handle, before: *const Handle, count: usize, fill: *const FillNode, context: Handle);
    fn cuGraphInstantiateWithFlags(executable: *mut Handle, graph: Handle, flags: u64);
    fn cuGraphLaunch(executable: Handle, stream: Handle);
    fn cuGraphExecDestroy(executable: Handle);
}

/// A launch in a graph: `CUDA_KERNEL_NODE_PARAMS_v1`.
#[repr(C)]
pub(super) struct KernelNode {
    pub(super) function: Handle,
    pub(super) grid: [c_uint; 3],
    pub(super) block: [c_uint; 3],
    pub(super) shared_bytes: c_uint,
    pub(super) parameters: *mut *mut c_void,
    pub(super) extra: *mut *mut c_void,
}

/// One side of a copy in a graph: half of `CUDA_MEMCPY3D`.
#[repr(C)]
pub(super) struct CopySide {
    pub(super) x_in_bytes: usize,
    pub(super) y: usize,
    pub(super) z: usize,
    pub(super) level: usize,
    /// Which of the following places it is: [`ON_DEVICE`].
    pub(super) memory_type: c_uint,
    pub(super) host: *mut c_void,
    pub(super) device: u64,
    pub(super) array: Handle,
    pub(super) reserved: *mut c_void,
    pub(super) pitch: usize,
    pub(super) height: usize,
}

/// A copy in a graph: `CUDA_MEMCPY3D`.
#[repr(C)]
pub(super) struct CopyNode {
    pub(super) from: CopySide,
    pub(super) to: CopySide,
    pub(super) bytes: usize,
    pub(super) height: usize,
    pub(super) depth: usize,
}

/// The type of memory of the device.
const ON_DEVICE: c_uint = 2;

impl CopyNode {
    /// A copy of neighbouring bytes from one place of the device to another.
    pub(super) fn within(from: u64, to: u64, bytes: usize) -> CopyNode {
        let side = |device| CopySide {
            x_in_bytes: 0,
            y: 0,
            z: 0,
            level: 0,
            memory_type: ON_DEVICE,
            host: std::ptr::null_mut(),
            device,
            array: Handle::NONE,
            reserved: std::ptr::null_mut(),
            // Nothing is skipped between rows or layers. (A pitch is limited, and a copy is not.)
            pitch: 0,
            height: 0,
        };
        CopyNode {
            from: side(from),
            to: side(to),
            bytes,
            height: 1,
            depth: 1,
        }
    }
}

/// A fill in a graph: `CUDA_MEMSET_NODE_PARAMS`. There are `height` rows of `width` elements, `pitch` bytes apart.
#[repr(C)]
pub(super) struct FillNode {
    pub(super) to: u64,
    pub(super) pitch: usize,
    pub(super) value: c_uint,
    pub(super) element_bytes: c_uint,
    pub(super) width: usize,
    pub(super) height: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_keeps_its_call_and_any_code() {
        assert_eq!(checked("cuInit", 0), Ok(()));
        for code in [1, 222, 36, 912, -1, NOT_FOUND] {
            let call = "cuInit";
            assert_eq!(checked(call, code), Err(Failure { call, code }));
        }
    }

    #[cfg(target_pointer_width = "64")]
    #[test]
    fn nodes_of_graphs_lie_as_in_the_header_of_the_driver() {
        use std::mem::offset_of;
        // As g++ gives them for cuda.h of CUDA 13.0.
        let kernel = [
            offset_of!(KernelNode, shared_bytes),
            offset_of!(KernelNode, parameters),
            size_of::<KernelNode>(),
        ];
        assert_eq!(kernel, [32, 40, 56]);
        let from = [
            offset_of!(CopyNode, from.memory_type),
            offset_of!(CopyNode, from.device),
            offset_of!(CopyNode, from.pitch),
        ];
        assert_eq!(from, [32, 48, 72]);
        let to = [
            offset_of!(CopyNode, to.device),
            offset_of!(CopyNode, bytes),
            size_of::<CopyNode>(),
        ];
        assert_eq!(to, [136, 176, 200]);
        let fill = [
            offset_of!(FillNode, element_bytes),
            offset_of!(FillNode, width),
            offset_of!(FillNode, height),
        ];
        assert_eq!((fill, size_of::<FillNode>()), ([20, 24, 32], 40));
    }
}
