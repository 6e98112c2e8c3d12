//! A kernel as the driver loads it: PTX that the build script has compiled, or what a compiler
//! makes of its text now.
//!
//! This is the one place where the device asks for compiled code.

use crate::error::Result;
use crate::kernel::Kernel;

/// What the driver loads, and the name of the kernel in it.
pub(super) struct Image {
    /// PTX, or a cubin.
    pub(super) bytes: Vec<u8>,
    /// The name of the function.
    pub(super) entry: String,
}

/// The image of a kernel for a device of this compute capability, whose driver takes what belongs
/// to this release of CUDA (13000 for 13.0).
pub(super) fn image(kernel: &Kernel, capability: (u32, u32), driver: u32) -> Result<Image> {
    match kernel.ptx().filter(|ptx| {
        architecture(ptx).is_some_and(|target| target <= capability.0 * 10 + capability.1)
    }) {
        Some(ptx) => Ok(Image {
            bytes: ptx.as_bytes().to_vec(),
            entry: obsidian_core::emit::symbol(kernel.name()),
        }),
        None => compile(kernel, capability, driver),
    }
}

/// The number of the architecture that a PTX is for: 75 for `.target sm_75`.
fn architecture(ptx: &str) -> Option<u32> {
    let target = ptx
        .lines()
        .find_map(|line| line.trim_start().strip_prefix(".target"))?;
    // `sm_90a` runs on nothing else, so that no number is to be had of it.
    target
        .trim()
        .strip_prefix("sm_")?
        .split(',')
        .next()?
        .trim()
        .parse()
        .ok()
}

#[cfg(unix)]
fn compile(kernel: &Kernel, (major, minor): (u32, u32), driver: u32) -> Result<Image> {
    use crate::compile::Target;

    let compiled = compiler()
        .map_err(|error| error.of(kernel.name()))?
        .compile_one(kernel, &Target::device(major, minor, driver))?;
    Ok(Image {
        bytes: compiled.image().to_vec(),
        entry: compiled.entry().to_owned(),
    })
}

#[cfg(not(unix))]
fn compile(kernel: &Kernel, _: (u32, u32), _: u32) -> Result<Image> {
    use crate::error::{Error, ErrorKind};

    let message = "there is no PTX of it for this device: compile it in a build script, with `.arch(..)` of this device or an older one";
    Err(Error::new(ErrorKind::NoCompiler, message).of(kernel.name()))
}

/// The compiler of this process; one that is not there is looked for again the next time.
#[cfg(unix)]
fn compiler() -> Result<&'static crate::compile::Compiler> {
    static COMPILER: std::sync::OnceLock<crate::compile::Compiler> = std::sync::OnceLock::new();
    if let Some(compiler) = COMPILER.get() {
        return Ok(compiler);
    }
    let found = crate::compile::Compiler::best()?;
    Ok(COMPILER.get_or_init(|| found))
}

/// What went wrong with compilers so far, and did no harm.
pub(super) fn warnings() -> Vec<String> {
    #[cfg(unix)]
    return compiler().map_or_else(|_| Vec::new(), crate::compile::Compiler::warnings);
    #[cfg(not(unix))]
    return Vec::new();
}

#[cfg(test)]
mod tests {
    use super::architecture;

    #[test]
    fn the_architecture_is_that_of_the_target() {
        assert_eq!(
            architecture(".version 8.0\n.target sm_75\n.address_size 64\n"),
            Some(75)
        );
        assert_eq!(architecture(".target sm_90, texmode_independent"), Some(90));
        assert_eq!(architecture(".target sm_90a"), None);
        assert_eq!(architecture(""), None);
    }
}
