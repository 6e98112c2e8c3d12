//! Variants: one kernel at several values of its specialisation parameters and numbers of threads.

use std::fmt;

use obsidian_base::variants::{self, Tuned, TunedError, Value};

use crate::generated::{Chosen, Source};
use crate::kernel::Kernel;

/// One variant of a kernel, as its module's `variants()` lists them.
///
/// A kernel has one for each combination of the values that `#[kernel(..)]` gives to its
/// specialisation parameters, the integers and booleans of the host with which its signature
/// begins, and to `threads`. All of them were evaluated and checked when the crate was compiled,
/// and all run on every device.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// pub mod sums {
///     #[kernel(threads = [32, 64], seq = [4, 8])]
///     pub fn sums(seq: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
///         input.split_up(64 * seq).as_grid_map(|piece| {
///             piece.split_up(seq).as_block_map(|run| exec_thread_value(seq_reduce(|a, b| a + b, run)))
///         })
///     }
/// }
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let names: Vec<&str> = sums::sums::variants().iter().map(|variant| variant.name()).collect();
/// assert_eq!(names, ["sums_threads32_seq4", "sums_threads32_seq8", "sums_threads64_seq4", "sums_threads64_seq8"]);
/// let device = Device::best()?;
/// let input = device.upload(&[1u32; 512])?;
/// for variant in sums::sums::variants() {
///     let seq = variant.value("seq").and_then(|seq| seq.integer()).unwrap_or(0) as u32;
///     let output = sums::sums::launch_variant(variant, &device, &input)?;
///     assert_eq!(output.to_vec()?, vec![seq; 512 / seq as usize]);
/// }
/// # Ok(())
/// # }
/// ```
pub struct Variant {
    function: &'static str,
    values: &'static [(&'static str, Value)],
    source: Source,
}

impl Variant {
    /// Its name, which is that of its CUDA function too. A kernel with one variant is called as the
    /// function is.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = [32, 64])]
    ///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(64).as_grid_map(|x| x.map(|x| 2 * x).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let names: Vec<_> = example::doubled::variants().iter().map(|variant| variant.name()).collect();
    /// assert_eq!(names, ["doubled_threads32", "doubled_threads64"]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn name(&self) -> &str {
        &self.source.interface.name
    }

    /// The name of the kernel, without values.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = [32, 64])]
    ///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(64).as_grid_map(|x| x.map(|x| 2 * x).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// assert_eq!(example::doubled::variants()[1].function(), "doubled");
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn function(&self) -> &'static str {
        self.function
    }

    /// The value of each parameter, by name; `threads` is the first.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64, piece = [128, 256])]
    ///     pub fn doubled(piece: u32, x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(piece).as_grid_map(|x| x.map(|x| 2 * x).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let names: Vec<_> = example::doubled::variants()[0].values().iter().map(|(name, _)| *name).collect();
    /// assert_eq!(names, ["threads", "piece"]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn values(&self) -> &'static [(&'static str, Value)] {
        self.values
    }

    /// The value of one parameter; none if there is no such parameter.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64, piece = [128, 256])]
    ///     pub fn doubled(piece: u32, x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(piece).as_grid_map(|x| x.map(|x| 2 * x).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let variant = &example::doubled::variants()[1];
    /// assert_eq!(variant.value("piece").and_then(|piece| piece.integer()), Some(256));
    /// assert_eq!(variant.value("pieces"), None);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn value(&self, name: &str) -> Option<Value> {
        self.values
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| *value)
    }

    /// Real threads of a block.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = [32, 64])]
    ///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(64).as_grid_map(|x| x.map(|x| 2 * x).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// assert_eq!(example::doubled::variants()[1].threads(), 64);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn threads(&self) -> u32 {
        self.source.interface.threads
    }

    /// The CUDA text.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = [32, 64])]
    ///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(64).as_grid_map(|x| x.map(|x| 2 * x).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// assert!(example::doubled::variants()[1].cuda().contains("__launch_bounds__(64)"));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn cuda(&self) -> &'static str {
        self.source.cuda
    }

    /// The hash of the module's tokens, as tuned files have it.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = [32, 64])]
    ///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(64).as_grid_map(|x| x.map(|x| 2 * x).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let variants = example::doubled::variants();
    /// assert_eq!(variants[0].source_hash(), variants[1].source_hash()); // of one module
    /// assert_eq!(variants[0].source_hash().len(), 16);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn source_hash(&self) -> &'static str {
        self.source.hash
    }

    /// The variant as a kernel: its texts, and what it needs.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = [32, 64])]
    ///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(64).as_grid_map(|x| x.map(|x| 2 * x).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// assert_eq!(example::doubled::variants()[1].kernel().threads(), 64);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn kernel(&'static self) -> Kernel {
        crate::generated::kernel(&self.source)
    }

    /// Notes in a tuned file that this variant is the best on a device (none: on any that has no
    /// lines of its own), for launches whose longest array has `from` elements or more.
    ///
    /// # Errors
    /// A name of a device with control characters.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = [32, 64])]
    ///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(64).as_grid_map(|x| x.map(|x| 2 * x).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let mut tuned = obsidian_rt::Tuned::new();
    /// example::doubled::variants()[1].choose_in(&mut tuned, None, 1000).unwrap();
    /// assert!(tuned.to_string().contains("any from 1000: threads = 64"));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn choose_in(
        &self,
        tuned: &mut Tuned,
        device: Option<&str>,
        from: u64,
    ) -> Result<(), TunedError> {
        tuned.choose(self.function, self.source.hash, device, from, self.values)
    }
}

/// The values: `threads = 64, seq = 8`.
impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&variants::text(self.values))
    }
}

impl fmt::Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Variant")
            .field("name", &self.name())
            .finish_non_exhaustive()
    }
}

/// A variant as the macro has made it. For generated code.
pub const fn variant(
    function: &'static str,
    values: &'static [(&'static str, Value)],
    source: Source,
) -> Variant {
    Variant {
        function,
        values,
        source,
    }
}

/// The variant that tuning has chosen for a device, if it is known, and for arrays of these
/// lengths, else the first. For generated code.
pub fn pick<const N: usize>(
    all: &'static [Variant; N],
    chosen: Chosen,
    device: Option<&str>,
    lengths: &[usize],
) -> &'static Variant {
    let size = match device {
        Some(_) => lengths.iter().copied().max().unwrap_or(0) as u64,
        // No launch to go by: the choice for the largest arrays.
        None => u64::MAX,
    };
    variants::pick(chosen, device, size)
        .and_then(|n| all.get(n))
        .unwrap_or(&all[0])
}
