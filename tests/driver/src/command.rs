//! What a program under test says to the driver beside its calls.

use std::ffi::{CStr, c_char};

use crate::fault::Fault;
use crate::hold;
use crate::state::{World, with};

/// Does what a line says, and writes the answer, ended by a zero, to a place of `capacity` bytes;
/// what does not fit is cut off. Gives whether the command is known.
///
/// - `reset`: forgets all calls, failures and everything that was made.
/// - `fail CALL N CODE`: lets the `N`-th call of that name from the last `reset` on give the code.
/// - `trace`: keeps all calls from now on, with their arguments.
/// - `traced`: those that were kept, in lines, and keeps no more.
/// - `calls`: each name with the number of its calls, in lines.
/// - `live`: what was made and not given back, in lines.
/// - `grid`: how many real blocks the last launch had.
/// - `hold CALL`: lets the next call of that name wait, before it does anything, until `go`.
/// - `held`: whether a call waits so, `true` or `false`.
/// - `go`: ends that.
/// - `failed`: how many calls that give something back have failed.
///
/// # Safety
/// `line` is a text that ends with a zero, and `answer` a place of `capacity` bytes.
// SAFETY: nothing else has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn obsidian_driver(
    line: *const c_char,
    answer: *mut u8,
    capacity: usize,
) -> bool {
    // SAFETY: the caller's promise.
    let line = unsafe { CStr::from_ptr(line) }.to_string_lossy();
    let Some(mut text) = with(|world| answered(world, &line)).map(String::into_bytes) else {
        return false;
    };
    text.truncate(capacity.saturating_sub(1));
    text.push(0);
    if capacity > 0 {
        // SAFETY: the place has `capacity` bytes, which the text does not exceed.
        unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), answer, text.len()) };
    }
    true
}

fn answered(world: &mut World, line: &str) -> Option<String> {
    Some(match line.split_once(' ').unwrap_or((line, "")) {
        ("reset", "") => {
            world.reset();
            String::new()
        }
        ("fail", words) => {
            world.faults.fault = Some(Fault::read(words)?);
            String::new()
        }
        ("trace", "") => {
            world.trace = Some(Vec::new());
            String::new()
        }
        ("traced", "") => world.trace.take().unwrap_or_default().join("\n"),
        ("calls", "") => world
            .faults
            .counts
            .iter()
            .map(|(name, count)| format!("{name} {count}\n"))
            .collect(),
        ("live", "") => world
            .live()
            .iter()
            .map(|thing| format!("{thing}\n"))
            .collect(),
        ("grid", "") => world.grid.to_string(),
        ("hold", call) if !call.is_empty() => {
            hold::next(call);
            String::new()
        }
        ("held", "") => hold::is_held().to_string(),
        ("go", "") => {
            hold::go();
            String::new()
        }
        ("failed", "") => world.failed_releases.to_string(),
        _ => return None,
    })
}
