//! More than four results are tuples in tuples.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(m: Arr1<EF32>) -> (Arr0<EF32>, Arr0<EF32>, Arr0<EF32>, Arr0<EU32>, Arr0<EU32>) {
        (m.sum(), m.min(), m.max(), m.arg_min(), m.arg_max())
    }
}

fn main() {}
