//! An iteration gives arrays of other extents than it takes.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(n: EU32) -> Arr1<EU32> {
        power(n, iota(5), |xs| xs.take(3))
    }
}

fn main() {}
