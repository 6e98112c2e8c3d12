//! A mistake in a closure with a name: its uses would have told the type of a literal.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn filled(chunk: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let at = |i| chunk[i].squared();
        let m = new_shared_mutable(64, 0)?;
        for_all(64, |t| m.write(t, at(t)))?;
        pure(m.push())
    }

    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(filled(chunk)))
    }
}

fn main() {}
