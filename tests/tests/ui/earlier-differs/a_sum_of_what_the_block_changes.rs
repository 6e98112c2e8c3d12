//! What later blocks get is read from an array after it was changed.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn shifted(x: MGlobal<EU32>, block: EU32) -> Program<Block, Push<Block, EU32>> {
        for_all(64, |i| x.write(block * 64 + i, block))?;
        sync()?;
        let own = exec_thread_value(x.read(block * 64));
        let sum = compute(singleton(own).as_block())?;
        let before = earlier(|a, b| a + b, 0, sum)?;
        pure(before.push())
    }

    #[kernel(threads = 64)]
    pub fn k(x: MGlobal<EU32>) -> DPush<Grid, EU32> {
        generate(x.len() / 64, |i| i).as_grid_ordered(|i| exec_block(shifted(x.clone(), i)))
    }
}

fn main() {}
