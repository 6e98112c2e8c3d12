//! NVRTC: NVIDIA's compiler as a library, opened while the program runs.
//!
//! It needs no compiler of the host and no files, and compiles a kernel in a tenth of nvcc's time.
//! From CUDA 12.3 on programs in several threads are optimised and turned into code at the same
//! time, and only read one after the other; an older one lets them wait. It is never closed again:
//! it may still have threads. Nothing can stop it, and if it crashes, so does the program;
//! `OBSIDIAN_NVRTC=` leaves nvcc, which is a process.

mod library;

use std::path::Path;
use std::sync::OnceLock;

use crate::engine::{Engine, Facts};
use crate::{Error, ErrorKind, Form};

use library::Library;

/// The stack of a thread in which NVRTC compiles: it is as deep as a text is nested.
pub const STACK: usize = 64 << 20;

/// Flags of every compilation, beside the architecture. Multiply and add are not contracted, so
/// that all devices compute the same.
///
/// Others were tried on 318 reductions, which take 9.6 s of a processor: `--split-compile=2`, which
/// starts threads too, takes 11.6 s, where our two threads take 11.0; `-minimal` saves 6 ms a
/// program, nothing in batches. `--Ofast-compile=min` takes 5.3 s, for other code.
const FLAGS: &[&str] = &["-fmad=false"];

/// A program costs 17 ms before its first kernel, and those of all threads one after the other; a
/// kernel about 30.
const LEAST: usize = 4;

/// An NVRTC that is open.
#[derive(Debug)]
pub struct Nvrtc {
    library: Library,
    line_info: bool,
    facts: OnceLock<Result<Facts, Error>>,
}

impl Nvrtc {
    /// Opens the library that `OBSIDIAN_NVRTC` names, or else the first that is in the toolkit of
    /// `CUDA_PATH` or `CUDA_HOME`, or that the system's loader finds. None if there is none, or if
    /// the variable is empty.
    pub fn find() -> Result<Option<Nvrtc>, Error> {
        let library = match std::env::var_os("OBSIDIAN_NVRTC") {
            Some(path) if path.is_empty() => return Ok(None),
            Some(path) => Some(Library::open(path.as_ref()).map_err(|e| {
                let message =
                    format!("OBSIDIAN_NVRTC is `{}`, which cannot be used: {e}; set it to a libnvrtc.so, or to nothing", path.display());
                Error::new(ErrorKind::Missing, message)
            })?),
            None => Library::find(),
        };
        Ok(library.map(|library| Nvrtc {
            library,
            line_info: false,
            facts: OnceLock::new(),
        }))
    }

    /// The library's file, if it is known.
    pub fn path(&self) -> Option<&Path> {
        self.library.path()
    }
}

impl Engine for Nvrtc {
    fn name(&self) -> String {
        self.library.version().map_or_else(
            |_| "NVRTC".to_owned(),
            |(major, minor)| format!("NVRTC {major}.{minor}"),
        )
    }

    fn facts(&self) -> Result<&Facts, Error> {
        let ask = || {
            let release = self.library.version()?;
            // The version has no number of the build: size and time of the file stand for it.
            let identity = self
                .library
                .file()
                .map(|file| format!("NVRTC {release:?} {file} {FLAGS:?}"));
            Ok(Facts {
                identity,
                release,
                architectures: self.library.architectures()?,
            })
        };
        self.facts.get_or_init(ask).as_ref().map_err(Clone::clone)
    }

    fn compile(&self, program: &str, architecture: &str, form: Form) -> Result<Vec<u8>, Error> {
        let architecture = format!("--gpu-architecture={architecture}");
        let options: Vec<&str> = FLAGS
            .iter()
            .copied()
            .chain(self.line_info.then_some("-lineinfo"))
            .chain([architecture.as_str()])
            .collect();
        let output = self.library.compile(program, &options, form)?;
        if form.is_whole(&output) {
            return Ok(output);
        }
        Err(Error::new(
            ErrorKind::NoOutput,
            format!(
                "{} says that all is well, and has made no code",
                self.name()
            ),
        ))
    }

    fn add_line_info(&mut self) {
        self.line_info = true;
    }

    fn least_batch(&self) -> usize {
        LEAST
    }
}
