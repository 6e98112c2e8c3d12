//! Each value is a literal of the parameter's type, and is there once.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = [64, true], n = [8, 16u8, 4294967296, -1], wide = [1, "no"], shift = [3, 3], size = [])]
    pub fn k(n: u32, wide: bool, shift: i8, size: usize, input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(n).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
