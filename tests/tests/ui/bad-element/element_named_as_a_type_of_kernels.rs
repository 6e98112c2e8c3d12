//! A struct whose name a type of kernels has.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[derive(Clone, Copy, Element)]
    pub struct Grid {
        pub width: u32,
        pub step: f32,
    }

    #[device(range)]
    pub fn f(i: usize, grid: Grid) -> f32 {
        (i as u32 % grid.width) as f32 * grid.step
    }
}

fn main() {}
