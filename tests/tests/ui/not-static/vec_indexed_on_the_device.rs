//! A Vec of the host is read at an index of the device.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        let weights = vec![3, 4, 5];
        input.split_up(64).as_grid_map(|chunk| generate(64, |i| chunk[i] * weights[i]).push())
    }
}

fn main() {}
