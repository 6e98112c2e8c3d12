//! A program of a warp that a block runs as its own.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn doubled(sums: MShared<EU32>, w: EU32) -> Program<Warp, ()> {
        for_all(32, |i| {
            let x = sums.read(w * 32 + i)?;
            sums.write(w * 32 + i, x * 2)
        })
    }

    fn all(x: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let sums = to_mutable(x)?;
        doubled(sums, lit(0u32))?;
        pure(sums.push())
    }

    #[kernel(threads = 64)]
    pub fn k(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(64).as_grid_map(|x| exec_block(all(x)))
    }
}

fn main() {}
