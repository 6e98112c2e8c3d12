//! Loops of one thread, and values carried from piece to piece.

use obsidian_rt::prelude::*;

use crate::{THREADS, check, native, numbers};

#[kernels]
pub mod sequential {
    /// Affine maps x -> a x + b, as pairs; composition is associative and not commutative.
    pub fn then(f: (EU32, EU32), g: (EU32, EU32)) -> (EU32, EU32) {
        (f.0 * g.0, f.1 * g.0 + g.1)
    }

    pub fn affine(x: EU32) -> (EU32, EU32) {
        (x * 2 + 1, x)
    }

    /// In each piece the work of one thread, for all threads of a block.
    pub fn in_threads(
        n: u32,
        input: DPull<EU32>,
        f: impl Fn(Pull<(EU32, EU32)>) -> Push<Thread, (EU32, EU32)>,
    ) -> DPush<Grid, EU32> {
        input
            .map(affine)
            .split_up(3 * n)
            .as_grid_map(|c| c.split_up(n).as_block_map(|c| f(c)).map(|p| p.0 * 3 + p.1))
    }

    pub fn reduced(n: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        in_threads(n, input, |c| exec_thread_value(seq_reduce(then, c)))
    }

    pub fn scanned(n: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        in_threads(n, input, |c| seq_scan(then, c))
    }

    pub fn scanned_with(n: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        in_threads(n, input, |c| {
            seq_scan_cin(then, (lit(5_u32), lit(7_u32)), c)
        })
    }

    #[kernel(threads = 32)]
    pub fn reduce_5(input: DPull<EU32>) -> DPush<Grid, EU32> {
        reduced(5, input)
    }

    #[kernel(threads = 32)]
    pub fn scan_5(input: DPull<EU32>) -> DPush<Grid, EU32> {
        scanned(5, input)
    }

    #[kernel(threads = 32)]
    pub fn scan_cin_5(input: DPull<EU32>) -> DPush<Grid, EU32> {
        scanned_with(5, input)
    }

    #[kernel(threads = 32)]
    pub fn accum_l(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(6).as_grid_map(|c| {
            c.split_up(3)
                .as_block_map(|c| map_accum_l(|s, x| (s * 3 + x, s + x), lit(1_u32), c))
        })
    }

    #[kernel(threads = 32)]
    pub fn accum_r(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(6).as_grid_map(|c| {
            c.split_up(3)
                .as_block_map(|c| map_accum_r(|s, x| (s * 3 + x, s + x), lit(1_u32), c))
        })
    }

    /// Steps of the Collatz sequence until 1, at most 50.
    #[kernel(threads = 32)]
    pub fn collatz(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(5).as_grid_map(|c| {
            c.as_block_map(|x| {
                let step = |s: (EU32, EU32)| (select(s.0 % 2 == 0, s.0 / 2, s.0 * 3 + 1), s.1 + 1);
                let going = |s: (EU32, EU32)| select(s.0 > 1, s.1 < 50, lit(false));
                exec_thread_value(seq_until(step, going, (x, lit(0_u32))).map(|s| s.1))
            })
        })
    }

    #[kernel(threads = 32)]
    pub fn iterated(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(5).as_grid_map(|c| {
            c.as_block_map(|x| exec_thread_value(seq_iterate(x % 7, |i, s| s * 3 + i, x)))
        })
    }

    #[kernel(threads = 32)]
    pub fn repeated(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(8).as_grid_map(|c| {
            exec_block(rep(
                3,
                |c: Pull<EU32>| compute(c.reverse().map(|x| x * 3 + 1)),
                c,
            ))
        })
    }

    #[kernel(threads = 32)]
    pub fn composed(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(8).as_grid_map(|c| {
            let steps = (0..3).map(|k| move |c: Pull<EU32>| c.reverse().map(|x| x * 3 + k).push());
            exec_block(compose(steps.collect(), c))
        })
    }

    /// Scan of a block's piece by doubling distances (Kogge and Stone); any length.
    pub fn scan_block(arr: Pull<(EU32, EU32)>) -> Program<Block, Push<Block, (EU32, EU32)>> {
        let mut arr = arr;
        let mut distance = 1;
        while distance < arr.len() {
            let ahead = zip_with_shortest(then, arr, arr.drop(distance));
            arr = compute(append(arr.take(distance).push(), ahead.push()))?;
            distance = distance * 2;
        }
        pure(arr.push())
    }

    /// One carried scan of `rounds` pieces of `n` by each block.
    pub fn chained(n: u32, rounds: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        let scan = |carry: (EU32, EU32), piece: Pull<(EU32, EU32)>| {
            let sums = compute(exec_block(scan_block(piece)))?;
            let sums = sums.map(|s| then(carry, s));
            pure((sums.last(), sums.push()))
        };
        input.map(affine).split_up(n * rounds).as_grid_map(|c| {
            s_map_accum(scan, (lit(1_u32), lit(0_u32)), c.split_up(n)).map(|p| p.0 * 3 + p.1)
        })
    }

    #[kernel(threads = 32)]
    pub fn chained_12(input: DPull<EU32>) -> DPush<Grid, EU32> {
        chained(12, 3, input)
    }

    /// The same in single threads and warps.
    #[kernel(threads = 64)]
    pub fn carried_by_threads(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let step = |sum: EU32, c: Pull<EU32>| {
            let sums = compute(seq_scan_cin(|x, y| x * 31 + y, sum, c))?;
            pure((sums.last(), sums.push()))
        };
        input.split_up(24).as_grid_map(|c| {
            c.split_up(12).as_block_map(|c| {
                s_map_accum::<Thread, _, _, _, _, _>(step, lit(1_u32), c.split_up(4))
            })
        })
    }

    #[kernel(threads = 64)]
    pub fn carried_by_warps(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let step = |sum: EU32, c: Pull<EU32>| {
            let added = compute(c.map(|x| x + sum))?;
            let first = exec_warp(pure(added));
            pure((added.last() * 3 + added[0], first))
        };
        input.split_up(200).as_grid_map(|c| {
            c.split_up(100).as_block_map(|c| {
                s_map_accum::<Warp, _, _, _, _, _>(step, lit(1_u32), c.split_up(50))
            })
        })
    }
}

type Affine = (u32, u32);

fn then(f: Affine, g: Affine) -> Affine {
    (
        f.0.wrapping_mul(g.0),
        f.1.wrapping_mul(g.0).wrapping_add(g.1),
    )
}

fn affine(x: u32) -> Affine {
    (x.wrapping_mul(2).wrapping_add(1), x)
}

fn number(p: Affine) -> u32 {
    p.0.wrapping_mul(3).wrapping_add(p.1)
}

fn scan(start: Option<Affine>, c: &[u32]) -> Vec<Affine> {
    let mut sum = start;
    let mut next = |x: &u32| {
        let value = sum.map_or(affine(*x), |s| then(s, affine(*x)));
        sum = Some(value);
        value
    };
    c.iter().map(&mut next).collect()
}

fn scans(start: Option<Affine>, input: &[u32], n: usize) -> Vec<u32> {
    input
        .chunks_exact(n)
        .flat_map(|c| scan(start, c))
        .map(number)
        .collect()
}

fn totals(input: &[u32], n: usize) -> Vec<u32> {
    input
        .chunks_exact(n)
        .map(|c| number(*scan(None, c).last().unwrap()))
        .collect()
}

#[test]
fn reductions_and_scans_keep_the_order() {
    check!(sequential::reduce_5[15](x) => totals(&x, 5));
    check!(sequential::scan_5[15](x) => scans(None, &x, 5));
    check!(sequential::scan_cin_5[15](x) => scans(Some((5, 7)), &x, 5));
    for n in 1..100 {
        let (x, threads, len) = (numbers(6 * n), THREADS[(n % 5) as usize], n as usize);
        let reduced: Vec<u32> = native(threads, &x, |b| {
            let input = b.parameter("input");
            b.result(sequential::reduced(n, input));
        });
        assert_eq!(reduced, totals(&x, len), "{n}");
        let scanned: Vec<u32> = native(threads, &x, |b| {
            let input = b.parameter("input");
            b.result(sequential::scanned(n, input));
        });
        assert_eq!(scanned, scans(None, &x, len), "{n}");
        let scanned: Vec<u32> = native(threads, &x, |b| {
            let input = b.parameter("input");
            b.result(sequential::scanned_with(n, input));
        });
        assert_eq!(scanned, scans(Some((5, 7)), &x, len), "{n}");
    }
}

#[test]
fn maps_with_a_state() {
    let step = |s: &mut u32, x: u32| {
        let y = s.wrapping_add(x);
        *s = s.wrapping_mul(3).wrapping_add(x);
        y
    };
    let left = |c: &[u32]| {
        c.iter()
            .scan(1, |s, x| Some(step(s, *x)))
            .collect::<Vec<_>>()
    };
    let right = |c: &[u32]| {
        let mut list: Vec<u32> = c.iter().rev().scan(1, |s, x| Some(step(s, *x))).collect();
        list.reverse();
        list
    };
    check!(sequential::accum_l[6](x) => x.chunks(3).flat_map(left).collect::<Vec<_>>());
    check!(sequential::accum_r[6](x) => x.chunks(3).flat_map(right).collect::<Vec<_>>());
}

#[test]
fn loops_that_end_by_a_condition_or_a_count() {
    let collatz = |x: &u32| {
        let (mut x, mut n) = (*x, 0);
        while x > 1 && n < 50 {
            x = if x % 2 == 0 { x / 2 } else { x * 3 + 1 };
            n += 1;
        }
        n
    };
    check!(sequential::collatz[5](x = |x| x % 40) => x.iter().map(collatz).collect::<Vec<u32>>());
    let iterated = |x: &u32| (0..x % 7).fold(*x, |s, i| s * 3 + i);
    check!(sequential::iterated[5](x = |x| x % 1000) => x.iter().map(iterated).collect::<Vec<u32>>());
}

#[test]
fn pipelines_of_the_host() {
    let step = |c: &[u32], k: u32| {
        c.iter()
            .rev()
            .map(|x| x.wrapping_mul(3).wrapping_add(k))
            .collect::<Vec<_>>()
    };
    let repeated = |c: &[u32]| step(&step(&step(c, 1), 1), 1);
    check!(sequential::repeated[8](x) => x.chunks(8).flat_map(repeated).collect::<Vec<_>>());
    let composed = |c: &[u32]| step(&step(&step(c, 0), 1), 2);
    check!(sequential::composed[8](x) => x.chunks(8).flat_map(composed).collect::<Vec<_>>());
}

#[test]
fn a_value_is_carried_from_piece_to_piece() {
    check!(sequential::chained_12[36](x) => scans(Some((1, 0)), &x, 36));
    for n in 1..100 {
        let (x, threads) = (numbers(6 * n), THREADS[(n % 5) as usize]);
        let output: Vec<u32> = native(threads, &x, |b| {
            let input = b.parameter("input");
            b.result(sequential::chained(n, 3, input));
        });
        assert_eq!(output, scans(Some((1, 0)), &x, 3 * n as usize), "{n}");
    }
    let sums = |c: &[u32]| {
        c.iter()
            .scan(1u32, |s, x| {
                *s = s.wrapping_mul(31).wrapping_add(*x);
                Some(*s)
            })
            .collect::<Vec<_>>()
    };
    check!(sequential::carried_by_threads[24](x) => x.chunks(12).flat_map(sums).collect::<Vec<_>>());
    let warp = |c: &[u32]| {
        let mut sum = 1u32;
        let piece = |p: &[u32]| {
            let added: Vec<u32> = p.iter().map(|x| x.wrapping_add(sum)).collect();
            sum = added[49].wrapping_mul(3).wrapping_add(added[0]);
            added
        };
        c.chunks(50).flat_map(piece).collect::<Vec<_>>()
    };
    check!(sequential::carried_by_warps[200](x) => x.chunks(100).flat_map(warp).collect::<Vec<_>>());
}
