//! Sections 3 to 5: the first reduction, push arrays from below, sums with and without stages, two
//! stages.

use obsidian_rt::prelude::*;

#[kernels]
pub mod intro {
    /// Section 3. `f` must be associative and commutative; the length a power of two.
    pub fn reduce<L: Compute, T: Data>(f: impl Combine<T>, arr: Pull<T>) -> Program<L, Push<L, T>> {
        if arr.len() == 1 {
            return pure(arr.push());
        }
        let (a1, a2) = arr.halve();
        let arr = compute(zip_with(f, a1, a2).push::<L>())?;
        reduce(f, arr)
    }

    /// Section 3.
    pub fn reductions<T: Data>(f: impl Combine<T>, n: u32, arr: DPull<T>) -> DPush<Grid, T> {
        arr.split_up(n).as_grid_map(|a| exec_block(reduce(f, a)))
    }

    #[kernel(threads = 64)]
    pub fn sums_of_512(input: DPull<EI32>) -> DPush<Grid, EI32> {
        reductions(|a, b| a + b, 512, input)
    }

    #[kernel(threads = 64)]
    pub fn maxima_of_64(input: DPull<EF32>) -> DPush<Grid, EF32> {
        reductions(|a, b| a.max(b), 64, input)
    }

    /// Section 4.4: `push`.
    pub fn push_of<T: Data>(arr: Pull<T>) -> Push<Block, T> {
        mk_push(arr.len(), |wf| {
            for_all::<Block, _>(arr.len(), |i| wf(arr[i], i))
        })
    }

    /// Section 4.4: `iota` of push arrays.
    pub fn push_iota(n: u32) -> Push<Block, EU32> {
        mk_push(n, |wf| for_all::<Block, _>(n, |ix| wf(ix, ix)))
    }

    /// Section 4.4: `aMap` of push arrays.
    pub fn push_map<T: Data>(f: impl Fn(T) -> T, p: Push<Block, T>) -> Push<Block, T> {
        mk_push(p.len(), |wf| p.push_to(|e, ix| wf(f(e), ix)))
    }

    /// Section 4.4: `ixMap` of push arrays.
    pub fn push_ix_map<T: Data>(f: impl Fn(EU32) -> EU32, p: Push<Block, T>) -> Push<Block, T> {
        mk_push(p.len(), |wf| p.push_to(|e, ix| wf(e, f(ix))))
    }

    /// Section 4.5: `append` of pull arrays.
    pub fn append_pull<T: Data>(a1: Pull<T>, a2: Pull<T>) -> Pull<T> {
        let n1 = a1.len();
        mk_pull(n1 + a2.len(), |ix| select(ix < n1, a1[ix], a2[ix - n1]))
    }

    /// Section 4.5: `append` of push arrays.
    pub fn append_push<T: Data>(p1: Push<Block, T>, p2: Push<Block, T>) -> Push<Block, T> {
        let n1 = p1.len();
        mk_push(n1 + p2.len(), |wf| {
            p1.write_to(wf)?;
            p2.push_to(|a, i| wf(a, i + n1))
        })
    }

    #[kernel(threads = 32)]
    pub fn pushes(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(12).as_grid_map(|a| {
            let turned = push_ix_map(|i| 11 - i, push_map(|x| x * 3, push_of(a)));
            append_push(push_iota(5), turned)
        })
    }

    #[kernel(threads = 32)]
    pub fn appended_16(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(16)
            .as_grid_map(|a| append_pull(a.drop(8), a.take(8)).push())
    }

    #[kernel(threads = 32)]
    pub fn appended_11(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(11).as_grid_map(|a| {
            append(
                append_pull(a.drop(4), a.take(4)).push(),
                append(a.take(3), a.drop(3)).push(),
            )
        })
    }

    /// Section 4.6: one expression, no parallelism.
    pub fn sum_up(arr: Pull<EU32>) -> EU32 {
        if arr.len() == 1 {
            return arr[0];
        }
        let (a1, a2) = arr.halve();
        sum_up(zip_with(|x, y| x + y, a1, a2))
    }

    /// Section 4.6: the paper's `sumUp'`, with stages.
    pub fn sum_up_par(arr: Pull<EU32>) -> Program<Block, EU32> {
        if arr.len() == 1 {
            return pure(arr[0]);
        }
        let (a1, a2) = arr.halve();
        let arr = compute(zip_with(|x, y| x + y, a1, a2))?;
        sum_up_par(arr)
    }

    /// The repository's `sumUpT`: the stages of one thread.
    pub fn sum_up_thread(arr: Pull<EU32>) -> Program<Thread, EU32> {
        if arr.len() == 1 {
            return pure(arr[0]);
        }
        let (a1, a2) = arr.halve();
        let arr = compute(zip_with(|x, y| x + y, a1, a2))?;
        sum_up_thread(arr)
    }

    pub fn sums_up(n: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(n)
            .as_grid_map(|a| exec_block_value(pure(sum_up(a))))
    }

    pub fn sums_up_par(n: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(n)
            .as_grid_map(|a| exec_block_value(sum_up_par(a)))
    }

    pub fn sums_up_thread(threads: u32, n: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(threads * n).as_grid_map(|a| {
            a.split_up(n)
                .as_block_map(|a| exec_thread_value(sum_up_thread(a)))
        })
    }

    #[kernel(threads = 32)]
    pub fn sums_up_8(input: DPull<EU32>) -> DPush<Grid, EU32> {
        sums_up(8, input)
    }

    #[kernel(threads = 32)]
    pub fn sums_up_par_8(input: DPull<EU32>) -> DPush<Grid, EU32> {
        sums_up_par(8, input)
    }

    #[kernel(threads = 32)]
    pub fn sums_up_thread_8(input: DPull<EU32>) -> DPush<Grid, EU32> {
        sums_up_thread(8, 8, input)
    }

    /// Section 4.7, at any two neighbouring levels.
    pub fn reduce2stage<L: Compute + HasBelow, T: Data>(
        f: impl Combine<T>,
        n: u32,
        arr: Pull<T>,
    ) -> Program<L, Push<L, T>>
    where
        L::Below: Compute,
    {
        let arr = compute(lift_par(arr.split_up(n).map(|a| exec(reduce(f, a)))))?;
        reduce(f, arr)
    }

    /// Section 4.7, at Warp and Block.
    pub fn reduce2stage_block<T: Data>(
        f: impl Combine<T>,
        n: u32,
        arr: Pull<T>,
    ) -> Program<Block, Push<Block, T>> {
        let arr = compute(arr.split_up(n).as_block_map(|a| exec_warp(reduce(f, a))))?;
        reduce(f, arr)
    }

    pub fn two_stages(n: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(n)
            .as_grid_map(|a| exec_block(reduce2stage(|x, y| x + y, 32, a)))
    }

    pub fn two_stages_block(n: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(n)
            .as_grid_map(|a| exec_block(reduce2stage_block(|x, y| x + y, 32, a)))
    }

    #[kernel(threads = 128)]
    pub fn two_stages_512(input: DPull<EU32>) -> DPush<Grid, EU32> {
        two_stages(512, input)
    }

    #[kernel(threads = 128)]
    pub fn two_stages_block_512(input: DPull<EU32>) -> DPush<Grid, EU32> {
        two_stages_block(512, input)
    }

    /// Thread below Warp: pieces of any power of two.
    #[kernel(threads = 64)]
    pub fn two_stages_of_warps(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(192).as_grid_map(|a| {
            a.split_up(64)
                .as_block_map(|a| exec_warp(reduce2stage::<Warp, _>(|x, y| x + y, 8, a)))
        })
    }
}
