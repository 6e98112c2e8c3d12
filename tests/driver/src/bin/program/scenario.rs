//! A program that makes every call of the driver that the runtime makes.

use obsidian_rt::prelude::*;

use crate::awaited::block_on;
use crate::kernels::{counts, numbers, sums, sums_of_64};

/// The length of its array.
const N: usize = 64 * 64;

/// What the scenario gives.
#[derive(PartialEq, Debug)]
pub struct Results {
    sums: Vec<u32>,
    doubled: Vec<u32>,
    looked_up: Vec<u32>,
    tripled: Vec<u32>,
    counts: Vec<u32>,
    replayed: (Vec<u32>, Vec<u64>),
}

impl Results {
    /// Those of the reference.
    pub fn right() -> Results {
        let (elements, sums) = (numbers(N), sums_of_64(&numbers(N)));
        Results {
            doubled: sums.iter().map(|x| x.wrapping_mul(2)).collect(),
            looked_up: vec![sums[5]; 32],
            tripled: sums.iter().map(|x| x.wrapping_mul(3)).collect(),
            counts: counts(&elements),
            replayed: (
                sums.iter().map(|x| x.wrapping_mul(6)).collect(),
                vec![3 << 33; 5],
            ),
            sums,
        }
    }
}

/// Two streams that wait for each other, events, page-locked memory, and buffers of all kinds.
pub fn run() -> obsidian_rt::Result<Results> {
    Device::cuda_count()?;
    let device = Device::cuda(0)?;
    let mut elements = device.pinned::<u32>(N)?;
    elements.copy_from_slice(&numbers(N));
    let input = device.upload(&elements)?;
    let start = device.record_event()?;
    let sums = sums::sums_of_64::launch(&device, &input)?;
    let end = device.record_event()?;
    let stream = device.stream()?;
    stream.wait(&end)?;
    // Another stream uses what the first one makes.
    let doubled = sums::doubled::launch(stream.device(), &sums)?;
    let tripled = sums::tripled::launch(stream.device(), &sums)?;
    // A kernel that notes what goes wrong.
    let names = stream.device().upload(&[5u32; 32])?;
    let looked_up = sums::looked_up::launch(stream.device(), &sums, &names)?;
    let mut bins = stream.device().zeros(16)?;
    sums::count::launch(stream.device(), &mut bins, &input)?;
    stream.synchronize()?;
    end.synchronize()?;
    while !stream.record_event()?.is_done()? {}
    block_on(stream.record_event()?)?;
    end.since(&start)?;
    // The same again, into an existing buffer, and copied.
    let mut again = device.zeros(sums.len())?;
    sums::doubled::launch_into(&device, &sums, &mut again)?;
    let mut bytes = device.zeros::<u16>(N)?;
    bytes.fill(7)?;
    let mut longs = device.zeros::<i64>(N)?;
    longs.fill(1 << 40)?;
    let mut copy = again.to_device(stream.device())?;
    copy.copy_from(&again.to_vec()?)?;
    // Copies that go on meanwhile, waited for and awaited.
    let (input, copying) = device.upload_pinned(elements)?;
    let same = sums::sums_of_64::launch(stream.device(), &input)?;
    let mut elements = block_on(copying)?;
    elements.fill(0);
    let page = same
        .copy_to_pinned(device.pinned::<u32>(sums.len())?)?
        .wait()?;
    let mut copied = vec![0; sums.len()];
    sums.copy_to(&mut copied)?;
    // Recorded work: a graph with each kind of step, done twice.
    let mut recorded = (
        device.zeros::<u32>(sums.len())?,
        sums.to_device(&device)?,
        device.zeros::<u64>(5)?,
    );
    let mut recording = device.record(&recorded, |device, (results, start, longs)| {
        let twice = sums::doubled::launch(device, start)?;
        results.copy_from_buffer(&sums::tripled::launch(device, &twice)?)?;
        longs.fill(3 << 33)
    })?;
    recording.replay(&mut recorded)?;
    recording.replay(&mut recorded)?;
    drop(recording);
    device.synchronize()?;
    Ok(Results {
        replayed: (recorded.0.to_vec()?, recorded.2.to_vec()?),
        sums: if copied[..] == page[..] {
            copied
        } else {
            Vec::new()
        },
        doubled: if longs.to_vec()? == [1 << 40; N]
            && bytes.to_vec()? == [7; N]
            && doubled.to_vec()? == again.to_vec()?
        {
            copy.to_vec()?
        } else {
            Vec::new()
        },
        looked_up: looked_up.to_vec()?,
        tripled: tripled.to_vec()?,
        counts: bins.to_vec()?,
    })
}
