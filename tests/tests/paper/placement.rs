//! Stored arrays in registers and in the place of others: what the paper's reductions and scans need, and
//! kernels whose values would change if a stage overwrote what somebody still reads.
//!
//! `cargo test --test paper placement -- --nocapture` prints shared memory and barriers with each array in
//! memory of its own, and as it is.

#![allow(missing_docs)]

use obsidian_core::ir::Level;
use obsidian_core::pipeline::{Options, build};
use obsidian_core::plan::Plan;
use obsidian_rt::generated::Builder;
use obsidian_rt::language::{DPull, EU32};
use obsidian_rt::prelude::*;
use obsidian_tests::fact;
use reduction::reductions;
use scan::scans;

fn add(x: EU32, y: EU32) -> EU32 {
    x + y
}

/// The plans of a kernel: without this pass, which runs behind the checks, and with it.
fn plans(threads: u32, make: impl Fn(&mut Builder)) -> Option<[Plan; 2]> {
    let plan = |check| {
        let options = Options {
            threads,
            check,
            ..Options::default()
        };
        build("kernel", &options, &make).ok()
    };
    Some([plan(false)?, plan(true)?])
}

/// A kernel of the paper: 1 to 7 are its reductions, 8 to 12 its scans.
fn paper(which: u32, log: u32, threads: u32) -> Option<[Plan; 2]> {
    plans(threads, |b| {
        let input: DPull<EU32> = b.parameter("input");
        match which {
            1..=7 => b.result(reductions::map_red(which, 1 << log, add, input)),
            _ => b.result(scans::map_scan(which - 7, log, 1 << log, add, input)),
        }
    })
}

fn barriers(plan: &Plan) -> [u32; 2] {
    let block = plan.waits(Level::Block);
    [block, block + plan.waits(Level::Warp)]
}

/// Shared memory in sum, before and after, of all kernels of 256 elements to 2^most that fit without the
/// pass.
fn sum(threads: u32, most: u32) -> [u32; 2] {
    let mut sum = [0; 2];
    println!(
        "{threads} threads: bytes, barriers of the block, all barriers; without the pass, with it"
    );
    for which in 1..=12 {
        for log in 8..=most {
            let Some([apart, placed]) = paper(which, log, threads) else {
                continue;
            };
            let (bytes, more) = (
                [apart.shared().bytes, placed.shared().bytes],
                [barriers(&apart), barriers(&placed)],
            );
            let kind = if which < 8 { "reduction" } else { "scan" };
            let number = if which < 8 { which } else { which - 7 };
            println!("{kind} {number} of {:5}: {bytes:?} {more:?}", 1 << log);
            assert!(bytes[1] <= bytes[0], "{which} {log} {threads}: {bytes:?}");
            let [before, after] = more;
            assert!(
                after[0] <= before[0] && after[1] <= before[1],
                "{which} {log} {threads}: {more:?}"
            );
            (sum[0], sum[1]) = (sum[0] + bytes[0], sum[1] + bytes[1]);
        }
    }
    println!("in sum {sum:?}");
    sum
}

#[test]
fn reductions_and_scans_of_the_paper_need_three_quarters_of_the_memory_and_no_barrier_more() {
    for threads in [64, 128, 256] {
        let [before, after] = sum(threads, 15);
        assert!(after * 4 <= before * 3, "{threads}: {before} {after}");
    }
}

#[test]
fn odd_numbers_of_threads_need_no_more_either() {
    for threads in [1, 33] {
        let [before, after] = sum(threads, 10);
        assert!(after <= before, "{threads}: {before} {after}");
    }
}

#[kernels]
mod stages {
    /// The fields change places: two copies, which leave nothing to store.
    fn crossed(piece: Pull<(EU32, EU32)>) -> Program<Block, Push<Block, (EU32, EU32)>> {
        let a = compute(piece.reverse())?;
        let b = compute(zip_with(|(x, y), (u, v)| (x + v, y ^ u), a, a.reverse()))?;
        let c = compute(b.map(|(x, y)| (y, x)))?;
        let d = compute(c.map(|(x, y)| (x * 3 + y, x)))?;
        pure(d.reverse().push())
    }

    #[kernel(threads = 64)]
    pub fn fields(x: DPull<EU32>, y: DPull<EU32>) -> DPush<Grid, (EU32, EU32)> {
        zip(x, y)
            .split_up(100)
            .as_grid_map(|piece| exec_block(crossed(piece)))
    }

    /// One arm leaves the element as it is, and which one is known when it runs.
    fn some(piece: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let a = compute(piece.reverse())?;
        let b = compute(a.map(|x| select(x % 3 == 0, x, x * 7 + 1)))?;
        let c = compute(zip_with(|x, y| select(x < y, x, y - x), b, b.reverse()))?;
        let d = compute(generate(200, |i| select(i < 100, c[i], c[i] + c[i - 100])))?;
        pure(d.reverse().push())
    }

    #[kernel(threads = 64)]
    pub fn data(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(200).as_grid_map(|piece| exec_block(some(piece)))
    }

    /// Neighbours, shifts and gathers: nothing here may be in place on more threads than one.
    fn moved(piece: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let a = compute(piece)?;
        let b = compute(generate(128, |i| a[(i + 1) % 128] + a[i]))?;
        let c = compute(generate(128, |i| select(i < 5, b[i], b[i - 5] + b[i])))?;
        let d = compute(generate(128, |i| c[c[i] % 128] + c[i]))?;
        let e = compute(generate(64, |i| d[2 * i] + d[2 * i + 1] * 3))?;
        pure(generate(64, |i| e[i] + e[63 - i]).push())
    }

    #[kernel(threads = 64)]
    pub fn neighbours(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(128)
            .as_grid_map(|piece| exec_block(moved(piece)))
    }

    /// A tree of many rounds on few threads, whose first stages are in registers.
    fn tree(piece: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        if piece.len() == 4 {
            return pure(piece.reverse().push());
        }
        let (a, b) = piece.halve();
        let sums = compute(zip_with(|x, y| x * 5 + y, a, b))?;
        tree(sums)
    }

    #[kernel(threads = 32)]
    pub fn halves(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(1024)
            .as_grid_map(|piece| exec_block(tree(piece)))
    }

    /// The same of the last piece, which is filled up.
    #[kernel(threads = 32)]
    pub fn ragged_halves(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.chunks(256, 7)
            .as_grid_map(|piece| exec_block(tree(piece)))
    }
}

fn crossed(x: &[u32], y: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for (x, y) in x.chunks(100).zip(y.chunks(100)) {
        let n = x.len();
        for i in 0..n {
            // `d` is read backwards, and `a` is the input backwards.
            let j = n - 1 - i;
            let (a, other) = (n - 1 - j, j);
            let (bx, by) = (x[a].wrapping_add(y[other]), y[a] ^ x[other]);
            let (cx, cy) = (by, bx);
            first.push(cx.wrapping_mul(3).wrapping_add(cy));
            second.push(cx);
        }
    }
    (first, second)
}

fn some(x: &[u32]) -> Vec<u32> {
    let piece = |x: &[u32]| {
        let a: Vec<u32> = x.iter().rev().copied().collect();
        let change = |x: u32| {
            if x.is_multiple_of(3) {
                x
            } else {
                x.wrapping_mul(7).wrapping_add(1)
            }
        };
        let b: Vec<u32> = a.into_iter().map(change).collect();
        let least = |(x, y): (&u32, &u32)| if x < y { *x } else { y.wrapping_sub(*x) };
        let c: Vec<u32> = b.iter().zip(b.iter().rev()).map(least).collect();
        let sum = |i: usize| {
            if i < 100 {
                c[i]
            } else {
                c[i].wrapping_add(c[i - 100])
            }
        };
        (0..c.len()).rev().map(sum).collect::<Vec<u32>>()
    };
    x.chunks(200).flat_map(piece).collect()
}

fn moved(x: &[u32]) -> Vec<u32> {
    let piece = |a: &[u32]| {
        let n = a.len();
        let b: Vec<u32> = (0..n).map(|i| a[(i + 1) % n].wrapping_add(a[i])).collect();
        let shifted = |i: usize| {
            if i < 5 {
                b[i]
            } else {
                b[i - 5].wrapping_add(b[i])
            }
        };
        let c: Vec<u32> = (0..n).map(shifted).collect();
        let d: Vec<u32> = c
            .iter()
            .map(|x| c[*x as usize % n].wrapping_add(*x))
            .collect();
        let e: Vec<u32> = d
            .chunks(2)
            .map(|d| d[1].wrapping_mul(3).wrapping_add(d[0]))
            .collect();
        (0..e.len())
            .map(|i| e[i].wrapping_add(e[e.len() - 1 - i]))
            .collect::<Vec<u32>>()
    };
    x.chunks(128).flat_map(piece).collect()
}

fn tree(x: &[u32], n: usize) -> Vec<u32> {
    let piece = |x: &[u32]| {
        let mut x = x.to_vec();
        x.resize(n, 7);
        while x.len() > 4 {
            let half = x.len() / 2;
            x = (0..half)
                .map(|i| x[i].wrapping_mul(5).wrapping_add(x[i + half]))
                .collect();
        }
        x.reverse();
        x
    };
    x.chunks(n).flat_map(piece).collect()
}

fact!(fields_that_change_places: stages::fields[100](x: u32, y: u32) == crossed(&x, &y));
fact!(an_arm_that_leaves_an_element: stages::data[200](x: u32) == some(&x));
fact!(neighbours_and_gathers: stages::neighbours[128](x: u32) == moved(&x));
fact!(first_stages_in_registers: stages::halves[1024](x: u32) == tree(&x, 1024));
fact!(first_stages_of_a_filled_piece: stages::ragged_halves[1](x: u32) == tree(&x, 256));

#[test]
fn what_became_of_arrays_is_reported() {
    let kernel = stages::halves::kernel();
    let text = kernel.cuda();
    assert!(
        text.contains("// In registers, with the elements of a thread: sums (16), sums_2 (8)"),
        "{text}"
    );
    assert!(text.contains("// In place: "), "{text}");
    let manifest = kernel.manifest();
    assert!(
        manifest.contains("\"registers\": 16") && manifest.contains("\"over\": \"sums\""),
        "{manifest}"
    );
}
