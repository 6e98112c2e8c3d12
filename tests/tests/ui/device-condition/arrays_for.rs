//! How often an array program repeats something is known while it is built.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(k: EU32, mut xs: Arr1<EF32>) -> Arr1<EF32> {
        for _ in 0..k {
            xs = xs.map(|x| x * 2.0);
        }
        xs
    }
}

fn main() {}

// Write `xs.map(|x| seq_iterate(k, |_, y| y * 2.0, x))` in place of `for _ in 0..k { xs = xs.map(|x| x * 2.0); } xs`.
