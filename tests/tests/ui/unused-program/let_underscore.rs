//! `let _ =` does not run a program.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn changed(chunk: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
        let m = new_shared_mutable(64, lit(7i32))?;
        for_all(64, |i| {
            let _ = m.write(i, chunk[i]);
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

// Write `m.write(i, chunk[i])?;` in place of `let _ = m.write(i, chunk[i]);`.
