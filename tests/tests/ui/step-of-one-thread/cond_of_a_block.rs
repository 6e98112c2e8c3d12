//! A condition of a block around what its threads do.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn cleared(x: Pull<EU32>, some: EU32) -> Program<Block, Push<Block, EU32>> {
        let sums = to_mutable(x)?;
        cond(some > 3, for_all(64, |i| sums.write(i, i)), pure(()))?;
        pure(sums.push())
    }

    #[kernel(threads = 64)]
    pub fn k(x: DPull<EU32>, some: EU32) -> DPush<Grid, EU32> {
        x.split_up(64).as_grid_map(|x| exec_block(cleared(x, some)))
    }
}

fn main() {}

// Write `for_all(64, |i| cond(some > 3, sums.write(i, i), pure(())))` in place of `cond(some > 3, for_all(64, |i| sums.write(i, i)), pure(()))`.
