//! A matrix with more elements than there are indices.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k() -> DPush<Grid, EU32> {
        let matrix = generate((lit(70000u32), lit(70000u32)), |(y, x)| y + x);
        matrix.cover(16, 16).as_grid_map(|t| t.push()).flat()
    }
}

fn main() {
    println!("{}", m::k::CUDA);
}
