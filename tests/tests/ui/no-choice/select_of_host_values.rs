//! `select` between host values.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        let (one, two): (i32, i32) = (1, 2);
        input.map(|x| x + select(x > 0, one, two)).split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}

// Write `lit(one), lit(two)))` in place of `one, two))`.
