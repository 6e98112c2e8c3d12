//! A file of bytes does not tell which numbers they are.

use obsidian_rt::sequence::Sequence;
use obsidian_rt::{Device, Result};

fn main() -> Result<()> {
    let total = Sequence::file("x.bin")?.sum().run(&Device::cpu())?;
    println!("{total}");
    Ok(())
}

// Write `file::<f32>("x.bin")` in place of `file("x.bin")`.
