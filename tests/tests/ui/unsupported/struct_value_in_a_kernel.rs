//! A struct in a kernel.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[derive(Clone, Copy, Element)]
    pub struct Body {
        pub at: f32,
        pub mass: f32,
    }

    #[device]
    pub fn mass(b: Body) -> f32 {
        b.mass
    }

    #[kernel]
    pub fn k(xs: DPull<EF32>) -> DPush<Grid, EF32> {
        let masses = xs.map(|x| mass(Body { at: x, mass: x }));
        masses.chunks(64, 0.0).as_grid_map(|b| b.push())
    }
}

fn main() {}
