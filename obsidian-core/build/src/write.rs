//! Writing files so that nobody sees a part of one.

use std::path::{Path, PathBuf};

use crate::{Error, ErrorKind};

/// Writes a file in a folder, which is made if need be. A file that has this content already is
/// left alone.
pub(super) fn file(folder: &Path, name: &str, text: &str) -> Result<PathBuf, Error> {
    bytes(folder, name, text.as_bytes())
}

/// The same for bytes.
pub(super) fn bytes(folder: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf, Error> {
    let path = folder.join(name);
    if std::fs::read(&path).is_ok_and(|old| old == bytes) {
        return Ok(path);
    }
    let half = folder.join(format!("{name}.{}", std::process::id()));
    let written = std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&half, bytes))
        .and_then(|()| std::fs::rename(&half, &path));
    written.map_err(|e| {
        // There may be half a file, and there may be none.
        let _ = std::fs::remove_file(&half);
        Error::new(ErrorKind::Write, format!("{}: {e}", path.display()))
    })?;
    Ok(path)
}

/// Removes the files of deleted kernels, and of architectures and forms that are no longer asked for: those that a build wrote and that are not
/// among `known`.
///
/// A file that cannot be removed is of no consequence: the index does not name it.
pub(super) fn remove_others(folder: &Path, known: &[String]) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        let ours = path.extension().is_some_and(|e| {
            ["cu", "json", "ptx", "cubin", "made"]
                .iter()
                .any(|own| e == *own)
        });
        let name = path.file_name().and_then(|name| name.to_str());
        let known = name.is_some_and(|name| known.iter().any(|known| known == name));
        if ours && !known {
            let _ = std::fs::remove_file(&path);
        }
    }
}
