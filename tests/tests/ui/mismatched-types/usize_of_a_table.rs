//! One variable is an index of a table of the host, and an index of an array.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn at(chunk: Pull<EF32>, dy: u32) -> EF32 {
        chunk[dy]
    }

    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        let weights = [0.25_f32, 0.5, 0.25];
        input.split_up(64).as_grid_map(|chunk| {
            let mut sum = chunk[0];
            for dy in 0..3 {
                sum = sum + weights[dy] * at(chunk, dy);
            }
            singleton(sum).push()
        })
    }
}

fn main() {}
