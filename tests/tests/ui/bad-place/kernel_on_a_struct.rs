//! `#[kernel]` goes on a function.

use obsidian_rt::prelude::*;

#[kernel]
pub struct S;

fn main() {}
