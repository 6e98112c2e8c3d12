//! The folder of the cache, open: all is done relative to it, and it is known to be ours.

use std::fs::{DirBuilder, File};
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat, fstat, openat, renameat, unlinkat};
use rustix::process::geteuid;

use super::HALF;
use super::clean::{clean, note_use};

/// The largest entry that is read.
const LARGEST: u64 = 1 << 30;

/// An open folder that belongs to this user, and to which only this user can write.
pub(super) struct Folder {
    fd: OwnedFd,
}

impl Folder {
    /// Opens a folder; none if it is not there.
    pub(super) fn open(path: &Path) -> io::Result<Option<Folder>> {
        // Not through a link: it may lead to where somebody else wants it.
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let fd = match rustix::fs::open(path, flags, Mode::empty()) {
            Err(rustix::io::Errno::NOENT) => return Ok(None),
            opened => opened?,
        };
        let stat = fstat(&fd)?;
        if stat.st_uid != geteuid().as_raw() {
            return Err(io::Error::new(
                io::ErrorKind::PermissionDenied,
                "it belongs to another user",
            ));
        }
        if stat.st_mode & 0o077 != 0 {
            return Err(io::Error::new(
                io::ErrorKind::PermissionDenied,
                "others have access to it; `chmod 700` would do",
            ));
        }
        Ok(Some(Folder { fd }))
    }

    /// Opens a folder, which is made first if it is not there.
    pub(super) fn make(path: &Path) -> io::Result<Folder> {
        if let Some(folder) = Folder::open(path)? {
            return Ok(folder);
        }
        DirBuilder::new().recursive(true).mode(0o700).create(path)?;
        Folder::open(path)?.ok_or_else(|| {
            io::Error::new(
                io::ErrorKind::NotFound,
                "it was removed as soon as it was made",
            )
        })
    }

    /// The bytes of a file of the cache; `None` for any other file.
    pub(super) fn read(&self, name: &str) -> Option<Vec<u8>> {
        // It must not wait where somebody has put a pipe.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let fd = openat(&self.fd, name, flags, Mode::empty()).ok()?;
        let stat = fstat(&fd).ok()?;
        if !is_our_file(&stat) || u64::try_from(stat.st_size).is_ok_and(|size| size > LARGEST) {
            return None;
        }
        note_use(&fd, &stat);
        let mut bytes = Vec::new();
        File::from(fd).take(LARGEST).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    /// Writes a file, all of it or nothing.
    pub(super) fn write(&self, name: &str, parts: &[&[u8]]) -> io::Result<()> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let half = format!("{HALF}{}-{number}", std::process::id());
        let done = self
            .write_half(&half, parts)
            .and_then(|()| Ok(renameat(&self.fd, &half, &self.fd, name)?));
        if done.is_err() {
            // There may be half a file, and there may be none.
            let _ = unlinkat(&self.fd, &half, AtFlags::empty());
        }
        done
    }

    fn write_half(&self, half: &str, parts: &[&[u8]]) -> io::Result<()> {
        // A process of the same number may have left one.
        let _ = unlinkat(&self.fd, half, AtFlags::empty());
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut file = File::from(openat(&self.fd, half, flags, Mode::RUSR | Mode::WUSR)?);
        parts.iter().try_for_each(|part| file.write_all(part))?;
        // A file that is renamed before its bytes are on the disk can be empty after a failure of
        // power.
        file.sync_all()
    }

    /// Removes entries until at most `limit` bytes are left.
    pub(super) fn clean(&self, limit: u64) {
        clean(&self.fd, limit);
    }
}

/// A file of this user, and no link or pipe.
pub(super) fn is_our_file(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile
        && stat.st_uid == geteuid().as_raw()
}
