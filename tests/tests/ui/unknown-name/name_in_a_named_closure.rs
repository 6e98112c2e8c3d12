//! A closure that has a name uses a name that is not there.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(x: DPull<EU32>) -> DPush<Grid, EU32> {
        let at = |i| x[i] + unknown;
        let y = at(3);
        generate(x.len(), |i| x[i] + y + at(i)).split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
