//! Kernels compiled while the program runs: to PTX or code of a GPU, by NVRTC or nvcc, kept for the
//! next time (feature `compile`, on Unix).
//!
//! A [`Compiler`] takes kernels and a [`Target`], and gives a [`Compiled`] for each. Many kernels
//! are best given at once: they are compiled in batches, which saves the time of an empty program,
//! 17 ms, for each, and in as many threads as there are cores.
//!
//! ```
//! use obsidian_rt::compile::{Compiler, Target};
//! use obsidian_rt::{ErrorKind, TypedKernel, language::*};
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let doubled = TypedKernel::build("doubled", 64, |input: DPull<EU32>| {
//!     input.split_up(64).as_grid_map(|a| a.map(|x| x + x).push())
//! })?;
//! // A GPU of compute capability 9.0, whose driver is for CUDA 13.0.
//! let target = Target::device(9, 0, 13000);
//! // Without `keeping_nothing`, it would be in the user's folder for the next time.
//! let compiler = Compiler::best().map(Compiler::keeping_nothing);
//! let compiled = compiler.and_then(|compiler| compiler.compile_one(doubled.kernel(), &target));
//! match compiled {
//!     Ok(compiled) => println!("{} has {} bytes", compiled.entry(), compiled.image().len()),
//!     // A machine without NVRTC and nvcc, or with old or broken ones, says so.
//!     Err(error) => assert!(matches!(error.kind(), ErrorKind::NoCompiler | ErrorKind::NoTarget | ErrorKind::Compile), "{error}"),
//! }
//! # Ok(())
//! # }
//! ```
//!
//! *Compilers.* NVRTC is opened by `OBSIDIAN_NVRTC`, in the toolkit of `CUDA_PATH` or `CUDA_HOME`,
//! or where the system's loader looks; nvcc is looked for as build scripts do. An empty
//! `OBSIDIAN_NVRTC` or `OBSIDIAN_NVCC` means none. A compiler that breaks down is a typed error,
//! [`Error::compiler`](crate::Error::compiler), unless there is another one, and then a
//! [warning](Compiler::warnings).
//!
//! *How long it takes.* `cargo bench -p obsidian-tests --bench compile` compiles the 318 reductions
//! of the paper's Table 2 for sm_90. On two cores that did nothing else NVRTC 13.0 took 2.8 s to
//! PTX and 4.0 s to cubins; one thread took 5.5 and 8.1 s. The size of the batches does not matter
//! from 8 on (14.0 s alone, 9.4 in fours, 8.9 in eights, 8.1 in batches of 32, 8.3 in one program).
//! nvcc took 4.5 s, and 7.2 with one process for one file. What is kept is there in 0.01 s.
//!
//! *What is kept.* In `OBSIDIAN_CACHE` (empty: nowhere), else in the folder `obsidian` in
//! `XDG_CACHE_HOME` or `~/.cache`. The key of a kernel is the SHA-256 of its text, the flags, the
//! compiler's version and the architecture. A folder that cannot be used is a warning, and kernels
//! are compiled without. It can be deleted at any time. When its entries come to more than 256 MiB
//! ([`keeping_at_most`](Compiler::keeping_at_most)), those that were not used for the longest time
//! are removed, until three quarters of that are left; a [`Compiler`] looks with the first entry
//! that it writes, and with every 64th after it. Times of use are kept to the hour.
//!
//! *If a compiler crashes.* nvcc is a program, and that is an error of a kernel. NVRTC is a library
//! in this process, which nothing can stop: if it crashes or hangs, so does the program. It is not
//! known to; an empty `OBSIDIAN_NVRTC` leaves nvcc, for those who cannot have that.

mod batch;
mod cache;
mod key;
mod machine;
mod round;
mod target;
mod version;

pub use crate::resources::Resources;
pub use obsidian_toolchain::{Error as CompilerError, ErrorKind as CompilerErrorKind, Form, Nvcc};
pub use target::Target;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::{Error, ErrorKind, Result};
use crate::kernel::Kernel;
use cache::{Cache, LIMIT};
use obsidian_toolchain::engine::{Engine, NvccEngine};
use obsidian_toolchain::nvrtc::Nvrtc;
use round::{Outcome, Round};
use target::Choice;

/// Kernels of one program. More save nothing: of the 17 ms that NVRTC takes for an empty program,
/// half of one is left for each.
const BATCH: usize = 32;

/// Compilers, in the order in which they are tried, and where compiled kernels are kept.
///
/// ```
/// use obsidian_rt::compile::{Compiler, Target};
/// use obsidian_rt::{TypedKernel, language::*};
///
/// let doubled = TypedKernel::build("doubled", 64, |x: DPull<EU32>| x.split_up(64).as_grid_map(|x| x.map(|x| x * 2).push()))?;
/// if let Ok(compiler) = Compiler::best() {
///     // NVRTC or nvcc is here.
///     let compiled = compiler.keeping_nothing().compile_one(doubled.kernel(), &Target::ptx(9, 0))?;
///     assert!(compiled.ptx().is_some());
/// }
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Debug)]
pub struct Compiler {
    engines: Vec<Box<dyn Engine>>,
    cache: Option<Cache>,
    /// The most bytes that are kept.
    limit: u64,
    line_info: bool,
    batch: usize,
    jobs: usize,
    warnings: Mutex<Vec<String>>,
}

/// A kernel, compiled.
///
/// ```
/// use obsidian_rt::compile::{Compiler, Target};
/// use obsidian_rt::{TypedKernel, language::*};
///
/// let doubled = TypedKernel::build("doubled", 64, |x: DPull<EU32>| x.split_up(64).as_grid_map(|x| x.map(|x| x * 2).push()))?;
/// if let Ok(compiler) = Compiler::best() {
///     // NVRTC or nvcc is here.
///     let compiled = compiler.keeping_nothing().compile_one(doubled.kernel(), &Target::ptx(9, 0))?;
///     assert!(compiled.entry().starts_with("doubled"));
/// }
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Compiled {
    entry: String,
    image: Arc<[u8]>,
    form: Form,
    architecture: String,
    kept: bool,
}

impl Compiled {
    /// The name of the kernel in the image.
    ///
    /// ```
    /// use obsidian_rt::compile::{Compiler, Target};
    /// use obsidian_rt::{TypedKernel, language::*};
    ///
    /// let doubled = TypedKernel::build("doubled", 64, |x: DPull<EU32>| x.split_up(64).as_grid_map(|x| x.map(|x| x * 2).push()))?;
    /// if let Ok(compiler) = Compiler::best() {
    ///     // NVRTC or nvcc is here.
    ///     let compiled = compiler.keeping_nothing().compile_one(doubled.kernel(), &Target::ptx(9, 0))?;
    ///     assert!(compiled.entry().starts_with("doubled"));
    /// }
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn entry(&self) -> &str {
        &self.entry
    }

    /// The bytes that the driver loads: PTX, without a zero at its end, or a cubin, which may hold other
    /// kernels too.
    ///
    /// ```
    /// use obsidian_rt::compile::{Compiler, Target};
    /// use obsidian_rt::{TypedKernel, language::*};
    ///
    /// let doubled = TypedKernel::build("doubled", 64, |x: DPull<EU32>| x.split_up(64).as_grid_map(|x| x.map(|x| x * 2).push()))?;
    /// if let Ok(compiler) = Compiler::best() {
    ///     // NVRTC or nvcc is here.
    ///     let compiled = compiler.keeping_nothing().compile_one(doubled.kernel(), &Target::ptx(9, 0))?;
    ///     assert!(!compiled.image().is_empty());
    /// }
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn image(&self) -> &[u8] {
        &self.image
    }

    /// The image, which kernels that were compiled together share.
    #[cfg(feature = "cuda")]
    pub(crate) fn into_image(self) -> Arc<[u8]> {
        self.image
    }

    /// The image as text, if it is PTX.
    ///
    /// ```
    /// use obsidian_rt::compile::{Compiler, Target};
    /// use obsidian_rt::{TypedKernel, language::*};
    ///
    /// let doubled = TypedKernel::build("doubled", 64, |x: DPull<EU32>| x.split_up(64).as_grid_map(|x| x.map(|x| x * 2).push()))?;
    /// if let Ok(compiler) = Compiler::best() {
    ///     // NVRTC or nvcc is here.
    ///     let compiled = compiler.keeping_nothing().compile_one(doubled.kernel(), &Target::ptx(9, 0))?;
    ///     assert!(compiled.ptx().unwrap().contains(".target sm_90"));
    /// }
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn ptx(&self) -> Option<&str> {
        if self.form == Form::Ptx {
            std::str::from_utf8(&self.image).ok()
        } else {
            None
        }
    }

    /// PTX or cubin.
    ///
    /// ```
    /// use obsidian_rt::compile::{Compiler, Target};
    /// use obsidian_rt::{TypedKernel, language::*};
    ///
    /// let doubled = TypedKernel::build("doubled", 64, |x: DPull<EU32>| x.split_up(64).as_grid_map(|x| x.map(|x| x * 2).push()))?;
    /// if let Ok(compiler) = Compiler::best() {
    ///     // NVRTC or nvcc is here.
    ///     let compiled = compiler.keeping_nothing().compile_one(doubled.kernel(), &Target::ptx(9, 0))?;
    ///     assert_eq!(compiled.form(), obsidian_rt::compile::Form::Ptx);
    /// }
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn form(&self) -> Form {
        self.form
    }

    /// The architecture it was compiled for: `compute_90` or `sm_90`.
    ///
    /// ```
    /// use obsidian_rt::compile::{Compiler, Target};
    /// use obsidian_rt::{TypedKernel, language::*};
    ///
    /// let doubled = TypedKernel::build("doubled", 64, |x: DPull<EU32>| x.split_up(64).as_grid_map(|x| x.map(|x| x * 2).push()))?;
    /// if let Ok(compiler) = Compiler::best() {
    ///     // NVRTC or nvcc is here.
    ///     let compiled = compiler.keeping_nothing().compile_one(doubled.kernel(), &Target::ptx(9, 0))?;
    ///     assert_eq!(compiled.architecture(), "compute_90");
    /// }
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn architecture(&self) -> &str {
        &self.architecture
    }

    /// The resources that its machine code needs; none for PTX, and for a cubin in an unknown format.
    ///
    /// ```
    /// use obsidian_rt::compile::{Compiler, Target};
    /// use obsidian_rt::{TypedKernel, language::*};
    ///
    /// let doubled = TypedKernel::build("doubled", 64, |x: DPull<EU32>| x.split_up(64).as_grid_map(|x| x.map(|x| x * 2).push()))?;
    /// if let Ok(compiler) = Compiler::best() {
    ///     // NVRTC or nvcc is here.
    ///     let compiled = compiler.keeping_nothing().compile_one(doubled.kernel(), &Target::ptx(9, 0))?;
    ///     assert!(compiled.resources().is_none()); // PTX has no machine code yet
    /// }
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn resources(&self) -> Option<Resources> {
        match self.form {
            Form::Ptx => None,
            Form::Cubin => machine::resources(&self.image, &self.entry),
        }
    }

    /// Returns `true` if it was compiled earlier and kept.
    ///
    /// ```
    /// use obsidian_rt::compile::{Compiler, Target};
    /// use obsidian_rt::{TypedKernel, language::*};
    ///
    /// let doubled = TypedKernel::build("doubled", 64, |x: DPull<EU32>| x.split_up(64).as_grid_map(|x| x.map(|x| x * 2).push()))?;
    /// if let Ok(compiler) = Compiler::best() {
    ///     // NVRTC or nvcc is here.
    ///     let compiled = compiler.keeping_nothing().compile_one(doubled.kernel(), &Target::ptx(9, 0))?;
    ///     assert!(!compiled.was_kept());
    /// }
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn was_kept(&self) -> bool {
        self.kept
    }
}

impl Compiler {
    /// The first compiler of this machine: NVRTC, then nvcc. Compiled kernels are kept in the user's folder.
    ///
    /// # Errors
    /// [`ErrorKind::NoCompiler`] if neither is there.
    ///
    /// ```
    /// use obsidian_rt::{ErrorKind, compile::Compiler};
    ///
    /// match Compiler::best() {
    ///     Ok(compiler) => println!("kernels are kept in {:?}", compiler.folder()),
    ///     Err(error) => assert_eq!(error.kind(), ErrorKind::NoCompiler),
    /// }
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn best() -> Result<Compiler> {
        let (nvrtc, nvcc) = (Nvrtc::find(), Nvcc::find());
        let mut warnings = Vec::new();
        let mut engines: Vec<Box<dyn Engine>> = Vec::new();
        match nvrtc {
            Ok(found) => engines.extend(found.map(|nvrtc| Box::new(nvrtc) as Box<dyn Engine>)),
            Err(e) => warnings.push(e.to_string()),
        }
        match nvcc {
            Ok(found) => {
                engines.extend(found.map(|nvcc| Box::new(NvccEngine::new(nvcc)) as Box<dyn Engine>))
            }
            Err(e) => warnings.push(e.to_string()),
        }
        if engines.is_empty() {
            let mut message = "there is neither NVRTC nor nvcc here: install CUDA, or set OBSIDIAN_NVRTC or OBSIDIAN_NVCC".to_owned();
            warnings
                .iter()
                .for_each(|warning| message.push_str(&format!(" ({warning})")));
            return Err(Error::new(ErrorKind::NoCompiler, message));
        }
        Ok(Compiler {
            warnings: Mutex::new(warnings),
            ..Compiler::of(engines)
        })
    }

    /// NVRTC alone.
    ///
    /// # Errors
    /// [`ErrorKind::NoCompiler`] if it is not there.
    ///
    /// ```
    /// use obsidian_rt::{ErrorKind, compile::Compiler};
    ///
    /// if let Err(error) = Compiler::nvrtc() {
    ///     assert_eq!(error.kind(), ErrorKind::NoCompiler);
    /// }
    /// ```
    pub fn nvrtc() -> Result<Compiler> {
        match Nvrtc::find() {
            Ok(Some(nvrtc)) => Ok(Compiler::of(vec![Box::new(nvrtc)])),
            Ok(None) => Err(Error::new(
                ErrorKind::NoCompiler,
                "there is no NVRTC here: install CUDA, or set OBSIDIAN_NVRTC to a libnvrtc.so",
            )),
            Err(e) => Err(Error::new(ErrorKind::NoCompiler, e.to_string())),
        }
    }

    /// One nvcc alone.
    ///
    /// ```
    /// use obsidian_rt::compile::{Compiler, Nvcc};
    ///
    /// let compiler = Compiler::nvcc(Nvcc::at("/usr/local/cuda/bin/nvcc"));
    /// assert!(compiler.warnings().is_empty());
    /// ```
    pub fn nvcc(nvcc: Nvcc) -> Compiler {
        Compiler::of(vec![Box::new(NvccEngine::new(nvcc))])
    }

    fn of(engines: Vec<Box<dyn Engine>>) -> Compiler {
        let jobs = std::thread::available_parallelism().map_or(1, usize::from);
        Compiler {
            engines,
            cache: Cache::of_user(),
            limit: LIMIT,
            line_info: false,
            batch: BATCH,
            jobs,
            warnings: Mutex::default(),
        }
    }

    /// The same, which keeps compiled kernels in this folder. Only this user may have access to it;
    /// it is made if it is not there.
    ///
    /// ```
    /// use obsidian_rt::compile::{Compiler, Nvcc};
    ///
    /// let folder = std::env::temp_dir().join("kernels");
    /// let compiler = Compiler::nvcc(Nvcc::at("nvcc")).keeping_in(&folder);
    /// assert_eq!(compiler.folder(), Some(folder.as_path()));
    /// ```
    #[must_use]
    pub fn keeping_in(mut self, folder: impl Into<PathBuf>) -> Compiler {
        self.cache = Some(Cache::at(folder.into()).with_limit(self.limit));
        self
    }

    /// The same, which removes what was not used for the longest time when compiled kernels come to
    /// more bytes than these; 256 MiB by default. Who shares a folder should say the same: it is
    /// cleaned by each process that writes to it.
    ///
    /// ```
    /// use obsidian_rt::compile::{Compiler, Nvcc};
    ///
    /// let compiler = Compiler::nvcc(Nvcc::at("nvcc")).keeping_in("kernels").keeping_at_most(1 << 20);
    /// assert!(compiler.folder().is_some());
    /// ```
    #[must_use]
    pub fn keeping_at_most(mut self, bytes: u64) -> Compiler {
        self.limit = bytes;
        self.cache = self.cache.map(|cache| cache.with_limit(bytes));
        self
    }

    /// The same, which keeps nothing.
    ///
    /// ```
    /// use obsidian_rt::compile::{Compiler, Nvcc};
    ///
    /// let compiler = Compiler::nvcc(Nvcc::at("nvcc")).keeping_nothing();
    /// assert_eq!(compiler.folder(), None);
    /// ```
    #[must_use]
    pub fn keeping_nothing(mut self) -> Compiler {
        self.cache = None;
        self
    }

    /// The same, whose code says from which line of the user's source each instruction comes, for profilers and debuggers: it compiles
    /// [`Kernel::cuda_with_lines`] with `-lineinfo`, and without the feature `run-time`, which that needs, the CUDA text, whose lines are then those that are named. The
    /// instructions are the same. A GPU compiles its kernels so if the environment variable
    /// `OBSIDIAN_LINEINFO` is `1`.
    ///
    /// ```
    /// use obsidian_rt::compile::{Compiler, Nvcc};
    ///
    /// let compiler = Compiler::nvcc(Nvcc::at("nvcc")).with_line_info();
    /// assert!(compiler.warnings().is_empty());
    /// ```
    #[must_use]
    pub fn with_line_info(mut self) -> Compiler {
        self.line_info = true;
        #[cfg(not(feature = "run-time"))]
        self.warn(
            "code names the lines of the CUDA text: for those of the Rust source, `obsidian-rt` needs its feature `run-time`".to_owned(),
        );
        self.engines
            .iter_mut()
            .for_each(|engine| engine.add_line_info());
        self
    }

    /// The same, with at most `kernels` kernels in one program; 32 by default, 1 at least.
    ///
    /// ```
    /// use obsidian_rt::compile::{Compiler, Nvcc};
    ///
    /// let compiler = Compiler::nvcc(Nvcc::at("nvcc")).in_batches_of(8);
    /// assert!(compiler.warnings().is_empty());
    /// ```
    #[must_use]
    pub fn in_batches_of(mut self, kernels: usize) -> Compiler {
        self.batch = kernels.max(1);
        self
    }

    /// The same, with at most `programs` programs compiled at once; as many as there are cores by
    /// default, 1 at least. Each nvcc is a process, each program of NVRTC a thread; NVRTC from
    /// before CUDA 12.3 compiles one at a time in any case.
    ///
    /// ```
    /// use obsidian_rt::compile::{Compiler, Nvcc};
    ///
    /// let compiler = Compiler::nvcc(Nvcc::at("nvcc")).with_jobs(2);
    /// assert!(compiler.warnings().is_empty());
    /// ```
    #[must_use]
    pub fn with_jobs(mut self, jobs: usize) -> Compiler {
        self.jobs = jobs.max(1);
        self
    }

    /// The folder where compiled kernels are kept.
    ///
    /// ```
    /// use obsidian_rt::compile::{Compiler, Nvcc};
    ///
    /// let compiler = Compiler::nvcc(Nvcc::at("nvcc")).keeping_in("kernels");
    /// assert_eq!(compiler.folder(), Some("kernels".as_ref()));
    /// ```
    pub fn folder(&self) -> Option<&Path> {
        self.cache.as_ref().map(Cache::path)
    }

    /// Warnings, each once: a folder that cannot be used, a compiler that
    /// broke down while another one did not.
    ///
    /// ```
    /// use obsidian_rt::compile::{Compiler, Nvcc};
    ///
    /// assert!(Compiler::nvcc(Nvcc::at("nvcc")).keeping_nothing().warnings().is_empty());
    /// ```
    pub fn warnings(&self) -> Vec<String> {
        self.warnings
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn warn(&self, warning: String) {
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }

    /// Compiles one kernel, or takes it from those that are kept.
    ///
    /// # Errors
    /// [`ErrorKind::NoTarget`] if no compiler makes code for the target, [`ErrorKind::Compile`] if
    /// the kernel is refused or the compiler breaks down.
    ///
    /// ```
    /// use obsidian_rt::compile::{Compiler, Target};
    /// use obsidian_rt::{TypedKernel, language::*};
    ///
    /// let doubled = TypedKernel::build("doubled", 64, |x: DPull<EU32>| x.split_up(64).as_grid_map(|x| x.map(|x| x * 2).push()))?;
    /// if let Ok(compiler) = Compiler::best() {
    ///     // NVRTC or nvcc is here.
    ///     let compiled = compiler.keeping_nothing().compile_one(doubled.kernel(), &Target::ptx(9, 0))?;
    ///     assert_eq!(compiled.architecture(), "compute_90");
    /// }
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn compile_one(&self, kernel: &Kernel, target: &Target) -> Result<Compiled> {
        let internal = || {
            Err(
                Error::new(ErrorKind::Internal, "one kernel was compiled to none")
                    .of(kernel.name()),
            )
        };
        self.compile(&[kernel], target)?
            .pop()
            .unwrap_or_else(internal)
    }

    /// Compiles kernels, in batches; those that are kept are not compiled again. The results are in
    /// the order of the kernels, and one that is refused does not keep the others from being
    /// compiled.
    ///
    /// # Errors
    /// [`ErrorKind::NoTarget`] if no compiler makes code for the target; and for each kernel as
    /// [`compile_one`](Compiler::compile_one).
    ///
    /// ```
    /// use obsidian_rt::compile::{Compiler, Target};
    /// use obsidian_rt::{TypedKernel, language::*};
    ///
    /// let doubled = TypedKernel::build("doubled", 64, |x: DPull<EU32>| x.split_up(64).as_grid_map(|x| x.map(|x| x * 2).push()))?;
    /// if let Ok(compiler) = Compiler::best() {
    ///     // NVRTC or nvcc is here.
    ///     let compiled = compiler.keeping_nothing().compile(&[doubled.kernel()], &Target::ptx(9, 0))?;
    ///     assert!(compiled[0].is_ok());
    /// }
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn compile(&self, kernels: &[&Kernel], target: &Target) -> Result<Vec<Result<Compiled>>> {
        let mut outcomes: Vec<Option<Outcome>> = kernels.iter().map(|_| None).collect();
        let mut names = Vec::new();
        for (engine, choice) in self.choices(target)? {
            // Those of the compiler before this one that broke down, or all.
            let open: Vec<usize> = (0..kernels.len())
                .filter(|&n| outcomes[n].as_ref().is_none_or(Outcome::is_breakdown))
                .collect();
            if open.is_empty() {
                break;
            }
            let broken = open
                .iter()
                .find_map(|&n| outcomes[n].as_ref().and_then(Outcome::words));
            if let Some(words) = broken {
                self.warn(format!("{} is used instead: {words}", engine.name()));
            }
            let (cache, warn) = (self.cache.as_ref(), |warning| self.warn(warning));
            let round = Round {
                engine,
                choice: &choice,
                cache,
                line_info: self.line_info,
                largest: self.batch,
                jobs: self.jobs,
                warn: &warn,
            };
            let open_kernels: Vec<&Kernel> = open.iter().map(|&n| kernels[n]).collect();
            for (n, outcome) in open.into_iter().zip(round.run(&open_kernels)) {
                outcomes[n] = Some(outcome);
            }
            names.push(engine.name());
        }
        let finish = |(kernel, outcome): (&&Kernel, Option<Outcome>)| {
            let result = outcome.map_or_else(
                || Err(Error::new(ErrorKind::Internal, "it was not compiled")),
                Outcome::into_result,
            );
            let compiled = result.map_err(|error| error.of(kernel.name()))?;
            if let Some(ptx) = compiled.ptx() {
                target
                    .check(ptx, &names.join(", "))
                    .map_err(|error| error.of(kernel.name()))?;
            }
            Ok(compiled)
        };
        Ok(kernels.iter().zip(outcomes).map(finish).collect())
    }

    /// What compiles for a target, in words, such as `NVRTC 13.0 for sm_90`; and what tells its builds apart.
    ///
    /// # Errors
    /// [`ErrorKind::NoTarget`] if no compiler makes code for the target.
    #[cfg(feature = "explore")]
    pub(crate) fn words(&self, target: &Target) -> Result<(String, String)> {
        let choices = self.choices(target)?;
        // Others are for when it breaks down.
        let words = choices
            .first()
            .map(|(engine, choice)| format!("{} for {}", engine.name(), choice.architecture));
        let facts = choices.iter().map(|(engine, _)| engine.facts());
        let identities = facts.map(|facts| facts.ok().and_then(|facts| facts.identity.clone()));
        Ok((
            words.unwrap_or_default(),
            format!("{:?}", identities.collect::<Vec<_>>()),
        ))
    }

    /// The compilers that make code for a target, and what each is to make. One that does not even
    /// say what it is gets out of the way.
    fn choices(&self, target: &Target) -> Result<Vec<(&dyn Engine, Choice)>> {
        let (mut choices, mut refusal) = (Vec::new(), None);
        for engine in &self.engines {
            let chosen = match engine.facts() {
                Ok(facts) => target.choose(&engine.name(), facts.release, &facts.architectures),
                Err(e) => Err(Error::compiler_failed(e)),
            };
            match chosen {
                Ok(choice) => choices.push((&**engine, choice)),
                Err(e) => {
                    if self.engines.len() > 1 {
                        self.warn(e.to_string());
                    }
                    refusal.get_or_insert(e);
                }
            }
        }
        match refusal {
            Some(refusal) if choices.is_empty() => Err(refusal),
            _ => Ok(choices),
        }
    }
}
