//! An assertion of the user's.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn halves(arr: Pull<EI32>) -> Pull<EI32> {
        assert!(arr.len() % 128 == 0, "halves needs a multiple of 128 elements");
        let (a, b) = arr.halve();
        zip_with(|x, y| x + y, a, b)
    }

    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| halves(chunk).push())
    }
}

fn main() {}
