//! Talking to the driver beside the runtime.

use std::collections::BTreeMap;
use std::ffi::{CString, c_char, c_void};
use std::sync::OnceLock;

use libloading::Library;

type Command = unsafe extern "C" fn(*const c_char, *mut u8, usize) -> bool;

/// The longest answer.
const CAPACITY: usize = 1 << 18;

/// Says something to the driver; the commands are those of `obsidian_driver`.
pub fn say(line: &str) -> Result<String, String> {
    static DRIVER: OnceLock<Option<Library>> = OnceLock::new();
    // SAFETY: it is the driver for tests, whose start does nothing.
    let driver = DRIVER
        .get_or_init(|| unsafe { Library::new("libcuda.so.1") }.ok())
        .as_ref()
        .ok_or("there is no driver")?;
    // SAFETY: the type is that of the function.
    let command = unsafe { driver.get::<Command>(b"obsidian_driver\0") }
        .map_err(|error| error.to_string())?;
    let text = CString::new(line).map_err(|error| error.to_string())?;
    let mut answer = vec![0; CAPACITY];
    // SAFETY: the text ends with a zero, and the place has the capacity.
    if !unsafe { command(text.as_ptr(), answer.as_mut_ptr(), CAPACITY) } {
        return Err(format!("the driver does not know `{line}`"));
    }
    let length = answer.iter().position(|byte| *byte == 0).unwrap_or(0);
    Ok(String::from_utf8_lossy(&answer[..length]).into_owned())
}

/// A function of a library, as it comes from the driver's library here.
fn function<F: Copy>(name: &[u8]) -> Result<F, String> {
    // SAFETY: it is the driver for tests, whose start does nothing; and the caller says the type of the function.
    unsafe {
        let driver = Library::new("libcuda.so.1").map_err(|error| error.to_string())?;
        let function = *driver.get::<F>(name).map_err(|error| error.to_string())?;
        // The functions are used after this.
        std::mem::forget(driver);
        Ok(function)
    }
}

/// Multiplies numbers in the device's memory, in a stream: what a library such as cuBLAS does.
pub fn scale(stream: *mut c_void, count: i32, factor: u32, pointer: u64) -> Result<i32, String> {
    let scale: unsafe extern "C" fn(*mut c_void, i32, u32, u64) -> i32 =
        function(b"obsidian_scale\0")?;
    // SAFETY: the function checks that `count` numbers are there.
    Ok(unsafe { scale(stream, count, factor, pointer) })
}

/// Frees memory of the device, as its owner does.
pub fn free(pointer: u64) -> Result<i32, String> {
    let free: unsafe extern "C" fn(u64) -> i32 = function(b"cuMemFree_v2\0")?;
    // SAFETY: the driver looks whether there is such memory.
    Ok(unsafe { free(pointer) })
}

/// How often each function was called since the last `reset`.
pub fn calls() -> Result<BTreeMap<String, u64>, String> {
    let counted = |line: &str| {
        let (name, count) = line
            .split_once(' ')
            .ok_or("a line of the calls has no number")?;
        Ok((
            name.to_owned(),
            count.parse().map_err(|_| "a number of calls is none")?,
        ))
    };
    say("calls")?
        .lines()
        .map(counted)
        .collect::<Result<_, &str>>()
        .map_err(str::to_owned)
}

/// The things that were made and not given back, and how many calls that give something back have
/// failed.
pub fn left() -> Result<(Vec<String>, u64), String> {
    let live = say("live")?.lines().map(str::to_owned).collect();
    Ok((
        live,
        say("failed")?
            .parse()
            .map_err(|_| "a number of failures is none")?,
    ))
}

/// How often a function of the driver was called so far.
pub fn count(call: &str) -> u64 {
    let [count] = counts([call]);
    count
}

/// How often each of these functions was called so far.
pub fn counts<const N: usize>(names: [&str; N]) -> [u64; N] {
    let calls = calls().unwrap_or_else(|words| panic!("no calls: {words}"));
    names.map(|name| calls.get(name).copied().unwrap_or(0))
}
