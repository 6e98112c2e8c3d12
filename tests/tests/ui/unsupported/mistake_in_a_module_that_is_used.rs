//! A module with a mistake that another one uses: one error.

use obsidian_rt::prelude::*;

#[kernels]
pub mod library {
    pub fn twice(x: EU32) -> EU32 {
        struct Two;
        x * 2
    }
}

#[kernels]
pub mod m {
    use super::library::twice;

    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(twice).push())
    }
}

fn main() {
    println!("{}", m::k::CUDA);
}
