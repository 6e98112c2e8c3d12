//! A parameter with chosen values stands behind the input, and the kernel is launched.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(n = 4)]
    pub fn k(input: DPull<EF32>, n: u32) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| x * (n as f32)).push())
    }
}

fn main() -> obsidian_rt::Result<()> {
    let device = Device::cpu();
    let input = device.upload(&[1.0_f32; 64])?;
    println!("{:?}", m::k::launch(&device, &input)?.to_vec()?);
    Ok(())
}

// Write `n: u32, input: DPull<EF32>` in place of `input: DPull<EF32>, n: u32`.
