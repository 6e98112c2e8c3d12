//! Talking to the driver beside the runtime.

use std::collections::BTreeMap;
use std::ffi::{CString, c_char};
use std::sync::OnceLock;

use libloading::Library;

type Command = unsafe extern "C" fn(*const c_char, *mut u8, usize) -> bool;

/// The longest answer.
const CAPACITY: usize = 1 << 16;

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
