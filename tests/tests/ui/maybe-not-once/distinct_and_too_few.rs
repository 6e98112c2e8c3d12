//! Distinct indices, of which the data leaves out some.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 64)]
    pub fn k(to: DPull<EU32>) -> DPush<Grid, EU32> {
        to.split_up(64).as_grid_map(|to| mk_push(64, |write| for_all(64, |i| cond(to[i] != 0, write(i, to[i].unchecked().distinct()), pure(())))))
    }
}

fn main() {}

// Write `write(i, i)` in place of `cond(to[i] != 0, write(i, to[i].unchecked().distinct()), pure(()))`.
