//! Names that nothing uses are reported by rustc's lints, each once and at its place.

#![deny(unused)]

use obsidian_rt::prelude::*;

#[kernels]
mod m {
    const UNUSED: u32 = 3;

    fn never_called(x: EU32) -> EU32 {
        x
    }

    fn plain(x: EU32, extra: EU32) -> EU32 {
        x
    }

    fn staged(chunk: Pull<EU32>, mut factor: EU32, other: EU32) -> Program<Block, Push<Block, EU32>> {
        let stored = compute(chunk)?;
        let forgotten = 2;
        let mut unchanged = 1;
        let shifted = stored.map(|x| plain(x, x) + unchanged + factor);
        for n in 0..4 {
            sync()?;
        }
        pure(shifted.map(|x| lit(1u32)).push())
    }

    fn dropped(m: MShared<EU32>) -> Program<Block, ()> {
        for_all(64, |i| {
            m.write(i, i);
            pure(())
        })
    }

    #[kernel]
    fn k(input: DPull<EU32>, offset: EU32) -> DPush<Grid, EU32> {
        input
            .split_up(64)
            .as_grid_map(|chunk| exec_block(staged(chunk, lit(1u32), lit(2u32))))
    }
}

fn main() {}
