//! A grid of works of threads.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.in_rows(8).as_grid_map(|x| exec_thread_value(pure(x)).as_2d(1, 1)).flat()
    }
}

fn main() {
    println!("{}", m::k::CUDA);
}
