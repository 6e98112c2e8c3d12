//! An element that is not Copy.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[derive(Clone, Element)]
    pub struct Body {
        pub mass: f32,
    }

    #[device(range)]
    pub fn f(i: usize, bodies: &[Body]) -> f32 {
        bodies[i].mass
    }
}

fn main() {}
