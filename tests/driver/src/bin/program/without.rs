//! A machine with a driver and no compiler.

use obsidian_rt::prelude::*;

use crate::kernels::{counts, numbers, sums, sums_of_64};
use crate::{Outcome, driver, hold};

/// Kernels without PTX run on the CPU for the best device, which says why once; for the GPU by its name they are errors that say what to
/// write.
pub fn a_compiler() -> Outcome {
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
    }
    Ok(device)
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
    let kernel = sums::sums_of_64::kernel().with_threads(33)?;
    says(
        sums::sums_of_64::launch_kernel(&kernel, &device, &input),
        "it is built while the program runs, for 33 threads",
    );
    Ok(())
}
