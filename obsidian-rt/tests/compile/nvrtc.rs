//! A stand-in for libnvrtc, compiled by the tests as a library of its own. `OBSIDIAN_STAND_IN` says
//! how it fails.

use std::ffi::{CStr, c_char, c_int, c_void};

struct Program {
    text: String,
    output: Vec<u8>,
    log: Vec<u8>,
}

fn mode() -> String {
    std::env::var("OBSIDIAN_STAND_IN").unwrap_or_default()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvrtcVersion(major: *mut c_int, minor: *mut c_int) -> c_int {
    unsafe { (*major, *minor) = if mode() == "new" { (14, 0) } else { (13, 0) } };
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvrtcGetNumSupportedArchs(count: *mut c_int) -> c_int {
    unsafe { *count = 2 };
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvrtcGetSupportedArchs(list: *mut c_int) -> c_int {
    unsafe { (*list, *list.add(1)) = (90, 75) };
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn nvrtcGetErrorString(_: c_int) -> *const c_char {
    c"A_STAND_INS_ERROR".as_ptr()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvrtcCreateProgram(
    program: *mut *mut c_void,
    text: *const c_char,
    _name: *const c_char,
    _count: c_int,
    _headers: *const *const c_char,
    _names: *const *const c_char,
) -> c_int {
    let text = unsafe { CStr::from_ptr(text) }.to_str().unwrap().to_owned();
    unsafe { *program = Box::into_raw(Box::new(Program { text, output: Vec::new(), log: Vec::new() })).cast() };
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvrtcDestroyProgram(program: *mut *mut c_void) -> c_int {
    drop(unsafe { Box::from_raw((*program).cast::<Program>()) });
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvrtcCompileProgram(program: *mut c_void, count: c_int, options: *const *const c_char) -> c_int {
    let program = unsafe { &mut *program.cast::<Program>() };
    let options: Vec<String> =
        (0..count as usize).map(|n| unsafe { CStr::from_ptr(*options.add(n)) }.to_str().unwrap().to_owned()).collect();
    if mode() == "builtins" {
        program.log = b"nvrtc: error: failed to open libnvrtc-builtins.so\0".to_vec();
        return 7;
    }
    if mode() == "empty" {
        return 0;
    }
    if mode() == "hangs" {
        loop {
            std::thread::park();
        }
    }
    if program.text.contains(" refused_") {
        program.log = b"refused.cu(1): error: no such luck\0".to_vec();
        return 6;
    }
    let mut ptx = format!("// {}\n.version 9.0\n.target sm_90\n", options.join(" "));
    for line in program.text.lines() {
        let Some((_, rest)) = line.split_once("__launch_bounds__(") else { continue };
        let name = rest.split_once(") ").unwrap().1.split('(').next().unwrap();
        ptx += &format!(".visible .entry {name}(\n)\n{{\n\t// by the library\n}}\n");
    }
    program.output = (ptx + "\0").into_bytes();
    0
}

unsafe fn size(bytes: &[u8], size: *mut usize) -> c_int {
    unsafe { *size = bytes.len() };
    0
}

unsafe fn copy(bytes: &[u8], to: *mut c_char) -> c_int {
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to.cast(), bytes.len()) };
    0
}

macro_rules! output {
    ($size:ident, $get:ident, $field:ident) => {
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $size(program: *mut c_void, length: *mut usize) -> c_int {
            unsafe { size(&(*program.cast::<Program>()).$field, length) }
        }

        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $get(program: *mut c_void, to: *mut c_char) -> c_int {
            unsafe { copy(&(*program.cast::<Program>()).$field, to) }
        }
    };
}

output!(nvrtcGetProgramLogSize, nvrtcGetProgramLog, log);
output!(nvrtcGetPTXSize, nvrtcGetPTX, output);
output!(nvrtcGetCUBINSize, nvrtcGetCUBIN, output);
