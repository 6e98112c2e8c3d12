//! Kernels of the table of the refused, with the promise that they need: what comes from data is an
//! index inside of its array, and no other write has it.

use crate::prelude::*;

#[kernels]
pub mod m {
    /// Elements written where an array of indices says, which are distinct.
    #[kernel]
    pub fn scatter(to: DPull<EU32>, x: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = x.len();
        require(to.len().equals(n));
        mk_push(n, |write| {
            distr_par((n + 255) / 256, |b| {
                for_all(256, |t| {
                    let i = b * 256 + t;
                    cond(i < n, write(x[i], to[i].unchecked().distinct()), pure(()))
                })
            })
        })
    }

    /// The elements of each 64 that are not 0, by their ranks.
    pub fn compact(a: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let ranks = new_shared_mutable(64, 0u32)?;
        single_thread(seq_for(63, |i| {
            let r = ranks.read(i)?;
            ranks.write(i + 1, r + select(a[i] != 0, lit(1u32), 0))
        }))?;
        let out = new_shared_mutable(64, 0u32)?;
        for_all(64, |t| {
            let r = ranks.read(t)?;
            cond(
                a[t] != 0,
                out.write(r.unchecked().distinct(), a[t]),
                pure(()),
            )
        })?;
        pure(out.push())
    }
    #[kernel(threads = 64)]
    pub fn compaction(a: DPull<EU32>) -> DPush<Grid, EU32> {
        a.split_up(64).as_grid_map(|c| exec_block(compact(c)))
    }

    /// A pass of a radix sort by one bit of each 64 elements.
    pub fn split(a: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let zeros = generate(64, |i| select(a[i] % 2 == 0, lit(1u32), 0));
        let before = compute(singleton(zeros).as_block_map(|z| seq_scan(|x, y| x + y, z)))?;
        let all = before[63];
        pure(mk_push(64, |write| {
            for_all(64, |i| {
                let to = select(a[i] % 2 == 0, before[i] - 1, all + i - before[i]);
                write(a[i], to.unchecked().distinct())
            })
        }))
    }
    #[kernel(threads = 64)]
    pub fn radix_split(a: DPull<EU32>) -> DPush<Grid, EU32> {
        a.split_up(64).as_grid_map(|c| exec_block(split(c)))
    }
}

#[test]
fn a_scatter_agrees() {
    hold(
        &m::scatter::kernel(),
        m::scatter::CUDA,
        SIZES.map(|n| ((0..n as u32).rev().collect::<Vec<u32>>(), samples::<u32>(n))),
        |device, (x, y)| m::scatter::launch(device, &device.upload(x)?, &device.upload(y)?),
        |(_, x): &(Vec<u32>, Vec<u32>)| x.iter().rev().copied().collect(),
    );
}

#[test]
fn a_compaction_agrees() {
    let input = |n: usize| -> Vec<u32> {
        let all = samples::<u32>(n * 64);
        all.iter()
            .map(|x| if x % 3 == 0 { 0 } else { *x })
            .collect()
    };
    hold(
        &m::compaction::kernel(),
        m::compaction::CUDA,
        [0, 1, 3].map(input),
        |device, x| m::compaction::launch(device, &device.upload(x)?),
        |x: &Vec<u32>| {
            let kept = |c: &[u32]| {
                let mut kept: Vec<u32> = c.iter().copied().filter(|x| *x != 0).collect();
                kept.resize(64, 0);
                kept
            };
            x.chunks(64).flat_map(kept).collect()
        },
    );
}

#[test]
fn a_radix_split_agrees() {
    hold(
        &m::radix_split::kernel(),
        m::radix_split::CUDA,
        [0, 1, 3].map(|n| samples::<u32>(n * 64)),
        |device, x| m::radix_split::launch(device, &device.upload(x)?),
        |x: &Vec<u32>| {
            let split = |c: &[u32]| {
                let (even, odd): (Vec<u32>, Vec<u32>) = c.iter().partition(|x| *x % 2 == 0);
                [even, odd].concat()
            };
            x.chunks(64).flat_map(split).collect()
        },
    );
}
