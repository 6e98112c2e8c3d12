//! A length that is known only at launch decides.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| if input.len() > 64 { chunk.push() } else { chunk.reverse().push() })
    }
}

fn main() {}
