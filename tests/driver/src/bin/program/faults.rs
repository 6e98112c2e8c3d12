//! Kernels with `#[kernel(faults)]`: an index that is outside is an error of the next call that waits, with the words of the CPU, and the
//! device goes on.

use obsidian_rt::{Error, ErrorKind, Result, prelude::*};

use crate::awaited::block_on;
use crate::driver::{self, counts};
use crate::kernels::{numbers, sums};
use crate::{Outcome, hold};

/// All of it.
pub fn everything() -> Outcome {
    driver::say("reset")?;
    let parts: [(&str, fn(&Device) -> Result<()>); 9] = [
        ("each call that waits", each_call_that_waits),
        ("the words", as_on_the_cpu),
        ("streams", streams),
        ("recorded work", recorded),
        ("many launches", many_launches),
        ("many lengths", many_lengths),
        ("threads", threads),
        ("a copy that is dropped", dropped_copy),
        ("assertions", assertions),
    ];
    for (what, part) in parts {
        let ran = Device::cuda(0).and_then(|device| part(&device));
        ran.map_err(|error| format!("{what}: {error:?}"))?;
    }
    let (left, failed) = driver::left()?;
    hold(left.is_empty() && failed == 0, || format!("{left:?}"))
}

/// Elements, and names of which the sixth is outside.
fn given(device: &Device) -> Result<(Buffer<u32>, Buffer<u32>)> {
    let mut names: Vec<u32> = (0..32).collect();
    (names[5], names[9]) = (70, 64);
    Ok((device.upload(&numbers(64))?, device.upload(&names)?))
}

fn is_fault(result: Result<()>) -> Error {
    let error = result.expect_err("an access outside of its array is an error");
    assert_eq!(error.kind(), ErrorKind::Fault, "{error}");
    assert_eq!(error.kernel(), Some("looked_up"), "{error}");
    assert_eq!((error.needed(), error.limit()), (Some(64), Some(64)));
    assert_eq!(error.driver_call(), None);
    error
}

/// The launch itself is no error; the call that waits is, once, and what was inside is there.
fn each_call_that_waits(device: &Device) -> Result<()> {
    type Wait = fn(&Device, Event, &Buffer<u32>) -> Result<()>;
    let waits: [Wait; 7] = [
        |device, _, _| device.synchronize(),
        |_, event, _| event.synchronize(),
        |_, event, _| event.is_done().map(drop),
        |_, event, _| block_on(event),
        |_, _, output| output.to_vec().map(drop),
        |_, _, output| output.copy_to(&mut [0; 32]),
        |device, _, output| {
            let copying = output.copy_to_pinned(device.pinned(32)?)?;
            copying.wait().map(drop)
        },
    ];
    let (elements, names) = given(device)?;
    for (n, wait) in waits.into_iter().enumerate() {
        let output = sums::looked_up::launch(device, &elements, &names)?;
        let event = device.record_event()?;
        is_fault(wait(device, event, &output));
        device.synchronize()?;
        let mut wanted = numbers(32);
        (wanted[5], wanted[9]) = (0, 0);
        assert_eq!(output.to_vec()?, wanted, "way {n}");
    }
    Ok(())
}

/// The error is the same, with the place.
fn as_on_the_cpu(device: &Device) -> Result<()> {
    let launched = |device: &Device| -> Result<()> {
        let (elements, mut names) = given(device)?;
        // (The CPU tells the first that it finds.)
        names.copy_from(&[64; 32])?;
        sums::looked_up::launch(device, &elements, &names)?;
        device.synchronize()
    };
    let (here, there) = (
        is_fault(launched(device)).to_string(),
        is_fault(launched(&Device::cpu())).to_string(),
    );
    assert_eq!(here, there);
    assert!(here.contains("program/kernels.rs:"), "{here}");
    Ok(())
}

/// What another stream has waited for is found by it too; streams that have nothing to do with it find nothing.
fn streams(device: &Device) -> Result<()> {
    let (elements, names) = given(device)?;
    let (user, stranger) = (device.stream()?, device.stream()?);
    let output = sums::looked_up::launch(device, &elements, &names)?;
    stranger.synchronize()?;
    sums::doubled::launch(stranger.device(), &stranger.device().upload(&[1; 32])?)?;
    stranger.synchronize()?;
    let doubled = sums::doubled::launch(user.device(), &output)?;
    is_fault(doubled.to_vec().map(drop));
    // It was told.
    device.synchronize()?;
    // A stream that is dropped waits for what has its words.
    let gone = device.stream()?;
    let left = sums::looked_up::launch(gone.device(), &elements, &names)?;
    let event = gone.record_event()?;
    drop(gone);
    is_fault(event.synchronize());
    drop(left);
    Ok(())
}

fn recorded(device: &Device) -> Result<()> {
    let (elements, names) = given(device)?;
    let mut buffers = [elements, names, device.zeros(32)?];
    let mut recording = device.record(&buffers, |device, [elements, names, output]| {
        sums::looked_up::launch_into(device, elements, names, output)
    })?;
    for _ in 0..3 {
        recording.replay(&mut buffers)?;
        is_fault(device.synchronize());
        device.synchronize()?;
    }
    // And no error where all is right.
    buffers[1].copy_from(&[63; 32])?;
    recording.replay(&mut buffers)?;
    assert_eq!(buffers[2].to_vec()?, [numbers(64)[63]; 32]);
    Ok(())
}

/// A launch costs one call of the driver; none waits, and none allocates.
fn many_launches(device: &Device) -> Result<()> {
    let (elements, mut names) = given(device)?;
    names.copy_from(&[1; 32])?;
    let mut output = device.zeros(32)?;
    sums::looked_up::launch_into(device, &elements, &names, &mut output)?;
    let calls = [
        "cuMemAlloc_v2",
        "cuMemAllocHost_v2",
        "cuStreamSynchronize",
        "cuMemcpyHtoDAsync_v2",
        "cuMemsetD32Async",
    ];
    let before = counts(calls);
    for _ in 0..200 {
        sums::looked_up::launch_into(device, &elements, &names, &mut output)?;
    }
    assert_eq!(counts(calls), before);
    device.synchronize()
}

/// Each number of elements has a word; where there are too many of them, one launch waits.
fn many_lengths(device: &Device) -> Result<()> {
    let stream = device.stream()?;
    let device = stream.device();
    let (elements, names) = (device.zeros(5000)?, device.upload(&[1u32; 32])?);
    let mut output = device.zeros(32)?;
    let calls = ["cuMemAllocHost_v2", "cuStreamSynchronize"];
    let [pages, waits] = counts(calls);
    for length in 2..4100 {
        let part = elements.slice(..length)?;
        sums::looked_up::launch_into(device, &part, &names, &mut output)?;
    }
    // 512 of 8 bytes are a page, and 4,096 the most.
    assert_eq!(counts(calls), [pages + 9, waits + 1]);
    // The length in the error is that of its launch.
    for length in [1, 4000] {
        let part = elements.slice(..length)?;
        sums::looked_up::launch(device, &part, &names)?;
    }
    let error = device.synchronize().expect_err("1 is outside of 1");
    assert_eq!((error.needed(), error.limit()), (Some(1), Some(1)));
    device.synchronize()
}

/// Threads that launch on one stream at the same time.
fn threads(device: &Device) -> Result<()> {
    let (elements, names) = given(device)?;
    let faults = std::thread::scope(|scope| {
        let ran: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let output = sums::looked_up::launch(device, &elements, &names)?;
                    output.to_vec().map(drop)
                })
            })
            .collect();
        ran.into_iter()
            .filter_map(|thread| thread.join().ok()?.err())
            .collect::<Vec<Error>>()
    });
    // (One that waits may find what another one has launched, so not each finds one of its own.)
    assert!((1..=4).contains(&faults.len()));
    faults
        .into_iter()
        .for_each(|error| drop(is_fault(Err(error))));
    // What the last one has noted may not have been looked at.
    let _ = device.synchronize();
    device.synchronize()
}

/// What is waited for inside of the runtime tells nobody, so it leaves the fault to the next call that does.
fn dropped_copy(device: &Device) -> Result<()> {
    let (elements, names) = given(device)?;
    let output = sums::looked_up::launch(device, &elements, &names)?;
    drop(output.copy_to_pinned(device.pinned(32)?)?);
    is_fault(device.synchronize());
    device.synchronize()
}

/// Two kernels whose code is the same say each its own words.
fn assertions(device: &Device) -> Result<()> {
    use obsidian_rt::TypedKernel;
    use obsidian_rt::language::{EU32, Grid, MGlobal, assert_that, distr_par, for_all, lit};
    let twin = |words: &'static str| {
        TypedKernel::build("twin", 32, move |numbers: MGlobal<EU32>| {
            distr_par::<Grid>(numbers.len() / 32, move |b| {
                let numbers = numbers.clone();
                for_all(32, move |t| {
                    let below = move |x: EU32| assert_that(x.lt(lit(9u32)), words);
                    numbers.read(b * 32 + t).and_then(below)
                })
            })
        })
    };
    let (first, second) = (twin("the first")?, twin("the second")?);
    assert_eq!(first.kernel().cuda(), second.kernel().cuda());
    let (mut small, mut large) = (device.upload(&[8u32; 32])?, device.upload(&[9u32; 32])?);
    first.launch(device, &mut small)?;
    second.launch(device, &mut large)?;
    let error = device.synchronize().expect_err("9 is not below 9");
    assert_eq!(error.kind(), ErrorKind::Fault);
    assert!(error.to_string().contains("the second"), "{error}");
    device.synchronize()
}
