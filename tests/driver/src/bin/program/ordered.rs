//! Kernels whose blocks follow each other: their words are a stream's own, or a recording's.

use obsidian_rt::prelude::*;

use crate::kernels::{numbers, sums};
use crate::{Outcome, driver, hold};

/// All of it; nothing is left over.
pub fn everything() -> Outcome {
    driver::say("reset")?;
    launches()
        .and_then(|()| recorded())
        .map_err(|error| format!("{error:?}"))?;
    let left = driver::left()?;
    hold(left == (Vec::new(), 0), || format!("left over: {left:?}"))
}

fn expected(input: &[u32]) -> Vec<u32> {
    let mut sum = 0u32;
    let next = |x: &u32| {
        sum = sum.wrapping_add(*x);
        sum
    };
    input.iter().map(next).collect()
}

/// Launches one after the other, of few and many blocks, on two streams: words are made when there are none, or too few.
fn launches() -> obsidian_rt::Result<()> {
    let device = Device::cuda(0)?;
    let stream = device.stream()?;
    let other = stream.device();
    let few = device.with_blocks(3);
    let fills = || driver::counts(["cuMemsetD32Async"]);
    let mut made = 0;
    for (blocks, new) in [(1, 1), (40, 1), (40, 0), (3, 0), (300, 1), (299, 0), (1, 0)] {
        let input = numbers(64 * blocks);
        let given = device.upload(&input)?;
        for device in [&device, &few, &device] {
            assert_eq!(
                sums::running::launch(device, &given)?.to_vec()?,
                expected(&input)
            );
        }
        made += new;
        assert_eq!(fills(), [made], "{blocks} blocks");
    }
    let input = numbers(64 * 70);
    let given = other.upload(&input)?;
    for device in [other, &device, other] {
        assert_eq!(
            sums::running::launch(device, &given)?.to_vec()?,
            expected(&input)
        );
    }
    assert_eq!(fills(), [made + 1], "another stream has words of its own");
    Ok(())
}

/// Replays and launches in turns; the graph has words of its own.
fn recorded() -> obsidian_rt::Result<()> {
    let device = Device::cuda(0)?;
    let input = numbers(64 * 50);
    let mut buffers = (
        device.upload(&input)?,
        device.zeros(input.len())?,
        device.zeros(input.len())?,
    );
    let mut recording = device.record(&buffers, |device, (x, once, twice)| {
        sums::running::launch_into(device, x, once)?;
        sums::running::launch_into(device, once, twice)
    })?;
    for round in 0..5 {
        let new: Vec<u32> = input.iter().map(|x| x ^ round).collect();
        buffers.0.copy_from(&new)?;
        recording.replay(&mut buffers)?;
        let launched = sums::running::launch(&device, &buffers.0)?;
        let once = expected(&new);
        assert_eq!(buffers.2.to_vec()?, expected(&once));
        assert_eq!(launched.to_vec()?, once);
        assert_eq!(buffers.1.to_vec()?, once);
    }
    Ok(())
}
