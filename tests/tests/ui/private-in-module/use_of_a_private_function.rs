//! `use` of a function that the other module keeps for itself.

use obsidian_rt::prelude::*;

#[kernels]
pub mod library {
    fn helper(x: EU32) -> EU32 {
        x * 2
    }

    pub fn twice(x: EU32) -> EU32 {
        helper(x)
    }
}

#[kernels]
pub mod m {
    use super::library::{helper, twice};

    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(twice).push())
    }
}

fn main() {
    println!("{}", m::k::CUDA);
}
