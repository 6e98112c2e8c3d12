//! A kernel as PTX: what the build script has compiled, or what nvcc makes of the text now.
//!
//! This is the one place where the device asks for compiled code.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::error::{Error, ErrorKind, Result};
use crate::kernel::Kernel;

/// The PTX of a kernel for a device of this compute capability.
pub(super) fn ptx(kernel: &Kernel, capability: (u32, u32)) -> Result<Cow<'_, str>> {
    match kernel.ptx().filter(|ptx| architecture(ptx).is_some_and(|target| target <= capability.0 * 10 + capability.1)) {
        Some(ptx) => Ok(Cow::Borrowed(ptx)),
        None => compile(kernel, capability).map(Cow::Owned),
    }
}

/// The number of the architecture that a PTX is for: 75 for `.target sm_75`.
fn architecture(ptx: &str) -> Option<u32> {
    let target = ptx.lines().find_map(|line| line.trim_start().strip_prefix(".target"))?;
    // `sm_90a` runs on nothing else, so that no number is to be had of it.
    target.trim().strip_prefix("sm_")?.split(',').next()?.trim().parse().ok()
}

/// Where nvcc is: the variables that the build script looks at, in the same order. An empty `OBSIDIAN_NVCC` means none.
fn nvcc() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name);
    if variable("OBSIDIAN_NVCC").is_some_and(|value| value.is_empty()) {
        return None;
    }
    let named = ["OBSIDIAN_NVCC", "NVCC"].into_iter().filter_map(variable).map(PathBuf::from);
    let toolkits = ["CUDA_PATH", "CUDA_HOME"].into_iter().filter_map(variable).map(|home| Path::new(&home).join("bin").join("nvcc"));
    let paths = variable("PATH").unwrap_or_default();
    let on_path: Vec<PathBuf> = std::env::split_paths(&paths).map(|folder| folder.join("nvcc")).collect();
    named.chain(toolkits).chain(on_path).find(|path| path.is_file())
}

fn compile(kernel: &Kernel, capability: (u32, u32)) -> Result<String> {
    let fail = |message: String| Error::new(ErrorKind::NoCompiler, message);
    let nvcc = nvcc().ok_or_else(|| {
        fail(
            "there is no PTX of it for this device, and no nvcc to compile it: compile it in a build script, or set OBSIDIAN_NVCC"
                .to_owned(),
        )
    })?;
    let folder = Folder::new().map_err(|error| fail(format!("there is no place for the compiler's files: {error}")))?;
    let (text, out) = (folder.0.join("kernel.cu"), folder.0.join("kernel.ptx"));
    std::fs::write(&text, kernel.cuda()).map_err(|error| fail(format!("{}: {error}", text.display())))?;
    let mut command = Command::new(&nvcc);
    // Flags from outside would change the code without a trace.
    command.env_remove("NVCC_APPEND_FLAGS").env_remove("NVCC_PREPEND_FLAGS");
    command.arg("-ptx").arg(format!("-arch=sm_{}{}", capability.0, capability.1)).arg("-fmad=false").arg("-o").arg(&out).arg(&text);
    let done = command.output().map_err(|error| fail(format!("{} cannot be started: {error}", nvcc.display())))?;
    if !done.status.success() {
        let words = [done.stdout, done.stderr].concat();
        return Err(fail(format!("{} fails ({}):\n{}", nvcc.display(), done.status, String::from_utf8_lossy(&words))));
    }
    match std::fs::read_to_string(&out) {
        Ok(ptx) if !ptx.is_empty() => Ok(ptx),
        _ => Err(fail(format!("{} has written nothing", nvcc.display()))),
    }
}

/// A folder of this call alone, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> std::io::Result<Folder> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        loop {
            let name = format!("obsidian-{}-{}", std::process::id(), COUNT.fetch_add(1, Relaxed));
            let path = std::env::temp_dir().join(name);
            match std::fs::create_dir(&path) {
                Ok(()) => return Ok(Folder(path)),
                // Left over from a process of the same number.
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::architecture;

    #[test]
    fn the_architecture_is_that_of_the_target() {
        assert_eq!(architecture(".version 8.0\n.target sm_75\n.address_size 64\n"), Some(75));
        assert_eq!(architecture(".target sm_90, texmode_independent"), Some(90));
        assert_eq!(architecture(".target sm_90a"), None);
        assert_eq!(architecture(""), None);
    }
}
