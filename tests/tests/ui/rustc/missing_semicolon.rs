//! A statement without its end.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        let doubled = input.map(|x| x * 2.0)
        doubled.split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() -> obsidian_rt::Result<()> {
    let device = Device::cpu();
    let input = device.upload(&[1.0_f32; 64])?;
    println!("{:?}", m::k::launch(&device, &input)?.to_vec()?);
    Ok(())
}

// Write `x * 2.0);` in place of `x * 2.0)`.
