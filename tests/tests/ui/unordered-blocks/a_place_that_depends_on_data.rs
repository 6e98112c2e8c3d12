//! Nothing is known of what the second loop over blocks reads.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 64)]
    pub fn k(io: MGlobal<EU32>, at: DPull<EU32>, out: MGlobal<EU32>) -> Program<Grid, ()> {
        let n = at.len().min(io.len()).min(out.len());
        distr_par(n, |b| for_all(1, |_| io.write(b, b)))?;
        distr_par(n, |b| {
            for_all(1, |_| {
                let x = io.read(at[b] % (io.len() + 1))?;
                out.write(b, x)
            })
        })
    }
}

fn main() {}
