//! Sum, extremes and running totals of samples. The networks come from another crate, and a
//! function from another module.

use obsidian_rt::prelude::*;

/// What is known of samples.
#[kernels]
pub mod samples {
    /// Sum, least and largest of two sets of samples, put together.
    pub fn both(a: (EU32, EU32, EU32), b: (EU32, EU32, EU32)) -> (EU32, EU32, EU32) {
        (a.0 + b.0, a.1.min(b.1), a.2.max(b.2))
    }
}

/// Statistics of runs of 1,024 samples.
#[kernels(built)]
pub mod runs {
    use super::samples::both;
    use combinators::reductions::reduce_coalesced;
    use combinators::scans::scan;

    /// How many samples a run has.
    pub const RUN: u32 = 1024;

    /// The sum, the least and the largest of each run, in one pass.
    #[kernel(threads = 128)]
    pub fn summary(input: DPull<EU32>) -> DPush<Grid, (EU32, EU32, EU32)> {
        let sets = input.map(|x| (x, x, x));
        sets.split_up(RUN)
            .as_grid_map(|run| exec_block(reduce_coalesced(both, 8, run)))
    }

    /// The running totals of each run.
    #[kernel(threads = 128)]
    pub fn totals(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(RUN)
            .as_grid_map(|run| exec_block(scan(|a, b| a + b, run)))
    }
}
