//! Arrays that a function of elements makes are not stored, however many are made of one another.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EU32>) -> Arr1<EU32> {
        xs.map(|x| {
            let mut ys = iota(8);
            for _ in 0..500 {
                ys = ys.map(|y| y * 3 + 1);
            }
            x + ys.at(0)
        })
    }
}

fn main() {}
