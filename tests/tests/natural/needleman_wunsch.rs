//! One diagonal of 16 by 16 tiles of an alignment's table, in place: nothing says that the table has the tiles, nor
//! that a row of tiles is wide enough for its diagonal.

refused! {

use crate::prelude::*;

#[kernels]
pub mod m {
    fn one(
        m: MGlobal<EI32>,
        refs: DPull<EI32>,
        cols: EU32,
        penalty: EI32,
        ty: EU32,
        tx: EU32,
    ) -> Program<Block, ()> {
        let t = new_shared_mutable(17 * 17, lit(0i32))?;
        for_all(17 * 17, |i| {
            let v = m.read((ty * 16 + i / 17) * cols + tx * 16 + i % 17)?;
            t.write(i, v)
        })?;
        seq_for(31, |d| {
            for_all(16, |k| {
                let go = || {
                    let (y, x) = (k + 1, d - k + 1);
                    let a = t.read((y - 1) * 17 + x - 1)?;
                    let u = t.read((y - 1) * 17 + x)?;
                    let l = t.read(y * 17 + x - 1)?;
                    let own = refs[(ty * 16 + y) * cols + tx * 16 + x];
                    t.write(y * 17 + x, (a + own).max(u - penalty).max(l - penalty))
                };
                cond((k <= d) & (d - k < 16), go(), pure(()))
            })
        })?;
        for_all(256, |i| {
            let v = t.read((i / 16 + 1) * 17 + i % 16 + 1)?;
            m.write((ty * 16 + i / 16 + 1) * cols + tx * 16 + i % 16 + 1, v)
        })
    }

    #[kernel(threads = 64)]
    pub fn run(
        cols: EU32,
        penalty: EI32,
        diag: EU32,
        m: MGlobal<EI32>,
        refs: DPull<EI32>,
    ) -> Program<Grid, ()> {
        distr_par(diag + 1, |b| one(m, refs, cols, penalty, b, diag - b))
    }
}

}
