//! What combines two elements is no loop.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EU32>) -> Arr0<EU32> {
        let counts = xs.map(|x| seq_iterate(x, |_, n| n + 1, lit(0u32)));
        xs.fold(|a, b| a + b * counts.at(0), 0)
    }
}

fn main() {}
