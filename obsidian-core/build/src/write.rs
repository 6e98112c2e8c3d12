//! Writing files so that nobody sees a part of one.

use std::path::{Path, PathBuf};

use crate::{Error, ErrorKind};

/// Writes a file in a folder, which is made if need be. A file that has this content already is
/// left alone.
pub(super) fn file(folder: &Path, name: &str, text: &str) -> Result<PathBuf, Error> {
    let path = folder.join(name);
    if std::fs::read_to_string(&path).is_ok_and(|old| old == text) {
        return Ok(path);
    }
    let half = folder.join(format!("{name}.{}", std::process::id()));
    let written = std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&half, text))
        .and_then(|()| std::fs::rename(&half, &path));
    written.map_err(|e| {
        // There may be half a file, and there may be none.
        let _ = std::fs::remove_file(&half);
        Error::new(ErrorKind::Write, format!("{}: {e}", path.display()))
    })?;
    Ok(path)
}

/// Removes the texts of deleted kernels: files that a build wrote and whose name is not that of a kernel.
///
/// A file that cannot be removed is of no consequence: the index does not name it.
pub(super) fn remove_others(folder: &Path, stems: &[&str]) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        let ours = path
            .extension()
            .is_some_and(|e| e == "cu" || e == "json" || e == "ptx" || e == "made");
        let known = path
            .file_stem()
            .and_then(|s| s.to_str())
            .is_some_and(|stem| stems.contains(&stem));
        if ours && !known {
            let _ = std::fs::remove_file(&path);
        }
    }
}
