//! A function of array programs without `#[arrays]` is run.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn sum(xs: Arr1<EF32>) -> Arr0<EF32> {
        xs.sum()
    }
}

fn main() -> obsidian_rt::Result<()> {
    let device = Device::cpu();
    let xs = device.array([64], &[1f32; 64])?;
    let sum = m::sum::run(&device, &xs)?;
    drop(sum);
    Ok(())
}
