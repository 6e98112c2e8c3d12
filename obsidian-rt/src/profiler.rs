//! Ranges of time for profilers, as NVTX has them: each launch is one, with the kernel's name, so that a timeline shows which variant the
//! host asked for, and when.
//!
//! A profiler says by an environment variable, [`VARIABLE`], where its library lies. The library is opened at the first launch and is given a
//! table of places, one for each function that NVTX has. It writes its own functions into those that it wants to hear of. Where the
//! variable is not set a range is one look at a static.
//!
//! Tables and numbers are those of version 3 of NVTX; two of the functions are called here, the others are places that a profiler may
//! write to.

use std::ffi::{CString, c_char, c_int, c_uint, c_void};
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use libloading::Library;

/// Where a profiler says which library wants to hear of ranges.
#[cfg(target_pointer_width = "64")]
const VARIABLE: &str = "NVTX_INJECTION64_PATH";
#[cfg(not(target_pointer_width = "64"))]
const VARIABLE: &str = "NVTX_INJECTION32_PATH";

/// The version of the interface.
const VERSION: u32 = 3;

/// The most functions of a module of NVTX, and the number that no function has.
const MOST: usize = 17;

/// The functions of each module, by its number: of none, ranges and marks, CUDA, OpenCL, the CUDA runtime, domains, synchronization.
const FUNCTIONS: [usize; 7] = [0, 15, 8, 14, 6, 15, 6];

/// The module of ranges and marks.
const CORE: usize = 1;
const PUSH: usize = 9;
const POP: usize = 11;

/// A place for a function of the profiler.
type Place = AtomicPtr<c_void>;

static PLACES: [[Place; MOST]; FUNCTIONS.len()] =
    [const { [const { AtomicPtr::new(ptr::null_mut()) }; MOST] }; FUNCTIONS.len()];

/// The addresses of the places of a module, by the numbers of its functions, which begin with 1.
struct Addresses([*const Place; MOST]);

// SAFETY: the addresses are those of statics that any thread may write to and read, and they do not change.
unsafe impl Sync for Addresses {}

static ADDRESSES: [Addresses; FUNCTIONS.len()] = {
    let mut all = [const { Addresses([ptr::null(); MOST]) }; FUNCTIONS.len()];
    let mut module = 0;
    while module < FUNCTIONS.len() {
        let mut function = 1;
        while function <= FUNCTIONS[module] {
            all[module].0[function] = &raw const PLACES[module][function];
            function += 1;
        }
        module += 1;
    }
    all
};

/// What a profiler gets when it asks for tables of functions.
#[repr(C)]
struct Tables {
    bytes: usize,
    of_module: extern "system" fn(c_uint, *mut *const *const Place, *mut c_uint) -> c_int,
}

/// What a profiler gets when it asks for the version.
#[repr(C)]
struct Version {
    bytes: usize,
    version: u32,
    reserved: u32,
    set: extern "system" fn(u32),
}

static TABLES: Tables = Tables {
    bytes: size_of::<Tables>(),
    of_module,
};

static OWN_VERSION: Version = Version {
    bytes: size_of::<Version>(),
    version: VERSION,
    reserved: 0,
    set: of_profiler,
};

extern "system" fn tables(which: u32) -> *const c_void {
    match which {
        1 => ptr::from_ref(&TABLES).cast(),
        3 => ptr::from_ref(&OWN_VERSION).cast(),
        _ => ptr::null(),
    }
}

extern "system" fn of_module(
    module: c_uint,
    table: *mut *const *const Place,
    size: *mut c_uint,
) -> c_int {
    let module = module as usize;
    let Some(addresses) = ADDRESSES.get(module).filter(|_| module > 0) else {
        return 0;
    };
    // SAFETY: a place that the profiler gives is null or one for a value of its type.
    unsafe {
        if let Some(size) = size.as_mut() {
            *size = FUNCTIONS[module] as c_uint + 1;
        }
        if let Some(table) = table.as_mut() {
            *table = addresses.0.as_ptr();
        }
    }
    1
}

/// The profiler's version, which makes no difference to two functions that all versions have.
extern "system" fn of_profiler(_version: u32) {}

type Push = unsafe extern "system" fn(*const c_char) -> c_int;
type Pop = unsafe extern "system" fn() -> c_int;

/// The functions of a profiler that hears of ranges.
struct Profiler {
    push: Push,
    pop: Pop,
    /// It stays open: its functions are called until the program ends.
    _library: ManuallyDrop<Library>,
}

impl Profiler {
    /// None if there is none, or if it does not want to hear of ranges.
    fn attach() -> Option<Profiler> {
        let path = std::env::var_os(VARIABLE).filter(|path| !path.is_empty())?;
        // SAFETY: the variable is for libraries that are made to be opened here.
        let library = unsafe { Library::new(path) }.ok()?;
        let library = ManuallyDrop::new(library);
        type Initialize =
            unsafe extern "system" fn(extern "system" fn(u32) -> *const c_void) -> c_int;
        // SAFETY: the type is the one that NVTX gives to this name.
        let initialize =
            unsafe { library.get::<Initialize>(b"InitializeInjectionNvtx2\0") }.ok()?;
        // SAFETY: as NVTX asks: the function gives the tables of this version.
        if unsafe { initialize(tables) } == 0 {
            return None;
        }
        let [push, pop] =
            [PUSH, POP].map(|function| PLACES[CORE][function].load(Ordering::Acquire));
        if push.is_null() || pop.is_null() {
            return None;
        }
        // SAFETY: the profiler has written functions of these types to the places with these numbers.
        unsafe {
            Some(Profiler {
                push: std::mem::transmute::<*mut c_void, Push>(push),
                pop: std::mem::transmute::<*mut c_void, Pop>(pop),
                _library: library,
            })
        }
    }
}

fn profiler() -> Option<&'static Profiler> {
    static PROFILER: OnceLock<Option<Profiler>> = OnceLock::new();
    PROFILER.get_or_init(Profiler::attach).as_ref()
}

/// A range of this thread's time; it ends when this is dropped.
pub(crate) struct Range {
    profiler: Option<&'static Profiler>,
    /// Ranges are nested, by thread.
    _thread: PhantomData<*const ()>,
}

/// Begins a range. The name is asked for only if a profiler hears of it.
pub(crate) fn range(name: impl FnOnce() -> String) -> Range {
    let profiler = profiler();
    if let Some(profiler) = profiler {
        let mut name = name().into_bytes();
        name.retain(|byte| *byte != 0);
        let name = CString::new(name).unwrap_or_default();
        // SAFETY: the name ends with a zero and lives as long as the call, which copies it.
        unsafe { (profiler.push)(name.as_ptr()) };
    }
    Range {
        profiler,
        _thread: PhantomData,
    }
}

impl Drop for Range {
    fn drop(&mut self) {
        if let Some(profiler) = self.profiler {
            // SAFETY: it takes nothing; `range` has pushed on this thread, as a `Range` does not leave it.
            unsafe { (profiler.pop)() };
        }
    }
}
