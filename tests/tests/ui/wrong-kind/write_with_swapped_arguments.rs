//! The index comes first, where the element belongs.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| {
            mk_push::<Block, _, _>(64, |write| for_all(64, |i| write(i, chunk[i])))
        })
    }
}

fn main() {}
