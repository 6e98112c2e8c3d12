//! How often a loop runs depends on data.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EU32>) -> Arr1<EU32> {
        power(xs.at(0), xs, |xs| xs.map(|x| x + 1))
    }
}

fn main() {}
