//! The outer loop does not end.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn count(x: EI32) -> EI32 {
        let mut n = 0;
        while n < 10 {
            for i in 0..100 {
                n = n * i;
            }
        }
        x + n
    }

    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.map(|x| count(x)).split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
