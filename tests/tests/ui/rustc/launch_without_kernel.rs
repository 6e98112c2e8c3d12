//! A function without `#[kernel]` is launched.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn twice(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(64).as_grid_map(|chunk| chunk.map(|x| x * 2).push())
    }
}

fn main() -> obsidian_rt::Result<()> {
    let device = Device::cpu();
    let x = device.upload(&[1u32; 64])?;
    let y = m::twice::launch(&device, &x)?;
    println!("{:?}", y.to_vec()?);
    Ok(())
}
