//! Control flow and data of the host, and programs in them: what runs while a kernel is built.
// References are written as the kernels are.
#![allow(clippy::precedence, clippy::nonminimal_bool)]

use obsidian_rt::prelude::*;
use obsidian_tests::fact;

/// Loops, branches, patterns and programs.
#[kernels]
mod control {
    const FIRST: u32 = 3;

    #[kernel]
    pub fn a_loop_of_stages(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| {
            exec_block({
                let stages = |arr: Pull<EU32>| {
                    let mut arr = arr;
                    for shift in 0..3 {
                        let rotated = arr.ix_map(move |i| (i + 1) % 64);
                        arr = compute(zip_with(|x, y| (x << shift) ^ y, arr, rotated))?;
                    }
                    pure(arr.push())
                };
                stages(chunk)
            })
        })
    }

    fn halving<L: Compute>(arr: Pull<EU32>) -> Program<L, Push<L, EU32>> {
        let mut arr = arr;
        while arr.len() > 1 {
            let (low, high) = arr.halve();
            arr = compute(zip_with(|a, b| a + b, low, high))?;
        }
        pure(arr.push())
    }

    #[kernel(threads = 32)]
    pub fn a_while_of_stages(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(64)
            .as_grid_map(|chunk| exec_block(halving(chunk)))
    }

    fn until_short(mut arr: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let mut rounds = 0;
        loop {
            if arr.len() <= 8 {
                break;
            }
            rounds += 1;
            if rounds == 2 {
                continue;
            }
            let (evens, odds) = arr.even_odds();
            arr = compute(zip_with(|a, b| a.max(b), evens, odds))?;
        }
        pure(arr.map(|x| x + rounds).push())
    }

    #[kernel]
    pub fn a_loop_with_break_and_continue(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(32)
            .as_grid_map(|chunk| exec_block(until_short(chunk)))
    }

    fn early(arr: Pull<EU32>, way: u32) -> Program<Block, Push<Block, EU32>> {
        if way == 0 {
            return pure(arr.push());
        }
        let stored = compute(arr.reverse())?;
        if way == 1 {
            return pure(stored.push());
        }
        let r#final = compute(stored.map(|x| x * way))?;
        pure(r#final.reverse().push())
    }

    #[kernel]
    pub fn early_returns_around_programs(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(16).as_grid_map(|chunk| {
            let ways: Vec<_> = (0..3).map(|way| exec_block(early(chunk, way))).collect();
            append(append(ways[0], ways[1]), ways[2])
        })
    }

    fn named(n: u32, flag: bool, pair: (u32, Option<u32>)) -> u32 {
        let by_range = match n {
            0 => 1,
            1..=4 => 10,
            5..8 | 9 => 20,
            FIRST.. if flag => 30,
            _ => 40,
        };
        let by_tuple = match (flag, pair) {
            (true, (a, Some(b))) if a > b => a - b,
            (true, (_, Some(b))) => b,
            (false, (a, None)) => a,
            (_, (_, None)) | (false, _) => 0,
        };
        by_range + by_tuple
    }

    fn with_options(v: &Vec<u32>) -> u32 {
        let Some(first) = v.first() else { return 0 };
        let last = if let Some(last) = v.last() { *last } else { 0 };
        let big = v
            .iter()
            .position(|x| *x > 5)
            .map(|i| i as u32)
            .unwrap_or(100);
        first + last + big
    }

    #[kernel]
    pub fn matches_of_every_kind(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let mut numbers = vec![
            named(0, true, (5, Some(2))),
            named(3, true, (1, Some(4))),
            named(9, false, (7, None)),
        ];
        numbers.push(named(8, true, (1, None)));
        numbers.push(named(8, false, (1, Some(3))));
        numbers.push(with_options(&vec![2, 4, 6]));
        numbers.push(with_options(&Vec::new()));
        let mut sum = 0;
        while let Some(n) = numbers.pop() {
            sum = sum * 3 + n;
        }
        input
            .split_up(8)
            .as_grid_map(|chunk| chunk.map(|x| x + sum).push())
    }

    #[kernel]
    pub fn blocks_and_shadowing(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = 3;
        let n = {
            let n = n + 1;
            let m = { n * 2 };
            m + n
        };
        let (a, (b, _)) = (n, (n + 1, true));
        let chosen: u32 = if a < b && !(a == b) || false { a } else { b };
        input.split_up(8).as_grid_map(|chunk| {
            let chunk = chunk.map(|x| {
                let x = x + chosen;
                let x = x * 2;
                x
            });
            chunk.push()
        })
    }

    #[kernel]
    pub fn assertions_hold(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(8).as_grid_map(|chunk| {
            assert!(chunk.len() == 8, "eight in a piece");
            assert_eq!(chunk.len() / 2, 4);
            assert_ne!(chunk.len(), 9, "never nine");
            chunk.push()
        })
    }

    #[kernel]
    pub fn r#loop(r#in: DPull<EU32>, double: EU32) -> DPush<Grid, EU32> {
        let r#match = r#in.split_up(8);
        r#match.as_grid_map(|r#while| r#while.map(|r#for| r#for + double).push())
    }

    #[kernel]
    pub fn names_of_the_generated_module(
        device: DPull<EU32>,
        kernel: DPull<EU32>,
        outputs: EU32,
    ) -> DPush<Grid, EU32> {
        let threads = zip_with(|trace, builder| trace + builder * outputs, device, kernel);
        threads.split_up(8).as_grid_map(|launch| launch.push())
    }

    fn bind(arr: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        compute(arr.map(|x| x + 1))
            .and_then(|arr| compute(arr.reverse()))
            .map(|arr| arr.push())
    }

    #[kernel]
    pub fn programs_without_question_marks(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(16)
            .as_grid_map(|chunk| exec_block(bind(chunk)))
    }

    fn both<L: Compute>(arr: Pull<EU32>) -> Program<L, (Pull<EU32>, Pull<EU32>)> {
        let sums = compute(arr.map(|x| x + 1))?;
        let products = compute(arr.map(|x| x * 3))?;
        pure((sums, products))
    }

    fn nested<L: Compute>(arr: Pull<EU32>) -> Program<L, Push<L, EU32>> {
        let (sums, products) = both(arr)?;
        let steps: Vec<_> = vec![sums, products]
            .into_iter()
            .map(|a| compute(a.reverse()))
            .collect();
        let mut done = Vec::new();
        for step in steps {
            done.push(step?);
        }
        let (x, y) = (done[0].clone(), done[1].clone());
        pure(zip_with(|a, b| a ^ b, x, y).push())
    }

    #[kernel]
    pub fn programs_of_tuples_and_in_vectors(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(16)
            .as_grid_map(|chunk| exec_block(nested(chunk)))
    }
}

/// Vectors, arrays, tuples and iterators.
#[kernels]
mod sequences {
    fn add(input: DPull<EU32>, n: u32) -> DPush<Grid, EU32> {
        input
            .split_up(8)
            .as_grid_map(|chunk| chunk.map(|x| x + n).push())
    }

    #[kernel]
    pub fn iterator_adaptors(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let v: Vec<u32> = (0..10).collect();
        let a: u32 = v.iter().map(|x| x * 2).filter(|x| x % 3 == 0).sum();
        let b = v
            .iter()
            .rev()
            .enumerate()
            .fold(0, |sum, (i, x)| sum + i as u32 * x);
        let c = v
            .iter()
            .zip(v.iter().skip(1))
            .map(|(x, y)| x * y)
            .max()
            .unwrap();
        let d: u32 = (0..20u32).step_by(6).chain(100..102).take(5).sum();
        let e = v.windows(3).filter(|w| w[0] + w[2] == 2 * w[1]).count() as u32;
        let f = v
            .chunks(4)
            .map(|part| part.iter().copied().sum::<u32>())
            .min()
            .unwrap();
        let g = v.iter().any(|&x| x == 7) && v.iter().all(|x| *x < 10) && !v.contains(&11);
        let h = v.iter().position(|&x| x == 7).unwrap() as u32;
        let i: u32 = v.iter().flat_map(|&x| vec![x; 2]).sum();
        let j = v
            .iter()
            .take_while(|x| **x < 4)
            .copied()
            .reduce(|x, y| x * 2 + y)
            .unwrap();
        let k = v
            .iter()
            .filter_map(|&x| if x > 7 { Some(x) } else { None })
            .product::<u32>();
        let l = v.iter().find(|x| **x > 3).copied().unwrap_or(0);
        add(
            input,
            a + b + c + d + e + f + if g { h } else { 0 } + i + j + k + l,
        )
    }

    #[kernel]
    pub fn vectors_change(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let mut v = vec![1u32, 2, 3];
        v.push(4);
        v[0] = 10;
        v[1] += v[2] * 2;
        v.swap(0, 3);
        v.insert(1, 50);
        let gone = v.remove(2);
        v.extend(vec![7, 6]);
        v.reverse();
        v.truncate(4);
        let mut grid = vec![vec![0u32; 2]; 2];
        grid[1][0] = 5;
        grid[1].push(9);
        let mut pair = (1u32, [2u32, 3]);
        pair.0 += 1;
        pair.1[1] = 8;
        let last = v.pop().unwrap();
        let all: u32 = v.iter().sum::<u32>() * 3 + last + gone;
        add(
            input,
            all + grid[1][0] + grid[1][2] * grid[1].len() as u32 + pair.0 + pair.1[0] * pair.1[1],
        )
    }

    #[kernel]
    pub fn arrays_and_ranges(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let zeros = [0u32; 4];
        let mut table = [[1u32, 2], [3, 4]];
        table[0][1] = 20;
        let v: Vec<u32> = (1..=4).rev().collect();
        let mut sum = zeros.len() as u32;
        for row in table {
            for (i, x) in row.iter().enumerate() {
                sum += x * (i as u32 + 1);
            }
        }
        for i in 0..v.len() {
            sum += v[i] * i as u32;
        }
        for x in &v[1..3] {
            sum += x;
        }
        for i in (0..v.len()).step_by(2).rev() {
            sum = sum * 2 + v[i];
        }
        sum += v[..2].to_vec()[1] + v[2..].to_vec()[0];
        if (2..5).contains(&v.len()) {
            sum += 1;
        }
        add(input, sum)
    }

    #[kernel]
    pub fn device_values_in_sequences(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(8).as_grid_map(|chunk| {
            let v: Vec<EU32> = (0..8).map(|i| chunk[i]).collect();
            let sum: EU32 = v.iter().copied().sum();
            let pairs = v
                .iter()
                .zip(v.iter().skip(1))
                .map(|(x, y)| x * y)
                .fold(lit(0u32), |a, b| a ^ b);
            let largest = v
                .iter()
                .copied()
                .reduce(|a, b| select(a > b, a, b))
                .unwrap();
            let shifted: Vec<EU32> = v.iter().enumerate().map(|(i, x)| *x << i as u32).collect();
            append(singleton(sum + pairs), singleton(largest + shifted[3])).push()
        })
    }

    #[kernel]
    pub fn device_booleans(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(8).as_grid_map(|chunk| {
            let test = |x: EU32| (x > 100) & (x % 2 == 0) | !(x < 900) ^ (50 < x);
            chunk.map(|x| select(test(x), x, lit(1u32) + x * 2)).push()
        })
    }

    #[kernel]
    pub fn literals_and_casts(input: DPull<EU32>) -> DPush<Grid, EU64> {
        input.split_up(8).as_grid_map(|chunk| {
            chunk
                .map(|x| {
                    let small = lit(200u8) + x as u8;
                    let wide = lit::<u64>(5) + small as u64;
                    let float = x as f32 * 1.5 + 2.0;
                    let hexadecimal = 0xff_u32 as u64 + 1_000;
                    wide + (float as i32 - 7) as u64 + hexadecimal + true as u64 + (3.9f32 as u64)
                })
                .push()
        })
    }

    #[kernel]
    pub fn floats_of_the_host(input: DPull<EF32>) -> DPush<Grid, EF32> {
        let scale = 2.0f32.powi(3) / 4.0;
        let near = (std::f32::consts::PI * 0.0 + 1.0).max(0.5);
        input
            .split_up(8)
            .as_grid_map(|chunk| chunk.map(|x| (x * scale - near).abs().sqrt()).push())
    }
}

fn per_element(x: Vec<u32>, f: impl Fn(u32) -> u32) -> Vec<u32> {
    x.into_iter().map(f).collect()
}

fn per_piece(x: Vec<u32>, n: usize, f: impl Fn(&[u32]) -> Vec<u32>) -> Vec<u32> {
    x.chunks(n).flat_map(f).collect()
}

fn reversed(x: &[u32], f: impl Fn(u32) -> u32) -> Vec<u32> {
    x.iter().rev().map(|x| f(*x)).collect()
}

fn rotations(piece: &[u32]) -> Vec<u32> {
    (0..3).fold(piece.to_vec(), |v, shift| {
        (0..v.len())
            .map(|i| (v[i] << shift) ^ v[(i + 1) % v.len()])
            .collect()
    })
}

/// Maxima of pairs, twice; one of the three rounds is skipped.
fn maxima(piece: &[u32]) -> Vec<u32> {
    piece
        .chunks(4)
        .map(|c| *c.iter().max().unwrap() + 3)
        .collect()
}

fn early(piece: &[u32]) -> Vec<u32> {
    [
        piece.to_vec(),
        reversed(piece, |x| x),
        piece.iter().map(|x| x * 2).collect(),
    ]
    .concat()
}

fact!(stages_in_a_for: control::a_loop_of_stages[64](x: u32) == per_piece(x, 64, rotations));
fact!(stages_in_a_while: control::a_while_of_stages[64](x: u32) == per_piece(x, 64, |c| vec![c.iter().sum()]));
fact!(loops_break_and_continue: control::a_loop_with_break_and_continue[32](x: u32) == per_piece(x, 32, maxima));
fact!(returns_before_and_after_programs: control::early_returns_around_programs[16](x: u32) == per_piece(x, 16, early));
fact!(matches_choose: control::matches_of_every_kind[8](x: u32) == per_element(x, |x| x + MATCHES));
fact!(blocks_are_values: control::blocks_and_shadowing[8](x: u32) == per_element(x, |x| (x + 12) * 2));
fact!(assertions_say_nothing: control::assertions_hold[8](x: u32) == x);
fact!(raw_names_are_names: control::r#loop[8](x: u32; 5) == per_element(x, |x| x + 5));
fact!(every_name_is_free: control::names_of_the_generated_module[8](x: u32, y: u32; 3) == x.iter().zip(&y).map(|(x, y)| x + y * 3).collect::<Vec<u32>>());
fact!(programs_bind: control::programs_without_question_marks[16](x: u32) == per_piece(x, 16, |c| reversed(c, |x| x + 1)));
fact!(programs_give_tuples: control::programs_of_tuples_and_in_vectors[16](x: u32) == per_piece(x, 16, |c| reversed(c, |x| (x + 1) ^ (x * 3))));

/// What `matches_of_every_kind` adds, from the last number to the first.
const MATCHES: u32 = {
    let numbers = [1 + 3, 10 + 4, 20 + 7, 30, 40, 2 + 6 + 2, 0];
    let (mut sum, mut n) = (0, numbers.len());
    while n > 0 {
        n -= 1;
        sum = sum * 3 + numbers[n];
    }
    sum
};

fn adaptors() -> u32 {
    let v: Vec<u32> = (0..10).collect();
    let a: u32 = v.iter().map(|x| x * 2).filter(|x| x % 3 == 0).sum();
    let b = v
        .iter()
        .rev()
        .enumerate()
        .fold(0, |sum, (i, x)| sum + i as u32 * x);
    let j = [0, 1, 2, 3].into_iter().reduce(|x, y| x * 2 + y).unwrap();
    a + b + 72 + (6 + 12 + 18 + 100) + 8 + 6 + 7 + 90 + j + 72 + 4
}

fn changed() -> u32 {
    let v = [6, 7, 10];
    v.iter().sum::<u32>() * 3 + 3 + 8 + 5 + 9 * 3 + 2 + 2 * 8
}

fn ranges() -> u32 {
    let sum = 4 + (1 + 40 + 3 + 8) + (3 + 4 + 3) + (3 + 2);
    let sum = (sum * 2 + 2) * 2 + 4;
    sum + 3 + 2 + 1
}

fn of_device_values(c: &[u32]) -> Vec<u32> {
    let pairs = c.windows(2).fold(0, |a, w| a ^ (w[0] * w[1]));
    vec![
        c.iter().sum::<u32>() + pairs,
        c.iter().max().unwrap() + (c[3] << 3),
    ]
}

fact!(adaptors_run_on_the_host: sequences::iterator_adaptors[8](x: u32) == per_element(x, |x| x + adaptors()));
fact!(vectors_can_be_changed: sequences::vectors_change[8](x: u32) == per_element(x, |x| x + changed()));
fact!(arrays_and_ranges_are_values: sequences::arrays_and_ranges[8](x: u32) == per_element(x, |x| x + ranges()));
fact!(sequences_hold_device_values: sequences::device_values_in_sequences[8](x: u32) == per_piece(x, 8, of_device_values));
fact!(booleans_of_the_device: sequences::device_booleans[8](x: u32) == per_element(x, |x| {
    if (x > 100) & (x % 2 == 0) | !(x < 900) ^ (50 < x) { x } else { 1 + x * 2 }
}));
fact!(literals_have_types: sequences::literals_and_casts[8](x: u32) == x.iter().map(|&x| {
    5 + u64::from(200u8.wrapping_add(x as u8)) + (((x as f32 * 1.5 + 2.0) as i32 - 7) as u64).wrapping_add(255 + 1000 + 1 + 3)
}).collect::<Vec<u64>>());
fact!(floats_are_staged: sequences::floats_of_the_host[8](x: f32) == x.iter().map(|x| (x * 2.0 - 1.0).abs().sqrt()).collect::<Vec<f32>>());
