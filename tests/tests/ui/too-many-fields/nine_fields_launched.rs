//! A kernel of elements with nine fields is launched.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<(EF32, EF32, EF32, EF32, EF32, EF32, EF32, EF32, EF32)>) -> DPush<Grid, EF32> {
        input.map(|x| x.0).split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() -> obsidian_rt::Result<()> {
    let device = Device::cpu();
    let input = device.upload(&[1.0_f32; 64])?;
    let all = (&input, &input);
    println!("{:?}", m::k::launch(&device, all)?.to_vec()?);
    Ok(())
}
