//! Launches that do not fit are refused before the driver is called at all: the numbers of its
//! calls stay the same.
//!
//! The driver says that a block has at most 256 threads and 1,024 bytes of shared memory, and that
//! there are two devices.

use obsidian_rt::generated::{Argument, launch, scalar};
use obsidian_rt::{Result, prelude::*};

use crate::kernels::{numbers, sums};
use crate::{Outcome, driver, hold};

/// What the launches are made with.
struct Things {
    device: Device,
    other: Device,
    words: Buffer<u32>,
    foreign: [Buffer<u32>; 3],
    floats: Buffer<f32>,
    longs: Buffer<i64>,
    bytes: Buffer<u8>,
    run: Buffer<u32>,
}

fn things() -> Result<Things> {
    let (device, other, words) = (Device::cuda(0)?, Device::cuda(1)?, numbers(4096));
    Ok(Things {
        words: device.upload(&words)?,
        foreign: [
            other.upload(&words)?,
            Device::cpu().upload(&words)?,
            Device::simulator().upload(&words)?,
        ],
        floats: device.zeros(48)?,
        longs: device.zeros(32)?,
        bytes: device.zeros(9)?,
        run: device.zeros(20_000)?,
        device,
        other,
    })
}

/// The launches that were refused so far, and the calls of the driver before them.
struct Refused {
    count: usize,
    calls: std::collections::BTreeMap<String, u64>,
}

impl Refused {
    /// Holds that a launch is refused, with this kind of error, and that the driver was not called.
    fn hold<T>(&mut self, what: &str, kind: ErrorKind, given: Result<T>) -> Outcome {
        self.count += 1;
        let error = given.err().ok_or_else(|| format!("{what}: no error"))?;
        hold(
            error.kind() == kind && error.driver_call().is_none(),
            || format!("{what}: {error:?}, and not {kind:?}"),
        )?;
        let calls = driver::calls()?;
        hold(calls == self.calls, || {
            format!("{what}: the driver was called\n{:?}\n{calls:?}", self.calls)
        })
    }
}

/// All of them; says how many there were.
pub fn all() -> Outcome {
    driver::say("reset")?;
    let made = things().and_then(|things| {
        let short = [1, 15, 63, 65, 997, 4095].map(|n| things.device.upload(&numbers(n)));
        Ok((things, short.into_iter().collect::<Result<Vec<_>>>()?))
    });
    let (things, mut short) = made.map_err(|error| format!("before: {error:?}"))?;
    let mut refused = Refused {
        count: 0,
        calls: driver::calls()?,
    };
    lengths(&things, &mut short, &mut refused)?;
    resources(&things, &mut refused)?;
    foreign(&things, &mut refused)?;
    arguments(&things, &mut refused)?;
    println!(
        "{} bad launches, refused before the driver was called",
        refused.count
    );
    hold(refused.count >= 40, || "these are fewer than 40".to_owned())
}

/// Lengths that the kernels cannot take, and those that nothing can count.
fn lengths(things: &Things, short: &mut [Buffer<u32>], refused: &mut Refused) -> Outcome {
    let Things {
        device,
        words,
        floats,
        longs,
        bytes,
        ..
    } = things;
    for words in &*short {
        refused.hold(
            &format!("sums of {}", words.len()),
            ErrorKind::Requirement,
            sums::sums_of_64::launch(device, words),
        )?;
    }
    refused.hold(
        "odd of 9",
        ErrorKind::Requirement,
        sums::odd::launch(device, bytes),
    )?;
    refused.hold(
        "arrays of two lengths",
        ErrorKind::UnequalLengths,
        sums::scaled::launch(device, (floats, longs), 1),
    )?;
    for bins in short.iter_mut().take(2) {
        let what = format!("{} of 16 bins", bins.len());
        refused.hold(
            &what,
            ErrorKind::Requirement,
            sums::count::launch(device, bins, words),
        )?;
    }
    refused.hold(
        "2^32 elements of output",
        ErrorKind::TooLong,
        sums::repeated::launch(device, words),
    )?;
    refused.hold(
        "2^32 zeros",
        ErrorKind::TooLong,
        device.zeros::<u8>(1 << 32),
    )?;
    refused.hold(
        "34 GB of zeros",
        ErrorKind::OutOfMemory,
        device.zeros::<f64>(u32::MAX as usize),
    )
}

/// Blocks that need more than the device has.
fn resources(things: &Things, refused: &mut Refused) -> Outcome {
    let Things {
        device, words, run, ..
    } = things;
    for threads in [257, 512, 1000, 1023, 1024] {
        let launched = sums::sums_of_64::launch(&device.with_threads(threads), words);
        refused.hold(
            &format!("{threads} threads"),
            ErrorKind::OutOfResources,
            launched,
        )?;
    }
    refused.hold(
        "1024 threads",
        ErrorKind::OutOfResources,
        sums::sums_of_2048::launch(device, words),
    )?;
    for threads in [1, 31, 33, 64, 256] {
        let launched = sums::kept::launch(&device.with_threads(threads), words);
        refused.hold(
            &format!("4,096 bytes, {threads} threads"),
            ErrorKind::OutOfResources,
            launched,
        )?;
    }
    refused.hold(
        "80,000 bytes",
        ErrorKind::OutOfResources,
        sums::kept_longer::launch(device, run),
    )?;
    for threads in [0, 1025, u32::MAX] {
        let launched = sums::sums_of_64::launch(&device.with_threads(threads), words);
        refused.hold(&format!("{threads} threads"), ErrorKind::Build, launched)?;
    }
    refused.hold(
        "sums on no blocks",
        ErrorKind::NoBlocks,
        sums::sums_of_64::launch(&device.with_blocks(0), words),
    )?;
    refused.hold(
        "no blocks",
        ErrorKind::NoBlocks,
        sums::doubled::launch(&device.with_blocks(0), words),
    )
}

/// Buffers of other devices.
fn foreign(things: &Things, refused: &mut Refused) -> Outcome {
    let Things {
        device,
        other,
        words,
        floats,
        ..
    } = things;
    for foreign in &things.foreign {
        let whose = foreign.device().name();
        refused.hold(
            &format!("sums of {whose}"),
            ErrorKind::WrongDevice,
            sums::sums_of_64::launch(device, foreign),
        )?;
        refused.hold(
            &format!("twice {whose}"),
            ErrorKind::WrongDevice,
            sums::doubled::launch(device, foreign),
        )?;
    }
    refused.hold(
        "words of the first on the second",
        ErrorKind::WrongDevice,
        sums::sums_of_64::launch(other, words),
    )?;
    let host = Device::cpu()
        .zeros::<i64>(48)
        .map_err(|error| error.to_string())?;
    refused.hold(
        "one of a pair",
        ErrorKind::WrongDevice,
        sums::scaled::launch(device, (floats, &host), 1),
    )?;
    let mut bins = Device::cpu()
        .zeros::<u32>(16)
        .map_err(|error| error.to_string())?;
    refused.hold(
        "bins of the CPU",
        ErrorKind::WrongDevice,
        sums::count::launch(device, &mut bins, words),
    )
}

/// Arguments of other numbers and types than the kernel has. Typed launches do not compile with
/// them; others can be written.
fn arguments(things: &Things, refused: &mut Refused) -> Outcome {
    let Things {
        device,
        words,
        floats,
        ..
    } = things;
    let (one, two) = (sums::sums_of_64::kernel(), sums::count::kernel());
    let mut hold = |what, kernel: &Kernel, kind, arguments: &mut [Argument<'_>]| {
        refused.hold(what, kind, launch(kernel, device, arguments))
    };
    hold("nothing", &one, ErrorKind::ArgumentCount, &mut [])?;
    hold(
        "one too many",
        &one,
        ErrorKind::ArgumentCount,
        &mut [words.argument(), words.argument()],
    )?;
    hold(
        "one too few",
        &two,
        ErrorKind::ArgumentCount,
        &mut [words.argument()],
    )?;
    hold(
        "floats",
        &one,
        ErrorKind::ArgumentType,
        &mut [floats.argument()],
    )?;
    hold(
        "a number",
        &one,
        ErrorKind::ArgumentType,
        &mut [scalar(1u32)],
    )?;
    // What is written has to be lent for it: the same buffer twice is no launch that compiles.
    hold(
        "the same buffer twice",
        &two,
        ErrorKind::ArgumentType,
        &mut [words.argument(), words.argument()],
    )
}
