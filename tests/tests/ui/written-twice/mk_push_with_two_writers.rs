//! Two loops of a push array of one's own overlap.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn both(a: Pull<EU32>) -> Push<Block, EU32> {
        mk_push(64, |write| {
            for_all::<Block, _>(33, |i| write(a[i], i))?;
            for_all::<Block, _>(32, |i| write(a[i + 32], i + 32))
        })
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| both(chunk))
    }
}

fn main() {}
