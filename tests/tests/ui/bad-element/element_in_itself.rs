//! A struct that is a field of itself.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[derive(Clone, Copy, Element)]
    pub struct Node {
        pub next: Node,
        pub value: f32,
    }

    #[device(range)]
    pub fn f(i: usize, nodes: &[Node]) -> f32 {
        nodes[i].value
    }
}

fn main() {}
