//! A block in the place of the program of a loop.

use obsidian_rt::prelude::*;

#[kernels]
mod kernels {
    fn halved(m: MShared<EU32>) -> Program<Block, Push<Block, EU32>> {
        let large = m.read(0).map(|x| x > 1);
        single_thread(seq_while(large, {
            let x = m.read(0)?;
            m.write(0, x / 2)
        }))?;
        pure(m.push())
    }

    fn of_piece(piece: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let m = to_mutable(piece)?;
        halved(m)
    }

    #[kernel(threads = 32)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(32).as_grid_map(|piece| exec_block(of_piece(piece)))
    }
}

fn main() {}

// Write `let step = || { let x = m.read(0)?; m.write(0, x / 2) }; single_thread(seq_while(large, step()))?;` in place of `single_thread(seq_while(large, { let x = m.read(0)?; m.write(0, x / 2) }))?;`.
