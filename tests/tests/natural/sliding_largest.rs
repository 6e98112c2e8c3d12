//! The largest of each window, whose width is an argument.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = x.len() - width + 1;
        let most = |i: EU32| seq_iterate(width, |k, s| s.max(x[i + k]), lit(0u32));
        generate(n, |i| i)
            .chunks(256, lit(0u32))
            .as_grid_map(|c| c.as_block_map(|i| exec_thread_value(most(i))))
            .take(n)
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        [(1, 1), (1, 100), (5, 5), (7, 64), (3, 300), (64, 257)],
        |device, (w, n)| m::run::launch(device, *w as u32, &device.upload(&samples::<u32>(*n))?),
        |(w, n): &(usize, usize)| {
            samples::<u32>(*n)
                .windows(*w)
                .map(|w| w.iter().copied().max().unwrap())
                .collect()
        },
    );
}
