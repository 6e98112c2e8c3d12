//! A program with code in the crate `cust`: its contexts, streams and buffers become ours, and ours its.

use std::error::Error;
use std::sync::Arc;

use cust::context::{Context, CurrentContext, legacy};
use cust::memory::{CopyDestination, DeviceBuffer};
use cust::stream::{Stream, StreamFlags};
use obsidian_rt::prelude::*;

use crate::kernels::{numbers, sums, sums_of_64};
use crate::{Outcome, driver, hold};

type Given<T> = Result<T, Box<dyn Error>>;

/// Everything converted once, with the right results, and nothing left over.
pub fn both_ways() -> Outcome {
    driver::say("reset")?;
    scenario().map_err(|error| format!("{error:?}"))?;
    refusals().map_err(|error| format!("{error:?}"))?;
    let left = driver::left()?;
    hold(left == (Vec::new(), 0), || format!("left over: {left:?}"))
}

/// Their context and stream, their buffer as an input, our output as theirs; our device as their context, their pointer of our buffer.
fn scenario() -> Given<()> {
    let context = cust::quick_init()?;
    let elements = numbers(64 * 64);
    let theirs = DeviceBuffer::from_slice(&elements)?;
    let stream = Arc::new(Stream::new(StreamFlags::DEFAULT, None)?);
    let device = Device::from_cust(&context)?.on_cust_stream(stream.clone())?;
    assert_eq!(device.raw_stream()?, stream.as_inner().cast());
    assert_eq!(device.raw_context()?, context.as_raw().cast());

    let pointer = theirs.as_device_ptr();
    let input = Buffer::from_cust(&device, theirs)?;
    assert_eq!(input.cust_pointer(&device)?.as_raw(), pointer.as_raw());
    let sums = sums::sums_of_64::launch(&device, &input)?;
    stream.synchronize()?;
    assert_eq!(sums.to_vec()?, sums_of_64(&elements));

    let (other, made) = device.cust_stream()?;
    let doubled = sums::doubled::launch(&other, &sums)?;
    let their_doubled = doubled.into_cust()?;
    let mut result = vec![0; their_doubled.len()];
    their_doubled.copy_to(&mut result)?;
    let right: Vec<u32> = sums_of_64(&elements)
        .iter()
        .map(|x| x.wrapping_mul(2))
        .collect();
    assert_eq!(result, right);
    made.synchronize()?;

    let own = Device::cuda(0)?.cust_context()?;
    assert_eq!(own.as_raw(), context.as_raw());
    Ok(())
}

/// What cannot be converted is an error that says why.
fn refusals() -> Given<()> {
    let context: Context = cust::quick_init()?;
    let device = Device::from_cust(&context)?;
    let kind = |error: Option<obsidian_rt::Error>| error.map(|error| error.kind());
    let foreign = Buffer::from_cust(&device, DeviceBuffer::from_slice(&[1u32, 2])?)?;
    assert_eq!(kind(foreign.into_cust().err()), Some(ErrorKind::CannotRun));
    assert_eq!(
        kind(device.zeros::<u32>(0)?.into_cust().err()),
        Some(ErrorKind::CannotRun)
    );
    for device in [Device::cpu(), Device::simulator()] {
        assert_eq!(
            kind(device.cust_context().err()),
            Some(ErrorKind::CannotRun)
        );
        assert_eq!(kind(device.cust_stream().err()), Some(ErrorKind::CannotRun));
        let buffer = DeviceBuffer::from_slice(&[1u32])?;
        assert_eq!(
            kind(Buffer::from_cust(&device, buffer).err()),
            Some(ErrorKind::CannotRun)
        );
        assert_eq!(
            kind(device.upload(&[1u32])?.into_cust().err()),
            Some(ErrorKind::CannotRun)
        );
    }
    of_another_gpu(&device)?;
    // A function that the driver for tests does not have is an error of `cust`, and no abort.
    let missing = CurrentContext::get_flags().err();
    assert_eq!(missing, Some(cust::error::CudaError::NotFound));
    let legacy = legacy::Context::create_and_push(
        legacy::ContextFlags::SCHED_AUTO,
        cust::device::Device::get_device(0)?,
    );
    assert!(legacy.is_err());
    Ok(())
}

/// A stream and a buffer of one GPU are refused for another one, also when a context of that is current.
fn of_another_gpu(device: &Device) -> Given<()> {
    let kind = |error: Option<obsidian_rt::Error>| error.map(|error| error.kind());
    let other = Context::new(cust::device::Device::get_device(1)?)?;
    CurrentContext::set_current(&other)?;
    let stream = Arc::new(Stream::new(StreamFlags::DEFAULT, None)?);
    let buffer = DeviceBuffer::from_slice(&[1u32, 2])?;
    let refused = device.on_cust_stream(Arc::clone(&stream)).err();
    assert_eq!(kind(refused), Some(ErrorKind::WrongDevice));
    let refused = Buffer::from_cust(device, buffer).err();
    assert_eq!(kind(refused), Some(ErrorKind::WrongDevice));

    let there = Device::from_cust(&other)?.on_cust_stream(stream)?;
    CurrentContext::set_current(&other)?;
    let buffer = Buffer::from_cust(&there, DeviceBuffer::from_slice(&[1u32, 2])?)?;
    assert_eq!((there.name(), buffer.to_vec()?), ("cuda:1", vec![1, 2]));
    let empty = Buffer::from_cust(&there, DeviceBuffer::from_slice(&[0u32; 0])?)?;
    assert!(empty.is_empty());
    Ok(())
}

/// Codes of `CUresult`, one of which `cust` does not know.
const CODES: [i32; 7] = [1, 2, 3, 700, 719, 999, 36];

/// Every call fails once, the first, the second and the last of its name: an error, no panic, and no more left than could not be given back.
pub fn may_fail() -> Outcome {
    driver::say("reset")?;
    scenario().map_err(|error| format!("without a failure: {error:?}"))?;
    let calls = driver::calls()?;
    let (mut injections, mut errors) = (0, 0);
    for (call, count) in &calls {
        let mut occurrences = vec![1, 2, *count];
        occurrences.retain(|n| n <= count);
        occurrences.dedup();
        for occurrence in occurrences {
            for code in CODES {
                // The last wait is that of a drop, for memory that has an owner.
                let in_drop = call == "cuStreamSynchronize" && occurrence == *count;
                errors += u32::from(one(call, occurrence, code, in_drop)?);
                injections += 1;
            }
        }
    }
    println!(
        "{injections} injections into {} functions, {errors} errors",
        calls.len()
    );
    hold(errors > injections / 2, || {
        "these are too few errors".to_owned()
    })
}

/// The codes that an error has where a call gives this one: `cust` does not know all of them.
fn codes_of(code: i32) -> [i32; 2] {
    [code, if code == 36 { 999 } else { code }]
}

/// The code of an error, our own or one of `cust`.
fn code_of(error: &(dyn Error + 'static)) -> Option<i32> {
    let ours = error.downcast_ref::<obsidian_rt::Error>();
    let theirs = error.downcast_ref::<cust::error::CudaError>();
    ours.and_then(obsidian_rt::Error::driver_code)
        .or(theirs.map(|code| *code as i32))
}

/// One failure; was it an error, with the code of the failure? Calls that give something back have nobody to tell, and `cust` does not
/// check whether a context became the current one.
fn one(call: &str, occurrence: u64, code: i32, in_drop: bool) -> Result<bool, String> {
    let what = format!("call {occurrence} of {call} with {code}");
    driver::say("reset")?;
    driver::say(&format!("fail {call} {occurrence} {code}"))?;
    let result = std::panic::catch_unwind(scenario).map_err(|_| format!("{what}: a panic"))?;
    let silent = ["Free", "Destroy", "Release", "Unload", "SetCurrent"]
        .iter()
        .any(|word| call.contains(word));
    let tried_again = call == "cuMemAlloc_v2" && code == 2;
    if let Err(error) = &result {
        let found = code_of(&**error);
        hold(
            found.is_some_and(|found| codes_of(code).contains(&found)),
            || format!("{what}: {error:?}"),
        )?;
    }
    hold(result.is_err() || silent || in_drop || tried_again, || {
        format!("{what}: no error")
    })?;
    let (live, failed) = driver::left()?;
    hold(failed <= 1 || [700, 719].contains(&code), || {
        format!("{what}: {failed} releases have failed")
    })?;
    hold(live.len() as u64 <= failed, || {
        format!(
            "{what}: {failed} releases have failed, and there is left\n{}",
            live.join("\n")
        )
    })?;
    Ok(result.is_err())
}
