//! A range of `usize`, which is computed.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device(range)]
    pub fn whole(i: usize, x: &[f32]) -> usize {
        x[i] as usize
    }
}

fn main() -> obsidian_rt::Result<()> {
    let numbers = m::whole::compute(&Device::cpu(), [3], (&[1.0_f32, 2.0, 3.0],))?.to_vec()?;
    println!("{numbers:?}");
    Ok(())
}

// Write `-> u64` in place of `-> usize`.
// Write `x[i] as u64` in place of `x[i] as usize`.
