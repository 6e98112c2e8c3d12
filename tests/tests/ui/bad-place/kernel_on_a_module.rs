//! `#[kernel]` on a module.

use obsidian_rt::prelude::*;

#[kernel]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() -> obsidian_rt::Result<()> {
    let device = Device::cpu();
    let input = device.upload(&[1.0_f32; 64])?;
    println!("{:?}", m::k::launch(&device, &input)?.to_vec()?);
    Ok(())
}

// Write `#[kernels] pub mod` in place of `#[kernel] pub mod`.
