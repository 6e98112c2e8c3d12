//! `unsafe`.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn same(arr: Pull<EI32>) -> Pull<EI32> {
        unsafe { arr }
    }
}

fn main() {}
