//! The kernels of an array program have names that start with its own.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(m: Arr2<EF32>) -> Arr1<EF32> {
        m.sum()
    }

    #[kernel]
    pub fn f_narrow(xs: DPull<EF32>) -> DPush<Grid, EF32> {
        xs.split_up(64).as_grid_map(|run| run.push())
    }
}

fn main() {}
