//! Shared memory has a size that is known when the kernel is compiled.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(compute(input.in_rows(8))).flat())
    }
}

fn main() {
    println!("{}", m::k::CUDA);
}
