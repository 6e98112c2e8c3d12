//! Two modules with a function of the same name, both brought in by `*`.

use obsidian_rt::prelude::*;

#[kernels]
pub mod one {
    pub fn twice(x: EU32) -> EU32 {
        x * 2
    }
}

#[kernels]
pub mod two {
    pub fn twice(x: EU32) -> EU32 {
        x + x
    }
}

#[kernels]
pub mod m {
    use super::one::*;
    use super::two::*;

    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(twice).push())
    }
}

fn main() {
    println!("{}", m::k::CUDA);
}

// Write `use super::one::twice;` in place of `use super::one::*;`.
