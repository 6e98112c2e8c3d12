//! What a launch does wrong is the error of a later call; and after that, every call says so.

use obsidian_rt::{ErrorKind, Result, prelude::*};

use crate::awaited::block_on;
use crate::kernels::{numbers, sums, sums_of_64};
use crate::{Outcome, driver, hold};

/// A kernel reads outside of its buffer: launching it is no error, waiting for it is, and names it.
pub fn by_a_kernel() -> Outcome {
    one_fault(sums::named::launch)
}

/// Events and copies that go on know which kernel was launched last before them.
pub fn found_by_events() -> Outcome {
    type Way = fn(&Device, Event) -> Result<()>;
    let ways: [(&str, Way); 4] = [
        ("cuEventSynchronize", |_, event| event.synchronize()),
        ("cuEventQuery", |_, event| event.is_done().map(drop)),
        ("cuEventQuery", |_, event| block_on(event)),
        ("cuEventSynchronize", |device, _| {
            let buffer = device.upload(&[1u32; 64])?;
            sums::doubled::launch(device, &buffer)?;
            let copying = buffer.copy_to_pinned(device.pinned(64)?)?;
            copying.wait().map(drop)
        }),
    ];
    for (n, (call, way)) in ways.into_iter().enumerate() {
        driver::say("reset")?;
        driver::say(&format!("fail {call} 1 719"))?;
        let waited = || -> Result<()> {
            let device = Device::cuda(0)?;
            let input = device.upload(&numbers(64))?;
            let output = sums::doubled::launch(&device, &input)?;
            let event = device.record_event()?;
            sums::sums_of_64::launch(&device, &output)?;
            way(&device, event)
        };
        let error = waited()
            .err()
            .ok_or_else(|| format!("way {n} is no error"))?;
        let found = (error.kind(), error.kernel(), error.driver_call());
        let wanted = (ErrorKind::LostContext, Some("doubled"), Some(call));
        hold(found == wanted, || format!("way {n}: {found:?}"))?;
    }
    Ok(())
}

/// The same in recorded work, whose last launch is named.
pub fn by_recorded_work() -> Outcome {
    one_fault(|device, elements, names| {
        let mut buffers = [
            elements.to_device(device)?,
            names.to_device(device)?,
            device.zeros(32)?,
        ];
        let mut recording = device.record(&buffers, |device, [elements, names, output]| {
            sums::doubled::launch(device, elements)?;
            sums::named::launch_into(device, elements, names, output)?;
            output.fill(0)
        })?;
        recording.replay(&mut buffers)?;
        drop(recording); // waits for the work, and the next call says what went wrong
        let [_, _, output] = buffers;
        Ok(output)
    })
}

fn one_fault(
    launch: impl FnOnce(&Device, &Buffer<u32>, &Buffer<u32>) -> Result<Buffer<u32>>,
) -> Outcome {
    driver::say("reset")?;
    let made = || -> Result<_> {
        let device = Device::cuda(0)?;
        let (elements, names) = (
            device.upload(&numbers(64))?,
            device.upload(&[1_000_000u32; 32])?,
        );
        let output = launch(&device, &elements, &names)?;
        Ok((device, elements, output))
    };
    let (device, elements, output) = made().map_err(|error| format!("the launch: {error:?}"))?;
    let error = device.synchronize().err().ok_or("waiting was no error")?;
    let found = (
        error.kind(),
        error.kernel(),
        error.driver_call(),
        error.driver_code(),
    );
    let wanted = (
        ErrorKind::LostContext,
        Some("named"),
        Some("cuStreamSynchronize"),
        Some(719),
    );
    hold(found == wanted, || format!("{found:?}"))?;
    for (what, result) in [
        ("its output", output.to_vec()),
        ("another buffer", elements.to_vec()),
    ] {
        let error = result.err().ok_or_else(|| format!("{what} can be read"))?;
        hold(error.kind() == ErrorKind::LostContext, || {
            format!("{what}: {error:?}")
        })?;
    }
    hold(Device::cuda(0).is_err(), || {
        "the device can be used again".to_owned()
    })
}

/// When errors come: mistakes in a launch from the launch, on every device; what goes wrong in the work from the launch or from the next
/// call that waits.
pub fn when_errors_come() -> Outcome {
    driver::say("reset")?;
    // The last one has lost its context then.
    for device in [Ok(Device::cpu()), Ok(Device::simulator()), Device::cuda(0)] {
        let device = device.map_err(|error| format!("{error:?}"))?;
        mistakes(&device)
            .and_then(|()| faults(&device))
            .map_err(|error| format!("{}: {error:?}", device.name()))?;
    }
    Ok(())
}

/// Launches that do not fit, after each of which the device works.
fn mistakes(device: &Device) -> Result<()> {
    let other = match device.name() {
        "cpu" => Device::simulator(),
        _ => Device::cpu(),
    };
    let (input, short, far) = (
        device.upload(&numbers(64))?,
        device.upload(&numbers(63))?,
        other.upload(&numbers(64))?,
    );
    let mut two = device.zeros(2)?;
    let given = [
        (
            ErrorKind::Requirement,
            sums::sums_of_64::launch(device, &short).map(drop),
        ),
        (
            ErrorKind::WrongDevice,
            sums::sums_of_64::launch(device, &far).map(drop),
        ),
        (
            ErrorKind::UnequalLengths,
            sums::sums_of_64::launch_into(device, &input, &mut two),
        ),
        (
            ErrorKind::NoBlocks,
            sums::sums_of_64::launch(&device.with_blocks(0), &input).map(drop),
        ),
    ];
    for (kind, result) in given {
        assert_eq!(
            result.err().map(|error| error.kind()),
            Some(kind),
            "{}",
            device.name()
        );
        device.synchronize()?;
        assert_eq!(
            sums::sums_of_64::launch(device, &input)?.to_vec()?,
            sums_of_64(&numbers(64))
        );
    }
    Ok(())
}

/// A vouched index outside of its array, found in each way.
fn faults(device: &Device) -> Result<()> {
    let (input, names) = (
        device.upload(&numbers(64))?,
        device.upload(&[1_000_000u32; 32])?,
    );
    let launch = || sums::named::launch(device, &input, &names);
    let at_once = device.properties().is_none();
    let kind = if at_once {
        ErrorKind::Fault
    } else {
        ErrorKind::LostContext
    };
    let launched = launch();
    assert_eq!(launched.is_err(), at_once, "{}", device.name());
    let ways: [(&str, Result<()>); 5] = [
        ("synchronize", launched.and_then(|_| device.synchronize())),
        (
            "to_vec",
            launch().and_then(|output| output.to_vec()).map(drop),
        ),
        (
            "into_vec",
            launch().and_then(|output| output.into_vec()).map(drop),
        ),
        (
            "copy_to",
            launch().and_then(|output| output.copy_to(&mut [0; 32])),
        ),
        (
            "await",
            launch().and_then(|_| block_on(device.record_event()?)),
        ),
    ];
    for (way, result) in ways {
        let found = result.err().map(|error| error.kind());
        assert_eq!(found, Some(kind), "{} {way}", device.name());
    }
    if at_once {
        let elements = sums::sums_of_64::launch(device, &input)?.to_vec()?;
        assert_eq!(elements, sums_of_64(&numbers(64)));
    }
    Ok(())
}

/// After a context is lost, each call names what lost it, and the driver is not asked any more.
pub fn everything_says_so() -> Outcome {
    driver::say("reset")?;
    let made = || -> Result<_> {
        let device = Device::cuda(0)?;
        let stream = device.stream()?;
        let (input, bins) = (device.upload(&numbers(64))?, device.zeros::<u32>(16)?);
        let recording = device.record(&bins, |_, bins| bins.fill(1))?;
        let event = device.record_event()?;
        Ok((stream, event, input, bins, recording, device))
    };
    let (stream, event, input, mut bins, mut recording, device) =
        made().map_err(|error| format!("before: {error:?}"))?;
    driver::say("fail cuMemAlloc_v2 3 719")?;
    hold(device.upload(&[1u8]).is_err(), || {
        "the failure was no error".to_owned()
    })?;
    let before = driver::calls()?;
    let given: Vec<(&str, Result<()>)> = vec![
        ("upload", device.upload(&[1u8]).map(drop)),
        ("zeros", device.zeros::<f64>(3).map(drop)),
        ("pinned", device.pinned::<i8>(3).map(drop)),
        ("to_vec", input.to_vec().map(drop)),
        ("copy_to", input.copy_to(&mut [0; 64])),
        (
            "launch",
            sums::sums_of_64::launch(&device, &input).map(drop),
        ),
        (
            "launch on a stream",
            sums::sums_of_64::launch(stream.device(), &input).map(drop),
        ),
        (
            "launch that changes a buffer",
            sums::count::launch(&device, &mut bins, &input).map(drop),
        ),
        ("replay", recording.replay(&mut bins)),
        ("stream", device.stream().map(drop)),
        ("record", device.record_event().map(drop)),
        ("wait", stream.wait(&event)),
        ("synchronize", device.synchronize()),
        ("synchronize a stream", stream.synchronize()),
        ("synchronize an event", event.synchronize()),
        ("is_done", event.is_done().map(drop)),
        ("await", block_on(event.clone())),
        ("since", event.since(&event).map(drop)),
    ];
    for (what, result) in given {
        let error = result
            .err()
            .ok_or_else(|| format!("`{what}` is no error"))?;
        let found = (error.kind(), error.driver_call(), error.driver_code());
        hold(
            found == (ErrorKind::LostContext, Some("cuMemAlloc_v2"), Some(719)),
            || format!("{what}: {error:?}"),
        )?;
        hold(
            error
                .to_string()
                .contains("is lost since `cuMemAlloc_v2` failed with 719"),
            || format!("{what}: {error}"),
        )?;
    }
    let after = driver::calls()?;
    hold(before == after, || {
        format!("the driver was asked all the same: {before:?}, {after:?}")
    })?;
    drop((stream, event, input, bins, recording, device));
    let (live, failed) = driver::left()?;
    hold(live.len() as u64 == failed && failed > 0, || {
        format!("{failed} were to be given back, and there is left {live:?}")
    })
}
