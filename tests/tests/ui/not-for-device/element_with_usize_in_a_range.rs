//! A range that gives a tuple with a number whose size depends on the machine.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[derive(Clone, Copy, Element)]
    pub struct Body {
        pub at: f32,
        pub mass: f32,
    }

    #[device(range)]
    pub fn f(i: usize, bodies: &[Body]) -> (Body, usize) {
        (bodies[i], i)
    }
}

fn main() {}
