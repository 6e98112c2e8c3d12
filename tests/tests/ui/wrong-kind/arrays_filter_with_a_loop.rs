//! The condition of a filter is no loop.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EU32>) -> Arr1<EU32> {
        xs.filter(|x| {
            let n = seq_iterate(x, |i, n| n + i, lit(0u32))?;
            pure(n > 5)
        })
    }
}

fn main() {}
