//! Elimination of a 16 by 16 matrix in shared memory, a loop on the device.

use crate::prelude::*;

#[kernels]
pub mod m {
    pub fn eliminate(a: Pull<EF32>) -> Program<Block, Push<Block, EF32>> {
        let m = to_mutable(a.push())?;
        seq_for(15, |k| {
            for_all(256, |t| {
                let (y, x) = (t / 16, t % 16);
                let update = || {
                    let pivot = m.read(k * 16 + k)?;
                    let head = m.read(y * 16 + k)?;
                    let above = m.read(k * 16 + x)?;
                    let own = m.read(t)?;
                    m.write(t, own - head / pivot * above)
                };
                cond((y > k) & (x > k), update(), pure(()))
            })
        })?;
        pure(m.push())
    }
    #[kernel(threads = 256)]
    pub fn run(a: DPull<EF32>) -> DPush<Grid, EF32> {
        a.split_up(256)
            .as_grid_map(|tile| exec_block(eliminate(tile)))
    }
}

/// Matrices that need no pivots.
fn dominant(count: usize) -> Vec<f32> {
    let element = |i: usize| {
        if i.is_multiple_of(17) && i < 256 {
            64.0
        } else {
            (i * 7 % 11) as f32 / 8.0
        }
    };
    (0..count * 256).map(|i| element(i % 256)).collect()
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        [0, 1, 3].map(dominant),
        |device, x| m::run::launch(device, &device.upload(x)?),
        |a: &Vec<f32>| {
            let mut a = a.clone();
            for m in a.chunks_mut(256) {
                for k in 0..15 {
                    for y in k + 1..16 {
                        let head = m[y * 16 + k] / m[k * 16 + k];
                        for x in k + 1..16 {
                            m[y * 16 + x] -= head * m[k * 16 + x];
                        }
                    }
                }
            }
            a
        },
    );
}
