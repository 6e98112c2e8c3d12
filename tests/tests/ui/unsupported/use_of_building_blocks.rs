//! `use` of building blocks by other names, of what is none, and beside functions that may have their names.

use obsidian_rt::prelude::*;

#[kernels]
pub mod helpers {
    pub fn padded(x: EU32) -> EU32 {
        x + 1
    }
}

#[kernels]
pub mod renamed {
    use obsidian_rt::algorithms::blocks::block_reduce as sum_of;
    use obsidian_rt::algorithms::blocks::block_sum;

    pub fn one() -> EU32 {
        lit(1)
    }
}

#[kernels]
pub mod beside {
    use super::helpers::*;
    use obsidian_rt::algorithms::blocks::{block_merge, padded};

    pub fn block_merge(x: EU32) -> EU32 {
        padded(x)
    }
}

fn main() {}
