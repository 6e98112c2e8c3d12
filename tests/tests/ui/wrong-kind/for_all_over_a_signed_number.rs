//! The number of iterations is signed.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| {
            mk_push::<Block, _, _>(64, |write| for_all(chunk.at(0), |i| write(chunk[i], i)))
        })
    }
}

fn main() {}
