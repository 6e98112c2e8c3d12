//! `<` of Rust compares numbers of the host.

use obsidian_rt::sequence::Sequence;
use obsidian_rt::{Device, Result};

fn main() -> Result<()> {
    let few = Sequence::slice(&[1.0f32, 2.0]).filter(|x| x < 1.5).sum().run(&Device::cpu())?;
    println!("{few}");
    Ok(())
}

// Write `x.lt(1.5)` in place of `x < 1.5`.
