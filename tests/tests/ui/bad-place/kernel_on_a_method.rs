//! `#[kernel]` goes on a free function.

use obsidian_rt::prelude::*;

pub struct S;

impl S {
    #[kernel]
    pub fn f(&self) {}
}

fn main() {}
