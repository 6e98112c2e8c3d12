//! The places of elements are floats.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EU32>, places: Arr1<EF32>) -> Arr1<EU32> {
        xs.scatter(places, fill(10, 0))
    }
}

fn main() {}
