//! What the driver is told from outside: variables of the environment, and lines `NAME=value` of a
//! file `settings` beside the library, for programs that are started with an empty environment.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

static FILE: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let folders = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let beside = |folder: &Path| {
        folder
            .join("libcuda.so.1")
            .exists()
            .then(|| std::fs::read_to_string(folder.join("settings")).ok())
            .flatten()
    };
    let text = std::env::split_paths(&folders).find_map(|folder| beside(&folder));
    let line = |line: &str| {
        let (name, value) = line.split_once('=')?;
        Some((name.to_owned(), value.to_owned()))
    };
    text.unwrap_or_default().lines().filter_map(line).collect()
});

/// The value of a name: that of the environment, or else that of the file.
pub(crate) fn setting(name: &str) -> Option<String> {
    std::env::var(name).ok().or_else(|| FILE.get(name).cloned())
}
