//! A function of the module with too few arguments.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn shift(arr: Pull<EI32>, by: EI32) -> Pull<EI32> {
        arr.map(|x| x + by)
    }

    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| shift(chunk).push())
    }
}

fn main() {}
