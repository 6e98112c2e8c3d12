//! The CUDA compiler: where it is, and how it is called.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Error, ErrorKind};

/// The variables that say where nvcc is: its path, or the folder of the toolkit.
pub(super) const VARIABLES: &[&str] = &["OBSIDIAN_NVCC", "NVCC", "CUDA_PATH", "CUDA_HOME", "PATH"];

/// An nvcc that exists.
pub(super) struct Nvcc {
    path: PathBuf,
}

impl Nvcc {
    /// Looks at the variables in order; the first that leads to a file wins. An empty `OBSIDIAN_NVCC` means none.
    pub(super) fn find() -> Option<Self> {
        let variable = |name: &str| std::env::var_os(name);
        if variable("OBSIDIAN_NVCC").is_some_and(|v| v.is_empty()) {
            return None;
        }
        let named = ["OBSIDIAN_NVCC", "NVCC"].into_iter().filter_map(variable).map(PathBuf::from);
        let toolkits = ["CUDA_PATH", "CUDA_HOME"].into_iter().filter_map(variable).map(|home| Path::new(&home).join("bin").join("nvcc"));
        let paths = variable("PATH").unwrap_or_default();
        let on_path = std::env::split_paths(&paths).map(|folder| folder.join("nvcc")).collect::<Vec<_>>();
        named.chain(toolkits).chain(on_path).find(|path| path.is_file()).map(|path| Nvcc { path })
    }

    /// Compiles a CUDA text to PTX.
    pub(super) fn ptx(&self, text: &Path, ptx: &Path, arch: &str) -> Result<(), Error> {
        let half = ptx.with_extension(format!("ptx.{}", std::process::id()));
        let mut command = Command::new(&self.path);
        // Flags from outside would change the build without a trace.
        command.env_remove("NVCC_APPEND_FLAGS").env_remove("NVCC_PREPEND_FLAGS");
        command.arg("-ptx").arg(format!("-arch={arch}")).arg("-fmad=false").arg("-o").arg(&half).arg(text);
        let fail = |what: String| {
            // There may be half a file, and there may be none.
            let _ = std::fs::remove_file(&half);
            Err(Error::new(ErrorKind::Nvcc, what))
        };
        match command.output() {
            Err(e) => fail(format!("{} cannot be started: {e}", self.path.display())),
            Ok(done) if !done.status.success() => {
                let words = [done.stdout, done.stderr].concat();
                fail(format!("{} fails on {} ({}):\n{}", self.path.display(), text.display(), done.status, String::from_utf8_lossy(&words)))
            }
            Ok(_) if std::fs::metadata(&half).map_or(0, |m| m.len()) == 0 => {
                fail(format!("{} has written nothing for {}", self.path.display(), text.display()))
            }
            Ok(_) => std::fs::rename(&half, ptx).or_else(|e| fail(format!("{}: {e}", ptx.display()))),
        }
    }
}
