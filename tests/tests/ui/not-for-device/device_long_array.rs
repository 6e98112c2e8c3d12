//! An array that does not fit registers.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(i: usize) -> f32 {
        let table = [0.5f32; 1000];
        table[i]
    }
}

fn main() {}
