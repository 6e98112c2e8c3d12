//! A bracket too few is rustc's to report; a `let` without a name is syn's.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn f(x: EI32) -> EI32 {
        let = x;
        x
    }
}

fn main() {}
