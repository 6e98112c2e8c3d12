//! Integers are no floats.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EU32>) -> Arr1<EF32> {
        xs.map(|x| x + 1)
    }
}

fn main() {}

// Write `xs.map(|x| x + 1).map(|x| x as f32)` in place of `xs.map(|x| x + 1)`.
