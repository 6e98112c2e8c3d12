//! A clamped index is an `i32`.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        generate(input.len(), |i| input[(i as EI32 - 1).max(0)]).chunks(64, 0.0).as_grid_map(|chunk| chunk.push()).take(input.len())
    }
}

fn main() {}

// Write `((i as EI32 - 1).max(0) as EU32).min(input.len() - 1)` in place of `(i as EI32 - 1).max(0)`.
