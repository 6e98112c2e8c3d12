//! A kernel as the driver loads it: PTX that the build script has compiled, or what a compiler
//! makes of its text now.
//!
//! This is the one place where the device asks for compiled code.

use std::sync::Arc;

use super::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::generated::Images;
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
        Some(bytes) => Ok(Image {
            bytes: bytes.into(),
            entry: kernel.symbol().into_owned(),
            built: true,
        }),
        None => compiled(kernel, context),
    }
}

/// What a build script has compiled that is for the device.
pub(super) fn built(kernel: &Kernel, context: &Context) -> Option<&'static [u8]> {
    // Code of a build script does not say where it comes from.
    match line_info() {
        true => None,
        false => best(kernel.images(), context.properties().compute_capability),
    }
}

/// The newest of some images that runs on a device: machine code of its own major version, or else PTX of its architecture or an older one.
fn best(images: Images, own: (u32, u32)) -> Option<&'static [u8]> {
    let device = number(own);
    let rank = |(arch, ptx, code): &(&'static str, &'static str, &'static [u8])| {
        let (is_code, bytes) = match ptx.is_empty() {
            true => (true, *code),
            false => (false, ptx.as_bytes()),
        };
        // That of `sm_90a` runs on nothing else.
        if arch.strip_prefix("sm_") == Some(&format!("{device}a")) {
            return Some((is_code, device, bytes));
        }
        let of: u32 = arch.strip_prefix("sm_")?.parse().ok()?;
        let runs = of <= device && (!is_code || of / 10 == own.0);
        runs.then_some((is_code, of, bytes))
    };
    let found = images.iter().filter_map(rank);
    let found = found.max_by_key(|(is_code, of, _)| (*is_code, *of));
    found.map(|(_, _, bytes)| bytes)
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
    if !kernel.images().is_empty() {
        let list: Vec<&str> = kernel.images().iter().map(|(arch, ..)| *arch).collect();
        let what = match kernel.ptx() {
            Some(_) => "PTX",
            None => "machine code",
        };
        return format!(
            "its {what} is for {}, and the device is sm_{own}: compile it for that too, by `.arch(\"sm_{own}\")` in the build script",
            list.join(", ")
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
            "its build script has found no compiler, so that it has no PTX: build it where NVRTC or nvcc is, for this device by `.arch(\"sm_{own}\")`"
        );
    }
    format!(
        "it has no PTX: let a build script compile it, by `#[kernels(built)]`, and for this device by `.arch(\"sm_{own}\")`"
    )
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
    use super::{best, missing};
    use crate::TypedKernel;
    use crate::generated::Images;
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
    fn the_newest_image_that_runs_is_taken() {
        const PTX: Images = &[
            ("sm_90", "90", &[]),
            ("sm_75", "75", &[]),
            ("sm_90a", "90a", &[]),
        ];
        let of = |images, device| best(images, device).map(|bytes| String::from_utf8_lossy(bytes));
        assert_eq!(of(PTX, (7, 0)), None);
        assert_eq!(of(PTX, (8, 9)).as_deref(), Some("75"));
        assert!(matches!(of(PTX, (9, 0)).as_deref(), Some("90" | "90a")));
        assert_eq!(of(PTX, (12, 0)).as_deref(), Some("90"));
        const CODE: Images = &[
            ("sm_80", "", b"80"),
            ("sm_86", "", b"86"),
            ("sm_90", "", b"90"),
        ];
        assert_eq!(of(CODE, (7, 5)), None);
        assert_eq!(of(CODE, (8, 0)).as_deref(), Some("80"));
        assert_eq!(of(CODE, (8, 9)).as_deref(), Some("86"));
        assert_eq!(of(CODE, (9, 0)).as_deref(), Some("90"));
        assert_eq!(of(CODE, (10, 0)), None);
        assert_eq!(of(&[], (9, 0)), None);
    }
}
