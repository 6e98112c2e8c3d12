//! Kernels as values.

/// What a kernel has that was built while the program runs: nothing without the feature `run-time`.
#[cfg(not(feature = "run-time"))]
#[path = "kernel/absent.rs"]
mod made;
#[cfg(feature = "run-time")]
mod made;
#[cfg(feature = "run-time")]
mod without_wait;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use obsidian_base::launch::{Checks, Interface};

use crate::generated::{Function, Images, Source};
use made::Made;

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
    made: Made,
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
        Kernel::new(
            Cow::Borrowed(&source.interface),
            Some(source),
            Made::default(),
        )
    }

    fn new(
        interface: Cow<'static, Interface>,
        source: Option<&'static Source>,
        made: Made,
    ) -> Self {
        Kernel {
            inner: Arc::new(Inner {
                interface,
                source,
                made,
            }),
        }
    }

    /// The source, if the texts are the macro's.
    fn text(&self) -> Option<&'static Source> {
        self.inner.source.filter(|_| !self.inner.made.is_native())
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
        match self.text() {
            Some(source) => source.cuda,
            None => self.inner.made.cuda(),
        }
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
        match self.text() {
            Some(source) => source.manifest,
            None => {
                let hash = self.inner.source.map_or("", |source| source.hash);
                self.inner.made.manifest(&self.inner.interface, hash)
            }
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
        self.text()
            .and_then(|source| source.built)
            .filter(|built| !built.file.is_empty())
            .map(|built| built.file.as_ref())
    }

    /// The CUDA text as the build script has compiled it, as PTX for the first of its architectures; none without `#[kernels(built)]`,
    /// without a compiler, or where it has compiled machine code.
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
        let mut texts = self.images().iter().map(|(_, ptx, _)| *ptx);
        texts.find(|ptx| !ptx.is_empty())
    }

    /// What the build script has compiled, for an architecture each.
    pub(crate) fn images(&self) -> Images {
        let built = self.text().and_then(|source| source.built);
        built.map_or(&[], |built| built.images)
    }

    /// Is it one of this library, such as those of its algorithms?
    #[cfg(feature = "cuda")]
    pub(crate) fn is_of_library(&self) -> bool {
        let source = self.text();
        source.is_some_and(|source| source.module.starts_with("obsidian_rt::"))
    }

    /// Was it built while the program runs?
    #[cfg(feature = "cuda")]
    pub(crate) fn is_native(&self) -> bool {
        self.inner.made.is_native()
    }

    /// The name of the CUDA function.
    #[cfg(feature = "compile")]
    pub(crate) fn symbol(&self) -> Cow<'static, str> {
        match self.text() {
            Some(source) => Cow::Borrowed(source.symbol),
            None => Cow::Owned(self.inner.made.symbol()),
        }
    }

    /// What the CUDA text checks, by its numbers.
    pub(crate) fn checks(&self) -> &Checks {
        match self.text() {
            Some(source) => &source.checks,
            None => self.inner.made.checks(),
        }
    }

    /// What the function for the CPU checks, which the macro has made for any number of threads.
    pub(crate) fn checks_of_cpu(&self) -> &Checks {
        match self.inner.source {
            Some(source) => &source.checks,
            None => self.inner.made.checks(),
        }
    }

    /// Bytes of shared memory that a block needs. A GPU may have less: above 48 KiB, which all
    /// have, only if the kernel allows itself more, by `#[kernel(shared_bytes = ..)]` or
    /// [`Limits`](crate::Limits).
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

    /// The interface that a launch needs. For backends and tests.
    #[doc(hidden)]
    pub fn interface(&self) -> &Interface {
        &self.inner.interface
    }

    /// What runs it on the CPU. It does not depend on the number of threads.
    pub(crate) fn cpu(&self) -> Option<Function> {
        self.inner.source.and_then(|source| source.cpu)
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
