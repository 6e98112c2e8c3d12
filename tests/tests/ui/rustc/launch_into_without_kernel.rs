//! A function without `#[kernel]`, which takes a number of the host, is launched into a buffer.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn add(n: u32, k: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(n).as_grid_map(|chunk| chunk.map(|x| x + k).push())
    }
}

fn main() -> obsidian_rt::Result<()> {
    let device = Device::cpu();
    let x = device.upload(&[1u32; 64])?;
    let mut y = device.zeros::<u32>(64)?;
    m::add::launch_into(&device, 3, &x, &mut y)
}
