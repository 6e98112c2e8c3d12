//! Histograms.

use super::called;
use super::elements::Elements;
use crate::arrays::{Array, Ix1};
use crate::buffer::Buffer;
use crate::device::Device;
use crate::error::Result;
use crate::untyped::{AnyArgument, AnyBuffer};

/// Counting bins.
#[crate::kernels]
pub(crate) mod counting {
    /// Counts the elements of one piece in bins of its block, and adds these up. Numbers that are no bin are counted in those behind, of which there is one at least.
    fn count(
        size: u32,
        piece: u32,
        bins: MGlobal<EU32>,
        numbers: DPull<EU32>,
        b: EU32,
    ) -> Program<Block, ()> {
        let own = new_shared_mutable(size, lit(0u32))?;
        let (n, count) = (numbers.len(), bins.len());
        for_all(piece, |i| {
            let at = b * piece + i;
            cond(
                at < n,
                own.atomic_add(numbers[at].min(size - 1), 1).void(),
                pure(()),
            )
        })?;
        for_all(size, |i| {
            let found = own.read(i)?;
            assert!(
                (i < count) | found.eq(0),
                "each of the `numbers` is below the number of bins"
            )?;
            cond(
                (i < count) & (found > 0),
                bins.atomic_add(i, found).void(),
                pure(()),
            )
        })
    }

    /// Up to 256 bins.
    #[kernel(threads = 256)]
    pub fn few(bins: MGlobal<EU32>, numbers: DPull<EU32>) -> Program<Grid, ()> {
        distr_par((numbers.len() + 16383) / 16384, |b| {
            count(257, 16384, bins, numbers, b)
        })
    }

    /// Up to 4,096 bins.
    #[kernel(threads = 256)]
    pub fn some(bins: MGlobal<EU32>, numbers: DPull<EU32>) -> Program<Grid, ()> {
        distr_par((numbers.len() + 65535) / 65536, |b| {
            count(4097, 65536, bins, numbers, b)
        })
    }

    /// Any number of bins.
    #[kernel(threads = 256)]
    pub fn many(bins: MGlobal<EU32>, numbers: DPull<EU32>) -> Program<Grid, ()> {
        let n = numbers.len();
        distr_par((n + 4095) / 4096, |b| {
            for_all(4096, |i| {
                let at = b * 4096 + i;
                cond(at < n, add(bins, numbers[at]), pure(()))
            })
        })
    }

    fn add(bins: MGlobal<EU32>, number: EU32) -> Program<Thread, ()> {
        let count = bins.len();
        assert!(
            number < count,
            "each of the `numbers` is below the number of bins"
        )?;
        cond(number < count, bins.atomic_add(number, 1).void(), pure(()))
    }
}

/// Counts how often each of the numbers 0 to `bins - 1` occurs.
///
/// Up to 256 and up to 4,096 bins are counted in the shared memory of blocks first. Values become numbers of bins by a [`map`](super::map()).
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let counts = algorithms::histogram(&device, &[2u32, 0, 2, 2], 4)?;
/// assert_eq!(counts.to_vec()?, [1, 0, 3, 0]);
///
/// let numbers = algorithms::map(&device, &[0.1f32, 0.9, 0.2], |x| (x * 4.0).cast::<u32>())?;
/// assert_eq!(algorithms::histogram(&device, &numbers, 4)?.to_vec()?, [2, 0, 0, 1]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::Fault`](crate::ErrorKind::Fault) for a number that is not below `bins`: from this call, or, on a GPU, from the next one that waits. And what a
/// launch reports.
#[doc(alias = "DeviceHistogram")]
#[doc(alias = "bincount")]
#[doc(alias = "histogram_even")]
#[track_caller]
pub fn histogram<'a>(
    device: &Device,
    numbers: impl Elements<'a, Item = u32>,
    bins: usize,
) -> Result<Array<Ix1, u32>> {
    let mut counts = device.zeros(bins)?;
    add(device, numbers, &mut counts)?;
    Array::of(counts, [bins])
}

/// [`histogram`] into existing counts: as many bins as `counts` has elements, which are set to 0 first.
///
/// # Errors
/// As [`histogram`].
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// let device = Device::cpu();
/// let mut result = device.zeros(3)?;
/// algorithms::histogram_into(&device, &[0u32, 2, 2, 1, 2], &mut result)?;
/// assert_eq!(result.to_vec()?, [1, 1, 3]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn histogram_into<'a>(
    device: &Device,
    numbers: impl Elements<'a, Item = u32>,
    counts: &mut Buffer<u32>,
) -> Result<()> {
    counts.fill(0)?;
    add(device, numbers, counts)
}

#[track_caller]
fn add<'a>(
    device: &Device,
    numbers: impl Elements<'a, Item = u32>,
    counts: &mut Buffer<u32>,
) -> Result<()> {
    let numbers = numbers.lend(device)?;
    let kernel = match counts.len() {
        0..=256 => counting::few::kernel(),
        257..=4096 => counting::some::kernel(),
        _ => counting::many::kernel(),
    };
    let view = numbers.view();
    let read: Vec<&AnyBuffer> = view.into_buffers();
    let read = read.into_iter().map(AnyArgument::Read);
    let arguments = std::iter::once(AnyArgument::Change(counts.any_mut())).chain(read);
    called("histogram", kernel.launch(device, arguments).map(drop))
}
