//! A height of 8 has no tiles of 3 rows.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| chunk.in_rows(8).tiles(3, 4).as_block_map(|t| t.push::<Thread>()).flat())
    }
}

fn main() {
    println!("{}", m::k::CUDA);
}
