//! A block asks for two sums of earlier blocks, one after the other.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn shifted(tile: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let x = singleton(tile[0]);
        let y = singleton(tile[1]);
        let before = earlier(|a, b| a + b, 0, x)?;
        let most = earlier(|a, b| a.max(b), 0, y)?;
        pure(tile.map(|x| x + before[0] * most[0]).push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_ordered(|tile| exec_block(shifted(tile)))
    }
}

fn main() {}
// Write `let both = earlier(|a, b| (a.0 + b.0, a.1.max(b.1)), (0, 0), zip(x, y))?;` in place of `let before = earlier(|a, b| a + b, 0, x)?; let most = earlier(|a, b| a.max(b), 0, y)?;`.
// Write `both[0].0 * both[0].1` in place of `before[0] * most[0]`.
