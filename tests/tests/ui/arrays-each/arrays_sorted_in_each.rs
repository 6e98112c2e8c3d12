//! All elements are computed at once, and a sort takes another course in each.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(rows: Arr2<EU32>) -> Arr1<EU32> {
        rows.each(|row| row.sort().slice_inner(0))
    }
}

fn main() {}

// Write `row.min()` in place of `row.sort().slice_inner(0)`.
