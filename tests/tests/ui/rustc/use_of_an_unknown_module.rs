//! `use` of a module that is not there.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    use super::nowhere::twice;

    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(twice).push())
    }
}

fn main() {}
