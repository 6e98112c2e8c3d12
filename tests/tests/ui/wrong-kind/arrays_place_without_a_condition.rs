//! The function of places says only where an element goes.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EU32>) -> Arr1<EU32> {
        xs.permute(|x, y| x + y, fill(10, 0), |_, x| x % 10)
    }
}

fn main() {}
