//! Ways of writing that ordinary Rust allows, and that the rewrite and the evaluator both have to
//! follow.
// References are written as the kernels are.
#![allow(clippy::precedence, clippy::nonminimal_bool)]

use obsidian_rt::prelude::*;
use obsidian_tests::fact;

/// References, inference, assignments and literals.
#[kernels]
mod ways {
    const PAIR: (u32, u32) = (3, 1 << 2);
    const N: usize = 4;
    const TABLE: [u32; N] = [5, PAIR.0, 7, 1];
    const DEEP: u32 = TABLE[N - 1] + if N > 3 { 1 } else { 0 };
    const YES: bool = true;

    fn add(input: DPull<EU32>, n: u32) -> DPush<Grid, EU32> {
        input
            .split_up(8)
            .as_grid_map(|chunk| chunk.map(|x| x + n).push())
    }

    fn sum(list: &[u32]) -> u32 {
        list.iter().sum()
    }

    #[kernel]
    pub fn slices_and_constants(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let v = TABLE.to_vec();
        let mut n = sum(&v) + sum(&v[1..]) + sum(&TABLE) + PAIR.1 + DEEP;
        for x in TABLE {
            n += x;
        }
        for (i, x) in TABLE.iter().enumerate().rev() {
            n += x * i as u32;
        }
        n += match YES {
            YES => TABLE.iter().map(|&x| x).max().unwrap(),
            _ => 0,
        };
        add(input, n)
    }

    #[kernel]
    pub fn pairs_by_reference(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let pairs = vec![(1u32, 2u32), (3, 4)];
        let mut n = 0;
        for (a, b) in &pairs {
            n += a * b;
        }
        for &(a, b) in &pairs {
            n += a + b;
        }
        for (a, b) in pairs.iter().map(|(a, b)| (b, a)) {
            n = n * 2 + a - b;
        }
        n += pairs.iter().map(|p| p.0 * p.1).sum::<u32>();
        add(input, n)
    }

    #[kernel]
    pub fn device_values_by_reference(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(4).as_grid_map(|chunk| {
            let v: Vec<EI32> = (0..chunk.len()).map(|i| chunk[i]).collect();
            let a: Vec<EI32> = v.iter().map(|x| -x + 2 * x - 1).collect();
            let b = v
                .iter()
                .zip(&a)
                .fold(v[0], |s, (x, y)| select(x < y, s + x, s ^ y));
            let c = v.iter().sum::<EI32>() + v.iter().copied().product::<EI32>();
            let d = v
                .iter()
                .map(|x| !x & 7 | x % 5)
                .reduce(|x, y| x.max(y))
                .unwrap();
            let mut e = v[3];
            e += v[1];
            e -= 3;
            e <<= 2;
            e = e * -1;
            append(
                append(singleton(b), singleton(c)),
                append(singleton(d), singleton(e)),
            )
            .push()
        })
    }

    fn sign(n: i32) -> i32 {
        if n < 0 {
            -1
        } else if n == 0 {
            0
        } else {
            1
        }
    }

    #[kernel]
    pub fn literals_of_every_kind(input: DPull<EI32>) -> DPush<Grid, EI32> {
        let later;
        if sign(-4) < sign(0) {
            later = 0x1f;
        } else {
            later = 0;
        }
        let big = 1_000i32 + 0b101 + 0o17 + -128i8 as i32 + i32::MIN / 1_000_000 + later;
        let float = 1e2 as i32 + (2.5f32 * 2.0) as i32 + (7.9_f64 as u8) as i32;
        input
            .split_up(8)
            .as_grid_map(|chunk| chunk.map(|x| x * -2 + big - float).push())
    }

    #[kernel]
    pub fn complements(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let mask: u32 = !3;
        let all = !0;
        let mut low = !0u32 >> 28;
        low &= !1;
        input.split_up(8).as_grid_map(|chunk| {
            chunk
                .map(|x| (x & mask) + (x & !1) + (x ^ all) + low + (1 & !0))
                .push()
        })
    }

    fn with_seed(
        seed: Option<EU32>,
        up: bool,
        (low, high): (Pull<EU32>, Pull<EU32>),
    ) -> Pull<EU32> {
        let first = if up ^ (low.len() % 2 == 1) { low } else { high };
        match seed {
            Some(seed) => first.map(|x| x + seed),
            None => first,
        }
    }

    #[kernel]
    pub fn options_and_tuples_as_arguments(input: DPull<EU32>, seed: EU32) -> DPush<Grid, EU32> {
        input.split_up(8).as_grid_map(|chunk| {
            let low = with_seed(Some(seed), true, chunk.halve());
            let high = with_seed(None, false, chunk.halve());
            append(high, low).push()
        })
    }

    /// Bitonic sort: a stage for every pair of distances.
    fn bitonic<L: Compute>(arr: Pull<EU32>) -> Program<L, Push<L, EU32>> {
        let n = arr.len();
        let mut arr = arr;
        for k in 1..=n.ilog2() {
            for j in (0..k).rev() {
                let (run, distance) = (1u32 << k, 1u32 << j);
                let before = arr;
                arr = compute(generate(n, |i| {
                    let (mine, other) = (before[i], before[i ^ distance]);
                    let lower = (i & distance) == 0;
                    let upwards = (i & run) == 0;
                    select(lower == upwards, mine.min(other), mine.max(other))
                }))?;
            }
        }
        pure(arr.push())
    }

    #[kernel(threads = 32)]
    pub fn a_sort_in_nested_loops(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(16)
            .as_grid_map(|chunk| exec_block(bitonic(chunk)))
    }

    fn columns<L: Compute>(arr: Pull<EU32>) -> Program<L, Push<L, EU32>> {
        let mut parts: Vec<Pull<EU32>> = vec![arr.evens(), arr.odds()];
        for i in 0..parts.len() {
            parts[i] = compute(parts[i].map(|x| x + i as u32))?;
        }
        let mixed = if parts.len() == 2 {
            compute(zip_with(|a, b| a * b, parts[0], parts[1]))?
        } else {
            parts[0]
        };
        let _ = compute(mixed.reverse())?;
        let joined = parts
            .iter()
            .skip(1)
            .fold(mixed, |all, part| append(all, part.clone()));
        pure(joined.push())
    }

    #[kernel(threads = 32)]
    pub fn stages_in_a_vec(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(16)
            .as_grid_map(|chunk| exec_block(columns(chunk)))
    }

    #[kernel(threads = 32)]
    pub fn closures_are_programs(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| {
            let mut offset = 1;
            let work = |part: Pull<EU32>| {
                let first = compute(part.map(|x| x + offset))?;
                if part.len() > 100 {
                    return pure(part.push());
                }
                let second = compute(first.reverse())?;
                pure(second.push())
            };
            offset += 1;
            let more = |part: Pull<EU32>| {
                let kept = work(part)?;
                pure(kept.map(|x| x * offset))
            };
            chunk
                .split_up(16)
                .as_block_map(|part| exec_warp(more(part)))
        })
    }

    fn small(x: EU32) -> EU32 {
        x % 16
    }

    fn picked(which: u32) -> fn(EU32) -> EU32 {
        let square: fn(EU32) -> EU32 = |x| x * x;
        match which {
            0 => small,
            _ => square,
        }
    }

    #[kernel]
    pub fn functions_of_one_type(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let fs: Vec<fn(EU32) -> EU32> = vec![picked(0), picked(1), |x| x + 3];
        input.split_up(8).as_grid_map(|chunk| {
            let mut chunk = chunk;
            for f in fs {
                chunk = chunk.map(f);
            }
            chunk.push()
        })
    }

    #[kernel]
    pub fn turbofish_of_the_library(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(32).as_grid_map(|chunk| {
            let program = || {
                let stored = compute::<Block, _, _>(chunk.push::<Block>())?;
                pure::<Block, _>(stored.map(|x| x + lit::<u32>(1)).push())
            };
            let warps = chunk
                .split_up(16)
                .map(|w| exec::<Warp, _, _>(pure(w.push())));
            append(
                exec::<Block, _, _>(program()),
                lift_par::<Block, _, _, _>(warps),
            )
        })
    }

    #[kernel]
    pub fn sequences_of_threads(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(32).as_grid_map(|chunk| {
            let pieces = chunk
                .split_up(4)
                .map(|part| part.reverse().push::<Thread>());
            let warps = chunk
                .split_up(16)
                .map(|part| part.push::<Warp>())
                .as_block();
            let rows = chunk.split_up(8).map(|part| part.push::<Block>());
            append(append(lift_in(pieces), warps), lift_seq(rows))
        })
    }

    #[kernel]
    pub fn lengths_known_at_launch(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = input.len();
        let turned = generate(n, |i| input[n - 1 - i] + (n / 8) * 0);
        let doubled = append(turned, iota(n));
        doubled.split_up(16).as_grid_map(|chunk| chunk.push())
    }
}

fn added(x: Vec<u32>, n: u32) -> Vec<u32> {
    x.into_iter().map(|x| x + n).collect()
}

fn per_piece<T, U>(x: Vec<T>, n: usize, f: impl Fn(&[T]) -> Vec<U>) -> Vec<U> {
    x.chunks(n).flat_map(f).collect()
}

fn pairs() -> u32 {
    let n = (2 + 12) + 10;
    let n = n * 2 + 2 - 1;
    let n = n * 2 + 4 - 3;
    n + 14
}

fn of_references(v: &[i32]) -> Vec<i32> {
    let a: Vec<i32> = v.iter().map(|x| x - 1).collect();
    let b = v
        .iter()
        .zip(&a)
        .fold(v[0], |s, (x, y)| if x < y { s + x } else { s ^ y });
    let product = v.iter().fold(1i32, |p, x| p.wrapping_mul(*x));
    let d = v.iter().map(|x| !x & 7 | x % 5).max().unwrap();
    vec![
        b,
        v.iter().sum::<i32>().wrapping_add(product),
        d,
        (v[3] + v[1] - 3) * -4,
    ]
}

fn sorted(c: &[u32]) -> Vec<u32> {
    let mut c = c.to_vec();
    c.sort();
    c
}

fn columns(c: &[u32]) -> Vec<u32> {
    let odds: Vec<u32> = c.iter().skip(1).step_by(2).map(|x| x + 1).collect();
    let products = c.iter().step_by(2).zip(&odds).map(|(x, y)| x * y).collect();
    [products, odds].concat()
}

fn programs(c: &[u32]) -> Vec<u32> {
    c.iter().rev().map(|x| (x + 1) * 2).collect()
}

fn threads(c: &[u32]) -> Vec<u32> {
    let turned = c.chunks(4).flat_map(|p| p.iter().rev().copied()).collect();
    [turned, c.to_vec(), c.to_vec()].concat()
}

fn turned(x: &[u32]) -> Vec<u32> {
    x.iter().rev().copied().chain(0..x.len() as u32).collect()
}

const LITERALS: i32 = 1000 + 5 + 15 - 128 - 2147 + 31 - (100 + 5 + 7);

fact!(slices_are_lent: ways::slices_and_constants[8](x: u32) == added(x, 16 + 11 + 16 + 4 + 2 + 16 + (3 + 14 + 3) + 7));
fact!(pairs_are_taken_apart: ways::pairs_by_reference[8](x: u32) == added(x, pairs()));
fact!(references_calculate: ways::device_values_by_reference[4](x: i32) == per_piece(x, 4, of_references));
fact!(literals_are_read: ways::literals_of_every_kind[8](x: i32) == x.iter().map(|x| x * -2 + LITERALS).collect::<Vec<i32>>());
fact!(complements_take_their_type: ways::complements[8](x: u32) == x.iter().map(|x| (x & !3).wrapping_add(x & !1).wrapping_add(x ^ !0).wrapping_add(15)).collect::<Vec<u32>>());
fact!(arguments_are_options: ways::options_and_tuples_as_arguments[8](x: u32; 9) == per_piece(x, 8, |c| [c[4..].to_vec(), c[..4].iter().map(|x| x + 9).collect()].concat()));
fact!(loops_sort: ways::a_sort_in_nested_loops[16](x: u32) == per_piece(x, 16, sorted));
fact!(stages_fill_a_vec: ways::stages_in_a_vec[16](x: u32) == per_piece(x, 16, columns));
fact!(closures_run_programs: ways::closures_are_programs[64](x: u32) == per_piece(x, 16, programs));
fact!(functions_have_one_type: ways::functions_of_one_type[8](x: u32) == x.iter().map(|x| (x % 16) * (x % 16) + 3).collect::<Vec<u32>>());
fact!(types_can_be_named: ways::turbofish_of_the_library[32](x: u32) == per_piece(x, 32, |c| [added(c.to_vec(), 1), c.to_vec()].concat()));
fact!(threads_do_sequences: ways::sequences_of_threads[32](x: u32) == per_piece(x, 32, threads));
fact!(lengths_come_at_launch: ways::lengths_known_at_launch[8](x: u32) == turned(&x));

/// Small programs as they are written in practice.
#[kernels]
mod programs {
    fn lent(arr: Pull<EU32>, f: &impl Fn(EU32) -> EU32) -> Push<Block, EU32> {
        let f = f.clone();
        arr.map(f).push()
    }

    fn power(base: EU32, n: u32) -> EU32 {
        if n == 0 {
            return lit(1u32);
        }
        let half = power(base, n / 2);
        if n % 2 == 0 {
            half * half
        } else {
            half * half * base
        }
    }

    #[kernel]
    pub fn powers(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let add = |a, b| a + b;
        input
            .split_up(8)
            .as_grid_map(|chunk| lent(chunk.map(|x| power(x % 8, 5)), &|x| add(x, 1)))
    }

    /// A scan in log n stages, each with all elements.
    fn kogge_stone<L: Compute, T: Data>(
        f: impl Combine<T>,
        arr: Pull<T>,
    ) -> Program<L, Push<L, T>> {
        let mut arr = arr;
        let mut distance = 1;
        while distance < arr.len() {
            let before = arr.take(arr.len() - distance);
            arr = compute(append(
                arr.take(distance),
                zip_with(f, before, arr.drop(distance)),
            ))?;
            distance *= 2;
        }
        pure(arr.push())
    }

    #[kernel(threads = 32)]
    pub fn a_scan_of_pairs(input: DPull<(EU32, EF32)>) -> DPush<Grid, (EU32, EF32)> {
        let op = |(a, x): (EU32, EF32), (b, y): (EU32, EF32)| (a + b, x.max(y));
        input
            .split_up(16)
            .as_grid_map(|chunk| exec_block(kogge_stone(op, chunk)))
    }

    fn window(arr: Pull<EU32>, width: u32) -> Pull<EU32> {
        generate(arr.len() - width + 1, |i| {
            (0..width).map(|j| arr[i + j]).sum::<EU32>()
        })
    }

    /// Closures that take variables, and whose parameters have methods called.
    #[kernel]
    pub fn types_come_from_later_arguments(input: DPull<EF32>, low: EF32) -> DPush<Grid, EF32> {
        input.split_up(16).as_grid_map(|chunk| {
            let parts = chunk.split_up(4);
            let largest = |p: Pull<EF32>| {
                let a = seq_iterate(4, |i, s| s.max(p[i]).max(low), lit(-1000f32))?;
                let b = seq_until(|s| s.abs() + low.abs(), |s| s.sqrt() < low.abs(), a)?;
                let c = seq_reduce(|x, y| x.min(y).min(low), p)?;
                pure(b + c)
            };
            let sums = zip_with(|x, y| x.max(low) + y.min(low), chunk, chunk.reverse());
            let all = fold1(|x, y| x.max(y).max(low), sums);
            append(
                parts.as_block_map(|p| exec_thread_value(largest(p))),
                append(
                    parts.as_block_map(|p| seq_scan(|x, y| x.max(y).max(low), p)),
                    parts.as_block_map(|p| map_accum_l(|s, x| (s.max(x), s.min(low)), all[0], p)),
                ),
            )
        })
    }

    #[kernel]
    pub fn sliding_sums(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(16)
            .as_grid_map(|chunk| append(window(chunk, 3), singleton(window(chunk, 16)[0])).push())
    }

    #[kernel]
    pub fn wide_integers(input: DPull<EU64>, k: EU64) -> DPush<Grid, EU64> {
        let big = (1u64 << 40) + 6;
        input
            .split_up(16)
            .as_grid_map(|chunk| chunk.map(|x| x * big - (x >> 3) + k % 7).push())
    }

    #[kernel]
    pub fn floats(input: DPull<EF32>) -> DPush<Grid, EF32> {
        let third = 1.0 / 3.0;
        let k: f32 = 0.1;
        input.split_up(16).as_grid_map(|chunk| {
            chunk
                .map(|x| x.mul_add(third, k) + (x * x).sqrt().min(2.0) - f32::EPSILON)
                .push()
        })
    }

    #[kernel]
    pub fn booleans(input: DPull<EU32>) -> DPush<Grid, EBool> {
        input.split_up(16).as_grid_map(|chunk| {
            let flags = chunk.map(|x| x % 3 == 1);
            let other = chunk.map(|x| !(x > 500) | (x == 700));
            zip_with(|a, b| (a & b) ^ (a != b), flags, other).push()
        })
    }
}

fn scan_of_pairs(x: &[u32], y: &[f32]) -> (Vec<u32>, Vec<f32>) {
    let largest = |c: &[f32]| c.iter().copied().fold(f32::MIN, f32::max);
    let sums = x
        .chunks(16)
        .flat_map(|c| (1..=16).map(|n| c[..n].iter().sum::<u32>()));
    (
        sums.collect(),
        y.chunks(16)
            .flat_map(|c| (1..=16).map(move |n| largest(&c[..n])))
            .collect(),
    )
}

fn sliding(c: &[u32]) -> Vec<u32> {
    c.windows(3).chain([c]).map(|w| w.iter().sum()).collect()
}

fn later(c: &[f32]) -> Vec<f32> {
    let low = -3.0f32;
    let largest = |p: &[f32]| {
        let mut b = p.iter().fold(-1000.0f32, |s, x| s.max(*x).max(low));
        while b.sqrt() < low.abs() {
            b = b.abs() + low.abs();
        }
        b + p.iter().copied().reduce(|x, y| x.min(y).min(low)).unwrap()
    };
    let scan = |p: &[f32]| {
        let mut s = p[0];
        (0..4)
            .map(|i| {
                if i > 0 {
                    s = s.max(p[i]).max(low);
                }
                s
            })
            .collect::<Vec<f32>>()
    };
    let sums = c
        .iter()
        .zip(c.iter().rev())
        .map(|(x, y)| x.max(low) + y.min(low));
    let all = sums.reduce(|x, y| x.max(y).max(low)).unwrap();
    let carried = |p: &[f32]| {
        let mut s = all;
        p.iter()
            .map(|x| {
                let out = s.min(low);
                s = s.max(*x);
                out
            })
            .collect::<Vec<f32>>()
    };
    let each = |f: &dyn Fn(&[f32]) -> Vec<f32>| c.chunks(4).flat_map(f).collect::<Vec<f32>>();
    [each(&|p| vec![largest(p)]), each(&scan), each(&carried)].concat()
}

fn flag(x: &u32) -> bool {
    let (a, b) = (x % 3 == 1, *x <= 500 || *x == 700);
    (a & b) ^ (a != b)
}

fact!(recursions_stage: programs::powers[8](x: u32) == x.iter().map(|x| (x % 8).pow(5) + 1).collect::<Vec<u32>>());
fact!(pairs_scan: programs::a_scan_of_pairs[16]((x: u32, y: f32)) == scan_of_pairs(&x, &y));
fact!(types_come_later: programs::types_come_from_later_arguments[16](x: f32; -3.0) == per_piece(x, 16, later));
fact!(windows_slide: programs::sliding_sums[16](x: u32) == per_piece(x, 16, sliding));
fact!(integers_are_wide: programs::wide_integers[16](x: u64; 9) == x.iter().map(|x| x * ((1 << 40) + 6) - (x >> 3) + 2).collect::<Vec<u64>>());
fact!(floats_round_once: programs::floats[16](x: f32) == x.iter().map(|x| x.mul_add(1.0 / 3.0, 0.1) + (x * x).sqrt().min(2.0) - f32::EPSILON).collect::<Vec<f32>>());
fact!(booleans_are_elements: programs::booleans[16](x: u32) == x.iter().map(flag).collect::<Vec<bool>>());
