//! An element of a mutable array is assigned, and nothing else tells the type of its first value.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn filled(chunk: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let m = new_shared_mutable(64, 0)?;
        m[3] = chunk[3];
        pure(m.push())
    }

    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(filled(chunk)))
    }
}

fn main() {}
