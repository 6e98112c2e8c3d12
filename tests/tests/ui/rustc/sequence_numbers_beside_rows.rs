//! Numbers and rows have no elements in common that one function combines.

use obsidian_rt::sequence::Sequence;
use obsidian_rt::{Device, Result};

fn main() -> Result<()> {
    let rows = Sequence::rows(&[1.0f32, 2.0, 3.0, 4.0], [2]);
    let weights = Sequence::slice(&[10.0f32, 20.0]);
    let scaled = rows.zip_with(weights, |x, w| x * w).collect().run(&Device::cpu())?;
    println!("{:?}", scaled.to_vec()?);
    Ok(())
}

// Write `zip(weights).each(|(row, w)| row.map(move |x| x * w.the()))` in place of `zip_with(weights, |x, w| x * w)`.
