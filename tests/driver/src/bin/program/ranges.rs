//! Launches that a profiler hears of: alone, with an existing output, recorded, and one that fails.

use obsidian_rt::{Result, prelude::*};

use crate::Outcome;
use crate::kernels::{numbers, sums};

/// All of them, on the GPU and on the CPU.
pub fn all() -> Outcome {
    let devices = [Device::cuda(0), Ok(Device::cpu())];
    for device in devices {
        let ran = device.and_then(|device| launches(&device));
        ran.map_err(|error| format!("{error:?}"))?;
    }
    Ok(())
}

type Arrays = (Buffer<u32>, Buffer<u32>);

fn launches(device: &Device) -> Result<()> {
    let input = device.upload(&numbers(256))?;
    let output = sums::sums_of_64::launch(device, &input)?;
    let mut arrays = (input, output);
    twice(device, &mut arrays)?;
    let mut recording = device.record(&arrays, twice)?;
    recording.replay(&mut arrays)?;
    let refused = sums::sums_of_64::launch_into(device, &device.upload(&[1; 63])?, &mut arrays.1);
    assert!(refused.is_err(), "63 elements are no run of 64");
    arrays.1.to_vec().map(drop)
}

fn twice(device: &Device, (input, output): &mut Arrays) -> Result<()> {
    sums::sums_of_64::launch_into(device, input, output)?;
    sums::sums_of_64::launch_into(device, input, output)
}
