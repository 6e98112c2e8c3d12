//! Nothing is known of what the second loop over blocks reads.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 64)]
    pub fn k(io: MGlobal<EU32>, at: DPull<EU32>, out: MGlobal<EU32>) -> Program<Grid, ()> {
        distr_par(io.len(), |b| for_all(1, |_| io.write(b, b)))?;
        distr_par(at.len().min(out.len()), |b| {
            for_all(1, |_| {
                let x = io.read(at[b] % 16)?;
                out.write(b, x)
            })
        })
    }
}

fn main() {}
