//! How far away a neighbour is, is known while the program is built.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(m: Arr2<EU32>, k: EI32) -> Arr2<EU32> {
        m.stencil(Clamp, |w| w.at((0, k)))
    }
}

fn main() {}

// Write `w.at((0, 1))` in place of `w.at((0, k))`.
