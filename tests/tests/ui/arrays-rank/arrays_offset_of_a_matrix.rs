//! A neighbour in a matrix has an offset for each axis.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(m: Arr2<EU32>) -> Arr2<EU32> {
        m.stencil(Clamp, |w| w.at(1))
    }
}

fn main() {}
