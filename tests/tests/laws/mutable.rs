//! Mutable arrays and the programs that change them.

use obsidian_rt::prelude::*;
use obsidian_tests::hold;

use crate::{check, numbers};

#[kernels]
pub mod mutable {
    /// Counts how often each remainder occurs, over an input of any length.
    #[kernel(threads = 32)]
    pub fn histogram(bins: MGlobal<EU32>, input: DPull<EU32>) -> Program<Grid, ()> {
        let (pieces, n) = (input.chunks(50, lit(0_u32)), input.len());
        distr_par(pieces.len(), |b| {
            for_all(50, |i| {
                cond(
                    b * 50 + i < n,
                    bins.atomic_add(pieces[b][i] % 16, 1).void(),
                    pure(()),
                )
            })
        })
    }

    /// The same in each block's own memory.
    pub fn count(piece: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let bins = new_shared_mutable(16, lit(0_u32))?;
        for_all(piece.len(), |i| bins.atomic_add(piece[i] % 16, 1).void())?;
        pure(bins.push())
    }

    #[kernel(threads = 32)]
    pub fn histograms(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(50).as_grid_map(|c| exec_block(count(c)))
    }

    /// One element for each operation whose order does not matter.
    pub fn each_operation(piece: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let all = new_shared_mutable(9, lit(1000_u32))?;
        for_all(piece.len(), |i| {
            let x = piece[i];
            all.atomic_add(0, x)?;
            all.atomic_sub(1, x)?;
            all.atomic_min(2, x)?;
            all.atomic_max(3, x)?;
            all.atomic_and(4, x)?;
            all.atomic_or(5, x)?;
            all.atomic_xor(6, x)?;
            all.atomic_inc(7, 2000)?;
            all.atomic_dec(8, 2000).void()
        })?;
        pure(all.push())
    }

    #[kernel(threads = 32)]
    pub fn operations(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(40)
            .as_grid_map(|c| exec_block(each_operation(c)))
    }

    /// What the operations give back, where each element is changed by one thread.
    pub fn old_values(piece: Pull<EI64>) -> Program<Block, Push<Block, EI64>> {
        let there = to_mutable(piece)?;
        let n = piece.len();
        let old = new_shared_mutable(n, lit(0_i64))?;
        for_all(n, |i| {
            let x = there.atomic_exch(i, 5)?;
            let y = there.atomic_cas(i, 5, x * 2)?;
            let z = there.atomic_cas(i, 5, lit(0_i64))?;
            let w = there.atomic_sub(i, 1)?;
            old.write(i, x * 1000 + y * 100 + z * 10 + w)
        })?;
        pure(append(old.push(), there.push()))
    }

    #[kernel(threads = 32)]
    pub fn olds(input: DPull<EI64>) -> DPush<Grid, EI64> {
        input
            .split_up(20)
            .as_grid_map(|c| exec_block(old_values(c)))
    }

    /// Float sums of whole numbers, which have no order.
    pub fn float_sum(piece: Pull<EF32>) -> Program<Block, Push<Block, EF32>> {
        let sum = new_shared_mutable(1, lit(0.0_f32))?;
        for_all(piece.len(), |i| sum.atomic_add(0, piece[i]).void())?;
        pure(sum.push())
    }

    #[kernel(threads = 32)]
    pub fn float_sums(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(30).as_grid_map(|c| exec_block(float_sum(c)))
    }

    /// Euclid's algorithm in each thread, in an array of its own.
    pub fn gcd_step(state: MShared<EU32>) -> Program<Thread, ()> {
        let a = state.read(0)?;
        let b = state.read(1)?;
        state.write(0, b)?;
        state.write(1, a % b)
    }

    pub fn gcd(a: EU32, b: EU32) -> Program<Thread, EU32> {
        let state = to_mutable(append(singleton(a), singleton(b)))?;
        seq_while(state.read(1).map(|b| b != 0), gcd_step(state))?;
        state.read(0)
    }

    #[kernel(threads = 32)]
    pub fn gcds(a: DPull<EU32>, b: DPull<EU32>) -> DPush<Grid, EU32> {
        zip(a, b)
            .split_up(10)
            .as_grid_map(|c| c.as_block_map(|p| exec_thread_value(gcd(p.0, p.1))))
    }

    /// Neighbours are added in rounds: what one round writes the next one reads.
    pub fn blur(piece: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let here = to_mutable(piece)?;
        let next = new_shared_mutable(piece.len(), lit(0_u32))?;
        let n = piece.len();
        seq_for(3, |round| {
            for_all::<Block, _>(n, |i| {
                let a = here.read(i)?;
                let b = here.read((i + 1 + round) % n)?;
                next.write(i, a * 3 + b)
            })?;
            here.write_all(next.push::<Block>())
        })?;
        single_thread(here.write(0, lit(81_u32)))?;
        pure(here.push())
    }

    #[kernel(threads = 32)]
    pub fn blurs(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(70).as_grid_map(|c| exec_block(blur(c)))
    }

    /// Rows by warps, columns by their threads.
    pub fn table(piece: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let cells = new_shared_mutable(piece.len(), lit(0_u32))?;
        distr_par::<Block>(5, |row| {
            for_all(10, |column| {
                cells.write(row * 10 + column, piece[row * 10 + column] + row)
            })
        })?;
        for_all((5, 10), |(row, column)| {
            let x = cells.read(row * 10 + column)?;
            cells.write(row * 10 + column, x * 7 + column)
        })?;
        sync()?;
        pure(cells.push())
    }

    #[kernel(threads = 96)]
    pub fn tables(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(50).as_grid_map(|c| exec_block(table(c)))
    }

    /// The first element that is not smaller than 40, or 0.
    pub fn search(piece: Pull<EU32>) -> Program<Thread, EU32> {
        let found = new_shared_mutable(1, lit(0_u32))?;
        seq_for(piece.len(), |i| {
            let large = piece[i] >= 40;
            cond(large, found.write(0, piece[i]), pure(()))?;
            cond(large, break_loop(), pure(()))
        })?;
        found.read(0)
    }

    #[kernel(threads = 32)]
    pub fn searches(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(24)
            .as_grid_map(|c| c.split_up(6).as_block_map(|c| exec_thread_value(search(c))))
    }

    /// Pairs in place, one buffer a field.
    #[kernel(threads = 32)]
    pub fn swapped(pairs: MGlobal<(EU32, EI32)>) -> Program<Grid, ()> {
        distr_par(pairs.len() / 10, |b| {
            for_all(10, |i| {
                let pair = pairs.read(b * 10 + i)?;
                pairs.write(b * 10 + i, (pair.0 + 1, pair.1 * 2))
            })
        })
    }
}

#[test]
fn a_histogram_of_any_length() {
    let launch = |kernel: &Kernel, device: &Device, n: usize| {
        let (mut bins, input) = (
            device.upload(&(100..116).collect::<Vec<u32>>())?,
            device.upload(&numbers(n as u32))?,
        );
        mutable::histogram::launch_kernel(kernel, device, &mut bins, &input)?;
        Ok(bins)
    };
    hold(
        &mutable::histogram::kernel(),
        mutable::histogram::CUDA,
        50,
        launch,
        |n| {
            let mut bins: Vec<u32> = (100..116).collect();
            numbers(n as u32)
                .iter()
                .for_each(|x| bins[(x % 16) as usize] += 1);
            bins
        },
    );
}

#[test]
fn mutable_arrays_of_blocks() {
    let count = |c: &[u32]| {
        (0..16)
            .map(|r| c.iter().filter(|x| *x % 16 == r).count() as u32)
            .collect::<Vec<_>>()
    };
    check!(mutable::histograms[50](x) => x.chunks(50).flat_map(count).collect::<Vec<_>>());
    let blur = |c: &[u32]| {
        let mut c = c.to_vec();
        for round in 0..3 {
            c = (0..70)
                .map(|i| c[i].wrapping_mul(3).wrapping_add(c[(i + 1 + round) % 70]))
                .collect();
        }
        c[0] = 81;
        c
    };
    check!(mutable::blurs[70](y) => y.chunks(70).flat_map(blur).collect::<Vec<_>>());
    let cell = |(i, x): (usize, &u32)| {
        x.wrapping_add(i as u32 / 10)
            .wrapping_mul(7)
            .wrapping_add(i as u32 % 10)
    };
    check!(mutable::tables[50](x) => x.chunks(50).flat_map(|c| c.iter().enumerate().map(cell)).collect::<Vec<_>>());
}

#[test]
fn atomic_operations() {
    let all = |c: &[u32]| {
        let sum: u32 = c.iter().sum();
        let fold = |f: fn(u32, u32) -> u32| c.iter().copied().fold(1000, f);
        let bits = [fold(|a, b| a & b), fold(|a, b| a | b), fold(|a, b| a ^ b)];
        let counts = [1040, 960];
        [
            &[
                1000 + sum,
                1000u32.wrapping_sub(sum),
                fold(u32::min),
                fold(u32::max),
            ][..],
            &bits,
            &counts,
        ]
        .concat()
    };
    check!(mutable::operations[40](x = |x| x % 5000) => x.chunks(40).flat_map(all).collect::<Vec<_>>());
    let olds = |c: &[i64]| {
        let old = |x: &i64| {
            // It was x, becomes 5, becomes 2 x; that is 5 never; then one less.
            x * 1000 + 500 + 2 * x * 10 + 2 * x
        };
        c.iter()
            .map(old)
            .chain(c.iter().map(|x| 2 * x - 1))
            .collect::<Vec<_>>()
    };
    check!(mutable::olds[20](y = |x| i64::from(x % 1000) - 500) => y.chunks(20).flat_map(olds).collect::<Vec<_>>());
    check!(mutable::float_sums[30](z = |x| (x % 1000) as f32) => z.chunks(30).map(|c| c.iter().sum::<f32>()).collect::<Vec<_>>());
}

#[test]
fn mutable_arrays_of_threads() {
    let gcd = |(a, b): (&u32, &u32)| {
        let (mut a, mut b) = (*a, *b);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    check!(mutable::gcds[10](a, b) => a.iter().zip(&b).map(gcd).collect::<Vec<_>>());
    let search = |c: &[u32]| c.iter().copied().find(|x| *x >= 40).unwrap_or(0);
    check!(mutable::searches[24](x = |x| x % 50) => x.chunks(6).map(search).collect::<Vec<_>>());
}

#[test]
fn parameters_that_change() {
    let launch = |kernel: &Kernel, device: &Device, n: usize| {
        let mut first = device.upload(&(0..n as u32).collect::<Vec<u32>>())?;
        let mut second = device.upload(&(-10..n as i32 - 10).collect::<Vec<i32>>())?;
        mutable::swapped::launch_kernel(kernel, device, (&mut first, &mut second))?;
        Ok((first, second))
    };
    // Blocks of ten pairs: a rest stays as it is.
    hold(
        &mutable::swapped::kernel(),
        mutable::swapped::CUDA,
        10,
        launch,
        |n| {
            let done = |i: usize| i < n / 10 * 10;
            let first = (0..n)
                .map(|i| i as u32 + u32::from(done(i)))
                .collect::<Vec<u32>>();
            let second = (0..n)
                .map(|i| (i as i32 - 10) * if done(i) { 2 } else { 1 })
                .collect::<Vec<i32>>();
            (first, second)
        },
    );
}
