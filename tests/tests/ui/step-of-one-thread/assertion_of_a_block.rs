//! One thread asserts.

use obsidian_rt::prelude::*;

#[kernels]
mod kernels {
    #[kernel(threads = 32)]
    pub fn k(out: MGlobal<EU32>) -> Program<Grid, ()> {
        distr_par(out.len() / 32, |b| {
            assert!(b < 100, "few blocks")?;
            for_all(32, |t| out.write(b * 32 + t, t))
        })
    }
}

fn main() {}

// Write `for_all(32, |t| { assert!(b < 100, "few blocks")?; out.write(b * 32 + t, t) })` in place of `assert!(b < 100, "few blocks")?; for_all(32, |t| out.write(b * 32 + t, t))`.
