//! The place is the call, and not the function that it calls.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn store(m: MShared<EI32>, i: EU32, x: EI32) -> Program<Thread, ()> {
        m.write(i, x)
    }

    fn changed(chunk: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
        let m = new_shared_mutable(64, lit(7i32))?;
        for_all(64, |i| {
            store(m, i, chunk[i]);
            pure(())
        })?;
        pure(m.push())
    }

    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input
            .split_up(64)
            .as_grid_map(|chunk| exec_block(changed(chunk)))
    }
}

fn main() {}
