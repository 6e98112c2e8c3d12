//! An array is read at an `i32`, in a function that no kernel calls.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn read(arr: Pull<EI32>, i: EI32) -> EI32 {
        arr[i]
    }
}

fn main() {}
