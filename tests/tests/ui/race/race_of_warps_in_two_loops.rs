//! A warp reads in its second loop what another writes in its first: warps do not wait for each other.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn by_warps(a: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let m = to_mutable(a)?;
        let n = to_mutable(a)?;
        distr_par(2, |w| {
            for_all(32, |i| m.write(w * 32 + i, lit(1_u32)))?;
            for_all(32, |i| {
                let x = m.read((1 - w) * 32 + i)?;
                n.write(w * 32 + i, x)
            })
        })?;
        pure(n.push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(by_warps(chunk)))
    }
}

fn main() {}
