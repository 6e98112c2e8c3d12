//! A sink says whether it has taken what it was given.

use obsidian_rt::sequence::Sequence;
use obsidian_rt::{Device, Result};

fn main() -> Result<()> {
    let print = |xs: &[f32]| println!("{xs:?}");
    Sequence::slice(&[1.0f32, 2.0]).for_each(print).run(&Device::cpu())
}

// Write `{ println!("{xs:?}"); std::io::Result::Ok(()) }` in place of `println!("{xs:?}")`.
