//! The elements of each 64 that are not 0, by their ranks.

refused! {

use crate::prelude::*;

#[kernels]
pub mod m {
    pub fn compact(a: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let ranks = new_shared_mutable(64, lit(0u32))?;
        single_thread(seq_for(63, |i| {
            let r = ranks.read(i)?;
            ranks.write(i + 1, r + select(a[i] != 0, lit(1u32), lit(0u32)))
        }))?;
        let out = new_shared_mutable(64, lit(0u32))?;
        for_all(64, |t| {
            let r = ranks.read(t)?;
            cond(a[t] != 0, out.write(r, a[t]), pure(()))
        })?;
        pure(out.push())
    }
    #[kernel(threads = 64)]
    pub fn run(a: DPull<EU32>) -> DPush<Grid, EU32> {
        a.split_up(64).as_grid_map(|c| exec_block(compact(c)))
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        [0, 1, 3].map(|n| {
            samples::<u32>(n * 64)
                .iter()
                .map(|x| if x % 3 == 0 { 0 } else { *x })
                .collect::<Vec<u32>>()
        }),
        |device, x| m::run::launch(device, &device.upload(x)?),
        |x: &Vec<u32>| {
            let kept = |c: &[u32]| {
                c.iter()
                    .copied()
                    .filter(|x| *x != 0)
                    .chain(std::iter::repeat(0))
                    .take(64)
                    .collect::<Vec<u32>>()
            };
            x.chunks(64).flat_map(kept).collect()
        },
    );
}

}
