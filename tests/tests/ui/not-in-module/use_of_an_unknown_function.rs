//! `use` of a function that the other module does not have.

use obsidian_rt::prelude::*;

#[kernels]
pub mod library {
    pub fn twice(x: EU32) -> EU32 {
        x * 2
    }
}

#[kernels]
pub mod m {
    use super::library::twise;

    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| x + 1).push())
    }
}

fn main() {
    println!("{}", m::k::CUDA);
}
