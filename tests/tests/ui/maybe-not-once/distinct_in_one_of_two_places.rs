//! The writes of one place have distinct indices, those of the other may have the same.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 64)]
    pub fn k(to: DPull<EU32>) -> DPush<Grid, EU32> {
        to.split_up(64).as_grid_map(|to| {
            mk_push(64, |write| {
                for_all(64, |i| cond(to[i] < 9, write(i, (to[i] % 64).distinct()), write(i, to[i] / 4 % 64)))
            })
        })
    }
}

fn main() {}
