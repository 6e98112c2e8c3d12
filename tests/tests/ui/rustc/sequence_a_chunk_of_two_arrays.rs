//! A function of a chunk has as many parameters as the chunk has arrays.

use obsidian_rt::arrays::Arr1;
use obsidian_rt::language::EF32;
use obsidian_rt::sequence::Sequence;
use obsidian_rt::{Device, Result};

fn squares(xs: Arr1<EF32>) -> Arr1<EF32> {
    xs.map(|x| x * x)
}

fn main() -> Result<()> {
    let (xs, ys) = (Sequence::slice(&[1.0f32]), Sequence::slice(&[2.0f32]));
    let total = xs.zip(ys).through(squares).sum().run(&Device::cpu())?;
    println!("{total}");
    Ok(())
}

// Write `xs.through(squares).zip(ys.through(squares)).map_chunks(|(xs, _)| xs)` in place of `xs.zip(ys).through(squares)`.
