//! An array is stored whose length only the launch knows.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn stored<L: Compute>(arr: DPull<EI32>) -> Program<L, SPush<L, EI32>> {
        let kept = compute(arr)?;
        pure(kept.push())
    }

    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        singleton(exec_block(stored(input))).as_grid()
    }
}

fn main() {}

// Write `arr: SPull<EI32>) -> Program<L, SPush<L, EI32>>` in place of `arr: DPull<EI32>) -> Program<L, SPush<L, EI32>>`.
// Write `input.split_up(64).as_grid_map(|chunk| exec_block(stored(chunk)))` in place of `singleton(exec_block(stored(input))).as_grid()`.
