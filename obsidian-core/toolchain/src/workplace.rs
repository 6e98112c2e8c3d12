//! A private folder for one run of a compiler.

use std::fs::DirBuilder;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::words::says_no_space;
use crate::{Error, ErrorKind};

/// What the names of such folders begin with.
pub(crate) const PREFIX: &str = ".obsidian-";

/// A folder that nobody else uses, removed with all that is in it when this value is dropped.
pub(super) struct Workplace {
    path: PathBuf,
}

impl Workplace {
    /// Makes one inside of a folder.
    pub(super) fn inside(folder: &Path) -> Result<Self, Error> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!("{PREFIX}{}-{number}", std::process::id()));
            #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix has modes"))]
            let mut builder = DirBuilder::new();
            // Others on this machine must not put a file of theirs in the way.
            #[cfg(unix)]
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
            match builder.create(&path) {
                Ok(()) => return Ok(Workplace { path }),
                // A process that was killed has left it, long ago: numbers of processes come again.
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(failed(&path, &e)),
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<(), Error> {
        let path = self.path.join(name);
        std::fs::write(&path, text).map_err(|e| failed(&path, &e))
    }

    /// Reads a file; none if it is not there.
    pub(super) fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        let path = self.path.join(name);
        match std::fs::read(&path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            read => read.map(Some).map_err(|e| failed(&path, &e)),
        }
    }
}

impl Drop for Workplace {
    fn drop(&mut self) {
        // What cannot be removed is of no consequence: nobody reads it.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

fn failed(path: &Path, e: &io::Error) -> Error {
    let kind = if e.kind() == io::ErrorKind::StorageFull || says_no_space(&e.to_string()) {
        ErrorKind::NoSpace
    } else {
        ErrorKind::Folder
    };
    Error::new(
        kind,
        format!(
            "the compiler's files cannot be kept: {}: {e}",
            path.display()
        ),
    )
}
