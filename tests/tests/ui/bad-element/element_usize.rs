//! A field whose size depends on the machine.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[derive(Clone, Copy, Element)]
    pub struct Edge {
        pub from: usize,
        pub weight: f32,
    }

    #[device(range)]
    pub fn f(i: usize, edges: &[Edge]) -> f32 {
        edges[i].weight
    }
}

fn main() {}
