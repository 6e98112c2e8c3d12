//! A function of the library, called as a method, as of an iterator.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(a: DPull<EI32>, b: DPull<EI32>) -> DPush<Grid, EI32> {
        let sums = a.zip(b).map(|(x, y)| x + y);
        sums.split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
