//! Memory that a program keeps: launches into existing buffers, copies, fills, and pointers for other libraries.

mod owners;
mod split;

use std::fmt::Debug;

use obsidian_rt::prelude::*;

use crate::kernels::{numbers, stencils, sums, sums_of_64};
use crate::{Outcome, driver, hold, pinned};

/// All of it; nothing is left over.
pub fn everything() -> Outcome {
    driver::say("reset")?;
    into()
        .and_then(|()| jacobi())
        .and_then(|()| fills_and_copies())
        .and_then(|()| between_devices())
        .and_then(|()| parts())
        .and_then(|()| split::everything())
        .and_then(|()| arrays_and_structs())
        .and_then(|()| pointers())
        .and_then(|()| pinned::everything())
        .and_then(|()| owners::everything())
        .map_err(|error| format!("{error:?}"))?;
    let left = driver::left()?;
    hold(left == (Vec::new(), 0), || format!("left over: {left:?}"))
}

/// The calls of the driver that make memory or wait, so far.
fn costs() -> [u64; 5] {
    driver::counts([
        "cuMemAlloc_v2",
        "cuMemFree_v2",
        "cuStreamSynchronize",
        "cuEventSynchronize",
        "cuCtxSynchronize",
    ])
}

/// 2,000 launches into existing buffers make no memory and wait for nothing.
fn into() -> obsidian_rt::Result<()> {
    let device = Device::cuda(0)?;
    let elements = numbers(64 * 10);
    let (input, mut output) = (device.upload(&elements)?, device.zeros(10)?);
    let before = costs();
    for _ in 0..2000 {
        sums::sums_of_64::launch_into(&device, &input, &mut output)?;
    }
    assert_eq!(costs(), before);
    assert_eq!(output.to_vec()?, sums_of_64(&elements));
    let (x, y) = (device.upload(&[0.5f32; 32])?, device.upload(&[7i64; 32])?);
    let (mut twice, mut moved) = (device.zeros(32)?, device.zeros(32)?);
    sums::scaled::launch_into(&device, (&x, &y), 2, (&mut twice, &mut moved))?;
    assert_eq!(
        (twice.to_vec()?, moved.to_vec()?),
        (vec![1.0; 32], vec![9; 32])
    );
    // What does not fit is refused before anything runs.
    let calls = driver::calls();
    let mut short = device.zeros(9)?;
    let error = sums::sums_of_64::launch_into(&device, &input, &mut short).err();
    let found = error.map(|error| (error.kind(), error.needed(), error.limit()));
    assert_eq!(found, Some((ErrorKind::UnequalLengths, Some(9), Some(10))));
    let mut elsewhere = Device::cpu().zeros(10)?;
    let error = sums::sums_of_64::launch_into(&device, &input, &mut elsewhere).err();
    assert_eq!(
        error.map(|error| error.kind()),
        Some(ErrorKind::WrongDevice)
    );
    let launches = |calls: Result<std::collections::BTreeMap<String, u64>, String>| {
        calls.map(|calls| calls.get("cuLaunchKernel").copied())
    };
    assert_eq!(launches(driver::calls()), launches(calls));
    Ok(())
}

/// Steps of Jacobi's method: 1,000 on a small table, and on one of 1,024 x 1,024 as many as this driver, which takes 0.1 s for one, does in
/// some seconds. (`OBSIDIAN_FULL=1`: 1,000.)
fn jacobi() -> obsidian_rt::Result<()> {
    let all = std::env::var_os("OBSIDIAN_FULL").is_some();
    steps::<64>(1000)?;
    steps::<1024>(if all { 1000 } else { 30 })
}

/// Steps between two buffers: there are two allocations, and no step waits.
fn steps<const SIDE: usize>(steps: u32) -> obsidian_rt::Result<()> {
    let device = Device::cuda(0)?;
    let start: Vec<f32> = (0..SIDE * SIDE).map(|i| (i % 37) as f32).collect();
    let before = costs();
    let (mut now, mut next) = (device.upload(&start)?, device.zeros(start.len())?);
    let after_uploads = costs();
    for _ in 0..steps {
        stencils::jacobi::launch_into(&device, SIDE as u32, &now, &mut next)?;
        std::mem::swap(&mut now, &mut next);
    }
    assert_eq!(costs(), after_uploads);
    assert_eq!(costs()[0] - before[0], 2);
    let result = now.to_vec()?;
    let (mut expected, mut next) = (start.clone(), start);
    for _ in 0..steps {
        for row in 1..SIDE - 1 {
            for i in row * SIDE + 1..row * SIDE + SIDE - 1 {
                let (above, below) = (expected[i - SIDE], expected[i + SIDE]);
                next[i] = (above + below + expected[i - 1] + expected[i + 1]) * 0.25;
            }
        }
        std::mem::swap(&mut expected, &mut next);
    }
    assert!(result == expected, "the table is another one");
    Ok(())
}

/// One value everywhere, bit for bit, without a wait; and copies between buffers of one GPU, on two streams.
fn filled<T: Element + Debug + PartialEq>(device: &Device, value: T) -> obsidian_rt::Result<()> {
    for length in [0, 1, 7, 1000] {
        let mut buffer = device.zeros::<T>(length)?;
        let mut other = device.stream()?.device().zeros::<T>(length)?;
        let waits = costs()[2..].to_vec();
        buffer.fill(value)?;
        other.copy_from_buffer(&buffer)?;
        assert_eq!(costs()[2..], waits);
        assert_eq!(
            (buffer.to_vec()?, other.to_vec()?),
            (vec![value; length], vec![value; length])
        );
    }
    Ok(())
}

fn fills_and_copies() -> obsidian_rt::Result<()> {
    for device in [Device::cuda(0)?, Device::cpu(), Device::simulator()] {
        filled(&device, true)?;
        filled(&device, 0xabu8)?;
        filled(&device, -2i16)?;
        filled(&device, 0xdead_beefu32)?;
        filled(&device, -0.5f32)?;
        filled(&device, 0x0123_4567_89ab_cdefi64)?;
        filled(&device, -1i64)?;
        filled(&device, 1.0 / 3.0)?;
        let mut buffer = device.upload(&numbers(100))?;
        buffer.copy_from(&numbers(200)[100..])?;
        assert_eq!(buffer.to_vec()?, numbers(200)[100..]);
        let error = buffer.copy_from(&[1]).err();
        assert_eq!(
            error.map(|error| error.kind()),
            Some(ErrorKind::UnequalLengths)
        );
        let error = buffer.copy_from_buffer(&device.zeros(99)?).err();
        assert_eq!(
            error.map(|error| error.kind()),
            Some(ErrorKind::UnequalLengths)
        );
    }
    Ok(())
}

/// Copies between any two devices.
fn between_devices() -> obsidian_rt::Result<()> {
    let devices = [Device::cuda(0)?, Device::cpu(), Device::simulator()];
    for from in &devices {
        for to in &devices {
            let copy = from.upload(&numbers(333))?.to_device(to)?;
            assert_eq!(
                (copy.device().name(), copy.to_vec()?),
                (to.name(), numbers(333))
            );
        }
    }
    Ok(())
}

/// Parts of a buffer as inputs, also two of them, at places that are not aligned; and parts of parts.
fn parts() -> obsidian_rt::Result<()> {
    let elements = numbers(64 * 6 + 3);
    for device in [Device::cuda(0)?, Device::cpu(), Device::simulator()] {
        let whole = device.upload(&elements)?;
        let allocations = costs()[0];
        for start in [0, 1, 3] {
            let part = whole.slice(start..start + 64 * 5)?;
            assert_eq!(part.to_vec()?, elements[start..start + 64 * 5]);
            let inner = part.slice(64..=127)?;
            let sums = sums::sums_of_64::launch(&device, &inner)?;
            assert_eq!(
                sums.to_vec()?,
                sums_of_64(&elements[start + 64..start + 128])
            );
            let copy = inner.to_device(&Device::cpu())?;
            assert_eq!(copy.to_vec()?, elements[start + 64..start + 128]);
        }
        // Two of one buffer: what is summed, and what it is written to, which is a buffer of its own.
        let (left, right) = whole.split_at(64 * 2)?;
        let mut sums = device.zeros(2)?;
        sums::sums_of_64::launch_into(&device, &left, &mut sums)?;
        assert_eq!(sums.to_vec()?, sums_of_64(&elements[..128]));
        assert_eq!(
            (right.len(), whole.slice(5..5)?.to_vec()?),
            (64 * 4 + 3, vec![])
        );
        let end = 7;
        // Only results were allocated.
        assert!(costs()[0] - allocations <= 2);
        for error in [
            whole.slice(..elements.len() + 1).err(),
            whole.slice(end..3).err(),
            whole.slice(..=usize::MAX).err(),
        ] {
            assert_eq!(error.map(|error| error.kind()), Some(ErrorKind::TooLong));
        }
    }
    // A part is no memory to give away.
    let device = Device::cuda(0)?;
    let whole = device.upload(&elements)?;
    let stream = device.stream()?;
    let part = whole.slice(64..)?;
    let inner = part.slice(..32)?;
    let sums = sums::doubled::launch(stream.device(), &inner)?;
    drop(inner);
    drop(part);
    drop(whole);
    let expected: Vec<u32> = elements[64..96].iter().map(|x| x.wrapping_mul(2)).collect();
    assert_eq!(sums.to_vec()?, expected);
    Ok(())
}

/// Arrays with a shape, and pairs as structs, with a launch in between.
fn arrays_and_structs() -> obsidian_rt::Result<()> {
    let device = Device::cuda(0)?;
    let matrix = ndarray::Array2::from_shape_fn((4, 64), |(i, j)| (i * 1000 + j) as u32);
    let input = device.upload_ndarray(&matrix)?;
    assert_eq!(input.to_ndarray((4, 64))?, matrix);
    let doubled = sums::doubled::launch(&device, &input)?;
    assert_eq!(doubled.to_ndarray((4, 64))?, matrix * 2);
    let pairs: Vec<[u32; 2]> = (0..32).map(|i| [i, i << 16]).collect();
    let doubled = sums::doubled::launch(&device, &device.upload_pod(&pairs)?)?;
    let expected: Vec<[u32; 2]> = pairs.iter().map(|pair| pair.map(|x| x * 2)).collect();
    assert_eq!(doubled.to_pod::<[u32; 2]>()?, expected);
    Ok(())
}

/// A function in the style of cuBLAS: it multiplies on a stream, in Obsidian's memory, between two launches; and a kernel on
/// memory made elsewhere.
fn pointers() -> obsidian_rt::Result<()> {
    let device = Device::cuda(0)?;
    let stream = device.stream()?;
    let input = device.upload(&numbers(64))?;
    let mut doubled = sums::doubled::launch(&device, &input)?;
    let pointer = doubled.raw_pointer(stream.device())?;
    let scaled = driver::scale(stream.device().raw_stream()?, 64, 3, pointer);
    assert_eq!(scaled, Ok(0));
    let tripled = sums::doubled::launch(&device, &doubled)?;
    let expected: Vec<u32> = numbers(64).iter().map(|x| x.wrapping_mul(12)).collect();
    assert_eq!(tripled.to_vec()?, expected);
    doubled.fill(1)?;

    let pointer = doubled.into_raw()?;
    let freed = std::sync::Arc::new(());
    // SAFETY: there are 64 elements, which nobody else has; they are freed below, when the buffer is gone.
    let borrowed =
        unsafe { device.buffer_from_raw::<u32>(pointer, 64, std::sync::Arc::clone(&freed)) }?;
    assert_eq!(
        sums::sums_of_64::launch(&device, &borrowed)?.to_vec()?,
        [64]
    );
    // SAFETY: the elements would lie inside, but not where elements do.
    let askew = unsafe { device.buffer_from_raw::<u32>(pointer + 2, 8, ()) }.err();
    assert_eq!(askew.map(|error| error.kind()), Some(ErrorKind::CannotRun));
    let refused = borrowed.into_raw().err();
    assert_eq!(
        refused.map(|error| error.kind()),
        Some(ErrorKind::CannotRun)
    );
    assert_eq!(std::sync::Arc::strong_count(&freed), 1);
    assert_eq!(driver::free(pointer), Ok(0));

    // SAFETY: the stream is one of the same context, and is there longer than this device.
    let same = unsafe { device.on_raw_stream(stream.device().raw_stream()?, ()) }?;
    assert_eq!(
        sums::sums_of_64::launch(&same, &input)?.to_vec()?,
        sums_of_64(&numbers(64))
    );
    for device in [Device::cpu(), Device::simulator()] {
        let error = device.raw_stream().err();
        assert_eq!(error.map(|error| error.kind()), Some(ErrorKind::CannotRun));
        assert!(device.zeros::<u8>(3)?.raw_pointer(&device).is_err());
    }
    assert!(Device::cpu().zeros::<u8>(3)?.raw_pointer(&device).is_err());
    Ok(())
}
