//! A reduction that stores each half without `?`.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn step(chunk: Pull<EF32>) -> Program<Block, Push<Block, EF32>> {
        if chunk.len() == 1 {
            return pure(chunk.push());
        }
        let (low, high) = chunk.halve();
        let sums = compute(zip_with(|x, y| x + y, low, high));
        step(sums)
    }

    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(step(chunk)))
    }
}

fn main() {}

// Write `low, high))?;` in place of `low, high));`.
