//! A function in another file than the kernel that uses it.

#![allow(missing_docs)]

use obsidian_rt::prelude::*;

#[kernels]
pub mod tables {
    pub fn entry(table: DPull<EU32>, i: EU32) -> EU32 {
        table[i.unchecked()]
    }
}
