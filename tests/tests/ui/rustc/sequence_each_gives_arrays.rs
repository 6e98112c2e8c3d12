//! What a function of each element gives is an array, which a number is not.

use obsidian_rt::sequence::Sequence;
use obsidian_rt::{Device, Result};

fn main() -> Result<()> {
    let rows = Sequence::rows(&[1.0f32, 2.0, 3.0, 4.0], [2]);
    let lengths = rows.each(|row| row.len()).collect().run(&Device::cpu())?;
    println!("{:?}", lengths.to_vec()?);
    Ok(())
}

// Write `obsidian_rt::arrays::unit(row.len())` in place of `row.len()`.
