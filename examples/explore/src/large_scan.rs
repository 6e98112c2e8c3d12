//! Large scans in three launches (section 7.2): the sums of all chunks, the carries of the chunks, and the chunks in rounds with a carry.
//!
//! The paper says that it ran 1,980 configurations; the lists that it gives have 1,890 combinations, and these are here.

use obsidian_rt::explore::{Candidate, Point, Space, Trial};
use obsidian_rt::language::{DPull, DPush, EU32, Grid, Pull, s_map_accum, zip_with};
use obsidian_rt::{Device, Result, TypedKernel};
use reduction::reductions;
use scan::{NAMES, THREADS, scan, scans};

use crate::scan::number;
use crate::shared::Shared;

/// Elements of a round of the last launch.
const ROUND: u32 = 1024;

type Map = TypedKernel<(DPull<EU32>,), DPush<Grid, EU32>>;
type Carried = TypedKernel<(DPull<EU32>, DPull<EU32>), DPush<Grid, EU32>>;

/// The 1,890 points.
pub fn space() -> Space {
    Space::new()
        .choice("kernel", [NAMES[0], NAMES[1], NAMES[4]])
        .choice("carries", NAMES)
        .list("elements", [1 << 23, 1 << 24, 1 << 25])
        .powers_of_two("blocks", 16..=1024)
        .list("threads", THREADS)
}

/// The kernels of all candidates. Of the 5,670 launches of the 1,890 points 426 are of different kernels, as none depends on all parameters.
#[derive(Default)]
pub struct Kernels {
    sums: Shared<(u32, u32), Map>,
    carries: Shared<(u32, u32, u32), Map>,
    chunks: Shared<(u32, u32, u32), Carried>,
}

impl Kernels {
    /// The three launches of a point.
    ///
    /// # Errors
    /// Where a kernel cannot be built.
    pub fn candidate(&self, point: &Point) -> Result<Candidate> {
        let (blocks, threads) = (point.u32("blocks")?, point.u32("threads")?);
        let each = point.u32("elements")? / blocks;
        let sums = self.sums.get((each, threads), |_| sums(each, threads))?;
        let carries = self.carries.get((number(point, "carries")?, blocks, threads), |key| scan(key.0, blocks, threads))?;
        let chunks = self.chunks.get((number(point, "kernel")?, each, threads), |key| chunks(key.0, each, threads))?;
        let elements = move |each: u32| move |blocks| crate::elements(blocks * u64::from(each));
        let sums = Candidate::of(sums, blocks.into(), elements(each), move |input| crate::sums(each as usize, input));
        let carries = Candidate::of(carries, 1, elements(blocks), move |input| crate::scans(blocks as usize, &[], input));
        let kernel = chunks.kernel().clone();
        Ok(sums.then(carries).launch(&kernel, blocks.into(), move |device, blocks| trial(&chunks, each, device, blocks)))
    }
}

/// Sums of chunks of `each` elements.
fn sums(each: u32, threads: u32) -> Result<Map> {
    TypedKernel::build("sums", threads, |input: DPull<EU32>| reductions::map_red8(threads, each, |a: EU32, b: EU32| a + b, input))
}

/// Scans chunks of `each` elements in rounds, each chunk begun with its carry.
fn chunks(which: u32, each: u32, threads: u32) -> Result<Carried> {
    TypedKernel::build("chunks", threads, |carries: DPull<EU32>, input: DPull<EU32>| {
        let add = |a: EU32, b: EU32| a + b;
        let round = move |carry: EU32, piece: Pull<EU32>| {
            scans::wrap_kern_cin(move |piece: Pull<EU32>| scans::scan(which, ROUND.ilog2(), add, piece), add, carry, piece)
        };
        zip_with(move |carry, chunk: Pull<EU32>| s_map_accum(round, carry, chunk.split_up(ROUND)), carries, input.split_up(each)).as_grid()
    })
}

fn trial(chunks: &Carried, each: u32, device: &Device, blocks: u64) -> Result<Trial> {
    let (carries, input) = (crate::elements(blocks), crate::elements(blocks * u64::from(each)));
    let expected = crate::scans(each as usize, &carries, &input);
    let (carries, input, chunks) = (device.upload(&carries)?, device.upload(&input)?, chunks.clone());
    Ok(Trial::new(move |device| chunks.launch(device, (&carries, &input)), move |output| Ok(output.to_vec()? == expected)))
}
