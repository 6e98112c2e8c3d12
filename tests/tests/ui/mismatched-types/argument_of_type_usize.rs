//! A function of a `u32` is given a `usize`.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn shifted(chunk: Pull<EI32>, by: u32) -> Pull<EI32> {
        chunk.map(|x| x << by)
    }

    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        let bits = vec![1_u32, 2, 3];
        input.split_up(64).as_grid_map(|chunk| {
            let mut chunk = chunk;
            for n in 0..bits.len() {
                chunk = shifted(chunk, n);
            }
            chunk.push()
        })
    }
}

fn main() {}

// Write `shifted(chunk, n as u32)` in place of `shifted(chunk, n)`.
