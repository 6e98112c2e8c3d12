//! The four largest elements of each row, a thread a row.

use crate::prelude::*;

#[kernels]
pub mod m {
    fn row(x: DPull2<EU32>, y: EU32) -> Program<Thread, Push<Thread, EU32>> {
        let best = new_shared_mutable(4, lit(0u32))?;
        seq_for(x.width(), |c| {
            let v = new_shared_mutable(1, x.at((y, c)))?;
            seq_for(4, |k| {
                let o = best.read(k)?;
                let e = v.read(0)?;
                best.write(k, o.max(e))?;
                v.write(0, o.min(e))
            })
        })?;
        pure(best.push())
    }

    #[kernel(threads = 64)]
    pub fn run(w: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        let m = x.in_rows(w);
        let h = m.height();
        generate(h, |y| y)
            .chunks(64, lit(0u32))
            .as_grid_map(|ys| ys.as_block_map(|y| exec_thread(row(m, y.min(h - 1)))))
            .take(h * 4)
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        PICTURES,
        |device, (h, w)| m::run::launch(device, *w as u32, &device.upload(&samples::<u32>(h * w))?),
        |(h, w): &(usize, usize)| {
            let x = samples::<u32>(h * w);
            let each = |y: usize| {
                let mut row = x[y * w..(y + 1) * w].to_vec();
                row.extend([0; 4]);
                row.sort_unstable_by(|a, b| b.cmp(a));
                row[..4].to_vec()
            };
            (0..*h).flat_map(each).collect()
        },
    );
}
