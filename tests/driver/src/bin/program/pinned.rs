//! Copies from and to page-locked arrays that go on meanwhile. The driver for tests does them when something waits for them, and does
//! not free an array under a copy.

use std::fmt::Debug;

use obsidian_rt::{Result, prelude::*};

use crate::awaited::block_on;
use crate::driver::{self, count};
use crate::kernels::{numbers, sums, sums_of_64};

/// All of it, on every device.
pub fn everything() -> Result<()> {
    let device = Device::cuda(0)?;
    nothing_waits(&device)?;
    streams_interleave(&device)?;
    dropped_on_the_way(&device)?;
    that_fail(&device)?;
    for device in [device, Device::cpu(), Device::simulator()] {
        there_and_back(&device, |n| n % 3 == 0)?;
        there_and_back(&device, |n| n as u8)?;
        there_and_back(&device, |n| n as f64 / 7.0)?;
        lengths(&device)?;
    }
    Ok(())
}

/// Arrays and a launch in two streams: the host waits for the copies, and for nothing else; each stream waits for the other, which has used
/// the buffer before.
fn nothing_waits(device: &Device) -> Result<()> {
    let copies = device.stream()?;
    let mut input = copies.device().zeros(64 * 3)?;
    let mut output = device.zeros(3)?;
    let mut array = device.pinned::<u32>(64 * 3)?;
    let waits = || {
        (
            count("cuStreamSynchronize"),
            count("cuMemAlloc_v2"),
            count("cuMemAllocHost_v2"),
        )
    };
    let mut before = waits();
    let order = count("cuStreamWaitEvent");
    for step in 0..20 {
        let elements: Vec<u32> = numbers(64 * 3).iter().map(|x| x ^ step).collect();
        array.copy_from_slice(&elements);
        let copying = input.copy_from_pinned(array)?;
        assert!(!copying.is_done()?, "the driver copies later");
        sums::sums_of_64::launch_into(device, &input, &mut output)?;
        assert_eq!(waits(), before);
        array = copying.wait()?;
        assert_eq!(array[..], elements);
        array.fill(0);
        assert_eq!(output.to_vec()?, sums_of_64(&elements));
        // Reading the output has waited.
        before.0 += 1;
        assert_eq!(waits(), before);
    }
    // The launch for the copy each time, the copy for the launch of the step before.
    assert_eq!(count("cuStreamWaitEvent") - order, 20 + 19);
    Ok(())
}

/// Two streams take turns, each with buffers of its own: copies and launches of the one are queued between those of the other, and neither
/// waits for the other. The host waits for arrays alone, when it fills them again.
fn streams_interleave(device: &Device) -> Result<()> {
    let streams = [device.stream()?, device.stream()?];
    let turns = streams.each_ref().map(Stream::device);
    let mut inputs = [turns[0].zeros::<u32>(640)?, turns[1].zeros(640)?];
    let mut outputs = [turns[0].zeros(10)?, turns[1].zeros(10)?];
    let mut copying = [None, None];
    let waits = || {
        [
            "cuStreamWaitEvent",
            "cuStreamSynchronize",
            "cuMemAlloc_v2",
            "cuMemFree_v2",
        ]
        .map(count)
    };
    let (before, arrays, launches) = (
        waits(),
        count("cuEventSynchronize"),
        count("cuLaunchKernel"),
    );
    for step in 0..20 {
        let turn = step % 2;
        let mut array = match copying[turn].take() {
            Some(before) => Copying::wait(before)?,
            None => device.pinned(640)?,
        };
        array.copy_from_slice(&numbers(640 + step)[step..]);
        copying[turn] = Some(inputs[turn].copy_from_pinned(array)?);
        sums::sums_of_64::launch_into(turns[turn], &inputs[turn], &mut outputs[turn])?;
    }
    assert_eq!(waits(), before);
    assert_eq!(count("cuEventSynchronize") - arrays, 18);
    assert_eq!(count("cuLaunchKernel") - launches, 20);
    for (turn, output) in outputs.iter().enumerate() {
        let last = numbers(640 + 18 + turn).split_off(18 + turn);
        assert_eq!(output.to_vec()?, sums_of_64(&last));
    }
    Ok(())
}

/// Copies that nobody waits for, and buffers that are dropped before their copy is done.
fn dropped_on_the_way(device: &Device) -> Result<()> {
    let pinned = || -> Result<_> {
        let mut array = device.pinned::<u32>(640)?;
        array.copy_from_slice(&numbers(640));
        Ok(array)
    };
    let other = device.stream()?;
    let mut buffer = device.zeros(640)?;
    let frees = count("cuMemFreeHost");
    drop(buffer.copy_from_pinned(pinned()?)?);
    assert_eq!(count("cuMemFreeHost"), frees + 1);
    assert_eq!(buffer.to_vec()?, numbers(640));
    let array = buffer.copy_to_pinned(device.pinned(640)?)?;
    drop(buffer);
    // New memory in the place of the old one comes after the copy.
    let order = count("cuStreamWaitEvent");
    let zeros = other.device().zeros::<u32>(640)?;
    assert_eq!(count("cuStreamWaitEvent"), order + 1);
    assert_eq!(array.wait()?[..], numbers(640));
    let (buffer, copying) = device.upload_pinned(pinned()?)?;
    drop(buffer);
    drop(zeros);
    assert_eq!(block_on(copying)?[..], numbers(640));
    Ok(())
}

/// Calls that fail on the way: the array is not freed under its copy.
fn that_fail(device: &Device) -> Result<()> {
    let mut buffer = device.zeros::<u32>(64)?;
    for call in [
        "cuMemcpyHtoDAsync_v2",
        "cuEventCreate",
        "cuEventRecord",
        "cuEventSynchronize",
        "cuEventQuery",
    ] {
        let array = device.pinned(64)?;
        assert!(driver::say(&format!("fail {call} {} 1", count(call) + 1)).is_ok());
        let result = buffer
            .copy_from_pinned(array)
            .and_then(|copying| match call {
                "cuEventQuery" => block_on(copying),
                _ => copying.wait(),
            });
        let found = result
            .err()
            .map(|error| (error.driver_call().map(str::to_owned), error.driver_code()));
        assert_eq!(found, Some((Some(call.to_owned()), Some(1))));
    }
    assert_eq!(buffer.to_vec()?, [0; 64]);
    Ok(())
}

fn there_and_back<T: Element + PartialEq + Debug>(
    device: &Device,
    value: impl Fn(u32) -> T,
) -> Result<()> {
    for length in [0, 1, 1000] {
        let values: Vec<T> = (0..length).map(&value).collect();
        let mut array = device.pinned::<T>(values.len())?;
        array.copy_from_slice(&values);
        let (buffer, copying) = device.upload_pinned(array)?;
        let mut array = copying.wait()?;
        array.fill(T::default());
        let array = block_on(buffer.copy_to_pinned(array)?)?;
        assert_eq!(array[..], values, "{}", device.name());
    }
    Ok(())
}

fn lengths(device: &Device) -> Result<()> {
    let mut buffer = device.zeros::<i16>(10)?;
    for wrong in [0, 9, 11] {
        let there = buffer.copy_from_pinned(device.pinned(wrong)?).err();
        let back = buffer.copy_to_pinned(device.pinned(wrong)?).err();
        for error in [there, back] {
            assert_eq!(
                error.map(|error| error.kind()),
                Some(ErrorKind::UnequalLengths)
            );
        }
    }
    Ok(())
}
