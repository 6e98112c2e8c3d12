//! The edit distance of two words of 64 letters, by diagonals of a table.

use crate::prelude::*;

#[kernels]
pub mod m {
    pub fn distance(a: Pull<EU32>, b: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let table = new_shared_mutable(65 * 65, lit(0u32))?;
        for_all(65, |i| {
            table.write(i, i)?;
            table.write(i * 65, i)
        })?;
        seq_for(127, |d| {
            for_all(64, |t| {
                let (y, x) = (t + 1, d - t + 1);
                let step = || {
                    let above = table.read((y - 1) * 65 + x)?;
                    let left = table.read(y * 65 + x - 1)?;
                    let both = table.read((y - 1) * 65 + x - 1)?;
                    let change = select(a[y - 1] == b[x - 1], both, both + 1);
                    table.write(y * 65 + x, change.min(above + 1).min(left + 1))
                };
                cond((d >= t) & (d - t < 64), step(), pure(()))
            })
        })?;
        pure(table.push().ix_map(|i| i).take(65 * 65))
    }
    #[kernel(threads = 64)]
    pub fn run(a: DPull<EU32>, b: DPull<EU32>) -> DPush<Grid, EU32> {
        zip(a.split_up(64), b.split_up(64)).as_grid_map(|(a, b)| exec_block(distance(a, b)))
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        [0, 1, 3].map(|n| {
            (
                samples::<u32>(n * 64)
                    .iter()
                    .map(|x| x % 4)
                    .collect::<Vec<u32>>(),
                samples::<u32>(n * 64)
                    .iter()
                    .map(|x| x % 5)
                    .collect::<Vec<u32>>(),
            )
        }),
        |device, (x, y)| m::run::launch(device, &device.upload(x)?, &device.upload(y)?),
        |(a, b): &(Vec<u32>, Vec<u32>)| {
            let table = |a: &[u32], b: &[u32]| {
                let mut t = vec![0u32; 65 * 65];
                for i in 0..65 {
                    (t[i], t[i * 65]) = (i as u32, i as u32);
                }
                for y in 1..65 {
                    for x in 1..65 {
                        let change = t[(y - 1) * 65 + x - 1] + u32::from(a[y - 1] != b[x - 1]);
                        t[y * 65 + x] = change
                            .min(t[(y - 1) * 65 + x] + 1)
                            .min(t[y * 65 + x - 1] + 1);
                    }
                }
                t
            };
            a.chunks(64)
                .zip(b.chunks(64))
                .flat_map(|(a, b)| table(a, b))
                .collect()
        },
    );
}
