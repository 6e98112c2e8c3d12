//! One value at a time is shown.

use obsidian_rt::prelude::*;

#[kernels]
mod kernels {
    #[kernel(threads = 32)]
    pub fn k(out: MGlobal<EU32>) -> Program<Grid, ()> {
        distr_par(out.len() / 32, |b| {
            for_all(32, |t| {
                show!("t", t)?;
                out.write(b * 32 + t, t)
            })
        })
    }
}

fn main() {}
