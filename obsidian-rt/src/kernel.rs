//! Kernels as values.

mod without_wait;

use std::borrow::Cow;
use std::fmt;
use std::panic::catch_unwind;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use obsidian_core::emit::{cuda, cuda_debug, cuda_with_lines, manifest};
use obsidian_core::error::Diagnostics;
use obsidian_core::ir::{Lowered, MAX_THREADS};
use obsidian_core::lower::Builder;
use obsidian_core::pipeline;
use obsidian_core::plan::{Interface, Limits, Plan};

use crate::backend::columns::{self, Program};
use crate::error::{Error, ErrorKind, Result};
use crate::generated::{Function, Source};

/// A kernel: its texts, what it needs, and how it is run. It is cheap to clone.
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
/// assert_eq!((kernel.name(), kernel.threads(), kernel.shared_bytes()), ("doubled", 64, 0));
/// println!("{} on {}", kernel.cuda(), device.name());
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "CUfunction")]
#[derive(Clone)]
pub struct Kernel {
    inner: Arc<Inner>,
}

struct Inner {
    interface: Cow<'static, Interface>,
    source: Option<&'static Source>,
    /// Was it built while the program runs? Then the texts come from the plan, else from the
    /// source.
    native: bool,
    plan: OnceLock<Plan>,
    /// The plan as the CPU runs it where there is no CPU function.
    columns: OnceLock<Program>,
    cuda: OnceLock<String>,
    manifest: OnceLock<String>,
    /// Built for other numbers of threads.
    others: Mutex<Vec<Kernel>>,
}

impl Kernel {
    /// Is it the same kernel, and not one that is equal?
    #[cfg(feature = "cuda")]
    pub(crate) fn is(&self, other: &Kernel) -> bool {
        let source = |kernel: &Kernel| kernel.inner.source.map(std::ptr::from_ref);
        Arc::ptr_eq(&self.inner, &other.inner)
            || source(self).is_some()
                && source(self) == source(other)
                && self.threads() == other.threads()
                && self.cuda() == other.cuda()
    }

    /// The kernel that the macro has made.
    pub(crate) fn of_source(source: &'static Source) -> Self {
        Kernel::new(Cow::Borrowed(&source.interface), Some(source), None)
    }

    fn new(
        interface: Cow<'static, Interface>,
        source: Option<&'static Source>,
        plan: Option<Plan>,
    ) -> Self {
        let native = plan.is_some();
        let plan = plan.map_or_else(OnceLock::new, OnceLock::from);
        Kernel {
            inner: Arc::new(Inner {
                interface,
                source,
                native,
                plan,
                columns: OnceLock::new(),
                cuda: OnceLock::new(),
                manifest: OnceLock::new(),
                others: Mutex::default(),
            }),
        }
    }

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

    fn planned(plan: Plan, source: Option<&'static Source>) -> Result<Kernel> {
        let name = plan.kernel().name.clone();
        let interface = plan
            .interface()
            .map_err(|diagnostic| Error::diagnostic(diagnostic).of(&name))?;
        Ok(Kernel::new(Cow::Owned(interface), source, Some(plan)))
    }

    /// The name: that of the function, and behind it the values if there are several
    /// [variants](crate::Variant).
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
    /// assert_eq!(example::doubled::kernel().name(), "doubled");
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn name(&self) -> &str {
        &self.inner.interface.name
    }

    /// The CUDA text.
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
    /// assert!(example::doubled::kernel().cuda().contains("__global__ void __launch_bounds__(64) doubled("));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn cuda(&self) -> &str {
        self.text(&self.inner.cuda, |source| source.cuda, cuda)
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
        self.plan().map(cuda_with_lines)
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
        self.plan().map(cuda_debug)
    }

    /// The manifest beside the CUDA text, as JSON.
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
    /// assert!(example::doubled::kernel().manifest().contains("\"doubled\""));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn manifest(&self) -> &str {
        let hash = self.inner.source.map_or("", |source| source.hash);
        self.text(
            &self.inner.manifest,
            |source| source.manifest,
            |plan| manifest(plan, &self.inner.interface, hash),
        )
    }

    fn text<'a>(
        &'a self,
        kept: &'a OnceLock<String>,
        known: impl Fn(&Source) -> &'static str,
        made: impl Fn(&Plan) -> String,
    ) -> &'a str {
        match (self.inner.source, self.inner.plan.get()) {
            (_, Some(plan)) if self.inner.native => kept.get_or_init(|| made(plan)),
            (Some(source), _) => known(source),
            (None, _) => "",
        }
    }

    /// Where the build script has written the CUDA text; none without `#[kernels(built)]`.
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
    /// assert_eq!(example::doubled::kernel().cuda_file(), None); // `#[kernels]`, and no build script
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn cuda_file(&self) -> Option<&std::path::Path> {
        self.inner
            .source
            .filter(|_| !self.inner.native)
            .and_then(|source| source.built)
            .filter(|built| !built.file.is_empty())
            .map(|built| built.file.as_ref())
    }

    /// The CUDA text as the build script has compiled it; none without `#[kernels(built)]` or
    /// without nvcc.
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
    /// assert_eq!(example::doubled::kernel().ptx(), None); // `#[kernels]`, and no build script
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn ptx(&self) -> Option<&str> {
        self.inner
            .source
            .filter(|_| !self.inner.native)
            .and_then(|source| source.built)?
            .ptx
    }

    /// Is it one of this library, such as those of its algorithms?
    #[cfg(feature = "cuda")]
    pub(crate) fn is_of_library(&self) -> bool {
        let source = self.inner.source.filter(|_| !self.inner.native);
        source.is_some_and(|source| source.module.starts_with("obsidian_rt::"))
    }

    /// Was it built while the program runs?
    #[cfg(feature = "cuda")]
    pub(crate) fn is_native(&self) -> bool {
        self.inner.native
    }

    /// Bytes of shared memory that a block needs. A GPU may have less: above 48 KiB, which all
    /// have, only if the kernel allows itself more, by `#[kernel(shared_bytes = ..)]` or
    /// [`Limits`].
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
    /// assert_eq!(example::reversed::kernel().shared_bytes(), 4 * 64);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn shared_bytes(&self) -> u32 {
        self.inner.interface.shared_bytes
    }

    /// The number of barriers of a block (`__syncthreads`) in the CUDA text; one
    /// in a loop counts once.
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
    /// // One before the reads, and one before the next piece is stored in the same place.
    /// assert_eq!(example::reversed::kernel().barriers(), 2);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn barriers(&self) -> u32 {
        self.inner.interface.barriers
    }

    /// The number of barriers of a warp (`__syncwarp`) in the CUDA text; one
    /// in a loop counts once.
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
    ///     #[kernel(threads = 32)] // a block of one warp
    ///     pub fn reversed(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(32).as_grid_map(|x| exec_block(stored(x)))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let kernel = example::reversed::kernel();
    /// assert_eq!((kernel.barriers(), kernel.warp_waits()), (0, 2));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn warp_waits(&self) -> u32 {
        self.inner.interface.warp_waits
    }

    /// Real threads of a block.
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
    /// assert_eq!(example::doubled::kernel().threads(), 64);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn threads(&self) -> u32 {
        self.inner.interface.threads
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
        let others = self.inner.others.lock();
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
        if let Some(plan) = self.inner.plan.get() {
            return Ok(plan);
        }
        let Some(source) = self.inner.source else {
            return Err(
                Error::new(ErrorKind::NoSource, "it has neither a plan nor source").of(self.name()),
            );
        };
        let plan = self.build(source, self.threads())?;
        Ok(self.inner.plan.get_or_init(|| plan))
    }

    /// The kernel before its threads are made concrete. For tests.
    #[doc(hidden)]
    ///
    /// # Errors
    /// [`ErrorKind::NoSource`] if the kernel cannot be built here, or why it does not build.
    pub fn lowered(&self) -> Result<&obsidian_core::ir::Kernel<Lowered>> {
        self.plan().map(Plan::lowered)
    }

    /// The interface that a launch needs. For backends and tests.
    #[doc(hidden)]
    pub fn interface(&self) -> &Interface {
        &self.inner.interface
    }

    /// The plan, compiled for the CPU when that is first asked for.
    pub(crate) fn columns(&self) -> Result<&Program> {
        if let Some(program) = self.inner.columns.get() {
            return Ok(program);
        }
        let program = columns::compile(self.plan()?)?;
        Ok(self.inner.columns.get_or_init(|| program))
    }

    /// What runs it on the CPU. It does not depend on the number of threads.
    pub(crate) fn cpu(&self) -> Option<Function> {
        self.inner.source.and_then(|source| source.cpu)
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

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernel")
            .field("name", &self.name())
            .field("threads", &self.threads())
            .finish_non_exhaustive()
    }
}
