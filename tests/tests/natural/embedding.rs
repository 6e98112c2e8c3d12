//! Rows of a table by numbers that are read, each clamped to the table.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(dim: EU32, table: DPull<EU32>, ids: DPull<EU32>) -> DPush<Grid, EU32> {
        let m = table.in_rows(dim);
        generate((ids.len(), dim), |(i, c)| {
            m.at((ids[i].min(m.height() - 1), c))
        })
        .flat()
        .chunks(256, lit(0u32))
        .as_grid_map(|c| c.push())
        .take(ids.len() * dim)
    }
}

/// How many rows the table has, its width, and how many numbers are read.
const CASES: [(usize, usize, usize); 6] = [
    (1, 1, 0),
    (1, 1, 1),
    (3, 5, 2),
    (2, 33, 31),
    (7, 64, 257),
    (40, 1, 1000),
];

#[test]
fn agrees() {
    let ids = |n: usize| (0..n as u32).map(|i| i * 7 % 11).collect::<Vec<u32>>();
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        CASES,
        |device, (rows, dim, n)| {
            let table = device.upload(&samples::<u32>(rows * dim))?;
            m::run::launch(device, *dim as u32, &table, &device.upload(&ids(*n))?)
        },
        |(rows, dim, n): &(usize, usize, usize)| {
            let table = samples::<u32>(rows * dim);
            let row = |id: u32| (id as usize).min(rows - 1) * dim;
            let each = |id: u32| table[row(id)..row(id) + dim].to_vec();
            ids(*n).into_iter().flat_map(each).collect()
        },
    );
}
