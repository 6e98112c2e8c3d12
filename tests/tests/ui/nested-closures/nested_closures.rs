//! Eleven thousand functions, each of which calls the one before.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn piled(arr: Pull<EI32>) -> Pull<EI32> {
        let mut f: Fun<EI32, EI32> = fun(|x| x);
        for _ in 0..11_000 {
            let before = f;
            f = fun(|x| before(x) + 1);
        }
        arr.map(|x| f(x))
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| piled(chunk).push())
    }
}

fn main() {}

// Write `fn piled(arr: Pull<EI32>) -> Program<Block, Push<Block, EI32>> { let mut arr = arr; for _ in 0..11 { arr = compute(arr.map(|x| x + 1))?; } pure(arr.push()) }` in place of `fn piled(arr: Pull<EI32>) -> Pull<EI32> { let mut f: Fun<EI32, EI32> = fun(|x| x); for _ in 0..11_000 { let before = f; f = fun(|x| before(x) + 1); } arr.map(|x| f(x)) }`.
// Write `exec_block(piled(chunk))` in place of `piled(chunk).push()`.
