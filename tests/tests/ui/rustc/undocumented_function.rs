//! A function without documentation, where the crate asks for it.
#![deny(missing_docs)]

use obsidian_rt::prelude::*;

/// Documented.
#[kernels]
pub mod m {
    pub fn undocumented(x: EU32) -> EU32 {
        x + 1
    }

    /// Documented.
    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(undocumented).push())
    }
}

fn main() {}
