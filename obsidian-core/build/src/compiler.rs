//! The compiler of a build: which one it is, and one text compiled by it.

use std::path::Path;
#[cfg(unix)]
use std::sync::{
    Arc,
    mpsc::{RecvTimeoutError, channel},
};
#[cfg(unix)]
use std::time::Duration;

#[cfg(unix)]
use obsidian_toolchain::engine::Engine as _;
#[cfg(unix)]
use obsidian_toolchain::nvrtc::{Nvrtc, STACK};
#[cfg(unix)]
use obsidian_toolchain::{Error as ToolchainError, ErrorKind as ToolchainErrorKind};
use obsidian_toolchain::{Form, Nvcc};

use crate::{Error, Kernels};

/// Which compiler a build script takes.
///
/// ```
/// use obsidian_build::{Compiler, Kernels};
///
/// let kernels = Kernels::new().source("src/lib.rs").compiler(Compiler::Nvcc);
/// # let _ = kernels;
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Compiler {
    /// nvcc, if the variable `OBSIDIAN_NVCC` names it; else NVRTC, if it is here and knows the architectures; else nvcc.
    #[default]
    Found,
    /// nvcc, a process for each kernel.
    Nvcc,
    /// NVRTC, NVIDIA's compiler as a library in the build script's own process, on Unix: it takes a tenth of the time, and needs no C++ compiler. If it
    /// crashes, so does the build script.
    Nvrtc,
}

/// A compiler that is here.
pub(super) enum Found {
    Nvcc(Nvcc),
    /// It cannot be stopped; the build script can, after this time for one kernel.
    #[cfg(unix)]
    Nvrtc(Arc<Nvrtc>, Duration),
}

impl Found {
    /// The compiler that was asked for, if it is here.
    pub(super) fn of(kernels: &Kernels, architectures: &[String]) -> Result<Option<Found>, Error> {
        let is_named = std::env::var_os("OBSIDIAN_NVCC").is_some_and(|path| !path.is_empty());
        let nvcc = || -> Result<Option<Found>, Error> {
            let nvcc = Nvcc::find().map_err(Error::toolchain)?;
            let nvcc = nvcc.map(|nvcc| nvcc.with_limit(kernels.limit));
            Ok(nvcc.map(|nvcc| {
                Found::Nvcc(match kernels.line_info {
                    true => nvcc.with_line_info(),
                    false => nvcc,
                })
            }))
        };
        match kernels.compiler {
            Compiler::Nvcc => nvcc(),
            Compiler::Nvrtc => nvrtc(kernels),
            Compiler::Found if is_named => nvcc(),
            Compiler::Found => {
                let Some(found) = nvrtc(kernels)? else {
                    return nvcc();
                };
                let Err(why) = found.knows(architectures) else {
                    return Ok(Some(found));
                };
                // One that is too old or too new for what is asked for, where another one is.
                match nvcc()? {
                    Some(nvcc) => {
                        println!("cargo::warning={why}; {} is taken instead", nvcc.name());
                        Ok(Some(nvcc))
                    }
                    None => Ok(Some(found)),
                }
            }
        }
    }

    /// Does it make code for these architectures, as far as that is known before it is asked?
    fn knows(&self, architectures: &[String]) -> Result<(), String> {
        match self {
            Found::Nvcc(_) => Ok(()),
            #[cfg(unix)]
            Found::Nvrtc(nvrtc, _) => {
                let mut all = architectures.iter().map(|arch| known(nvrtc, arch));
                all.find_map(Result::err)
                    .map_or(Ok(()), |error| Err(error.to_string()))
            }
        }
    }

    /// What it is called, with its version.
    pub(super) fn name(&self) -> String {
        match self {
            Found::Nvcc(nvcc) => match nvcc.release() {
                Ok((major, minor)) => format!("nvcc {major}.{minor}"),
                Err(_) => "nvcc".to_owned(),
            },
            #[cfg(unix)]
            Found::Nvrtc(nvrtc, _) => nvrtc.name(),
        }
    }

    /// Of what it makes the same code; none if that is not known.
    pub(super) fn identity(&self) -> Option<String> {
        match self {
            Found::Nvcc(nvcc) => {
                let version = nvcc.version().ok()?;
                Some(format!("{version} {}", Nvcc::flags().join(" ")))
            }
            #[cfg(unix)]
            Found::Nvrtc(nvrtc, _) => nvrtc.facts().ok()?.identity.clone(),
        }
    }

    /// The file whose change makes everything be compiled anew.
    pub(super) fn file(&self) -> Option<&Path> {
        match self {
            Found::Nvcc(nvcc) => Some(nvcc.path()),
            #[cfg(unix)]
            Found::Nvrtc(nvrtc, _) => nvrtc.path(),
        }
    }

    /// Compiles a text, which the compiler's words call `name`.
    pub(super) fn compile(
        &self,
        (name, text): (&str, &str),
        arch: &str,
        form: Form,
        folder: &Path,
    ) -> Result<Vec<u8>, Error> {
        match self {
            Found::Nvcc(nvcc) => nvcc.compile(name, text, arch, form, folder),
            #[cfg(unix)]
            Found::Nvrtc(nvrtc, limit) => in_time((nvrtc, *limit), (name, text), arch, form),
        }
        .map_err(Error::toolchain)
    }
}

#[cfg(unix)]
fn nvrtc(kernels: &Kernels) -> Result<Option<Found>, Error> {
    let found = Nvrtc::find().map_err(Error::toolchain)?;
    Ok(found.map(|mut nvrtc| {
        if kernels.line_info {
            nvrtc.add_line_info();
        }
        Found::Nvrtc(Arc::new(nvrtc), kernels.limit)
    }))
}

#[cfg(not(unix))]
fn nvrtc(_: &Kernels) -> Result<Option<Found>, Error> {
    Ok(None)
}

/// Compiles by NVRTC on a thread of its own, which is left alone where it takes too long.
#[cfg(unix)]
fn in_time(
    (nvrtc, limit): (&Arc<Nvrtc>, Duration),
    (name, text): (&str, &str),
    arch: &str,
    form: Form,
) -> Result<Vec<u8>, ToolchainError> {
    known(nvrtc, arch)?;
    // PTX is for what the architecture computes; its own code would be made in vain.
    let arch = match form {
        Form::Ptx => arch.replacen("sm_", "compute_", 1),
        Form::Cubin => arch.to_owned(),
    };
    let (send, receive) = channel();
    let (own, text) = (Arc::clone(nvrtc), text.to_owned());
    let started = std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || {
            // Nobody listens any more where it took too long.
            let _ = send.send(own.compile(&text, &arch, form));
        });
    let failed =
        |kind, why: String| ToolchainError::new(kind, format!("{} {why} on {name}", nvrtc.name()));
    if let Err(error) = started {
        return Err(failed(
            ToolchainErrorKind::CannotStart,
            format!("has no thread ({error})"),
        ));
    }
    match receive.recv_timeout(limit) {
        Ok(result) => result.map_err(|error| error.renamed("kernels.cu", name)),
        Err(RecvTimeoutError::Timeout) => Err(failed(
            ToolchainErrorKind::TimedOut,
            format!("takes more than {limit:?}"),
        )),
        Err(RecvTimeoutError::Disconnected) => {
            Err(failed(ToolchainErrorKind::Crashed, "broke down".to_owned()))
        }
    }
}

/// Does it make code for an architecture? One with a letter behind its number is left to the compiler.
#[cfg(unix)]
fn known(nvrtc: &Nvrtc, arch: &str) -> Result<(), ToolchainError> {
    let number = arch.strip_prefix("sm_").and_then(|n| n.parse::<u32>().ok());
    let all = &nvrtc.facts()?.architectures;
    match number {
        Some(number) if !all.contains(&(number / 10, number % 10)) => {
            let list: Vec<String> = all
                .iter()
                .map(|(major, minor)| format!("sm_{major}{minor}"))
                .collect();
            let message = format!(
                "{} makes no code for {arch}: name one of {} by `.arch(..)`, or take another compiler by `.compiler(..)`",
                nvrtc.name(),
                list.join(", ")
            );
            Err(ToolchainError::new(ToolchainErrorKind::Refused, message))
        }
        _ => Ok(()),
    }
}
