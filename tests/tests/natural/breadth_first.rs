//! One level of a breadth-first search, a thread a vertex: the edges are numbers of vertices only if the caller
//! sees to it.

refused! {

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(
        level: EU32,
        starts: DPull<EU32>,
        edges: DPull<EU32>,
        cost: MGlobal<EU32>,
        changed: MGlobal<EU32>,
    ) -> Program<Grid, ()> {
        let n = starts.len() - 1;
        distr_par((n + 255) / 256, |b| {
            for_all(256, |t| {
                let v = b * 256 + t;
                let go = || {
                    let c = cost.atomic_or(v, 0)?;
                    let visit = || {
                        seq_for(starts[v + 1] - starts[v], |k| {
                            let e = edges[starts[v] + k];
                            let old = cost.atomic_min(e, level + 1)?;
                            cond(
                                old > level + 1,
                                changed.atomic_or(0, 1).void(),
                                pure(()),
                            )
                        })
                    };
                    cond(c == level, visit(), pure(()))
                };
                cond(v < n, go(), pure(()))
            })
        })
    }
}

}
