//! An array is read at a `usize`, in a function that no kernel calls.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn read(arr: Pull<EU32>, i: usize) -> EU32 {
        arr[i]
    }
}

fn main() {}
