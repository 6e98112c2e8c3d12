//! An assertion is a program, which does nothing until it runs.

use obsidian_rt::prelude::*;

#[kernels]
mod kernels {
    #[kernel(threads = 32)]
    pub fn k(out: MGlobal<EU32>) -> Program<Grid, ()> {
        distr_par(out.len() / 32, |b| {
            for_all(32, |t| {
                let x = out.read(b * 32 + t)?;
                assert!(x > 0, "positive");
                out.write(b * 32 + t, x)
            })
        })
    }
}

fn main() {}
