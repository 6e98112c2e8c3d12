//! Large scans in three launches (section 7.2): the sums of all chunks, the carries of the chunks,
//! and the chunks in rounds with a carry.
//!
//! The paper says that it ran 1,980 configurations; the lists that it gives have 1,890
//! combinations, and these are here.

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

/// The launches of all candidates: of 5,670 in the 1,890 points, 714 differ, as none depends on all
/// parameters. Their kernels are 426.
#[derive(Default)]
pub struct Launches {
    sums: Shared<[u32; 3], Candidate>,
    carries: Shared<[u32; 3], Candidate>,
    chunks: Shared<[u32; 4], Candidate>,
    /// The kernels of `chunks`, for any number of blocks.
    carried: Shared<[u32; 3], Carried>,
    /// The kernels of `sums`.
    maps: Shared<[u32; 2], Map>,
}

impl Launches {
    /// The three launches of a point.
    ///
    /// # Errors
    /// Where a kernel cannot be built.
    pub fn candidate(&self, point: &Point) -> Result<Candidate> {
        let (blocks, threads) = (point.u32("blocks")?, point.u32("threads")?);
        let each = point.u32("elements")? / blocks;
        let sums = self.sums.get([each, blocks, threads], |_| {
            self.sums(each, blocks, threads)
        })?;
        let carries = self
            .carries
            .get([number(point, "carries")?, blocks, threads], |key| {
                carries(key[0], blocks, threads)
            })?;
        let chunks = self
            .chunks
            .get([number(point, "kernel")?, each, blocks, threads], |key| {
                self.chunks(key[0], each, blocks, threads)
            })?;
        Ok(sums.then(carries).then(chunks))
    }

    /// The sums of all chunks.
    fn sums(&self, each: u32, blocks: u32, threads: u32) -> Result<Candidate> {
        let kernel = self.maps.get([each, threads], |_| {
            TypedKernel::build("sums", threads, |input: DPull<EU32>| {
                reductions::map_red8(threads, each, |a: EU32, b: EU32| a + b, input)
            })
        })?;
        Ok(Candidate::of(
            kernel,
            blocks.into(),
            elements(each),
            move |input| crate::sums(each as usize, input),
        ))
    }

    /// The chunks, with their carries.
    fn chunks(&self, which: u32, each: u32, blocks: u32, threads: u32) -> Result<Candidate> {
        let kernel = self
            .carried
            .get([which, each, threads], |_| chunks(which, each, threads))?;
        let value = kernel.kernel().clone();
        Ok(
            Candidate::new().launch(&value, blocks.into(), move |device, blocks| {
                trial(&kernel, each, device, blocks)
            }),
        )
    }
}

/// The scan of the sums.
fn carries(which: u32, blocks: u32, threads: u32) -> Result<Candidate> {
    let kernel = scan(which, blocks, threads)?;
    Ok(Candidate::of(kernel, 1, elements(blocks), move |input| {
        crate::scans(blocks as usize, &[], input)
    }))
}

fn elements(each: u32) -> impl Fn(u64) -> Vec<u32> {
    move |blocks| crate::elements(blocks * u64::from(each))
}

/// Scans chunks of `each` elements in rounds, each chunk begun with its carry.
fn chunks(which: u32, each: u32, threads: u32) -> Result<Carried> {
    TypedKernel::build(
        "chunks",
        threads,
        |carries: DPull<EU32>, input: DPull<EU32>| {
            let add = |a: EU32, b: EU32| a + b;
            let round = move |carry: EU32, piece: Pull<EU32>| {
                scans::wrap_kern_cin(
                    move |piece: Pull<EU32>| scans::scan(which, ROUND.ilog2(), add, piece),
                    add,
                    carry,
                    piece,
                )
            };
            zip_with(
                move |carry, chunk: Pull<EU32>| s_map_accum(round, carry, chunk.split_up(ROUND)),
                carries,
                input.split_up(each),
            )
            .as_grid()
        },
    )
}

fn trial(chunks: &Carried, each: u32, device: &Device, blocks: u64) -> Result<Trial> {
    let (carries, input) = (
        crate::elements(blocks),
        crate::elements(blocks * u64::from(each)),
    );
    let expected = crate::scans(each as usize, &carries, &input);
    let (carries, input, chunks) = (
        device.upload(&carries)?,
        device.upload(&input)?,
        chunks.clone(),
    );
    Ok(Trial::new(
        move |device| chunks.launch(device, (&carries, &input)),
        move |output| Ok(output.to_vec()? == expected),
    ))
}
