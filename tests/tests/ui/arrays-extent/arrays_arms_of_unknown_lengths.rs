//! How long the arrays of a choice are, both arms learn only when they run.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EU32>) -> Arr1<EU32> {
        if_then(xs.map(|x| x > 3).any(), || xs.filter(|x| x > 3), || xs.filter(|x| x > 2))
    }
}

fn main() {}

// Write `let few = xs.filter(|x| x > 2); if_then(xs.map(|x| x > 3).any(), || few.sort(), || few)` in place of `if_then(xs.map(|x| x > 3).any(), || xs.filter(|x| x > 3), || xs.filter(|x| x > 2))`.
