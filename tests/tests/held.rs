//! Arrays in registers: `hold`, its layouts, what lanes read of each other, and loops over tiles.

#![allow(missing_docs)]

use obsidian_rt::kernels;

/// Kernels that hold arrays.
#[kernels]
mod kernels {
    fn add(a: EU32, b: EU32) -> EU32 {
        a + b
    }

    fn turned(run: Pull<EU32>) -> Program<Warp, Push<Warp, EU32>> {
        let mine = hold(run)?;
        let next = hold(generate(32, |i| mine[(i + 1) % 32] * 3 + mine[i ^ 5]))?;
        pure(generate(32, |i| next[31 - i] + mine[7]).push())
    }

    /// Lanes read each other in four ways.
    #[kernel(threads = 64)]
    pub fn lanes(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(64)
            .as_grid_map(|block| block.split_up(32).as_block_map(|run| exec_warp(turned(run))))
    }

    fn halves(run: Pull<EU32>) -> Program<Warp, Push<Warp, EU32>> {
        let a = hold(run)?;
        let b = hold(generate(16, |i| a[i] * 31 + a[i + 16]))?;
        let c = hold(generate(8, |i| b[i] * 31 + b[i + 8]))?;
        let d = hold(generate(4, |i| c[i] * 31 + c[i + 4]))?;
        let e = hold(generate(2, |i| d[i] * 31 + d[i + 2]))?;
        pure(generate(1, |i| e[i] * 31 + e[i + 1]).push())
    }

    /// A tree over halves.
    #[kernel(threads = 64)]
    pub fn trees(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(64)
            .as_grid_map(|block| block.split_up(32).as_block_map(|run| exec_warp(halves(run))))
    }

    fn of_block(run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let striped = hold(run)?;
        let mine = exchange(Striped, Blocked(8), striped)?;
        let sums = mine.split_up(8).map(|own| fold1(add, own)[0]);
        let before = compute(exclusive_scan(add, lit(0), sums))?;
        let all = hold_as(Blocked(8), generate(2048, |i| mine[i] + before[i / 8]))?;
        let back = exchange(Blocked(8), Striped, all)?;
        pure(back.push())
    }

    /// Neighbours of a thread, there and back.
    #[kernel(threads = 256)]
    pub fn neighbours(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(2048).as_grid_map(|run| exec_block(of_block(run)))
    }

    fn sum_of(piece: Pull<EU32, EU32>) -> Program<Block, Push<Block, EU32>> {
        let zeros: Pull<EU32> = replicate(256, lit(0));
        let sums = tiles_fold(
            piece,
            4096,
            zeros,
            |sums, tile| {
                let own = tile.split_up(16).map(|own| fold1(add, own)[0]);
                pure(zip_with(add, sums, own))
            },
            |sums, rest| {
                let own = |t: EU32| {
                    seq_iterate((rest.len() + 255 - t) / 256, |k, sum| sum + rest[(k * 256 + t).unchecked()], sums[t])
                };
                pure(generate(256, |t| exec_thread_value(own(t))).as_block())
            },
        )?;
        pure(reduce(add, sums))
    }

    /// The sum of each 2^20 elements.
    #[kernel(threads = 256)]
    pub fn sums(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.chunks_len(1 << 20).as_grid_map(|piece| exec_block(sum_of(piece)))
    }
}

fn numbers(n: u32) -> Vec<u32> {
    (0..n).map(|i| i.wrapping_mul(0x9e37_79b9) ^ i).collect()
}

#[test]
fn show() {
    for kernel in [kernels::lanes::kernel(), kernels::trees::kernel(), kernels::neighbours::kernel(), kernels::sums::kernel()] {
        println!("{}", kernel.cuda());
    }
}
