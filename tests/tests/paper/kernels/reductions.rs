//! Section 6.2: seven reductions.

use obsidian_rt::prelude::*;

#[kernels]
pub mod reductions {
    /// Section 6.2.1: adjacent elements.
    pub fn red1<T: Data>(f: impl Combine<T>, arr: Pull<T>) -> Program<Block, Push<Block, T>> {
        if arr.len() == 1 {
            return pure(arr.push());
        }
        let (a1, a2) = arr.even_odds();
        let imm = compute(zip_with(f, a1, a2))?;
        red1(f, imm)
    }

    /// Section 6.2.2: halves.
    pub fn red2<T: Data>(f: impl Combine<T>, arr: Pull<T>) -> Program<Block, Push<Block, T>> {
        if arr.len() == 1 {
            return pure(arr.push());
        }
        let (a1, a2) = arr.halve();
        let arr = compute(zip_with(f, a1, a2))?;
        red2(f, arr)
    }

    /// Section 6.2.3: the last stage is not stored.
    pub fn red3<T: Data>(f: impl Combine<T>, arr: Pull<T>) -> Program<Block, Push<Block, T>> {
        if arr.len() == 2 {
            return pure(singleton(f(arr[0], arr[1])).push());
        }
        let (a1, a2) = arr.halve();
        let arr = compute(zip_with(f, a1, a2))?;
        red3(f, arr)
    }

    /// Section 6.2.4: each thread takes neighbours in sequence first.
    pub fn red4<T: Data>(f: impl Combine<T>, arr: Pull<T>) -> Program<Block, Push<Block, T>> {
        let arr = compute(arr.split_up(8).as_block_map(|a| exec_thread_value(seq_reduce(f, a))))?;
        red3(f, arr)
    }

    /// Section 6.2.5: each thread takes `n` elements that are far apart.
    pub fn red_param<T: Data>(n: u32, f: impl Combine<T>, arr: Pull<T>) -> Program<Block, Push<Block, T>> {
        let arr = compute(arr.coalesce(n).as_block_map(|a| exec_thread_value(seq_reduce(f, a))))?;
        red3(f, arr)
    }

    /// Reduction 1 to 7 by number.
    pub fn red<T: Data>(which: u32, f: impl Combine<T>, arr: Pull<T>) -> Program<Block, Push<Block, T>> {
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

    /// The paper's `mapRed1` to `mapRed7`, after `splitUp`.
    pub fn map_red<T: Data>(which: u32, n: u32, f: impl Combine<T>, arr: DPull<T>) -> DPush<Grid, T> {
        arr.split_up(n).as_grid_map(|a| exec_block(red(which, f, a)))
    }

    /// Section 7.1: the sequential depth comes from the number of threads, so that each has two sums.
    pub fn map_red8<T: Data>(threads: u32, n: u32, f: impl Combine<T>, arr: DPull<T>) -> DPush<Grid, T> {
        arr.split_up(n).as_grid_map(|a| exec_block(red_param(n / (2 * threads), f, a)))
    }

    pub fn map_red_param<T: Data>(depth: u32, n: u32, f: impl Combine<T>, arr: DPull<T>) -> DPush<Grid, T> {
        arr.split_up(n).as_grid_map(|a| exec_block(red_param(depth, f, a)))
    }

    /// The repository's example of pairs.
    pub fn pairs<T: Data, U: Data>(n: u32, f: impl Combine<(T, U)>, a: DPull<T>, b: DPull<U>) -> DPush<Grid, (T, U)> {
        zip(a, b).split_up(n).as_grid_map(|a| exec_block(red2(f, a)))
    }

    #[kernel(threads = 256)]
    pub fn map_red1(input: DPull<EU32>) -> DPush<Grid, EU32> {
        map_red(1, 512, |a, b| a + b, input)
    }

    #[kernel(threads = 256)]
    pub fn map_red2(input: DPull<EU32>) -> DPush<Grid, EU32> {
        map_red(2, 512, |a, b| a + b, input)
    }

    #[kernel(threads = 256)]
    pub fn map_red3(input: DPull<EU32>) -> DPush<Grid, EU32> {
        map_red(3, 512, |a, b| a + b, input)
    }

    #[kernel(threads = 64)]
    pub fn map_red4(input: DPull<EU32>) -> DPush<Grid, EU32> {
        map_red(4, 512, |a, b| a + b, input)
    }

    #[kernel(threads = 128)]
    pub fn map_red5(input: DPull<EU32>) -> DPush<Grid, EU32> {
        map_red(5, 512, |a, b| a + b, input)
    }

    #[kernel(threads = 128)]
    pub fn map_red6(input: DPull<EU32>) -> DPush<Grid, EU32> {
        map_red(6, 512, |a, b| a + b, input)
    }

    #[kernel(threads = 128)]
    pub fn map_red7(input: DPull<EU32>) -> DPush<Grid, EU32> {
        map_red(7, 512, |a, b| a + b, input)
    }

    /// A length that is no power of two: 32 threads' work of 15 elements each.
    #[kernel(threads = 64)]
    pub fn map_red_of_480(input: DPull<EU32>) -> DPush<Grid, EU32> {
        map_red_param(15, 480, |a, b| a + b, input)
    }

    #[kernel(threads = 64)]
    pub fn sums_and_maxima(a: DPull<EU32>, b: DPull<EF32>) -> DPush<Grid, (EU32, EF32)> {
        pairs(256, |(a, x), (b, y)| (a + b, x.max(y)), a, b)
    }

    #[kernel(threads = 32)]
    pub fn large(input: DPull<EU32>) -> DPush<Grid, EU32> {
        map_red(5, 64, |a, b| a + b, input)
    }
}
