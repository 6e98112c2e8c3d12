//! Arrays over the hierarchy: levels, tuples as elements, several arrays, arguments, and where
//! `#[kernel]` stands.

use obsidian_rt::prelude::*;
use obsidian_tests::fact;

/// Work laid over threads, warps, blocks and the grid.
#[kernels]
mod levels {
    fn reduce<L: Compute, T: Data>(f: impl Combine<T>, arr: Pull<T>) -> Program<L, Push<L, T>> {
        if arr.len() == 1 {
            return pure(arr.push());
        }
        let (a, b) = arr.halve();
        let arr = compute(zip_with(f, a, b))?;
        reduce(f, arr)
    }

    fn sequential<T: Data>(f: impl Combine<T>, arr: Pull<T>) -> Program<Thread, Push<Thread, T>> {
        let mut sum = arr[0];
        for i in 1..arr.len() {
            sum = f(sum, arr[i]);
        }
        pure(singleton(sum).push())
    }

    #[kernel(threads = 64)]
    pub fn turbofish_of_levels(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(64)
            .as_grid_map(|chunk| exec_block(reduce::<Block, _>(|a, b| a + b, chunk)))
    }

    /// The paper's reduction in two stages, at any level that has one below.
    fn two_stage<L: Compute + HasBelow, T: Data>(
        f: impl Combine<T>,
        n: u32,
        arr: Pull<T>,
    ) -> Program<L, Push<L, T>>
    where
        L::Below: Compute,
    {
        let arr = compute(lift_par(
            arr.split_up(n)
                .map(|part| exec(reduce::<L::Below, _>(f, part))),
        ))?;
        reduce(f, arr)
    }

    #[kernel(threads = 64)]
    pub fn two_stages_of_a_block(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(128)
            .as_grid_map(|chunk| exec_block(two_stage(|a, b| a + b, 32, chunk)))
    }

    #[kernel(threads = 64)]
    pub fn two_stages_of_warps(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(128).as_grid_map(|chunk| {
            chunk
                .split_up(64)
                .as_block_map(|part| exec_warp(two_stage::<Warp, _>(|a, b| a.max(b), 4, part)))
        })
    }

    /// The same with the inner level left to be found.
    fn two_stage_inferred<L: Compute + HasBelow, T: Data>(
        f: impl Combine<T>,
        n: u32,
        arr: Pull<T>,
    ) -> Program<L, Push<L, T>>
    where
        L::Below: Compute,
    {
        let parts = arr.split_up(n).map(|part| exec(reduce(f, part)));
        let arr = compute(lift_par(parts))?;
        reduce(f, arr)
    }

    #[kernel(threads = 64)]
    pub fn two_inferred_stages(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(128).as_grid_map(|chunk| {
            let whole = exec_block(two_stage_inferred(|a, b| a + b, 32, chunk));
            let parts = chunk
                .split_up(64)
                .as_block_map(|part| exec_warp(two_stage_inferred(|a, b| a.max(b), 4, part)));
            append(whole, parts)
        })
    }

    #[kernel(threads = 64)]
    pub fn a_nest_of_all_levels(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(256).as_grid_map(|block| {
            block.split_up(64).as_block_map(|warp| {
                warp.split_up(4)
                    .as_warp_map(|thread| exec_thread(sequential(|a, b| a * 3 + b, thread)))
            })
        })
    }

    #[kernel(threads = 64)]
    pub fn threads_of_a_block(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|block| {
            block.coalesce(4).as_block_map(|part| {
                part.split_up(2)
                    .as_thread_map(|two| exec_thread(reduce(|a, b| a ^ b, two)))
            })
        })
    }

    #[kernel(threads = 32)]
    pub fn names_come_from_the_source(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(32).as_grid_map(|chunk| {
            let program = || {
                let halved = compute(chunk.map(|x| x / 2))?;
                let turned: Pull<EU32> = compute(halved.reverse())?;
                pure(turned.push())
            };
            exec_block(program())
        })
    }

    fn prefix<L: Compute, T: Data>(f: impl Combine<T>, arr: Pull<T>) -> Program<L, Pull<T>> {
        if arr.len() == 1 {
            return pure(arr);
        }
        let (low, high) = arr.halve();
        let low = prefix(f, low)?;
        let high = prefix(f, high)?;
        let carry = low.last();
        compute(append(low.push(), high.map(|x| f(carry, x)).push()))
    }

    fn scan<L: Compute, T: Data>(f: impl Combine<T>, arr: Pull<T>) -> Program<L, Push<L, T>> {
        let arr = prefix(f, arr)?;
        pure(arr.push())
    }

    #[kernel(threads = 32)]
    pub fn a_scan_by_recursion(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(16)
            .as_grid_map(|chunk| exec_block(scan(|a, b| a + b, chunk)))
    }

    fn with_level<L: Compute>(
        arr: Pull<EU32>,
        work: impl Fn(Pull<EU32>) -> Program<L, Push<L, EU32>>,
    ) -> Push<L, EU32> {
        exec(work(arr))
    }

    #[kernel(threads = 32)]
    pub fn programs_as_arguments(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(16)
            .as_grid_map(|chunk| with_level(chunk, |arr| reduce(|a, b| a + b, arr)))
    }
}

/// Elements that are tuples, several arrays, and numbers as arguments.
#[kernels(crate = ::obsidian_rt)]
mod shapes {
    #[kernel(threads = 32)]
    pub fn pairs_in_and_out(input: DPull<(EU32, EF32)>) -> DPush<Grid, (EF32, EU32)> {
        input
            .split_up(16)
            .as_grid_map(|chunk| chunk.map(|(n, x)| (x * 2.0, n + 1)).push())
    }

    fn best((a, i): (EU32, EU32), (b, j): (EU32, EU32)) -> (EU32, EU32) {
        select((a > b) | ((a == b) & (i < j)), (a, i), (b, j))
    }

    fn strongest(arr: Pull<(EU32, EU32)>) -> Program<Block, Push<Block, (EU32, EU32)>> {
        let mut arr = arr;
        while arr.len() > 1 {
            let (a, b) = arr.halve();
            arr = compute(zip_with(best, a, b))?;
        }
        pure(arr.push())
    }

    #[kernel(threads = 32)]
    pub fn the_largest_and_its_index(input: DPull<EU32>) -> DPush<Grid, (EU32, EU32)> {
        input
            .split_up(32)
            .as_grid_map(|chunk| exec_block(strongest(zip(chunk, iota(chunk.len())))))
    }

    #[kernel(threads = 32)]
    pub fn zips_of_three_and_four(x: DPull<EU32>, y: DPull<EU32>) -> DPush<Grid, EU32> {
        let triples = zip3(x, y, x.map(|x| x + 1)).map(|(a, b, c)| a * b + c);
        let (a, b) = unzip(zip(triples, y));
        let four = zip4(a, b, x, y).map(|(a, b, c, d)| a + b * 2 + c * 3 + d);
        four.split_up(8).as_grid_map(|chunk| chunk.push())
    }

    #[kernel(threads = 32)]
    pub fn appended_pull_arrays(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(16)
            .as_grid_map(|chunk| append(chunk.drop(4), replicate(4, lit(9u32))).push())
    }

    #[kernel(threads = 32)]
    pub fn appended_push_arrays(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(16).as_grid_map(|chunk| {
            let (low, high) = chunk.split_at(5);
            append(high.push(), low.reverse().push())
        })
    }

    #[kernel(threads = 32)]
    pub fn views(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(16).as_grid_map(|chunk| {
            let (even, odd) = chunk.even_odds();
            let parts = chunk.split_up(4).map(|part| part.reverse()).concat(4);
            let ends = singleton(chunk.first() + chunk.last());
            let more = append(append(odd, even), append(parts, chunk.tail().take(3)));
            append(append(more, ends), chunk.every_nth(4)).push()
        })
    }

    #[kernel(threads = 32)]
    pub fn numbers_as_arguments(input: DPull<EF32>, scale: EF32, shift: EU32) -> DPush<Grid, EF32> {
        input.split_up(8).as_grid_map(|chunk| {
            let last = chunk.len() - 1;
            generate(chunk.len(), |i| {
                chunk[(i + shift) & last] * scale - chunk[i]
            })
            .push()
        })
    }

    #[kernel(threads = 32)]
    pub fn keywords_of_cuda(
        float: DPull<EU32>,
        __global__: DPull<EU32>,
        int: EU32,
    ) -> DPush<Grid, EU32> {
        let thread = zip_with(
            |volatile, double| volatile * int + double,
            float,
            __global__,
        );
        thread.split_up(8).as_grid_map(|template| template.push())
    }
}

/// One element a block, without a module around it.
#[kernel(threads = 32)]
fn free(input: DPull<EI32>) -> DPush<Grid, EI32> {
    input
        .split_up(8)
        .as_grid_map(|chunk| chunk.map(|x| x.abs() - 3).reverse().push())
}

mod renamed {
    pub use obsidian_rt as gpu;
}

#[kernels(crate = crate::levels::renamed::gpu)]
mod under_another_name {
    #[kernel]
    pub fn plain(input: DPull<EU8>) -> DPush<Grid, EU8> {
        input
            .split_up(4)
            .as_grid_map(|chunk| chunk.map(|x| x + 7u8).push())
    }
}

fn per_piece<T>(x: Vec<u32>, n: usize, f: impl Fn(&[u32]) -> Vec<T>) -> Vec<T> {
    x.chunks(n).flat_map(f).collect()
}

fn sums(x: Vec<u32>, n: usize) -> Vec<u32> {
    per_piece(x, n, |c| vec![c.iter().sum()])
}

fn sum_and_maxima(c: &[u32]) -> Vec<u32> {
    let largest = |part: &[u32]| *part.iter().max().unwrap();
    vec![c.iter().sum(), largest(&c[..64]), largest(&c[64..])]
}

fn of_coalesced(c: &[u32]) -> Vec<u32> {
    (0..16)
        .flat_map(|i| [c[i] ^ c[i + 16], c[i + 32] ^ c[i + 48]])
        .collect()
}

fn prefixes(c: &[u32]) -> Vec<u32> {
    let mut sum = 0;
    c.iter()
        .map(|x| {
            sum += x;
            sum
        })
        .collect()
}

fn strongest(x: Vec<u32>) -> (Vec<u32>, Vec<u32>) {
    let best = |c: &[u32]| {
        let best = *c.iter().max().unwrap();
        vec![(best, c.iter().position(|x| *x == best).unwrap() as u32)]
    };
    per_piece(x, 32, best).into_iter().unzip()
}

fn views(c: &[u32]) -> Vec<u32> {
    let nth = |n: usize, from: usize| c.iter().copied().skip(from).step_by(n).collect::<Vec<_>>();
    let parts = c.chunks(4).flat_map(|p| p.iter().rev().copied()).collect();
    [
        nth(2, 1),
        nth(2, 0),
        parts,
        c[1..4].to_vec(),
        vec![c[0] + c[15]],
        nth(4, 0),
    ]
    .concat()
}

fact!(a_turbofish_names_a_level: levels::turbofish_of_levels[64](x: u32) == sums(x, 64));
fact!(two_stages_at_block: levels::two_stages_of_a_block[128](x: u32) == sums(x, 128));
fact!(two_stages_at_warp: levels::two_stages_of_warps[128](x: u32) == per_piece(x, 64, |c| vec![*c.iter().max().unwrap()]));
fact!(two_stages_find_their_levels: levels::two_inferred_stages[128](x: u32) == per_piece(x, 128, sum_and_maxima));
fact!(levels_nest: levels::a_nest_of_all_levels[256](x: u32) == per_piece(x, 4, |c| vec![c[1..].iter().fold(c[0], |a, b| a * 3 + b)]));
fact!(threads_work_in_order: levels::threads_of_a_block[64](x: u32) == per_piece(x, 64, of_coalesced));
fact!(stages_have_names: levels::names_come_from_the_source[32](x: u32) == per_piece(x, 32, |c| c.iter().rev().map(|x| x / 2).collect()));
fact!(recursion_splits_and_joins: levels::a_scan_by_recursion[16](x: u32) == per_piece(x, 16, prefixes));
fact!(programs_are_arguments: levels::programs_as_arguments[16](x: u32) == sums(x, 16));
fact!(tuples_are_several_arrays: shapes::pairs_in_and_out[16]((x: u32, y: f32)) == (y.iter().map(|y| y * 2.0).collect(), x.iter().map(|x| x + 1).collect::<Vec<u32>>()));
fact!(tuples_are_compared: shapes::the_largest_and_its_index[32](x: u32) == strongest(x));
fact!(arrays_zip: shapes::zips_of_three_and_four[8](x: u32, y: u32) == x.iter().zip(&y).map(|(x, y)| x * y + x + 1 + y * 2 + x * 3 + y).collect::<Vec<u32>>());
fact!(pull_arrays_append: shapes::appended_pull_arrays[16](x: u32) == per_piece(x, 16, |c| [&c[4..], &[9; 4]].concat()));
fact!(push_arrays_append: shapes::appended_push_arrays[16](x: u32) == per_piece(x, 16, |c| [&c[5..], &[c[4], c[3], c[2], c[1], c[0]]].concat()));
fact!(views_rearrange: shapes::views[16](x: u32) == per_piece(x, 16, views));
fact!(numbers_are_arguments: shapes::numbers_as_arguments[8](x: f32; 0.5, 3) == x.chunks(8).flat_map(|c| (0..8).map(|i| c[(i + 3) & 7] * 0.5 - c[i]).collect::<Vec<_>>()).collect::<Vec<f32>>());
fact!(names_may_be_keywords_of_cuda: shapes::keywords_of_cuda[8](x: u32, y: u32; 3) == x.iter().zip(&y).map(|(x, y)| x * 3 + y).collect::<Vec<u32>>());
fact!(a_kernel_needs_no_module: free[8](x: i32) == x.chunks(8).flat_map(|c| c.iter().rev().map(|x| x.abs() - 3).collect::<Vec<_>>()).collect::<Vec<i32>>());
fact!(the_crate_may_have_another_name: under_another_name::plain[4](x: u8) == x.iter().map(|x| x.wrapping_add(7)).collect::<Vec<u8>>());

#[test]
fn arrays_are_called_what_the_source_calls_them() {
    let cuda = levels::names_come_from_the_source::CUDA;
    assert!(cuda.contains("halved") && cuda.contains("turned"), "{cuda}");
}
