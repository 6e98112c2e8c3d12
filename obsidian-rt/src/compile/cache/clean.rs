//! Keeps the folder from growing without end.
//!
//! The entries that were used last stay. Another process may read an entry while it is removed, and
//! has it to its end; may look for it, and finds none; or may be writing it again, and then it may
//! go once more. All that costs a compilation.

use std::ffi::CStr;
use std::os::fd::OwnedFd;
use std::time::{Duration, SystemTime};

use rustix::fs::{
    AtFlags, Dir, Stat, Timespec, Timestamps, UTIME_NOW, UTIME_OMIT, futimens, statat, unlinkat,
};

use super::folder::is_our_file;
use super::{ENTRY, HALF, Key};

/// After this time nobody writes to a file any more that is half written, and the time of a use is
/// noted again.
const OLD: Duration = Duration::from_secs(3600);

/// Removes what killed writers have left, and, if the entries have more bytes than they may, those
/// that were not used for the longest time, until three quarters are left.
pub(super) fn clean(folder: &OwnedFd, limit: u64) {
    let Ok(files) = Dir::read_from(folder) else {
        return;
    };
    let remove = |name: &CStr| {
        // It fails where another process is doing the same.
        let _ = unlinkat(folder, name, AtFlags::empty());
    };
    let (mut entries, mut total) = (Vec::new(), 0);
    for file in files.flatten() {
        let name = file.file_name();
        let Ok(stat) = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) else {
            continue;
        };
        if is_half(name) && is_our_file(&stat) && is_old(&stat) {
            remove(name);
        } else if is_entry(name) && is_our_file(&stat) {
            let bytes = u64::try_from(stat.st_size).unwrap_or(0);
            total += bytes;
            entries.push((used(&stat), bytes, name.to_owned()));
        }
    }
    if total > limit {
        entries.sort();
        for (_, bytes, name) in entries {
            if total <= limit / 4 * 3 {
                break;
            }
            remove(&name);
            total -= bytes;
        }
    }
}

/// Is it the name of a file that is half written? Others in the folder are nothing of the cache's.
fn is_half(name: &CStr) -> bool {
    let rest = name.to_bytes().strip_prefix(HALF.as_bytes());
    rest.is_some_and(|rest| {
        rest.iter()
            .all(|byte| byte.is_ascii_digit() || *byte == b'-')
    })
}

/// Is it the name of an entry?
fn is_entry(name: &CStr) -> bool {
    name.to_bytes()
        .strip_suffix(ENTRY.as_bytes())
        .and_then(Key::from_digits)
        .is_some()
}

/// Notes that an entry is used. The time to the hour will do, so that not every use writes to the
/// disk.
pub(super) fn note_use(file: &OwnedFd, stat: &Stat) {
    if is_old(stat) {
        let at = |tv_nsec| Timespec { tv_sec: 0, tv_nsec };
        let times = Timestamps {
            last_access: at(UTIME_OMIT),
            last_modification: at(UTIME_NOW),
        };
        // Where nothing can be written, the entry counts as one that is not used.
        let _ = futimens(file, &times);
    }
}

/// When it was written, or used.
fn used(stat: &Stat) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(stat.st_mtime.try_into().unwrap_or(0))
}

fn is_old(stat: &Stat) -> bool {
    SystemTime::now()
        .duration_since(used(stat))
        .is_ok_and(|age| age > OLD)
}
