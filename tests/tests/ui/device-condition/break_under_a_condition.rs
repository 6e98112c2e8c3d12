//! A loop of the host ends when a value of the device is large.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| {
            let mut y = x;
            loop {
                y = y * 2.0;
                if y > 10.0 {
                    break;
                }
            }
            y
        }).push())
    }
}

fn main() {}

// Write `chunk.as_block_map(|x| exec_thread_value(seq_until(|y| y * 2.0, |y| y > 10.0, x)))` in place of `chunk.map(|x| { let mut y = x; loop { y = y * 2.0; if y > 10.0 { break; } } y }).push()`.
