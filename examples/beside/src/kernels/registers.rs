//! Kernels of rows: softmax and layer normalisation, a row by a block or a warp, in registers.

use obsidian_rt::prelude::*;

/// Rows of 4,096 by blocks, and rows of 512 by warps.
#[kernels]
pub mod rows {
    fn softmax_of_block(row: Pull<EF32>) -> Program<Block, Push<Block, EF32>> {
        let x = hold(row)?;
        let top = compute(reduce(|a, b| a.max(b), x))?;
        let powers = hold(x.map(|x| (x - top[0]).exp()))?;
        let sum = compute(reduce(|a, b| a + b, powers))?;
        pure(powers.map(|e| e / sum[0]).push())
    }

    /// Softmax of rows of 4,096: read once, written once.
    #[kernel(threads = 512)]
    pub fn softmax_4096(x: DPull<EF32>) -> DPush<Grid, EF32> {
        x.split_up(4096)
            .as_grid_map(|row| exec_block(softmax_of_block(row)))
    }

    fn softmax_of_warp(row: Pull<EF32>) -> Program<Warp, Push<Warp, EF32>> {
        let x = hold(row)?;
        let top = hold(reduce(|a, b| a.max(b), x))?;
        let powers = hold(x.map(|x| (x - top[0]).exp()))?;
        let sum = hold(reduce(|a, b| a + b, powers))?;
        pure(powers.map(|e| e / sum[0]).push())
    }

    /// Softmax of rows of 512, eight to a block.
    #[kernel(threads = 256)]
    pub fn softmax_512(x: DPull<EF32>) -> DPush<Grid, EF32> {
        x.split_up(4096).as_grid_map(|rows| {
            rows.split_up(512)
                .as_block_map(|row| exec_warp(softmax_of_warp(row)))
        })
    }

    // Each thread folds the 16 neighbours that it holds before the block combines what the threads have.
    fn softmax_of_runs(row: Pull<EF32>) -> Program<Block, Push<Block, EF32>> {
        let x = hold_as(Blocked(16), row)?;
        let own = hold(x.split_up(16).map(|run| fold1(|a, b| a.max(b), run)[0]))?;
        let top = compute(reduce(|a, b| a.max(b), own))?;
        let powers = hold_as(Blocked(16), x.map(|x| (x - top[0]).exp()))?;
        let own = hold(powers.split_up(16).map(|run| fold1(|a, b| a + b, run)[0]))?;
        let sum = compute(reduce(|a, b| a + b, own))?;
        pure(
            powers
                .split_up(16)
                .as_block_map(|run| run.map(|e| e / sum[0]).push::<Thread>()),
        )
    }

    /// Softmax of rows of 4,096, 16 neighbours a thread.
    #[kernel(threads = 256)]
    pub fn softmax_4096_own(x: DPull<EF32>) -> DPush<Grid, EF32> {
        x.split_up(4096)
            .as_grid_map(|row| exec_block(softmax_of_runs(row)))
    }

    fn softmax_of_lanes(row: Pull<EF32>) -> Program<Warp, Push<Warp, EF32>> {
        let x = hold(row)?;
        let own = hold(x.coalesce(16).map(|own| fold1(|a, b| a.max(b), own)[0]))?;
        let top = hold(reduce(|a, b| a.max(b), own))?;
        let powers = hold(x.map(|x| (x - top[0]).exp()))?;
        let own = hold(powers.coalesce(16).map(|own| fold1(|a, b| a + b, own)[0]))?;
        let sum = hold(reduce(|a, b| a + b, own))?;
        pure(powers.map(|e| e / sum[0]).push())
    }

    /// Softmax of rows of 512, 16 elements a lane.
    #[kernel(threads = 256)]
    pub fn softmax_512_own(x: DPull<EF32>) -> DPush<Grid, EF32> {
        x.split_up(4096).as_grid_map(|rows| {
            rows.split_up(512)
                .as_block_map(|row| exec_warp(softmax_of_lanes(row)))
        })
    }

    fn norm_of_block(
        row: Pull<EF32>,
        gain: Pull<EF32>,
        bias: Pull<EF32>,
    ) -> Program<Block, Push<Block, EF32>> {
        let x = hold(row)?;
        let sum = compute(reduce(|a, b| a + b, x))?;
        let centred = hold(x.map(|x| x - sum[0] * (1.0 / 4096.0)))?;
        let squares = compute(reduce(|a, b| a + b, centred.map(|c| c * c)))?;
        let scale = 1.0 / (squares[0] * (1.0 / 4096.0) + 1e-5).sqrt();
        let lines = zip(gain, bias);
        pure(zip_with(|c, (g, b)| c * scale * g + b, centred, lines).push())
    }

    /// Layer normalisation of rows of 4,096.
    #[kernel(threads = 512)]
    pub fn norm_4096(x: DPull<EF32>, gain: DPull<EF32>, bias: DPull<EF32>) -> DPush<Grid, EF32> {
        let (gain, bias) = (gain.split_up(4096), bias.split_up(4096));
        x.split_up(4096)
            .as_grid_map(|row| exec_block(norm_of_block(row, gain[0], bias[0])))
    }

    fn norm_of_runs(
        row: Pull<EF32>,
        gain: Pull<EF32>,
        bias: Pull<EF32>,
    ) -> Program<Block, Push<Block, EF32>> {
        let x = hold_as(Blocked(16), row)?;
        let own = hold(x.split_up(16).map(|run| fold1(|a, b| a + b, run)[0]))?;
        let sum = compute(reduce(|a, b| a + b, own))?;
        let centred = hold_as(Blocked(16), x.map(|x| x - sum[0] * (1.0 / 4096.0)))?;
        let squares = centred.map(|c| c * c).split_up(16);
        let own = hold(squares.map(|run| fold1(|a, b| a + b, run)[0]))?;
        let squares = compute(reduce(|a, b| a + b, own))?;
        let scale = 1.0 / (squares[0] * (1.0 / 4096.0) + 1e-5).sqrt();
        let lines = zip(gain.split_up(16), bias.split_up(16));
        let runs = zip(centred.split_up(16), lines);
        pure(runs.as_block_map(|(c, (g, b))| {
            zip_with(|c, (g, b)| c * scale * g + b, c, zip(g, b)).push::<Thread>()
        }))
    }

    /// Layer normalisation of rows of 4,096, 16 neighbours a thread.
    #[kernel(threads = 256)]
    pub fn norm_4096_own(
        x: DPull<EF32>,
        gain: DPull<EF32>,
        bias: DPull<EF32>,
    ) -> DPush<Grid, EF32> {
        let (gain, bias) = (gain.split_up(4096), bias.split_up(4096));
        x.split_up(4096)
            .as_grid_map(|row| exec_block(norm_of_runs(row, gain[0], bias[0])))
    }

    /// The sums of rows of 64, a warp a row.
    #[kernel(threads = 256)]
    pub fn sums_64(m: DPull<EF32>) -> DPush<Grid, EF32> {
        m.split_up(2048).as_grid_map(|rows| {
            rows.split_up(64)
                .as_block_map(|row| reduce::<Warp, EF32>(|a, b| a + b, row))
        })
    }
}
