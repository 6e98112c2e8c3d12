//! A comparison of three.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| select(0.0 < x < 1.0, x, 0.0)).push())
    }
}

fn main() -> obsidian_rt::Result<()> {
    let device = Device::cpu();
    let input = device.upload(&[1.0_f32; 64])?;
    println!("{:?}", m::k::launch(&device, &input)?.to_vec()?);
    Ok(())
}

// Write `(0.0 < x) & (x < 1.0)` in place of `0.0 < x < 1.0`.
