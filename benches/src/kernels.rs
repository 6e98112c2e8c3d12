//! Kernels that no example has.

use obsidian_rt::prelude::*;

/// Reductions of runs of 4,096, and maps.
#[kernels]
pub mod pairs {
    use matmul::products::of_lines;
    use reduction::reductions::red_param;
    use scan::scans::scan;

    /// Sums of runs.
    #[kernel(threads = 256)]
    pub fn sums(input: DPull<EF32>) -> DPush<Grid, EF32> {
        let runs = input.chunks(4096, 0.0);
        runs.as_grid_map(|run| exec_block(red_param(16, |a, b| a + b, run)))
    }

    /// Maxima of runs of numbers from 0.
    #[kernel(threads = 256)]
    pub fn maxima_u32(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let runs = input.chunks(4096, 0);
        runs.as_grid_map(|run| exec_block(red_param(16, |a, b| a.max(b), run)))
    }

    /// Maxima of runs of numbers above -1e30.
    #[kernel(threads = 256)]
    pub fn maxima_f32(input: DPull<EF32>) -> DPush<Grid, EF32> {
        let runs = input.chunks(4096, -1e30);
        runs.as_grid_map(|run| exec_block(red_param(16, |a, b| a.max(b), run)))
    }

    /// The same by the word for it.
    #[kernel(threads = 256)]
    pub fn maxima_together(input: DPull<EF32>) -> DPush<Grid, EF32> {
        let runs = input.chunks(4096, -1e30);
        runs.as_grid_map(|run| reduce(|a, b| a.max(b), run))
    }

    /// Runs of 1,024, each in order.
    #[kernel(threads = 128)]
    pub fn sorted_runs(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let runs = input.split_up(1024);
        runs.as_grid_map(|run| sort(|a, b| a < b, run))
    }

    /// Sums of products of runs.
    #[kernel(threads = 256)]
    pub fn dots_f32(x: DPull<EF32>, y: DPull<EF32>) -> DPush<Grid, EF32> {
        let runs = zip_with(|x, y| x * y, x, y).chunks(4096, 0.0);
        runs.as_grid_map(|run| exec_block(red_param(16, |a, b| a + b, run)))
    }

    /// Sums of products of runs.
    #[kernel(threads = 256)]
    pub fn dots_u32(x: DPull<EU32>, y: DPull<EU32>) -> DPush<Grid, EU32> {
        let runs = zip_with(|x, y| x * y, x, y).chunks(4096, 0);
        runs.as_grid_map(|run| exec_block(red_param(16, |a, b| a + b, run)))
    }

    /// `a * x + y`.
    #[kernel]
    pub fn saxpy(a: EF32, x: DPull<EF32>, y: DPull<EF32>) -> DPush<Grid, EF32> {
        let sums = zip_with(|x, y| a * x + y, x, y);
        let runs = sums.chunks(1024, 0.0);
        runs.as_grid_map(|run| run.push()).take(x.len())
    }

    /// `exp` of each element.
    #[kernel]
    pub fn exps(x: DPull<EF32>) -> DPush<Grid, EF32> {
        let runs = x.map(|x| x.exp()).chunks(1024, 0.0);
        runs.as_grid_map(|run| run.push()).take(x.len())
    }

    /// `ln` of each element.
    #[kernel]
    pub fn lns(x: DPull<EF32>) -> DPush<Grid, EF32> {
        let runs = x.map(|x| x.ln()).chunks(1024, 0.0);
        runs.as_grid_map(|run| run.push()).take(x.len())
    }

    /// `sin` of each element.
    #[kernel]
    pub fn sines(x: DPull<EF32>) -> DPush<Grid, EF32> {
        let runs = x.map(|x| x.sin()).chunks(1024, 0.0);
        runs.as_grid_map(|run| run.push()).take(x.len())
    }

    /// `tanh` of each element.
    #[kernel]
    pub fn tanhs(x: DPull<EF32>) -> DPush<Grid, EF32> {
        let runs = x.map(|x| x.tanh()).chunks(1024, 0.0);
        runs.as_grid_map(|run| run.push()).take(x.len())
    }

    /// Each element to the power of `y`.
    #[kernel]
    pub fn powers(y: EF32, x: DPull<EF32>) -> DPush<Grid, EF32> {
        let runs = x.map(|x| x.powf(y)).chunks(1024, 0.0);
        runs.as_grid_map(|run| run.push()).take(x.len())
    }

    /// `y = a * x + y`.
    #[kernel]
    pub fn saxpy_in_place(a: EF32, y: MGlobal<EF32>, x: DPull<EF32>) -> Program<Grid, ()> {
        require(x.len().equals(y.len()));
        let n = x.len();
        distr_par(n.div_ceil(1024), |b| {
            for_all(1024, |i| {
                let at = b * 1024 + i;
                cond(at < n, added(y, at, a * x[at]), pure(()))
            })
        })
    }

    /// Adds to an element.
    pub fn added(y: MGlobal<EF32>, at: EU32, term: EF32) -> Program<Thread, ()> {
        let old = y.read(at)?;
        y.write(at, term + old)
    }

    /// A polynomial of degree 7 of each element.
    #[kernel(threads = 256)]
    pub fn polynomial(x: DPull<EF32>) -> DPush<Grid, EF32> {
        let values = x.map(|x| {
            ((((((x * 0.5 + 1.0) * x - 2.0) * x + 0.25) * x - 0.75) * x + 3.0) * x - 1.5) * x
                + 0.125
        });
        let runs = values.chunks(1024, 0.0);
        runs.as_grid_map(|run| run.push()).take(x.len())
    }

    /// Scans of runs of 1,024.
    #[kernel(threads = 256)]
    pub fn scans(x: DPull<EF32>) -> DPush<Grid, EF32> {
        let runs = x.split_up(1024);
        runs.as_grid_map(|run| exec_block(scan(1, 10, |a, b| a + b, run)))
    }

    /// Products of matrices, each product and sum rounded once.
    #[kernel(threads = 256, contract)]
    pub fn products(
        inner: EU32,
        width: EU32,
        left: DPull<EF32>,
        right: DPull<EF32>,
    ) -> DPush<Grid, EF32> {
        let rows = left.in_rows(inner).tiles(16, 16).rows();
        let columns = right.as_2d(inner, width).tiles(16, 16).columns();
        let tiles = generate((rows.len(), columns.len()), |(y, x)| {
            exec_block(of_lines(rows[y], columns[x]))
        });
        tiles.as_grid().flat()
    }

    /// Twice what is given, 32 elements a block.
    #[kernel(threads = 32)]
    pub fn doubled(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let pieces = input.split_up(32);
        pieces.as_grid_map(|piece| piece.map(|x| x * 2).push())
    }
}
