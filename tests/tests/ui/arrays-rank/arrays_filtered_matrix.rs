//! What a filter keeps of a matrix is a vector.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(m: Arr2<EU32>) -> Arr2<EU32> {
        m.filter(|x| x > 1)
    }
}

fn main() {}
