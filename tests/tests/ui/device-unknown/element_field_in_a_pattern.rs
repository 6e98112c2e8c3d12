//! A pattern with a field that a struct does not have.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[derive(Clone, Copy, Element)]
    pub struct Body {
        pub at: f32,
        pub mass: f32,
    }

    #[device(range)]
    pub fn f(i: usize, bodies: &[Body]) -> f32 {
        let Body { at, speed } = bodies[i];
        at + speed
    }
}

fn main() {}
