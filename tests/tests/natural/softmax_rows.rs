//! Softmax of rows of 128.

use crate::prelude::*;

#[kernels]
pub mod m {
    pub fn fold_all(f: impl Combine<EF32>, a: Pull<EF32>) -> Program<Block, Pull<EF32>> {
        let mut a = a;
        while a.len() > 1 {
            let (x, y) = a.halve();
            a = compute(zip_with(f, x, y))?;
        }
        pure(a)
    }
    pub fn softmax(row: Pull<EF32>) -> Program<Block, Push<Block, EF32>> {
        let most = fold_all(|x, y| x.max(y), row)?;
        let powers = compute(row.map(|x| (x - most[0]).exp()))?;
        let sum = fold_all(|x, y| x + y, powers)?;
        pure(powers.map(|x| x / sum[0]).push())
    }
    #[kernel(threads = 128)]
    pub fn run(x: DPull<EF32>) -> DPush<Grid, EF32> {
        x.split_up(128).as_grid_map(|row| exec_block(softmax(row)))
    }
}

fn softmax(row: &[f32], sum: impl Fn(&[f32]) -> f32) -> Vec<f32> {
    let most = row.iter().copied().fold(f32::MIN, f32::max);
    let powers: Vec<f32> = row.iter().map(|x| (x - most).exp()).collect();
    let sum = sum(&powers);
    powers.iter().map(|x| x / sum).collect()
}

#[test]
fn agrees() {
    hold_near(
        &m::run::kernel(),
        m::run::CUDA,
        [0, 1, 3].map(|n| small(n * 128)),
        |device, x| m::run::launch(device, &device.upload(x)?),
        |x: &Vec<f32>| {
            x.chunks(128)
                .flat_map(|row| softmax(row, tree_sum))
                .collect()
        },
    );
}
