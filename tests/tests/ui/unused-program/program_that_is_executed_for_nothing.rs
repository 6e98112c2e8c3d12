//! The array that executes the program is dropped.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn changed(chunk: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
        let m = new_shared_mutable(64, lit(7i32))?;
        exec_block(changed_too(m));
        pure(m.push())
    }

    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input
            .split_up(64)
            .as_grid_map(|chunk| exec_block(changed(chunk)))
    }

    fn changed_too(m: MShared<EI32>) -> Program<Block, Push<Block, EI32>> {
        m.write_all(iota(64).map(|i| i as EI32))?;
        pure(m.push())
    }
}

fn main() {}
