//! Only elements below 32 are written.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| mk_push(64, |write| for_all::<Block, _>(64, |i| cond(i < 32, write(chunk[i], i), pure(())))))
    }
}

fn main() {}
