//! A machine with a driver and no compiler.

use obsidian_rt::explore::{Candidate, Explore, Job, Objective};
use obsidian_rt::prelude::*;

use crate::kernels::{counts, numbers, sums, sums_of_64};
use crate::{driver, hold};

/// Kernels without PTX run on the CPU for the best device, which says why once; for the GPU by its name they are errors that say what to
/// write.
pub fn a_compiler() -> crate::Outcome {
    driver::say("reset")?;
    let device = best().map_err(|error| format!("{error:?}"))?;
    let calls = driver::calls()?;
    hold(!calls.contains_key("cuLaunchKernel"), || {
        format!("{calls:?}")
    })?;
    let warnings = device.warnings();
    hold(warnings.len() == 2, || format!("{warnings:?}"))?;
    for (warning, kernel) in warnings.iter().zip(["count", "sums_of_64"]) {
        let parts = [
            &format!(
                "kernel `{kernel}` runs on the CPU, with copies from and to `cuda:0`: it has no PTX"
            ),
            "`#[kernels(built)]`",
            "`.arch(\"sm_75\")`",
            "install CUDA",
        ];
        hold(
            warnings
                .iter()
                .any(|warning| parts.iter().all(|part| warning.contains(part))),
            || warning.clone(),
        )?;
    }
    drop(device);
    into_buffers()
        .and_then(|()| explored())
        .map_err(|error| format!("{error:?}"))?;
    by_name().map_err(|error| format!("{error:?}"))?;
    let left = driver::left()?;
    hold(left == (Vec::new(), 0), || format!("left over: {left:?}"))
}

fn best() -> obsidian_rt::Result<Device> {
    let device = Device::best()?;
    assert_eq!(device.name(), "cuda:0");
    let elements = numbers(64 * 50);
    let input = device.upload(&elements)?;
    let stream = device.stream()?;
    for device in [&device, stream.device(), &device.with_blocks(2)] {
        let sums = sums::sums_of_64::launch(device, &input)?;
        assert_eq!(sums.to_vec()?, sums_of_64(&elements));
        let mut bins = device.upload(&[5u32; 16])?;
        sums::count::launch(device, &mut bins, &input)?;
        let expected: Vec<u32> = counts(&elements).iter().map(|n| n + 5).collect();
        assert_eq!(bins.to_vec()?, expected);
        // Recorded work is no graph then, but one step after the other.
        let mut buffers = (input.to_device(device)?, bins);
        let mut recording = device.record(&buffers, |device, (input, bins)| {
            bins.fill(3)?;
            sums::count::launch(device, bins, input)
        })?;
        recording.replay(&mut buffers)?;
        recording.replay(&mut buffers)?;
        let expected: Vec<u32> = counts(&elements).iter().map(|n| n + 3).collect();
        assert_eq!(buffers.1.to_vec()?, expected);
    }
    Ok(device)
}

/// Launches into buffers, and launches that may not be: the second is checked as the first.
fn into_buffers() -> obsidian_rt::Result<()> {
    let device = Device::best()?;
    let elements = numbers(64 * 50);
    let input = device.upload(&elements)?;
    let mut sums = device.upload(&[7u32; 50])?;
    for _ in 0..2 {
        sums.fill(7)?;
        let copies = driver::calls();
        sums::sums_of_64::launch_into(&device, &input, &mut sums)?;
        let of = |calls: Result<std::collections::BTreeMap<String, u64>, String>| {
            calls.map(|calls| calls.get("cuMemcpyDtoHAsync_v2").copied().unwrap_or(0))
        };
        // What is only written is not copied to the CPU.
        assert_eq!(of(driver::calls()), of(copies).map(|copies| copies + 1));
        assert_eq!(sums.to_vec()?, sums_of_64(&elements));
    }
    let kind = |error: Option<obsidian_rt::Error>| error.map(|error| error.kind());
    let names = device.upload(&[1_000_000u32; 32])?;
    for _ in 0..2 {
        let outside = sums::named::launch(&device, &input, &names).err();
        assert_eq!(kind(outside), Some(ErrorKind::Fault));
    }
    assert_eq!(
        sums::doubled::launch(&device, &names)?.to_vec()?,
        [2_000_000; 32]
    );
    let pointer = names.raw_pointer(&device)?;
    // SAFETY: there are 32 elements as long as `names`, which is dropped later.
    let mut same = unsafe { device.buffer_from_raw::<u32>(pointer, 32, ()) }?;
    for _ in 0..2 {
        let aliased = sums::doubled::launch_into(&device, &names, &mut same).err();
        assert_eq!(kind(aliased), Some(ErrorKind::Aliased));
    }
    Ok(())
}

/// An exploration on the best device does not take the CPU's times for the GPU's.
fn explored() -> obsidian_rt::Result<()> {
    let objective = Objective::measured(Device::best()?);
    let job = Job::new(vec![1u32; 160], |input| {
        input.iter().map(|x| x * 2).collect::<Vec<u32>>()
    });
    let explore = Explore::variants(sums::doubled::variants(), objective, job, |variant| {
        Ok(Candidate::new(
            move |device: &Device, input: &Buffer<u32>| {
                sums::doubled::launch_variant(variant, device, input)
            },
        ))
    });
    // One error at once: there is no code for any candidate.
    let error = explore
        .run()
        .err()
        .map(|error| (error.kind(), error.to_string()));
    let is_right = error.as_ref().is_some_and(|(kind, words)| {
        *kind == ErrorKind::CannotRun && words.contains("it has no PTX")
    });
    assert!(is_right, "{error:?}");
    Ok(())
}

fn by_name() -> obsidian_rt::Result<()> {
    let device = Device::cuda(0)?;
    let input = device.upload(&numbers(64))?;
    let says = |result: obsidian_rt::Result<Buffer<u32>>, part: &str| {
        let error = result.err().map(|error| (error.kind(), error.to_string()));
        let right = error
            .as_ref()
            .is_some_and(|(kind, words)| *kind == ErrorKind::NoCompiler && words.contains(part));
        assert!(right && device.warnings().is_empty(), "{error:?}");
    };
    says(
        sums::sums_of_64::launch(&device, &input),
        "`#[kernels(built)]`, and for this device by `.arch(\"sm_75\")`, and there is neither NVRTC nor nvcc",
    );
    let moved = crate::tuned::maps::moved::launch(&device, &input);
    // A build script has compiled it only where there is an nvcc.
    if crate::tuned::maps::moved::kernel().ptx().is_none() {
        says(
            moved,
            "its build script has found no compiler, so that it has no PTX: build it where NVRTC or nvcc is, for this device by `.arch(\"sm_75\")`, and there is neither NVRTC nor nvcc",
        );
    }
    // It is found while work is recorded, not when it is done.
    let recorded = device.record(&input, |device, input| {
        sums::sums_of_64::launch(device, input).map(drop)
    });
    assert_eq!(
        recorded.err().map(|error| error.kind()),
        Some(ErrorKind::NoCompiler)
    );
    let kernel = sums::sums_of_64::kernel().with_threads(33)?;
    says(
        sums::sums_of_64::launch_kernel(&kernel, &device, &input),
        "it is built while the program runs, for 33 threads",
    );
    Ok(())
}
