//! Kernels of the Haskell system's repository that are not in the paper.

use obsidian_rt::prelude::*;

#[kernels]
pub mod examples {
    /// The increment of each element, stored by the block first.
    pub fn increment_of_blocks(n: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(n)
            .as_grid_map(|a| exec_block(compute(a.map(|x| x + 1))))
    }

    /// The same, stored by warps.
    pub fn increment_of_warps(n: u32, part: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(n).as_grid_map(|a| {
            a.split_up(part)
                .as_block_map(|a| exec_warp(compute(a.map(|x| x + 1))))
        })
    }

    pub fn copies(arr: Pull<EU32>) -> Push<Block, EU32> {
        exec_block(copied(arr))
    }

    pub fn copied(arr: Pull<EU32>) -> Program<Block, Pull<EU32>> {
        let a = compute(arr)?;
        let b = compute(a)?;
        compute(b.map(|x| x + 1))
    }

    /// Blocks' works in order, in pieces of 32, then 64, then 128.
    pub fn in_pieces(arr: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let b = compute(arr.split_up(32).as_block_map(copies))?;
        let d = compute(b.split_up(64).as_block_map(copies))?;
        pure(copies(d))
    }

    #[kernel(threads = 128)]
    pub fn as_block_map(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(128)
            .as_grid_map(|a| exec_block(in_pieces(a)))
    }

    /// Sklansky's scan as an array that is stored.
    pub fn sklansky_pull(n: u32, arr: Pull<EU32>) -> Program<Block, Pull<EU32>> {
        if n == 0 {
            return pure(arr);
        }
        let fan = |a: Pull<EU32>| {
            let (low, high) = a.halve();
            let last = low.last();
            append(low, high.map(|x| last + x))
        };
        let arr = compute(unsafe_bin_split(n - 1, fan, arr))?;
        sklansky_pull(n - 1, arr)
    }

    pub fn sklansky_cin(
        n: u32,
        cin: EU32,
        arr: Pull<EU32>,
    ) -> Program<Block, (EU32, Push<Block, EU32>)> {
        let head = arr.take(1).map(|x| cin + x);
        let arr = compute(append(head, arr.drop(1)))?;
        let arr = sklansky_pull(n, arr)?;
        pure((arr.last(), arr.push()))
    }

    pub fn sklanskies(n: u32, size: u32, elements: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(elements).as_grid_map(|a| {
            s_map_accum(
                |cin, a| sklansky_cin(n, cin, a),
                lit(0u32),
                a.split_up(size),
            )
        })
    }

    /// A scan, and what comes before it: one element more.
    pub fn inclusive(arr: Push<Block, EU32>, cin: EU32) -> Push<Block, EU32> {
        append(singleton(cin).push(), arr.map(|x| cin + x))
    }

    /// The product of two matrices of `n` rows and columns: a row a block, a column a thread.
    pub fn matmul(n: u32, left: DPull<EF32>, right: DPull<EF32>) -> DPush<Grid, EF32> {
        left.split_up(n).as_grid_map(|row| {
            iota(n).as_block_map(|j| {
                let products = generate(n, |k| row[k] * right[k * n + j]);
                exec_thread_value(seq_reduce(|x, y| x + y, products))
            })
        })
    }

    /// Each number as often as it was counted: number `i` goes to the places from `starts[i]` to
    /// `starts[i + 1]`. That these are the program's own, and no other's, is for it to know.
    pub fn reconstruct(starts: DPull<EU32>, out: MGlobal<EU32>) -> Program<Grid, ()> {
        distr_par(1, |b| {
            for_all(256, |i| {
                seq_for(starts[i + 1] - starts[i], |k| {
                    out.write((starts[i] + k).unchecked().distinct(), i + b)
                })
            })
        })
    }

    /// One more than each element.
    pub fn increment(n: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(n).as_grid_map(|c| c.map(|x| x + 1).push())
    }

    pub fn histogram(bins: MGlobal<EU32>, input: DPull<EU32>) -> Program<Grid, ()> {
        let pieces = input.split_up(256);
        distr_par(pieces.len(), |b| {
            for_all(256, |i| {
                bins.atomic_inc(pieces[b][i].unchecked(), 0xffff_ffffu32)
                    .void()
            })
        })
    }
}
