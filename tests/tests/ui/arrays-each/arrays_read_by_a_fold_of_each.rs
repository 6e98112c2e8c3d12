//! Threads combine elements of any row, and each row has another sum.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(rows: Arr2<EU32>) -> Arr1<EU32> {
        rows.each(|row| {
            let sum = row.sum();
            row.fold(|x, y| x + y * sum.the(), 0)
        })
    }
}

fn main() {}

// Write `fold_in_order(|x, y| x + y * sum.the(), 0)` in place of `fold(|x, y| x + y * sum.the(), 0)`.
