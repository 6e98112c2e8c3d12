//! An array that is not divided along any axis has no elements.

use obsidian_rt::Result;
use obsidian_rt::sequence::{All, Sequence, Split};

fn main() -> Result<()> {
    let columns = Sequence::divided(&[1.0f32, 2.0, 3.0, 4.0], [2, 2], (All, All))?;
    let _ = (columns, Split);
    Ok(())
}

// Write `(All, Split)` in place of `(All, All)`.
