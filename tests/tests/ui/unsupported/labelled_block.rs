//! A block with a label.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn below(n: u32) -> u32 {
        let mut i = 0;
        'found: {
            if i * i > n {
                break 'found;
            }
            i += 1;
        }
        i
    }

    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| x + below(9)).push())
    }
}

fn main() {}
