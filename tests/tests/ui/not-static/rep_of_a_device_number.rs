//! A loop of the host that runs as often as the device says.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(rep(chunk.len() as EU32 + chunk.at(0) as u32, |arr| compute(arr), chunk)))
    }
}

fn main() {}
