//! Large scans in three launches (section 7.2): the sums of all chunks, the carries of the chunks,
//! and the chunks in rounds with a carry.
//!
//! The paper says that it ran 1,980 configurations; the lists that it gives have 1,890
//! combinations, and these are here.

use obsidian_rt::explore::{Candidate, Job, Point, Space};
use obsidian_rt::language::{DPull, DPush, EU32, Grid, lit};
use obsidian_rt::{Buffer, Device, Result, TypedKernel};
use reduction::reductions;
use scan::{NAMES, THREADS, scans};

use crate::reduction::Sums;
use crate::scan::number;
use crate::shapes::grids;
use crate::shared::Shared;

/// Elements of a round of the last launch.
const ROUND: u32 = 1024;

type Map = TypedKernel<(DPull<EU32>,), DPush<Grid, EU32>>;
type Carried = TypedKernel<(DPull<EU32>, DPull<EU32>), DPush<Grid, EU32>>;

/// The 1,890 points; the number of elements is given.
pub fn space() -> Space {
    Space::new()
        .choice("kernel", [NAMES[0], NAMES[1], NAMES[4]])
        .choice("carries", NAMES)
        .given("elements", [1u32 << 23, 1 << 24, 1 << 25])
        .powers_of_two("blocks", 16..=1024)
        .list("threads", THREADS)
}

/// The job: an array, and its scan.
///
/// # Errors
/// If the space has no elements.
pub fn job(key: &Point) -> Result<Job<Vec<u32>, Vec<u32>>> {
    let elements = key.u32("elements")?;
    Ok(Job::new(crate::elements(elements.into()), |input| {
        crate::scans(input.len(), &[], input)
    }))
}

/// The kernels of all candidates: of 5,670 in the 1,890 points, 426 differ, as none depends on all parameters.
#[derive(Default)]
pub struct Kernels {
    sums: Shared<[u32; 2], Map>,
    carries: Shared<[u32; 3], Map>,
    chunks: Shared<[u32; 3], Carried>,
}

impl Kernels {
    /// The three launches of a point: the sums of all chunks, what comes before each chunk, and the chunks, each begun with its carry.
    ///
    /// # Errors
    /// Where a kernel cannot be built.
    pub fn candidate(&self, point: &Point) -> Result<Sums> {
        let (sums, carries, chunks) = self.of(point)?;
        Ok(Candidate::new(
            move |device: &Device, input: &Buffer<u32>| {
                let sums = sums.launch(device, input)?;
                let carries = carries.launch(device, &sums)?;
                chunks.launch(device, (&carries, input))
            },
        ))
    }

    /// The bytes of the CUDA texts of a point.
    ///
    /// # Errors
    /// Where a kernel cannot be built.
    pub fn texts(&self, point: &Point) -> Result<String> {
        let (sums, carries, chunks) = self.of(point)?;
        let kernels = [sums.kernel(), carries.kernel(), chunks.kernel()];
        Ok(kernels.map(|kernel| kernel.cuda()).concat())
    }

    fn of(&self, point: &Point) -> Result<(Map, Map, Carried)> {
        let (blocks, threads) = (point.u32("blocks")?, point.u32("threads")?);
        let each = point.u32("elements")? / blocks;
        let sums = self.sums.get([each, threads], |_| {
            TypedKernel::build("sums", threads, |input: DPull<EU32>| {
                reductions::map_red8(threads, each, |a: EU32, b: EU32| a + b, input)
            })
        })?;
        let key = [number(point, "carries")?, blocks, threads];
        let carries = self
            .carries
            .get(key, |[which, ..]| carries(*which, blocks, threads))?;
        let key = [number(point, "kernel")?, each, threads];
        let chunks = self
            .chunks
            .get(key, |[which, ..]| chunks(*which, each, threads))?;
        Ok((sums, carries, chunks))
    }
}

/// What comes before each chunk, of the sums of all.
fn carries(which: u32, blocks: u32, threads: u32) -> Result<Map> {
    TypedKernel::build("carries", threads, |sums: DPull<EU32>| {
        scans::map_carries(
            which,
            blocks.ilog2(),
            blocks,
            |a: EU32, b: EU32| a + b,
            lit(0u32),
            sums,
        )
    })
}

/// Scans chunks of `each` elements in rounds, each chunk begun with its carry.
fn chunks(which: u32, each: u32, threads: u32) -> Result<Carried> {
    TypedKernel::build(
        "chunks",
        threads,
        |carries: DPull<EU32>, input: DPull<EU32>| {
            grids::chunks_after((which, each, ROUND), |a, b| a + b, carries, input)
        },
    )
}
