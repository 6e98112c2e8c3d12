//! Choosing a variant while the program runs, by a tuned file.

use std::path::Path;

use obsidian_base::variants::{self, Tuned, TunedError};

use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};
use crate::variant::Variant;

/// Picks the variant of a kernel that was found best for a device and a size.
///
/// It goes by a [tuned file](Tuned), which needs no build script: `#[kernel(tuned = "..")]` does
/// the same when the crate is compiled, for every `launch`. Where the file has nothing for a device
/// and size, the default is picked.
///
/// ```
/// use obsidian_rt::{Tuned, prelude::*};
///
/// #[kernels]
/// pub mod maps {
///     #[kernel(threads = 64, piece = [64, 256])]
///     pub fn doubled(piece: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
///         input.chunks(piece, lit(0u32)).as_grid_map(|piece| piece.map(|x| x * 2).push::<Block>()).take(input.len())
///     }
/// }
/// use maps::doubled;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // What a tuner would find out, and write with `Tuned::write`.
/// let mut tuned = Tuned::new();
/// doubled::variants()[1].choose_in(&mut tuned, Some("cpu"), 1000)?;
/// let tuner = Tuner::parse(&tuned.to_string(), doubled::variants())?;
///
/// let device = Device::cpu();
/// let input = device.upload(&[21u32; 1500])?;
/// let variant = tuner.pick(&device, input.len());
/// assert_eq!(variant.name(), "doubled_threads64_piece256");
/// assert_eq!(doubled::launch_variant(variant, &device, &input)?.to_vec()?, [42; 1500]);
/// assert_eq!(tuner.pick(&device, 999).name(), "doubled_threads64_piece64");
/// # Ok(())
/// # }
/// ```
#[doc(alias = "autotune")]
#[derive(Clone, Debug)]
pub struct Tuner {
    first: &'static Variant,
    variants: &'static [Variant],
    chosen: Vec<variants::Chosen<String>>,
    is_stale: bool,
}

impl Tuner {
    /// Reads a tuned file for a kernel, whose module's `variants()` these are.
    ///
    /// # Errors
    /// [`ErrorKind::Tuned`]: a file that cannot be read, a line that is damaged, a file that says nothing about this kernel, or values
    /// that are those of none of its variants.
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
    /// assert!(Tuner::read("no such file", example::doubled::variants()).is_err());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn read(path: impl AsRef<Path>, variants: &'static [Variant]) -> Result<Tuner> {
        let path = path.as_ref();
        Tuned::read(path)
            .and_then(|tuned| Tuner::of(&tuned, variants))
            .map_err(|wrong| error(wrong.in_file(path), variants))
    }

    /// The same with the text of a file.
    ///
    /// # Errors
    /// As [`read`](Tuner::read).
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
    /// example::doubled::variants()[1].choose_in(&mut tuned, None, 0).unwrap();
    /// let tuner = Tuner::parse(&tuned.to_string(), example::doubled::variants())?;
    /// assert_eq!(tuner.pick(&device, 100).threads(), 64);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn parse(text: &str, variants: &'static [Variant]) -> Result<Tuner> {
        Tuned::parse(text)
            .and_then(|tuned| Tuner::of(&tuned, variants))
            .map_err(|wrong| error(wrong.to_string(), variants))
    }

    fn of(tuned: &Tuned, variants: &'static [Variant]) -> std::result::Result<Tuner, TunedError> {
        let first = variants.first().ok_or_else(TunedError::without_variants)?;
        let declared: Vec<_> = variants
            .iter()
            .map(|variant| variant.values().to_vec())
            .collect();
        let chosen = variants::fitting(tuned.choices(first.function())?, &declared)?;
        Ok(Tuner {
            first,
            variants,
            chosen,
            is_stale: tuned.source(first.function()) != Some(first.source_hash()),
        })
    }

    /// The variant for a device and for arrays whose longest has `size` elements.
    ///
    /// Of the lines for the [model](Device::model) of this device, or if it has none of those for
    /// any, the one with the largest size that is not above `size` decides. If all are above it, or
    /// there are none, it is the kernel's default.
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
    /// example::doubled::variants()[1].choose_in(&mut tuned, Some("cpu"), 1000).unwrap();
    /// let tuner = Tuner::parse(&tuned.to_string(), example::doubled::variants())?;
    /// assert_eq!(tuner.pick(&device, 1000).threads(), 64);
    /// assert_eq!(tuner.pick(&device, 999).threads(), 32); // the default
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn pick(&self, device: &Device, size: usize) -> &'static Variant {
        variants::pick(&self.chosen, Some(device.model()), size as u64)
            .and_then(|n| self.variants.get(n))
            .unwrap_or(self.first)
    }

    /// Returns `true` if the file was made for other tokens of the kernel's module. Its choices still give right
    /// results, but may not be the fastest.
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
    /// example::doubled::variants()[1].choose_in(&mut tuned, None, 0).unwrap();
    /// assert!(!Tuner::parse(&tuned.to_string(), example::doubled::variants())?.is_stale());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn is_stale(&self) -> bool {
        self.is_stale
    }
}

fn error(message: String, variants: &[Variant]) -> Error {
    let error = Error::new(ErrorKind::Tuned, message);
    match variants.first() {
        Some(variant) => error.of(variant.function()),
        None => error,
    }
}
