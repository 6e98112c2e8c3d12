//! A struct as the element of a kernel's array.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[derive(Clone, Copy, Element)]
    pub struct Body {
        pub at: f32,
        pub mass: f32,
    }

    #[kernel]
    pub fn k(bodies: DPull<Body>) -> DPush<Grid, EF32> {
        bodies.chunks(64, 0.0).as_grid_map(|b| b.push())
    }
}

fn main() {}
