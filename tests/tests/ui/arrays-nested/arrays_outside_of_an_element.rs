//! Nothing of an array of an element is stored, so that its index has to be inside.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EU32>) -> Arr1<EU32> {
        xs.map(|x| iota(10)[x])
    }
}

fn main() {}

// Write `xs.map(|x| iota(10)[x % 10])` in place of `xs.map(|x| iota(10)[x])`.
