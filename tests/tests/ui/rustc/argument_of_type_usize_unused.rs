//! A `usize` is given for a `u32`, in a function that no kernel calls.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn shifted(x: EU32, by: u32) -> EU32 {
        x << by
    }

    pub fn shifted_by(x: EU32, by: usize) -> EU32 {
        shifted(x, by)
    }
}

fn main() {}
