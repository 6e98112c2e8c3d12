//! A `for` over the elements of an array of the device.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| {
            let mut sum = lit(0_i32);
            for x in chunk {
                sum = sum + x;
            }
            singleton(sum).push()
        })
    }
}

fn main() {}
