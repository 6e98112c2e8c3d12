//! Each element is computed from two of the array before, forty times over.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn folded(arr: Pull<EI32>) -> Pull<EI32> {
        let mut arr = arr;
        for _ in 0..40 {
            arr = zip_with(|x, y| x + y, arr, arr.reverse());
        }
        arr
    }

    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| folded(chunk).push())
    }
}

fn main() {}

// Write `fn folded(arr: Pull<EI32>) -> Program<Block, Push<Block, EI32>>` in place of `fn folded(arr: Pull<EI32>) -> Pull<EI32>`.
// Write `arr = compute(zip_with(|x, y| x + y, arr, arr.reverse()))?;` in place of `arr = zip_with(|x, y| x + y, arr, arr.reverse());`.
// Write `} pure(arr.push()) }` in place of `} arr }`.
// Write `exec_block(folded(chunk))` in place of `folded(chunk).push()`.
