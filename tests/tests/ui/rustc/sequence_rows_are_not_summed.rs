//! A sum is one of numbers, and the elements are rows.

use obsidian_rt::sequence::{Sequence, sum};
use obsidian_rt::{Device, Result};

fn main() -> Result<()> {
    let total = Sequence::rows(&[1.0f32, 2.0, 3.0, 4.0], [2]).consume(sum()).run(&Device::cpu())?;
    println!("{total}");
    Ok(())
}

// Write `.each(|row| row.sum()).consume(sum())` in place of `.consume(sum())`.
