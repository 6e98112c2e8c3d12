//! A table of the host is indexed by a `u32`.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 64, n = [0, 1])]
    pub fn k(n: u32, input: DPull<EI32>) -> DPush<Grid, EI32> {
        let factors = [2, 3];
        let factor = factors[n];
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| x * factor).push())
    }
}

fn main() {}
