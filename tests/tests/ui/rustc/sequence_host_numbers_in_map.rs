//! Functions of elements are about device values.

use obsidian_rt::sequence::Sequence;
use obsidian_rt::{Device, Result};

fn main() -> Result<()> {
    let total = Sequence::slice(&[1.0f32, 2.0]).map(|x: f32| x * 2.0).sum().run(&Device::cpu())?;
    println!("{total}");
    Ok(())
}

// Write `|x|` in place of `|x: f32|`.
