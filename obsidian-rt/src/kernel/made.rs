//! Kernels that are built while the program runs: those of its closures, and those of the macro for another number of threads.

use std::borrow::Cow;
use std::panic::catch_unwind;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use obsidian_base::launch::{Checks, Interface, Limits, MAX_THREADS};
use obsidian_core::emit;
use obsidian_core::pipeline;
use obsidian_core::plan::Plan;
use obsidian_language::error::Diagnostics;
use obsidian_language::ir::Lowered;
use obsidian_language::reify::Builder;

use super::Kernel;
use crate::backend::columns::{self, Program};
use crate::error::{Error, ErrorKind, Result};
use crate::generated::Source;

/// What was built of a kernel while the program runs.
#[derive(Default)]
pub(super) struct Made {
    /// Are its texts those of its plan? Else they are those of its source.
    native: bool,
    plan: OnceLock<Plan>,
    /// The plan as the CPU runs it where there is no CPU function.
    columns: OnceLock<Program>,
    cuda: OnceLock<String>,
    manifest: OnceLock<String>,
    checks: OnceLock<Checks>,
    /// Built for other numbers of threads.
    others: Mutex<Vec<Kernel>>,
}

impl Made {
    fn of(plan: Plan) -> Self {
        Made {
            native: true,
            plan: OnceLock::from(plan),
            ..Made::default()
        }
    }

    /// Was the kernel built while the program runs?
    pub(super) fn is_native(&self) -> bool {
        self.native
    }

    pub(super) fn cuda(&self) -> &str {
        let text = |plan: &Plan| self.cuda.get_or_init(|| emit::cuda(plan)).as_str();
        self.plan.get().map_or("", text)
    }

    pub(super) fn manifest(&self, interface: &Interface, hash: &str) -> &str {
        let text = |plan: &Plan| {
            let made = || emit::manifest(plan, interface, hash);
            self.manifest.get_or_init(made).as_str()
        };
        self.plan.get().map_or("", text)
    }

    /// The name of the CUDA function.
    #[cfg(feature = "compile")]
    pub(super) fn symbol(&self) -> String {
        let name = |plan: &Plan| emit::symbol(&plan.kernel().name);
        self.plan.get().map(name).unwrap_or_default()
    }

    /// What the texts check.
    pub(super) fn checks(&self) -> &Checks {
        let made = || self.plan.get().map(emit::checks).unwrap_or_default();
        self.checks.get_or_init(made)
    }
}

impl Kernel {
    /// A kernel that was built while the program runs. It runs on every device.
    ///
    /// # Errors
    /// [`ErrorKind::Build`] if a length in the plan is not one that a launch can work out.
    #[doc(hidden)]
    pub fn from_plan(plan: Plan) -> Result<Kernel> {
        Kernel::planned(plan, None)
    }

    /// A kernel that a function of the program describes.
    pub(crate) fn of_closure(
        name: &str,
        limits: Limits,
        f: impl FnOnce(&mut Builder),
    ) -> Result<Kernel> {
        let build = std::panic::AssertUnwindSafe(|| crate::generated::build(name, limits, f));
        Kernel::planned(built(name, catch_unwind(build))?, None)
    }

    pub(super) fn planned(plan: Plan, source: Option<&'static Source>) -> Result<Kernel> {
        let name = plan.kernel().name.clone();
        let interface = plan
            .interface()
            .map_err(|diagnostic| Error::diagnostic(diagnostic).of(&name))?;
        Ok(Kernel::new(Cow::Owned(interface), source, Made::of(plan)))
    }

    /// The CUDA text with `#line` directives: each statement says from which line of your source it comes, where that is known. Compiled with
    /// `-lineinfo`, its code names these lines, for profilers and debuggers. All else is as in [`cuda`](Kernel::cuda).
    ///
    /// A GPU runs kernels so if the environment variable `OBSIDIAN_LINEINFO` is `1`; for that they are compiled while the program runs.
    ///
    /// # Errors
    /// As [`with_threads`](Kernel::with_threads): the kernel is built now.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(64).as_grid_map(|x| x.map(|x| 2 * x).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// assert!(example::doubled::kernel().cuda_with_lines()?.contains("#line "));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn cuda_with_lines(&self) -> Result<String> {
        self.plan().map(emit::cuda_with_lines)
    }

    /// The CUDA text in the debug layout: each shared array, and each warp's copy, in memory of its
    /// own, so that compute-sanitizer or an address sanitizer finds an index that is outside of its
    /// array. It has `#line` directives as [`cuda_with_lines`](Kernel::cuda_with_lines). All else is as in [`cuda`](Kernel::cuda).
    ///
    /// # Errors
    /// As [`with_threads`](Kernel::with_threads): the kernel is built now.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     fn stored(x: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
    ///         let x = compute(x)?;
    ///         pure(x.reverse().push())
    ///     }
    ///
    ///     #[kernel(threads = 64)]
    ///     pub fn reversed(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(64).as_grid_map(|x| exec_block(stored(x)))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let kernel = example::reversed::kernel();
    /// assert_ne!(kernel.cuda_debug()?, kernel.cuda());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn cuda_debug(&self) -> Result<String> {
        self.plan().map(emit::cuda_debug)
    }

    /// The same kernel for another number of real threads per block, 1 to 1,024; built now, by the
    /// program itself, and kept for the next call with that number.
    ///
    /// # Errors
    /// [`ErrorKind::Build`] if it cannot be built for that number.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(64).as_grid_map(|x| x.map(|x| 2 * x).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let kernel = example::doubled::kernel();
    /// assert_eq!(kernel.with_threads(128)?.threads(), 128);
    /// assert!(kernel.with_threads(2000).is_err());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn with_threads(&self, threads: u32) -> Result<Kernel> {
        if threads == 0 || threads > MAX_THREADS {
            let message = format!("a block has 1 to {MAX_THREADS} threads, not {threads}");
            return Err(Error::new(ErrorKind::Build, message)
                .of(self.name())
                .exceeded(threads.into(), MAX_THREADS.into()));
        }
        let known = |others: &Vec<Kernel>| {
            let mut others = others.iter();
            others.find(|other| other.threads() == threads).cloned()
        };
        if let Some(known) = known(&self.others()) {
            return Ok(known);
        }
        // Built without the lock: of two threads that build it at once, the later one's is kept, too.
        let other = match self.inner.source {
            Some(source) => Kernel::planned(self.build(source, threads)?, Some(source))?,
            None => {
                let plan = pipeline::with_threads(self.plan()?, threads);
                let plan = plan.map_err(|diagnostics| Error::build(diagnostics).of(self.name()))?;
                Kernel::planned(plan, None)?
            }
        };
        self.others().push(other.clone());
        Ok(other)
    }

    /// The same kernel for other numbers of threads, as far as it was asked for.
    fn others(&self) -> MutexGuard<'_, Vec<Kernel>> {
        let others = self.inner.made.others.lock();
        others.unwrap_or_else(PoisonError::into_inner)
    }

    /// The same kernel, built now by the program itself instead of by the macro. The texts are the
    /// same.
    ///
    /// # Errors
    /// As [`with_threads`](Kernel::with_threads).
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(64).as_grid_map(|x| x.map(|x| 2 * x).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let kernel = example::doubled::kernel();
    /// assert_eq!(kernel.native()?.cuda(), kernel.cuda()); // byte for byte
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn native(&self) -> Result<Kernel> {
        self.with_threads(self.threads())
    }

    /// Builds from source. The user's function runs, and what it panics with is an error.
    fn build(&self, source: &'static Source, threads: u32) -> Result<Plan> {
        built(self.name(), catch_unwind(|| (source.build)(threads)))
    }

    /// The plan, built when it is first asked for. For backends and tests.
    ///
    /// # Errors
    /// As [`with_threads`](Kernel::with_threads).
    #[doc(hidden)]
    pub fn plan(&self) -> Result<&Plan> {
        if let Some(plan) = self.inner.made.plan.get() {
            return Ok(plan);
        }
        let Some(source) = self.inner.source else {
            return Err(
                Error::new(ErrorKind::NoSource, "it has neither a plan nor source").of(self.name()),
            );
        };
        let plan = self.build(source, self.threads())?;
        Ok(self.inner.made.plan.get_or_init(|| plan))
    }

    /// The kernel before its threads are made concrete. For tests.
    #[doc(hidden)]
    ///
    /// # Errors
    /// [`ErrorKind::NoSource`] if the kernel cannot be built here, or why it does not build.
    pub fn lowered(&self) -> Result<&obsidian_language::ir::Kernel<Lowered>> {
        self.plan().map(Plan::lowered)
    }

    /// The plan, compiled for the CPU when that is first asked for.
    pub(crate) fn columns(&self) -> Result<&Program> {
        if let Some(program) = self.inner.made.columns.get() {
            return Ok(program);
        }
        let program = columns::compile(self.plan()?)?;
        Ok(self.inner.made.columns.get_or_init(|| program))
    }
}

/// What came of a build that runs code of the user.
fn built(
    name: &str,
    result: std::thread::Result<std::result::Result<Plan, Diagnostics>>,
) -> Result<Plan> {
    match result {
        Ok(built) => built.map_err(|diagnostics| Error::build(diagnostics).of(name)),
        Err(payload) => {
            let message = format!(
                "it panicked while it was built: {}",
                crate::backend::panic_message(&*payload)
            );
            Err(Error::new(ErrorKind::Build, message).of(name))
        }
    }
}
