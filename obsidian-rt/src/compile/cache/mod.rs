//! Compiled kernels, kept in a folder of the user.
//!
//! Everything in it can be made again, so that it may be damaged or deleted at any time: an entry
//! has the SHA-256 of its content inside, and one that is not whole, of another key, a link, or of
//! another user counts as none, and is replaced. An entry is written under a name of its own and
//! renamed, so that processes at the same time do each other no harm. A folder that others could
//! write to is not used. When there is too much in it, what was not used for the longest time goes.

mod clean;
mod folder;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::key::Key;
use folder::Folder;

/// The first line of an entry. Another form of entries gets another number.
const MAGIC: &str = "obsidian kernel 1\n";

/// What the names of entries end with, and those of files begin with that are being written.
const ENTRY: &str = ".kernel";
const HALF: &str = "half-";

/// Bytes that are kept if nobody says otherwise.
pub(super) const LIMIT: u64 = 256 << 20;

/// How many entries are written before the folder is cleaned up again.
const OFTEN: u64 = 64;

/// A folder with compiled kernels. It is opened whenever it is used, so that it can come and go.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    path: PathBuf,
    limit: u64,
    /// How many entries were written, by this value and its clones.
    written: Arc<AtomicU64>,
}

impl Cache {
    /// In a folder, which is made when it is first written to.
    pub(super) fn at(path: PathBuf) -> Cache {
        Cache {
            path,
            limit: LIMIT,
            written: Arc::default(),
        }
    }

    /// The same with another limit on the bytes of all entries. It may be passed for a while, by 64
    /// entries of each process.
    pub(super) fn with_limit(self, limit: u64) -> Cache {
        Cache { limit, ..self }
    }

    /// The folder that `OBSIDIAN_CACHE` names, or `obsidian` in the user's folder for caches. None
    /// if the variable is empty, or the user has no such folder.
    pub(super) fn of_user() -> Option<Cache> {
        let absolute = |name: &str| {
            std::env::var_os(name)
                .map(PathBuf::from)
                .filter(|path| path.is_absolute())
        };
        if let Some(named) = std::env::var_os("OBSIDIAN_CACHE").map(PathBuf::from) {
            return if named.as_os_str().is_empty() {
                None
            } else {
                std::path::absolute(named).ok().map(Cache::at)
            };
        }
        let caches =
            absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
        Some(Cache::at(caches.join("obsidian")))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The content of an entry; none if there is none that is whole.
    ///
    /// # Errors
    /// If the folder cannot be used; one that is not there yet can.
    pub(super) fn get(&self, key: Key) -> io::Result<Option<Vec<u8>>> {
        let Some(folder) = Folder::open(&self.path)? else {
            return Ok(None);
        };
        Ok(folder
            .read(&name(key))
            .and_then(|bytes| content(key, &bytes).map(<[u8]>::to_vec)))
    }

    /// Writes an entry, or replaces it. With the first, and with each that is [`OFTEN`] later, the
    /// folder is cleaned up.
    ///
    /// # Errors
    /// If the folder cannot be made or used, or the disk is full. Nothing is left then.
    pub(super) fn put(&self, key: Key, content: &[u8]) -> io::Result<()> {
        let folder = Folder::make(&self.path)?;
        folder.write(&name(key), &[head(key, content).as_bytes(), content])?;
        if self
            .written
            .fetch_add(1, Ordering::Relaxed)
            .is_multiple_of(OFTEN)
        {
            folder.clean(self.limit);
        }
        Ok(())
    }
}

fn name(key: Key) -> String {
    format!("{key}{ENTRY}")
}

/// What stands before the content: whose it is, and its digest.
fn head(key: Key, content: &[u8]) -> String {
    format!("{MAGIC}{key}\n{}\n", digest(key, content))
}

/// The digest covers the key too: an entry that was renamed is none.
fn digest(key: Key, content: &[u8]) -> Key {
    Key::of(&[key.to_string().as_bytes(), content])
}

/// The content of an entry, if every byte of it is right.
fn content(key: Key, entry: &[u8]) -> Option<&[u8]> {
    // The digest has the same number of digits for every content.
    let (found, content) = entry.split_at_checked(head(key, b"").len())?;
    (found == head(key, content).as_bytes()).then_some(content)
}

#[cfg(test)]
mod tests;
