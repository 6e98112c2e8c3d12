//! A scan of an array whose length is known at launch.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        inclusive_scan(|x, y| x + y, input)
    }
}

fn main() {}
