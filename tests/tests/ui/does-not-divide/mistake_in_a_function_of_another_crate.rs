//! A kernel calls a function of another crate with a length that does not suit it.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    use combinators::reductions::reduce_coalesced;

    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(60).as_grid_map(|chunk| exec_block(reduce_coalesced(|a, b| a + b, 8, chunk)))
    }
}

fn main() {
    println!("{}", m::k::CUDA);
}
