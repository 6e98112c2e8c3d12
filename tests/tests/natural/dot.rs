//! The dot product of two vectors, a partial sum a block.

use crate::prelude::*;

#[kernels]
pub mod m {
    pub fn sum(a: Pull<EF32>) -> Program<Block, Push<Block, EF32>> {
        let mut a = a;
        while a.len() > 1 {
            let (x, y) = a.halve();
            a = compute(zip_with(|x, y| x + y, x, y))?;
        }
        pure(a.push())
    }
    #[kernel(threads = 256)]
    pub fn run(x: DPull<EF32>, y: DPull<EF32>) -> DPush<Grid, EF32> {
        zip_with(|x, y| x * y, x, y)
            .chunks(256, 0.0)
            .as_grid_map(|c| exec_block(sum(c)))
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        SIZES,
        |device, n| {
            m::run::launch(
                device,
                &device.upload(&small(*n))?,
                &device.upload(&small(*n))?,
            )
        },
        |n: &usize| {
            let mut x: Vec<f32> = small(*n).iter().map(|x| x * x).collect();
            x.resize(n.div_ceil(256) * 256, 0.0);
            x.chunks(256).map(tree_sum).collect()
        },
    );
}
