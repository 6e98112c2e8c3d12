//! A product of matrices 64 wide by tiles of 16 by 16 in shared memory.

use crate::prelude::*;

#[kernels]
pub mod m {
    pub fn product(
        a: DPull<EF32>,
        b: DPull<EF32>,
        ty: EU32,
        tx: EU32,
    ) -> Program<Block, Push<Block, EF32>> {
        let sums = to_mutable(replicate(256, lit(0f32)))?;
        seq_for(4, |k| {
            let left = compute(generate(256, |t| {
                a[(ty * 16 + t / 16) * 64 + k * 16 + t % 16]
            }))?;
            let right = compute(generate(256, |t| {
                b[(k * 16 + t / 16) * 64 + tx * 16 + t % 16]
            }))?;
            for_all(256, |t| {
                let old = sums.read(t)?;
                let new = seq_iterate(
                    16,
                    |j, s| s + left[t / 16 * 16 + j] * right[j * 16 + t % 16],
                    old,
                )?;
                sums.write(t, new)
            })
        })?;
        pure(sums.push())
    }
    #[kernel(threads = 256)]
    pub fn run(a: DPull<EF32>, b: DPull<EF32>) -> DPush<Grid, EF32> {
        mk_push(lit(64u32 * 64), |write| {
            distr_par(16, |tile| {
                let (ty, tx) = (tile / 4, tile % 4);
                let sums = product(a, b, ty, tx)?;
                sums.push_to(|x, t| write(x, (ty * 16 + t / 16) * 64 + tx * 16 + t % 16))
            })
        })
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        [()],
        |device, ()| {
            m::run::launch(
                device,
                &device.upload(&small(64 * 64))?,
                &device.upload(&small(64 * 64))?,
            )
        },
        |(): &()| {
            let a = small(64 * 64);
            (0..64 * 64)
                .map(|i| (0..64).fold(0f32, |s, k| s + a[i / 64 * 64 + k] * a[k * 64 + i % 64]))
                .collect()
        },
    );
}
