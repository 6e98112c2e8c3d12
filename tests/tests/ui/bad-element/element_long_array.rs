//! An array of more than eight elements as a field.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[derive(Clone, Copy, Element)]
    pub struct Row {
        pub numbers: [f32; 9],
    }
}

fn main() {}
