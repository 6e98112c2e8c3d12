//! What works: every kind of argument, streams, events, page-locked memory, several devices; and
//! the choice of a device.

use std::time::Duration;

use obsidian_rt::prelude::*;

use crate::driver::count;
use crate::kernels::{counts, numbers, sums, sums_of_64};
use crate::scenario::{self, Results};
use crate::{Outcome, awaited, driver, hold};

/// Buffers and launches of all element types and lengths, and that nothing is left of them.
pub fn everything() -> Outcome {
    driver::say("reset")?;
    let results = scenario::run().map_err(|error| format!("{error:?}"))?;
    hold(results == Results::right(), || format!("{results:?}"))?;
    launches()
        .and_then(|()| grids())
        .and_then(|()| copies())
        .and_then(|()| times())
        .and_then(|()| awaited::everything())
        .and_then(|()| threads())
        .and_then(|()| memory_comes_back())
        .and_then(|()| devices_come_and_go())
        .map_err(|error| format!("{error:?}"))?;
    let left = driver::left()?;
    hold(left == (Vec::new(), 0), || format!("left over: {left:?}"))
}

fn launches() -> obsidian_rt::Result<()> {
    let device = Device::cuda(0)?;
    for n in [0, 64, 128, 64 * 31, 64 * 997] {
        let elements = numbers(n);
        let input = device.upload(&elements)?;
        for device in [device.clone(), device.with_blocks(1), device.with_blocks(7)] {
            assert_eq!(
                sums::sums_of_64::launch(&device, &input)?.to_vec()?,
                sums_of_64(&elements),
                "sums of {n}"
            );
        }
        let mut bins = device.zeros(16)?;
        sums::count::launch(&device, &mut bins, &input)?;
        assert_eq!(bins.to_vec()?, counts(&elements), "counts of {n}");
    }
    // More shared memory than every GPU has.
    let elements = numbers(42_000);
    let kept = sums::kept_long::launch(&device, &device.upload(&elements)?)?.to_vec()?;
    let backwards = elements
        .chunks(14_000)
        .flat_map(|run| run.iter().rev().map(|x| x.wrapping_add(1)));
    assert_eq!(kept, backwards.collect::<Vec<u32>>());
    // The threads of a kernel that is built anew are those that were asked for.
    let input = device.upload(&numbers(640))?;
    for threads in [1, 31, 33, 1000, 1023] {
        let kernel = sums::sums_of_64::kernel().with_threads(threads)?;
        let sums = sums::sums_of_64::launch_kernel(&kernel, &device, &input)?.to_vec()?;
        assert_eq!(sums, sums_of_64(&numbers(640)), "{threads} threads");
    }
    tuples_and_numbers(&device)
}

fn tuples_and_numbers(device: &Device) -> obsidian_rt::Result<()> {
    let (x, y) = (
        vec![0.5f32; 48],
        (0..48).map(|i| i64::from(i) << 40).collect::<Vec<_>>(),
    );
    let (twice, moved) =
        sums::scaled::launch(device, (&device.upload(&x)?, &device.upload(&y)?), -3)?;
    assert_eq!(twice.to_vec()?, vec![1.0; 48]);
    assert_eq!(moved.to_vec()?, y.iter().map(|y| y - 3).collect::<Vec<_>>());
    // A result is one value, and an argument.
    let once = sums::scaled::launch(device, (&device.upload(&x)?, &device.upload(&y)?), -3)?;
    let twice = sums::scaled::launch(device, &once, -3)?;
    let rows: Vec<(f32, i64)> = y.iter().map(|y| (2.0, y - 6)).collect();
    assert_eq!((twice.len(), twice.to_vec()?), (48, rows));
    let (left, right) = (once.0.slice(16..)?, once.1.slice(..32)?);
    let mixed = sums::scaled::launch(device, (&left, &right), 0)?;
    assert_eq!((mixed.len(), mixed.is_empty()), (32, false));
    let bytes: Vec<u8> = (0..64).map(|i| i * 3).collect();
    let odd = sums::odd::launch(device, &device.upload(&bytes)?)?;
    assert_eq!(
        odd.to_vec()?,
        bytes.iter().map(|byte| byte % 2 == 1).collect::<Vec<_>>()
    );
    Ok(())
}

/// Real blocks: of a resident grid as many as the device holds at once, 4 multiprocessors with 2
/// blocks each, and no more than there are virtual ones or than the user allows.
fn grids() -> obsidian_rt::Result<()> {
    let device = Device::cuda(0)?;
    let grid = || driver::say("grid").unwrap_or_default();
    for (blocks, limit, doubled, tripled) in [
        (100, None, "100", "8"),
        (8, None, "8", "8"),
        (3, None, "3", "3"),
        (100, Some(5), "5", "5"),
        (100, Some(50), "50", "8"),
    ] {
        let device = limit.map_or(device.clone(), |limit| device.with_blocks(limit));
        let elements = numbers(32 * blocks);
        let input = device.upload(&elements)?;
        let each = |factor: u32| {
            elements
                .iter()
                .map(|x| x.wrapping_mul(factor))
                .collect::<Vec<u32>>()
        };
        assert_eq!(sums::doubled::launch(&device, &input)?.to_vec()?, each(2));
        assert_eq!(grid(), doubled, "{blocks} {limit:?}");
        assert_eq!(sums::tripled::launch(&device, &input)?.to_vec()?, each(3));
        assert_eq!(grid(), tripled, "{blocks} {limit:?}");
        // With other threads it is another function, about which the driver is asked again.
        let kernel = sums::tripled::kernel().with_threads(33)?;
        let output = sums::tripled::launch_kernel(&kernel, &device, &input)?;
        assert_eq!(output.to_vec()?, each(3));
        assert_eq!(grid(), tripled, "{blocks} {limit:?}");
    }
    Ok(())
}

fn copies() -> obsidian_rt::Result<()> {
    let device = Device::cuda(0)?;
    for n in [0, 1, 7, 4096, 100_003] {
        let floats: Vec<f64> = (0..n).map(|i| f64::from(i) / 7.0).collect();
        assert_eq!(device.upload(&floats)?.to_vec()?, floats);
        let truths: Vec<bool> = (0..n).map(|i| i % 3 == 0).collect();
        let mut pinned = device.pinned::<bool>(truths.len())?;
        assert!(pinned.iter().all(|truth| !truth));
        device.upload(&truths)?.copy_to(&mut pinned)?;
        assert_eq!(pinned[..], truths[..]);
        assert!(
            device
                .zeros::<i16>(truths.len())?
                .to_vec()?
                .iter()
                .all(|x| *x == 0)
        );
    }
    let error = device.upload(&[1u8, 2])?.copy_to(&mut [0; 3]).err();
    assert_eq!(
        error.map(|error| error.kind()),
        Some(ErrorKind::UnequalLengths)
    );
    Ok(())
}

/// Dropped buffers are the memory of later ones, without a call of the driver.
fn memory_comes_back() -> obsidian_rt::Result<()> {
    let device = Device::cuda(0)?;
    let retained = count("cuDevicePrimaryCtxRetain");
    let inputs = [64 * 100, 64 * 31, 64 * 7].map(numbers);
    let uploaded = [0, 1, 2].map(|n| device.upload(&inputs[n]));
    let [first, second, third] = uploaded;
    let uploaded = [first?, second?, third?];
    let (allocations, waits) = (count("cuMemAlloc_v2"), count("cuStreamSynchronize"));
    for n in 0..1000 {
        drop(sums::sums_of_64::launch(&device, &uploaded[n % 3])?);
    }
    assert!(count("cuMemAlloc_v2") - allocations <= 6);
    assert_eq!(count("cuStreamSynchronize"), waits);
    for (input, elements) in uploaded.iter().zip(&inputs) {
        assert_eq!(
            sums::sums_of_64::launch(&device, input)?.to_vec()?,
            sums_of_64(elements)
        );
    }
    // What one stream uploads and another one drops comes back to the first.
    let stream = device.stream()?;
    let allocations = count("cuMemAlloc_v2");
    for _ in 0..100 {
        let input = device.upload(&inputs[0])?;
        let sums = sums::sums_of_64::launch(stream.device(), &input)?;
        drop(input);
        assert_eq!(sums.to_vec()?, sums_of_64(&inputs[0]));
    }
    assert!(count("cuMemAlloc_v2") - allocations <= 3);
    // The stream that takes what another one has used waits for that one, once; and for its own memory never.
    device.trim_memory(0)?;
    let input = device.upload(&inputs[0])?;
    let sums = sums::sums_of_64::launch(stream.device(), &input)?;
    drop(input);
    let counted = || (count("cuMemAlloc_v2"), count("cuStreamWaitEvent"));
    let (allocations, waits) = counted();
    let input = device.upload(&inputs[0])?;
    assert_eq!(counted(), (allocations, waits + 1));
    drop(input);
    drop(device.upload(&inputs[0])?);
    assert_eq!(counted(), (allocations, waits + 1));
    assert_eq!(sums.to_vec()?, sums_of_64(&inputs[0]));
    drop(sums);
    // What one value of a device drops comes back to another one of the same GPU, which has the same context and kernels.
    let same = Device::cuda(0)?;
    assert_eq!(count("cuDevicePrimaryCtxRetain"), retained);
    let (allocations, modules) = (count("cuMemAlloc_v2"), count("cuModuleLoadDataEx"));
    let input = same.upload(&inputs[0])?;
    drop(sums::sums_of_64::launch(&same, &input)?);
    assert_eq!(count("cuMemAlloc_v2"), allocations);
    assert_eq!(count("cuModuleLoadDataEx"), modules);
    drop(input);
    // Nothing is kept any more.
    let frees = count("cuMemFree_v2");
    device.trim_memory(0)?;
    assert!(count("cuMemFree_v2") > frees);
    let frees = count("cuMemFree_v2");
    device.trim_memory(0)?;
    assert_eq!(count("cuMemFree_v2"), frees);
    // What buffers have is not free. What they have left is, though the driver does not know it.
    let (free, asked) = (device.free_memory()?, count("cuMemGetInfo_v2"));
    let large = device.zeros::<u8>(1 << 20)?;
    let taken = free
        .zip(device.free_memory()?)
        .map(|(before, now)| before - now);
    assert!(taken.is_some_and(|taken| (1 << 20..1 << 21).contains(&taken)));
    drop(large);
    assert_eq!(device.free_memory()?, free);
    assert_eq!(count("cuMemGetInfo_v2"), asked + 2);
    device.trim_memory(0)?;
    let frees = count("cuMemFree_v2");
    // A device that has no memory left is asked again once the pools are empty.
    drop(device.zeros::<u8>(3 << 20)?);
    assert!(
        driver::say(&format!(
            "fail cuMemAlloc_v2 {} 2",
            count("cuMemAlloc_v2") + 1
        ))
        .is_ok()
    );
    assert_eq!(device.zeros::<u8>(5 << 20)?.to_vec()?, vec![0; 5 << 20]);
    assert_eq!(count("cuMemFree_v2"), frees + 1);
    Ok(())
}

fn times() -> obsidian_rt::Result<()> {
    let device = Device::cuda(0)?;
    let (first, second) = (device.record_event()?, device.stream()?.record_event()?);
    assert!(second.is_done()? && second.since(&first)? < Duration::from_secs(60));
    assert_eq!(first.since(&second)?, Duration::ZERO);
    let other = Device::cpu().record_event()?;
    for (later, earlier) in [(&first, &other), (&other, &first)] {
        assert_eq!(
            later.since(earlier).err().map(|error| error.kind()),
            Some(ErrorKind::WrongDevice)
        );
    }
    device.stream()?.wait(&other)?;
    Device::cpu().stream()?.wait(&first)
}

/// One device in many threads, which also use each other's streams.
fn threads() -> obsidian_rt::Result<()> {
    let device = Device::cuda(0)?;
    let elements = numbers(64 * 33);
    let (input, streams) = (
        device.upload(&elements)?,
        [device.stream()?, device.stream()?],
    );
    let work = |thread: usize| -> obsidian_rt::Result<()> {
        for round in 0..10 {
            let stream = &streams[(thread + round) % 2];
            let sums = sums::sums_of_64::launch(stream.device(), &input)?;
            stream.record_event()?.synchronize()?;
            assert_eq!(
                sums.to_vec()?,
                sums_of_64(&elements),
                "thread {thread}, round {round}"
            );
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..8)
            .map(|thread| {
                scope.spawn({
                    let work = &work;
                    move || work(thread)
                })
            })
            .collect();
        running.into_iter().try_for_each(|thread| {
            thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    })
}

/// Threads open and drop one GPU: while the last value of it is dropped in one, another one opens it anew, with a context that works.
fn devices_come_and_go() -> obsidian_rt::Result<()> {
    let work = || -> obsidian_rt::Result<()> {
        for n in 1..100 {
            let buffer = Device::cuda(0)?.upload(&numbers(n))?;
            assert_eq!(buffer.to_vec()?, numbers(n));
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let running = [0; 4].map(|_| scope.spawn(work));
        running.into_iter().try_for_each(|thread| {
            thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    })
}

/// Two devices, each with its own buffers.
pub fn devices() -> Outcome {
    let result = || -> obsidian_rt::Result<()> {
        assert_eq!(Device::cuda_count()?, 2);
        let (first, second) = (Device::cuda(0)?, Device::cuda(1)?);
        assert_eq!((first.name(), second.name()), ("cuda:0", "cuda:1"));
        let properties = first.properties().map(|p| {
            (
                p.compute_capability,
                p.threads_per_block,
                p.shared_bytes_per_block,
            )
        });
        assert_eq!(properties, Some(((7, 5), 1024, 48 << 10)));
        let buffers = (first.upload(&numbers(64))?, second.upload(&numbers(64))?);
        for (device, own, foreign) in [
            (&first, &buffers.0, &buffers.1),
            (&second, &buffers.1, &buffers.0),
        ] {
            assert_eq!(
                sums::sums_of_64::launch(device, own)?.to_vec()?,
                sums_of_64(&numbers(64))
            );
            let error = sums::sums_of_64::launch(device, foreign).err();
            assert_eq!(
                error.map(|error| error.kind()),
                Some(ErrorKind::WrongDevice)
            );
        }
        // Another value for the same device uses the same memory.
        assert_eq!(
            sums::sums_of_64::launch(&Device::cuda(1)?, &buffers.1)?.to_vec()?,
            sums_of_64(&numbers(64))
        );
        let error = Device::cuda(2)
            .err()
            .map(|error| (error.kind(), error.needed(), error.limit()));
        assert_eq!(
            error,
            Some((ErrorKind::DeviceUnavailable, Some(2), Some(2)))
        );
        Ok(())
    };
    result().map_err(|error| format!("{error:?}"))
}

/// Prints the device that is best, or the kind of the error.
pub fn best() -> Outcome {
    match Device::best() {
        Ok(device) => println!("{}", device.name()),
        Err(error) => println!("{:?}: {error}", error.kind()),
    }
    match Device::cuda(0) {
        Ok(device) => println!("{}", device.name()),
        Err(error) => println!("{:?}: {error}", error.kind()),
    }
    Ok(())
}
