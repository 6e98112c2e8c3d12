//! Recorded work: a graph of the driver, launched once for all of its steps.

use std::fmt::Debug;

use obsidian_rt::prelude::*;

use crate::kernels::{numbers, stencils, sums, sums_of_64};
use crate::{Outcome, driver, hold};

/// All of it; nothing is left over.
pub fn everything() -> Outcome {
    driver::say("reset")?;
    steps()
        .and_then(|()| all_kinds())
        .and_then(|()| without_graphs())
        .and_then(|()| without_memory())
        .and_then(|()| fills())
        .and_then(|()| on_streams())
        .and_then(|()| nothing())
        .map_err(|error| format!("{error:?}"))?;
    let left = driver::left()?;
    hold(left == (Vec::new(), 0), || format!("left over: {left:?}"))
}

const COSTS: [&str; 7] = [
    "cuGraphInstantiateWithFlags",
    "cuGraphLaunch",
    "cuGraphAddKernelNode",
    "cuLaunchKernel",
    "cuMemAlloc_v2",
    "cuStreamSynchronize",
    "cuEventSynchronize",
];

const SIDE: usize = 32;

type Tables = (Buffer<f32>, Buffer<f32>);

/// Eight steps of Jacobi's method, back and forth.
fn eight_steps(device: &Device, (now, next): &mut Tables) -> obsidian_rt::Result<()> {
    for _ in 0..4 {
        stencils::jacobi::launch_into(device, SIDE as u32, now, next)?;
        stencils::jacobi::launch_into(device, SIDE as u32, next, now)?;
    }
    Ok(())
}

fn table(factor: usize) -> Vec<f32> {
    (0..SIDE * SIDE).map(|i| (i * factor % 37) as f32).collect()
}

/// The table after some steps.
fn after(steps: usize, mut now: Vec<f32>) -> Vec<f32> {
    let mut next = now.clone();
    for _ in 0..steps {
        for row in 1..SIDE - 1 {
            for i in row * SIDE + 1..row * SIDE + SIDE - 1 {
                next[i] = (now[i - SIDE] + now[i + SIDE] + now[i - 1] + now[i + 1]) * 0.25;
            }
        }
        std::mem::swap(&mut now, &mut next);
    }
    now
}

/// One call of the driver for eight launches, no memory and no wait; buffers elsewhere take another graph, of which four are kept.
fn steps() -> obsidian_rt::Result<()> {
    let device = Device::cuda(0)?;
    let tables = |factor| Ok((device.upload(&table(factor))?, device.zeros(SIDE * SIDE)?));
    let mut all = (1..=5)
        .map(tables)
        .collect::<obsidian_rt::Result<Vec<Tables>>>()?;
    let mut recording = device.record(&all[0], eight_steps)?;
    // The kernel is there before the first replay.
    assert_eq!(driver::counts(["cuModuleLoadDataEx"]), [1]);
    let [.., memory, waits, slept] = driver::counts(COSTS);
    let mut replay = |which: usize, graphs: u64, launches: u64| {
        recording.replay(&mut all[which])?;
        let expected = [graphs, launches, 8 * graphs, 0, memory, waits, slept];
        assert_eq!(driver::counts(COSTS), expected, "{which}");
        Ok::<(), Error>(())
    };
    for launches in 1..=25 {
        replay(0, 1, launches)?;
    }
    let others = [
        (1, 2),
        (0, 2),
        (1, 2),
        (2, 3),
        (3, 4),
        (0, 4),
        (4, 5),
        (1, 6),
        (4, 6),
    ];
    for (launches, (which, graphs)) in (26..).zip(others) {
        replay(which, graphs, launches)?;
    }
    drop(recording);
    assert_eq!(
        driver::counts(["cuStreamSynchronize", "cuModuleLoadDataEx"]),
        [waits, 1]
    );
    for (tables, (factor, replays)) in all.iter().zip([(1, 27), (2, 3), (3, 1), (4, 1), (5, 2)]) {
        assert_eq!(
            tables.0.to_vec()?,
            after(replays * 8, table(factor)),
            "{factor}"
        );
    }
    Ok(())
}

/// Launches, copies, fills, parts and results of a recording, each after the one before.
fn all_kinds() -> obsidian_rt::Result<()> {
    let device = Device::cuda(0)?;
    let elements = numbers(64 * 6);
    let mut buffers = (
        device.upload(&elements)?,
        [device.zeros::<u32>(4)?, device.zeros(4)?],
    );
    let mut recording = device.record(&buffers, |device, (input, [sums, copies])| {
        copies.fill(9)?;
        let part = input.slice(64..64 * 5)?;
        sums::sums_of_64::launch_into(device, &part, sums)?;
        let twice = sums::doubled::launch(device, input)?;
        let all = sums::sums_of_64::launch(device, &twice)?;
        copies.copy_from_buffer(&*all.slice(2..)?)?;
        drop((twice, all));
        // Memory of the first results, which are not needed any more.
        let thrice = sums::tripled::launch(device, input)?;
        sums::sums_of_64::launch(device, &thrice)?;
        Ok(())
    })?;
    for times in [1, 2] {
        let before = driver::counts(["cuLaunchKernel", "cuGraphLaunch"]);
        recording.replay(&mut buffers)?;
        assert_eq!(
            driver::counts(["cuLaunchKernel", "cuGraphLaunch"]),
            [before[0], before[1] + 1]
        );
        let sums = sums_of_64(&elements);
        let doubled: Vec<u32> = sums[2..].iter().map(|x| x.wrapping_mul(2)).collect();
        assert_eq!(buffers.1[0].to_vec()?, sums[1..5], "{times}");
        assert_eq!(buffers.1[1].to_vec()?, doubled, "{times}");
        buffers.1[0].fill(0)?;
    }
    Ok(())
}

/// A driver that has no graphs does one step after the other, and is not asked for them again.
fn without_graphs() -> obsidian_rt::Result<()> {
    for (call, code) in [
        ("cuGraphCreate", 500),
        ("cuGraphAddKernelNode", 500),
        ("cuGraphInstantiateWithFlags", 801),
    ] {
        let device = Device::cuda(0)?;
        let mut tables = (device.upload(&table(3))?, device.zeros(SIDE * SIDE)?);
        let mut recording = device.record(&tables, eight_steps)?;
        let [before, launches, graphs] = driver::counts([call, "cuLaunchKernel", "cuGraphCreate"]);
        driver::say(&format!("fail {call} {} {code}", before + 1))
            .unwrap_or_else(|words| panic!("{words}"));
        recording.replay(&mut tables)?;
        recording.replay(&mut tables)?;
        assert_eq!(
            driver::counts(["cuLaunchKernel", "cuGraphCreate"]),
            [launches + 16, graphs + 1],
            "{call}"
        );
        assert_eq!(tables.0.to_vec()?, after(16, table(3)), "{call}");
    }
    Ok(())
}

/// Where there is no memory left for a graph, the pools give back what they keep.
fn without_memory() -> obsidian_rt::Result<()> {
    let device = Device::cuda(0)?;
    let mut tables = (device.upload(&table(3))?, device.zeros(SIDE * SIDE)?);
    let mut recording = device.record(&tables, eight_steps)?;
    drop(device.zeros::<u64>(10_000)?);
    let [made, freed] = driver::counts(["cuGraphInstantiateWithFlags", "cuMemFree_v2"]);
    driver::say(&format!("fail cuGraphInstantiateWithFlags {} 2", made + 1))
        .unwrap_or_else(|words| panic!("{words}"));
    recording.replay(&mut tables)?;
    let [made_now, freed_now] = driver::counts(["cuGraphInstantiateWithFlags", "cuMemFree_v2"]);
    assert!(made_now == made + 2 && freed_now > freed);
    assert_eq!(tables.0.to_vec()?, after(8, table(3)));
    Ok(())
}

fn filled<T: Element + Debug + PartialEq>(device: &Device, value: T) -> obsidian_rt::Result<()> {
    for length in [0, 1, 7, 1000] {
        let mut buffers = (device.zeros::<T>(length)?, device.zeros::<T>(length)?);
        let mut recording = device.record(&buffers, |_, (filled, copied)| {
            filled.fill(value)?;
            copied.copy_from_buffer(filled)
        })?;
        recording.replay(&mut buffers)?;
        assert_eq!(buffers.0.to_vec()?, vec![value; length]);
        assert_eq!(buffers.1.to_vec()?, vec![value; length]);
    }
    Ok(())
}

/// One value everywhere, bit for bit.
fn fills() -> obsidian_rt::Result<()> {
    let device = Device::cuda(0)?;
    let before = driver::counts(["cuGraphAddMemsetNode", "cuMemsetD32Async"]);
    filled(&device, true)?;
    filled(&device, 0xabu8)?;
    filled(&device, -2i16)?;
    filled(&device, 0xdead_beefu32)?;
    filled(&device, -0.5f32)?;
    filled(&device, 0x0123_4567_89ab_cdefi64)?;
    filled(&device, -1i64)?;
    filled(&device, 1.0 / 3.0)?;
    // Three lengths have elements; halves that differ are two nodes.
    let now = driver::counts(["cuGraphAddMemsetNode"]);
    assert_eq!(now[0] - before[0], 3 * (6 + 2 * 2));
    Ok(())
}

/// Recorded on one stream; its buffers are used on another one between.
fn on_streams() -> obsidian_rt::Result<()> {
    let device = Device::cuda(0)?;
    let (first, second) = (device.stream()?, device.stream()?);
    let mut tables = (
        first.device().upload(&table(7))?,
        device.zeros(SIDE * SIDE)?,
    );
    let mut recording = first.device().record(&tables, eight_steps)?;
    let [waits] = driver::counts(["cuStreamWaitEvent"]);
    recording.replay(&mut tables)?;
    let steps_of_second = eight_steps(second.device(), &mut tables);
    recording.replay(&mut tables)?;
    // Each stream waits for the other one where a buffer comes from there.
    assert!(driver::counts(["cuStreamWaitEvent"])[0] >= waits + 4);
    assert_eq!(tables.0.to_vec()?, after(24, table(7)));
    steps_of_second
}

/// A recording of nothing, and one of launches that have no blocks.
fn nothing() -> obsidian_rt::Result<()> {
    let device = Device::cuda(0)?;
    let mut buffers = (device.zeros::<u32>(0)?, device.zeros::<u32>(0)?);
    let mut empty = device.record(&buffers, |_, _| Ok(()))?;
    let mut no_blocks = device.record(&buffers, |device, (from, to)| {
        sums::doubled::launch_into(device, from, to)?;
        to.fill(1)?;
        from.copy_from_buffer(to)
    })?;
    let nodes = [
        "cuGraphAddKernelNode",
        "cuGraphAddMemcpyNode",
        "cuGraphAddMemsetNode",
    ];
    let before = driver::counts(nodes);
    empty.replay(&mut buffers)?;
    no_blocks.replay(&mut buffers)?;
    assert_eq!(driver::counts(nodes), before);
    assert!(buffers.1.to_vec()?.is_empty());
    device.synchronize()
}
