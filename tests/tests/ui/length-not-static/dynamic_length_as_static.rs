//! A function that wants a static length is given a dynamic one.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn halves(arr: Pull<EI32>) -> Pull<EI32> {
        let (a, b) = arr.halve();
        zip_with(|x, y| x + y, a, b)
    }

    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        halves(input).to_dyn().split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
