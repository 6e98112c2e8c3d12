//! Seven reductions (section 6.2 of the paper), from adjacent elements to a sequential start that
//! is coalesced, and sums of any length in several launches (section 7.1).
//!
//! The same sum in newer words: `reduce` ([`together`]), and a loop over tiles ([`in_tiles`]). Counted in the machine
//! code for sm_90, per element in the loop that does most of the work:
//!
//! | sum | instructions | barriers |
//! |---|---|---|
//! | [`reductions::sums_of_runs()`] | 3.31 | 3 for 4,096 elements |
//! | [`together::sums_together()`] | 2.56 | 2 for 4,096 elements |
//! | [`in_tiles::sums_of_pieces()`] | 1.12 | 2 for 65,536 elements |
//! | [`in_tiles::sums_of_float_pieces()`] | 1.56 | 2 for 65,536 elements |

use obsidian_rt::Limits;
use obsidian_rt::language::{DPull, DPush, EU32, Grid};
use obsidian_rt::prelude::*;

/// The reductions. `f` must be associative and commutative; lengths are powers of two except where
/// it is said.
#[kernels(built)]
pub mod reductions {
    /// Reduction 1: adjacent elements. Neighbouring threads read elements that are two apart.
    pub fn red1<T: Data>(f: impl Combine<T>, arr: Pull<T>) -> Program<Block, Push<Block, T>> {
        if arr.len() == 1 {
            return pure(arr.push());
        }
        let (a1, a2) = arr.even_odds();
        let arr = compute(zip_with(f, a1, a2))?;
        red1(f, arr)
    }

    /// Reduction 2: halves. Neighbouring threads read neighbouring elements.
    pub fn red2<T: Data>(f: impl Combine<T>, arr: Pull<T>) -> Program<Block, Push<Block, T>> {
        if arr.len() == 1 {
            return pure(arr.push());
        }
        let (a1, a2) = arr.halve();
        let arr = compute(zip_with(f, a1, a2))?;
        red2(f, arr)
    }

    /// Reduction 3: the last stage is not stored. One stage, and one wait, less.
    pub fn red3<T: Data>(f: impl Combine<T>, arr: Pull<T>) -> Program<Block, Push<Block, T>> {
        if arr.len() == 2 {
            return pure(singleton(f(arr[0], arr[1])).push());
        }
        let (a1, a2) = arr.halve();
        let arr = compute(zip_with(f, a1, a2))?;
        red3(f, arr)
    }

    /// Reduction 4: each thread takes 8 neighbours in sequence first. Threads now read elements
    /// that are 8 apart.
    pub fn red4<T: Data>(f: impl Combine<T>, arr: Pull<T>) -> Program<Block, Push<Block, T>> {
        let arr = compute(
            arr.split_up(8)
                .as_block_map(|a| exec_thread_value(seq_reduce(f, a))),
        )?;
        red3(f, arr)
    }

    /// Reductions 5 to 7: each thread takes `n` elements that are far apart, so that neighbouring
    /// threads read neighbours again. The length is `n` times a power of two from 2 on.
    pub fn red_param<T: Data>(
        n: u32,
        f: impl Combine<T>,
        arr: Pull<T>,
    ) -> Program<Block, Push<Block, T>> {
        let arr = compute(
            arr.coalesce(n)
                .as_block_map(|a| exec_thread_value(seq_reduce(f, a))),
        )?;
        red3(f, arr)
    }

    /// Reduction 1 to 7 by number.
    pub fn red<T: Data>(
        which: u32,
        f: impl Combine<T>,
        arr: Pull<T>,
    ) -> Program<Block, Push<Block, T>> {
        match which {
            1 => red1(f, arr),
            2 => red2(f, arr),
            3 => red3(f, arr),
            4 => red4(f, arr),
            5 => red_param(8, f, arr),
            6 => red_param(16, f, arr),
            _ => red_param(32, f, arr),
        }
    }

    /// Each run of `n` elements, reduced by a block.
    pub fn map_red<T: Data>(
        which: u32,
        n: u32,
        f: impl Combine<T>,
        arr: DPull<T>,
    ) -> DPush<Grid, T> {
        arr.split_up(n)
            .as_grid_map(|a| exec_block(red(which, f, a)))
    }

    /// The same with a sequential start of `depth` elements.
    pub fn map_red_param<T: Data>(
        depth: u32,
        n: u32,
        f: impl Combine<T>,
        arr: DPull<T>,
    ) -> DPush<Grid, T> {
        arr.split_up(n)
            .as_grid_map(|a| exec_block(red_param(depth, f, a)))
    }

    /// A depth that comes from the number of threads, so that each is left with two elements.
    pub fn map_red8<T: Data>(
        threads: u32,
        n: u32,
        f: impl Combine<T>,
        arr: DPull<T>,
    ) -> DPush<Grid, T> {
        map_red_param(n / (2 * threads), n, f, arr)
    }

    /// Two arrays reduced at once, as one of pairs.
    pub fn pairs<T: Data, U: Data>(
        n: u32,
        f: impl Combine<(T, U)>,
        a: DPull<T>,
        b: DPull<U>,
    ) -> DPush<Grid, (T, U)> {
        zip(a, b)
            .split_up(n)
            .as_grid_map(|a| exec_block(red2(f, a)))
    }

    /// Runs of 512 by reduction 1, and so on.
    #[kernel(threads = 256)]
    pub fn map_red1(input: DPull<EU32>) -> DPush<Grid, EU32> {
        map_red(1, 512, |a, b| a + b, input)
    }

    /// Runs of 512 by reduction 2.
    #[kernel(threads = 256)]
    pub fn map_red2(input: DPull<EU32>) -> DPush<Grid, EU32> {
        map_red(2, 512, |a, b| a + b, input)
    }

    /// Runs of 512 by reduction 3.
    #[kernel(threads = 256)]
    pub fn map_red3(input: DPull<EU32>) -> DPush<Grid, EU32> {
        map_red(3, 512, |a, b| a + b, input)
    }

    /// Runs of 512 by reduction 4.
    #[kernel(threads = 64)]
    pub fn map_red4(input: DPull<EU32>) -> DPush<Grid, EU32> {
        map_red(4, 512, |a, b| a + b, input)
    }

    /// Runs of 512 by reduction 5.
    #[kernel(threads = 128)]
    pub fn map_red5(input: DPull<EU32>) -> DPush<Grid, EU32> {
        map_red(5, 512, |a, b| a + b, input)
    }

    /// Runs of 512 by reduction 6.
    #[kernel(threads = 128)]
    pub fn map_red6(input: DPull<EU32>) -> DPush<Grid, EU32> {
        map_red(6, 512, |a, b| a + b, input)
    }

    /// Runs of 512 by reduction 7.
    #[kernel(threads = 128)]
    pub fn map_red7(input: DPull<EU32>) -> DPush<Grid, EU32> {
        map_red(7, 512, |a, b| a + b, input)
    }

    /// A length that is no power of two: 32 threads' work of 15 elements each.
    #[kernel(threads = 64)]
    pub fn map_red_of_480(input: DPull<EU32>) -> DPush<Grid, EU32> {
        map_red_param(15, 480, |a, b| a + b, input)
    }

    /// Sums and maxima of two arrays at once.
    #[kernel(threads = 64)]
    pub fn sums_and_maxima(a: DPull<EU32>, b: DPull<EF32>) -> DPush<Grid, (EU32, EF32)> {
        pairs(256, |(a, x), (b, y)| (a + b, x.max(y)), a, b)
    }

    /// Runs of 4,096, the last one filled up with zeros: any length.
    #[kernel(threads = 128)]
    pub fn sums_of_runs(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .chunks(4096, lit(0u32))
            .as_grid_map(|a| exec_block(red(5, |a, b| a + b, a)))
    }
}

/// Reductions by the word for them: how threads share the work is not said. On a GPU a thread folds
/// what it has in registers, the lanes of a warp take what they combine from each other, and one word
/// of each warp goes through shared memory.
#[kernels(built)]
pub mod together {
    /// Runs of 4,096, the last one filled up with zeros: any length.
    #[kernel(threads = 256)]
    pub fn sums_together(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .chunks(4096, 0)
            .as_grid_map(|run| reduce(|a, b| a + b, run))
    }

    /// The same of floats, in an order that depends on the length alone: rows of 16 neighbours, and a
    /// tree over the rows.
    #[kernel(threads = 256)]
    pub fn sums_of_floats(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input
            .chunks(4096, 0.0)
            .as_grid_map(|run| reduce(|a, b| a + b, run))
    }
}

/// Sums of any length by a loop over tiles: a thread adds to a register from one tile to the next, and the
/// threads combine what they have once, at the end.
#[kernels(built)]
pub mod in_tiles {
    /// What a rest adds to the result of thread `t`: every `threads`-th element.
    fn of_rest<T: Data>(
        threads: u32,
        f: impl Combine<T>,
        t: EU32,
        own: T,
        rest: Pull<T, EU32>,
    ) -> Program<Thread, T> {
        // In bounds: `rounds` is the number of `k` with `k * threads + t < rest.len()`, and a rest is shorter than a tile.
        let rounds = (rest.len() + (threads - 1) - t) / threads;
        seq_iterate(
            rounds,
            |k, own| f(own, rest[(k * threads + t).unchecked()]),
            own,
        )
    }

    /// A piece of any length, reduced by a block of `threads` threads. Each thread starts with `zero`, which must be neutral for `f`;
    /// `f` must be associative and commutative (for floats, up to rounding). A thread takes `items` elements of each tile in
    /// runs of `width` neighbours, and `width` must divide `items`. One iteration of the CUDA text handles `tiles` tiles.
    pub fn of_piece<T: Data>(
        threads: u32,
        (items, width, tiles): (u32, u32, u32),
        zero: T,
        f: impl Combine<T>,
        piece: Pull<T, EU32>,
    ) -> Program<Block, Push<Block, T>> {
        let folded = tiles_fold(
            piece,
            threads * items,
            replicate(threads, zero),
            |own, tile| {
                let runs = tile.split_up(threads * width);
                let of_tile = generate(threads, |t| {
                    let own = generate(items, |j| runs[j / width][t * width + j % width]);
                    fold1(f, own)[0]
                });
                pure(zip_with(f, own, of_tile))
            },
            |own, rest| {
                let all = generate(threads, |t| {
                    exec_thread_value(of_rest(threads, f, t, own[t], rest))
                });
                pure(all.as_block())
            },
        );
        let own = unroll(tiles, folded)?;
        pure(reduce(f, own))
    }

    /// The sum of each 65,536 elements and of what is left: any length.
    #[kernel(threads = 256)]
    pub fn sums_of_pieces(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.chunks_len(65536).as_grid_map(|piece| {
            exec_block(of_piece(256, (16, 16, 1), lit(0), |a, b| a + b, piece))
        })
    }

    /// The same of floats. The order is a function of the length alone: a thread adds up 16 neighbours of each
    /// tile, then every 256th element of the rest, and the threads are combined in a tree over neighbours.
    #[kernel(threads = 256)]
    pub fn sums_of_float_pieces(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.chunks_len(65536).as_grid_map(|piece| {
            exec_block(of_piece(256, (16, 16, 1), lit(0.0), |a, b| a + b, piece))
        })
    }
}

/// Elements that one block of [`in_tiles::sums_of_pieces()`] sums.
pub const PIECE: usize = 65536;

/// Elements that one block of [`reductions::sums_of_runs()`] sums, and one of [`together::sums_together()`].
pub const RUN: usize = 4096;

/// Launches sums of pieces until one value is left, which does not leave the device before.
fn until_one(
    device: &Device,
    input: &Buffer<u32>,
    sums_of_pieces: fn(&Device, &Buffer<u32>) -> obsidian_rt::Result<Buffer<u32>>,
) -> obsidian_rt::Result<u32> {
    let mut sums = sums_of_pieces(device, input)?;
    while sums.len() > 1 {
        sums = sums_of_pieces(device, &sums)?;
    }
    Ok(sums.to_vec()?.first().copied().unwrap_or(0))
}

/// The sum of any number of elements, wrapping.
///
/// # Errors
/// What a launch reports.
pub fn large_sum(device: &Device, input: &Buffer<u32>) -> obsidian_rt::Result<u32> {
    until_one(device, input, reductions::sums_of_runs::launch)
}

/// The same by [`together::sums_together()`].
///
/// # Errors
/// What a launch reports.
pub fn large_sum_together(device: &Device, input: &Buffer<u32>) -> obsidian_rt::Result<u32> {
    until_one(device, input, together::sums_together::launch)
}

/// The same by [`in_tiles::sums_of_pieces()`].
///
/// # Errors
/// What a launch reports.
pub fn large_sum_in_tiles(device: &Device, input: &Buffer<u32>) -> obsidian_rt::Result<u32> {
    until_one(device, input, in_tiles::sums_of_pieces::launch)
}

/// The sums of [`in_tiles::sums_of_float_pieces()`] in its order: to the bit, on every device.
pub fn sums_of_float_pieces(input: &[f32]) -> Vec<f32> {
    let add = |a: f32, b: f32| a + b;
    let of_piece = |piece: &[f32]| {
        let mut own = [0.0; 256];
        let tiles = piece.chunks_exact(4096);
        let rest = tiles.remainder();
        for tile in tiles {
            for (own, run) in own.iter_mut().zip(tile.chunks(16)) {
                *own += run.iter().copied().reduce(add).unwrap_or(0.0);
            }
        }
        for (i, x) in rest.iter().enumerate() {
            own[i % 256] += x;
        }
        let mut tree = own.to_vec();
        while tree.len() > 1 {
            tree = tree.chunks(2).map(|pair| pair[0] + pair[1]).collect();
        }
        tree[0]
    };
    input.chunks(PIECE).map(of_piece).collect()
}

/// Thread counts of the paper's Table 2.
pub const THREADS: [u32; 6] = [32, 64, 128, 256, 512, 1024];

/// Elements per block of the paper's Table 2.
pub const ELEMENTS: [u32; 8] = [256, 512, 1024, 2048, 4096, 8192, 16384, 32768];

/// Reduction `which` (1 to 7) of runs of `elements`, built for a number of threads, or for other limits.
///
/// # Errors
/// Where the arrays need more shared memory than a block has.
pub fn reduction(
    which: u32,
    elements: u32,
    limits: impl Into<Limits>,
) -> obsidian_rt::Result<TypedKernel<(DPull<EU32>,), DPush<Grid, EU32>>> {
    let name = format!("red{which}_{elements}");
    TypedKernel::build(&name, limits, |input: DPull<EU32>| {
        reductions::map_red(which, elements, |a: EU32, b: EU32| a + b, input)
    })
}
