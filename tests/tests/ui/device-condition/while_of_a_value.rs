//! A loop of the host, as long as a value of the device is large.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| {
            let mut y = x;
            while y > 1.0 {
                y = y / 2.0;
            }
            y
        }).push())
    }
}

fn main() {}

// Write `#[device] fn halved(x: f32) -> f32 { let mut y = x; while y > 1.0 { y /= 2.0; } y } #[kernel]` in place of `#[kernel]`.
// Write `chunk.as_block_map(|x| exec_thread_value(halved(x)))` in place of `chunk.map(|x| { let mut y = x; while y > 1.0 { y = y / 2.0; } y }).push()`.
