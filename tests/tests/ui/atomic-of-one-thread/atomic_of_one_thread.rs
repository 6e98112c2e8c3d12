//! An atomic operation on an array that one thread has for itself.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn counted(arr: Pull<EI32>) -> Program<Thread, Push<Thread, EI32>> {
        let sums = to_mutable(arr)?;
        sums.atomic_add(0, 1)?;
        pure(sums.push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| chunk.split_up(8).as_block_map(|part| exec_thread(counted(part))))
    }
}

fn main() {}
