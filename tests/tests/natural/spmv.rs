//! A sparse matrix in rows times a vector.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(
        starts: DPull<EU32>,
        columns: DPull<EU32>,
        values: DPull<EF32>,
        x: DPull<EF32>,
    ) -> DPush<Grid, EF32> {
        require(columns.len().equals(values.len()));
        let rows = starts.len() - 1;
        mk_push(rows, |write| {
            distr_par((rows + 127) / 128, |b| {
                for_all(128, |t| {
                    let r = b * 128 + t;
                    let sum = || {
                        let from = starts[r];
                        let until = starts[r + 1].min(values.len());
                        let s = seq_iterate(
                            select(until > from, until - from, 0),
                            |k, s| s + values[from + k] * x[columns[from + k].min(x.len() - 1)],
                            lit(0f32),
                        )?;
                        write(s, r)
                    };
                    cond(r < rows, sum(), pure(()))
                })
            })
        })
    }
}

/// Columns, values and the vector.
fn spmv_inputs(values: &[u32]) -> (Vec<u32>, Vec<f32>, Vec<f32>) {
    let columns = values.iter().map(|v| v % 17).collect();
    (columns, samples(values.len()), samples(17))
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        rows(),
        |device, (starts, values)| {
            let (columns, values, x) = spmv_inputs(values);
            m::run::launch(
                device,
                &device.upload(starts)?,
                &device.upload(&columns)?,
                &device.upload(&values)?,
                &device.upload(&x)?,
            )
        },
        |(starts, values): &(Vec<u32>, Vec<u32>)| {
            let (columns, values, x) = spmv_inputs(values);
            let row = |w: &[u32]| {
                (w[0] as usize..w[1] as usize)
                    .fold(0f32, |s, k| s + values[k] * x[columns[k] as usize])
            };
            starts.windows(2).map(row).collect()
        },
    );
}
