//! One mistake in a kernel and one elsewhere: both are reported once, and the kernel's callers are left alone.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn broken(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.map(|x| x + 1.5_f32).split_up(64).as_grid_map(|chunk| chunk.push())
    }

    #[kernel]
    pub fn sound(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.map(|x| x + 1).split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() -> obsidian_rt::Result<()> {
    let device = Device::cpu();
    let input = device.upload(&[1, 2, 3])?;
    let sums: Buffer<i32> = m::broken::launch(&device, &input)?;
    println!("{:?} {}", sums.to_vec()?, m::broken::CUDA);
    println!("{:?}", m::sound::launch(&device, &input)?.to_vec()?);
    let unrelated: u32 = "text";
    Ok(())
}
