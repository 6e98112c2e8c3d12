//! `async fn`.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub async fn same(arr: Pull<EI32>) -> Pull<EI32> {
        arr
    }
}

fn main() {}
