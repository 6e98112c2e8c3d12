//! `use` of everything around, and of a module instead of its functions.

use obsidian_rt::prelude::*;

#[kernels]
pub mod library {
    pub fn twice(x: EU32) -> EU32 {
        x * 2
    }
}

#[kernels]
pub mod m {
    use super::*;

    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(twice).push())
    }
}

#[kernels]
pub mod n {
    use crate::library;
}

fn main() {
    println!("{}", m::k::CUDA);
}

// Write `use super::library::twice;` in place of `use super::*;`.
// Write `use super::library::twice;` in place of `use crate::library;`.
