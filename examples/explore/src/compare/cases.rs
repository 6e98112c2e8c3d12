//! The kernels of the paper's tables, counted by the simulator.

use obsidian_rt::explore::cost::{Prediction, predict};
use obsidian_rt::explore::{Gpu, Needs};
use obsidian_rt::language::{DPull, DPush, EU32, Grid};
use obsidian_rt::{Counts, Device, Kernel, Limits, Result, TypedKernel};
use reduction::{reduction, reductions};
use scan::scan;

use crate::mandelbrot;

type Map = TypedKernel<(DPull<EU32>,), DPush<Grid, EU32>>;

/// Rows of a picture that are counted.
const ROWS: u32 = 8;

/// A launch whose counts are known.
pub struct Counted {
    needs: Needs,
    counts: Counts,
    blocks: u64,
}

impl Counted {
    fn new(kernel: &Kernel, blocks: u64, counts: Counts) -> Counted {
        let needs = Needs {
            threads: kernel.threads(),
            shared_bytes: kernel.shared_bytes(),
            registers: None,
            local_bytes: 0,
            blocks,
        };
        Counted {
            needs,
            blocks: counts.blocks,
            counts,
        }
    }

    /// One block of a kernel that takes `elements` a block, counted for a launch of `blocks`.
    fn of_map(kernel: &Map, elements: u32, blocks: u64) -> Result<Counted> {
        let device = Device::simulator();
        let input = device.zeros::<u32>(elements as usize)?;
        let (_, counts) = device.counted(|device| kernel.launch(device, &input))?;
        Ok(Counted::new(kernel.kernel(), blocks, counts))
    }

    /// What it would take.
    pub fn on(&self, gpu: &Gpu) -> Prediction {
        predict(gpu, &self.needs, &self.counts, self.blocks)
    }
}

/// Milliseconds of launches one after the other: the seconds of a thousand of them, as the paper
/// gives times.
pub fn milliseconds(gpu: &Gpu, launches: &[Counted]) -> f64 {
    launches
        .iter()
        .map(|launch| launch.on(gpu).seconds * 1e3)
        .sum()
}

/// Kernels as the paper's compiler makes them: each stored array in shared memory of its own, each
/// element accessed by itself.
fn as_in_the_paper(threads: u32) -> Limits {
    Limits {
        apart: true,
        ..threads.into()
    }
}

/// Tables 2 and Figure 9: reduction `which` by 8,192 blocks.
///
/// # Errors
/// Where it cannot be built: too much shared memory.
pub fn small_reduction(which: u32, elements: u32, threads: u32) -> Result<Vec<Counted>> {
    Ok(vec![Counted::of_map(
        &reduction(which, elements, as_in_the_paper(threads))?,
        elements,
        8192,
    )?])
}

/// Table 3 and Figure 12: scan `which` by 8,192 blocks.
///
/// # Errors
/// Where it cannot be built: too much shared memory.
pub fn small_scan(which: u32, elements: u32, threads: u32) -> Result<Vec<Counted>> {
    Ok(vec![Counted::of_map(
        &scan(which, elements, as_in_the_paper(threads))?,
        elements,
        8192,
    )?])
}

/// Table 4: 2^24 elements by 4,096 blocks, then their sums by one.
///
/// # Errors
/// As [`small_reduction`].
pub fn large_reduction(which: u32, threads: u32) -> Result<Vec<Counted>> {
    let kernel = reduction(which, 4096, as_in_the_paper(threads))?;
    Ok(vec![
        Counted::of_map(&kernel, 4096, 4096)?,
        Counted::of_map(&kernel, 4096, 1)?,
    ])
}

/// Figure 13: `total` elements by so many blocks, each thread first adding as many as leave two for
/// each, then their sums by one block.
///
/// # Errors
/// As [`small_reduction`].
pub fn reduction_by_blocks(total: u32, blocks: u32, threads: u32) -> Result<Vec<Counted>> {
    let elements = total / blocks;
    let limits = as_in_the_paper(threads);
    let first = TypedKernel::build("red8", limits, |input: DPull<EU32>| {
        reductions::map_red8(threads, elements, |a: EU32, b: EU32| a + b, input)
    })?;
    let second = reduction(3, blocks, limits)?;
    Ok(vec![
        Counted::of_map(&first, elements, blocks.into())?,
        Counted::of_map(&second, blocks, 1)?,
    ])
}

/// Table 1: a picture of `size` rows and columns, one block a row, counted in 8 rows that are
/// equally far apart.
///
/// # Errors
/// None that are known.
pub fn picture(size: u32, threads: u32) -> Result<Vec<Counted>> {
    let device = Device::simulator();
    let kernel = mandelbrot::kernel(size, threads)?;
    let (_, counts) = device.counted(|device| kernel.launch(device, (ROWS, size / ROWS)))?;
    Ok(vec![Counted::new(kernel.kernel(), size.into(), counts)])
}
