//! All threads add to one element.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn step(chunk: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let sum = new_shared_mutable(1, lit(0_u32))?;
        for_all(64, |i| sum.read(0).and_then(|before| sum.write(0, before + chunk[i])))?;
        pure(generate(64, |_| chunk[0]).push())
    }

    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(step(chunk)))
    }
}

fn main() {}

// Write `sum.atomic_add(0, chunk[i]).void()` in place of `sum.read(0).and_then(|before| sum.write(0, before + chunk[i]))`.
