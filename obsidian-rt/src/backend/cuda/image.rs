//! A kernel as the driver loads it: PTX that the build script has compiled, or what a compiler
//! makes of its text now.
//!
//! This is the one place where the device asks for compiled code.

use std::sync::Arc;

use super::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::kernel::Kernel;
use crate::properties::Properties;

/// What the driver loads, and the name of the kernel in it.
#[derive(Clone)]
pub(super) struct Image {
    /// PTX, or a cubin, which several kernels may share.
    pub(super) bytes: Arc<[u8]>,
    /// The name of the function.
    pub(super) entry: String,
    /// Is it of a build script?
    pub(super) built: bool,
}

/// The image of a kernel for a device.
pub(super) fn image(kernel: &Kernel, context: &Context) -> Result<Image> {
    match built(kernel, context) {
        Some(ptx) => Ok(Image {
            bytes: ptx.as_bytes().into(),
            entry: kernel.symbol().into_owned(),
            built: true,
        }),
        None => compiled(kernel, context),
    }
}

/// The PTX of a build script, if it is for the device.
pub(super) fn built<'k>(kernel: &'k Kernel, context: &Context) -> Option<&'k str> {
    let own = number(context.properties().compute_capability);
    let fits = |ptx: &&str| architecture(ptx).is_some_and(|target| target <= own);
    // PTX of a build script does not say where it comes from.
    kernel.ptx().filter(fits).filter(|_| !line_info())
}

/// What a compiler that is here makes of a kernel for a device.
pub(super) fn compiled(kernel: &Kernel, context: &Context) -> Result<Image> {
    compile(kernel, context.properties()).map_err(|error| match error.kind() {
        ErrorKind::NoCompiler => {
            let own = number(context.properties().compute_capability);
            let message = format!("{}, and {}", missing(kernel, own), error.message());
            Error::new(ErrorKind::NoCompiler, message)
        }
        _ => error,
    })
}

/// 75 for 7.5.
fn number((major, minor): (u32, u32)) -> u32 {
    major * 10 + minor
}

/// Why there is no PTX of a kernel for a device, and what to write so that there is.
fn missing(kernel: &Kernel, own: u32) -> String {
    if let Some(ptx) = kernel.ptx() {
        let target = target(ptx).unwrap_or("another architecture");
        return format!(
            "its PTX is for {target}, and the device is sm_{own}: compile it for that or an older one, by `.arch(\"sm_{own}\")` in the build script"
        );
    }
    if kernel.is_native() {
        let threads = kernel.threads();
        return format!(
            "it is built while the program runs, for {threads} threads, so that no build script has compiled it"
        );
    }
    if kernel.is_of_library() {
        return "it is a function of the library, which has no PTX of it: a GPU runs it where NVRTC or nvcc is; an `#[arrays]` function of your own is compiled by your build script, with `#[kernels(built)]`".to_owned();
    }
    if kernel.cuda_file().is_some() {
        return format!(
            "its build script has found no nvcc, so that it has no PTX: build it where nvcc is, for this device by `.arch(\"sm_{own}\")`"
        );
    }
    format!(
        "it has no PTX: let a build script compile it, by `#[kernels(built)]`, and for this device by `.arch(\"sm_{own}\")`"
    )
}

/// The number of the architecture that a PTX is for: 75 for `.target sm_75`.
fn architecture(ptx: &str) -> Option<u32> {
    // `sm_90a` runs on nothing else, so that no number is to be had of it.
    target(ptx)?.strip_prefix("sm_")?.parse().ok()
}

/// The architecture that a PTX is for: `sm_75`.
fn target(ptx: &str) -> Option<&str> {
    let mut lines = ptx.lines();
    let target = lines.find_map(|line| line.trim_start().strip_prefix(".target"))?;
    Some(target.split(',').next()?.trim())
}

#[cfg(unix)]
fn compile(kernel: &Kernel, properties: &Properties) -> Result<Image> {
    use crate::compile::Target;

    let (major, minor) = properties.compute_capability;
    let target = Target::device(major, minor, properties.driver_version);
    compiler()?.compile_one(kernel, &target).map(image_of)
}

#[cfg(unix)]
fn image_of(compiled: crate::compile::Compiled) -> Image {
    Image {
        entry: compiled.entry().to_owned(),
        bytes: compiled.into_image(),
        built: false,
    }
}

/// What a compiler that is here makes of several kernels, on as many cores as there are; none for one that it does not make. All are
/// none where there is no compiler.
#[cfg(unix)]
pub(super) fn compiled_together(kernels: &[&Kernel], context: &Context) -> Vec<Option<Image>> {
    use crate::compile::Target;

    let properties = context.properties();
    let (major, minor) = properties.compute_capability;
    let target = Target::device(major, minor, properties.driver_version);
    let compiled = compiler().and_then(|compiler| compiler.compile(kernels, &target));
    let images = |all: Vec<Result<_>>| all.into_iter().map(|one| one.ok().map(image_of)).collect();
    compiled.map(images).unwrap_or_default()
}

#[cfg(not(unix))]
pub(super) fn compiled_together(_: &[&Kernel], _: &Context) -> Vec<Option<Image>> {
    Vec::new()
}

#[cfg(not(unix))]
fn compile(_: &Kernel, _: &Properties) -> Result<Image> {
    let message = "kernels are not compiled on this system while the program runs";
    Err(Error::new(ErrorKind::NoCompiler, message))
}

/// The compiler of this process; one that is not there is looked for again the next time.
#[cfg(unix)]
fn compiler() -> Result<&'static crate::compile::Compiler> {
    static COMPILER: std::sync::OnceLock<crate::compile::Compiler> = std::sync::OnceLock::new();
    if let Some(compiler) = COMPILER.get() {
        return Ok(compiler);
    }
    let found = crate::compile::Compiler::best()?;
    Ok(COMPILER.get_or_init(|| match line_info() {
        true => found.with_line_info(),
        false => found,
    }))
}

/// Is code to say from which line of the source it comes? Asked once.
fn line_info() -> bool {
    static ASKED: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    *ASKED.get_or_init(|| std::env::var_os("OBSIDIAN_LINEINFO").is_some_and(|value| value == "1"))
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
    use super::{architecture, missing};
    use crate::TypedKernel;
    use crate::language::*;

    #[test]
    fn a_kernel_without_ptx_says_what_to_write() {
        let doubled = TypedKernel::build("doubled", 32, |input: DPull<EU32>| {
            input.split_up(32).as_grid_map(|a| a.map(|x| x + x).push())
        });
        let words = doubled.map(|kernel| missing(kernel.kernel(), 75));
        assert_eq!(
            words.ok().as_deref(),
            Some(
                "it is built while the program runs, for 32 threads, so that no build script has compiled it"
            )
        );
    }

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
