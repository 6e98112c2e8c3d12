//! Several consumers are one argument.

use obsidian_rt::sequence::{Sequence, max, sum};
use obsidian_rt::{Device, Result};

fn main() -> Result<()> {
    let (most, total) = Sequence::slice(&[1.0f32, 2.0]).consume([max(), sum()]).run(&Device::cpu())?;
    println!("{most:?} {total}");
    Ok(())
}

// Write `(max(), sum())` in place of `[max(), sum()]`.
