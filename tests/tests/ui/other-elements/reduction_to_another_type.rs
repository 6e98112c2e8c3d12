//! A reduction whose function gives another type than its elements have.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|run| reduce(|x, y| (x + y) as f32, run).map(|x| x as i32))
    }
}

fn main() {}
