//! A neighbour is read by `at`.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EU32>) -> Arr1<EU32> {
        xs.stencil(Clamp, |w| w[1])
    }
}

fn main() {}

// Write `w.at(1)` in place of `w[1]`.
