//! Points in a circle, drawn by each thread from a state of its own.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(threads: EU32, rounds: EU32) -> DPush<Grid, EU32> {
        let inside = |seed: EU32| {
            let (_, hits) = seq_iterate(
                rounds,
                |_, (s, hits)| {
                    let s = s ^ (s << 13);
                    let s = s ^ (s >> 17);
                    let s = s ^ (s << 5);
                    let (x, y) = (s % 1024, s >> 22);
                    (
                        s,
                        hits + select(x * x + y * y < 1024 * 1024, lit(1u32), lit(0u32)),
                    )
                },
                (seed * 2654435769 + 1, lit(0u32)),
            )?;
            pure(hits)
        };
        generate(threads, |i| i)
            .chunks(64, lit(0u32))
            .as_grid_map(|c| c.as_block_map(|i| exec_thread_value(inside(i))))
            .take(threads)
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        [(0, 3), (1, 0), (1, 10), (65, 7), (200, 33)],
        |device, (n, rounds)| m::run::launch(device, *n, *rounds),
        |(n, rounds): &(u32, u32)| {
            let inside = |i: u32| {
                let (mut s, mut hits) = (i.wrapping_mul(2_654_435_769).wrapping_add(1), 0);
                for _ in 0..*rounds {
                    s ^= s << 13;
                    s ^= s >> 17;
                    s ^= s << 5;
                    let (x, y) = (s % 1024, s >> 22);
                    hits += u32::from(x * x + y * y < 1024 * 1024);
                }
                hits
            };
            (0..*n).map(inside).collect()
        },
    );
}
