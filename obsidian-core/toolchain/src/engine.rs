//! What a compiler is to those who use any: NVRTC in this process, or nvcc as a program.

use std::fmt;
use std::sync::OnceLock;

use crate::{Error, Form, Nvcc};

/// A release of CUDA or an architecture, major and minor.
pub type Version = (u32, u32);

/// A compiler of CUDA texts.
pub trait Engine: fmt::Debug + Send + Sync {
    /// What to call it: `NVRTC 13.0`.
    fn name(&self) -> String;

    /// What it is.
    fn facts(&self) -> Result<&Facts, Error>;

    /// Compiles a program for an architecture, such as `compute_90`.
    fn compile(&self, program: &str, architecture: &str, form: Form) -> Result<Vec<u8>, Error>;

    /// From now on code says from which line each instruction comes.
    fn add_line_info(&mut self);

    /// The fewest kernels that are worth a program of their own, when there are threads for more
    /// programs.
    fn least_batch(&self) -> usize;
}

/// What a compiler is.
#[derive(Clone, Debug)]
pub struct Facts {
    /// Of what it makes the same code; another one may make other code. None: not known, so that
    /// nothing of it is kept.
    pub identity: Option<String>,
    /// The release of CUDA.
    pub release: Version,
    /// What it makes code for, in ascending order.
    pub architectures: Vec<Version>,
}

/// nvcc, which compiles in the system's folder for temporary files.
#[derive(Debug)]
pub struct NvccEngine {
    nvcc: Nvcc,
    facts: OnceLock<Result<Facts, Error>>,
}

impl NvccEngine {
    pub fn new(nvcc: Nvcc) -> Self {
        NvccEngine {
            nvcc,
            facts: OnceLock::new(),
        }
    }
}

impl Engine for NvccEngine {
    fn name(&self) -> String {
        self.nvcc.path().display().to_string()
    }

    fn facts(&self) -> Result<&Facts, Error> {
        let ask = || {
            // The compiler of the host expands the text.
            let host = std::env::var("NVCC_CCBIN").unwrap_or_default();
            let identity = Some(format!(
                "nvcc {} {:?} {host}",
                self.nvcc.version()?,
                Nvcc::flags()
            ));
            Ok(Facts {
                identity,
                release: self.nvcc.release()?,
                architectures: self.nvcc.architectures()?,
            })
        };
        self.facts.get_or_init(ask).as_ref().map_err(Clone::clone)
    }

    fn compile(&self, program: &str, architecture: &str, form: Form) -> Result<Vec<u8>, Error> {
        self.nvcc.compile(
            "kernels.cu",
            program,
            architecture,
            form,
            &std::env::temp_dir(),
        )
    }

    fn add_line_info(&mut self) {
        self.nvcc = self.nvcc.clone().with_line_info();
    }

    fn least_batch(&self) -> usize {
        1
    }
}
